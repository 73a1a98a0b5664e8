"""The HTTP client for endpoints: no reply without end, none from somewhere else.

openai reads whatever comes: a line that never ends, a body that inflates to gigabytes, a redirect
that takes the key to another host. Here a reply is bounded, as it comes and as it inflates.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Iterator

import httpx2
import openai

LONGEST_BODY = 32 << 20
"""Bytes of a stream; a long stream, token by token, has about three million."""
LONGEST_WHOLE = 2 << 20
"""Bytes of a reply that comes whole: parsed as JSON, it may take thirty times that."""
LONGEST_LINE = 512 << 10
"""Bytes of one line of a stream, which openai keeps in memory until it ends."""
LONGEST_ERROR = 64 << 10
"""Bytes of an error's body that are read: far more than the reason takes."""
_AT_ONCE = 1 << 20
"""Bytes that are inflated in one go."""
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


class Refused(ValueError):
    """What the server sends is not read on."""


class Endless(Refused):
    """The reply is longer than any that makes sense."""


class Undecodable(Refused):
    """The reply is compressed, which was not asked for, and cannot be inflated."""


class Elsewhere(Refused):
    """The server redirects to another origin, which is the argument."""


def new_client(*, proxies: bool = True) -> httpx2.AsyncClient:
    """A client with these limits, with ``proxies`` of the environment, and else as openai's own."""
    return openai.DefaultAsyncHttpxClient(
        event_hooks={"request": [_ask_plain], "response": [_bound]},
        trust_env=proxies,
        verify=httpx2.create_ssl_context(),  # SSL_CERT_FILE counts in either case
    )


async def _ask_plain(request: httpx2.Request) -> None:
    request.headers["Accept-Encoding"] = "identity"


async def _bound(response: httpx2.Response) -> None:
    """Raises Elsewhere and Undecodable; reading the body may raise all three."""
    if response.has_redirect_location:
        target = response.request.url.join(response.headers["location"])
        if _origin(target) != _origin(response.request.url):
            raise Elsewhere(_origin(target))
    encoding = response.headers.pop("content-encoding", "identity").strip().lower()
    if encoding not in _DECODERS:
        raise Undecodable(encoding)
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    is_chat = response.request.method == "POST"  # nothing else is read as it streams
    streams = is_chat and "event-stream" in response.headers.get("content-type", "")
    response.stream = _Bounded(
        response.stream,
        _DECODERS[encoding](),
        longest=LONGEST_BODY if streams else LONGEST_WHOLE,
        streams=streams,
        failed=response.is_error,
    )


def _origin(url: httpx2.URL) -> str:
    return str(url.copy_with(raw_path=b"/", userinfo=b"", fragment=None)).rstrip("/")


class _Plain:
    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What the bytes stand for, a little at a time."""
        yield data


class _Inflating:
    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Raises Undecodable."""
        while data:
            try:
                piece = self._inflate.decompress(data, _AT_ONCE)
            except zlib.error as error:
                raise Undecodable(str(error)) from error
            yield piece
            data = self._inflate.unconsumed_tail


_DECODERS: dict[str, type[_Plain | _Inflating]] = {
    "identity": _Plain,
    "": _Plain,
    "gzip": _Inflating,
    "deflate": _Inflating,
}


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends: an error's is cut off, any other raises Endless."""

    def __init__(
        self,
        inner: httpx2.AsyncByteStream,
        decoder: _Plain | _Inflating,
        *,
        longest: int,
        streams: bool,
        failed: bool,
    ) -> None:
        self._inner = inner
        self._decoder = decoder
        self._longest = longest
        self._streams = streams
        self._failed = failed

    async def __aiter__(self) -> AsyncIterator[bytes]:
        body = line = 0
        async for data in self._inner:
            for piece in self._decoder.pieces(data):
                body += len(piece)
                if self._failed and body > LONGEST_ERROR:
                    return
                line = _since_line_end(line, piece) if self._streams else 0
                if body > self._longest or line > LONGEST_LINE:
                    raise Endless
                yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()


def _since_line_end(before: int, piece: bytes) -> int:
    """Bytes since the last line break, ``before`` of them before this piece."""
    last = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
    return before + len(piece) if last < 0 else len(piece) - last - 1
