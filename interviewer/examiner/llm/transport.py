"""The HTTP client for endpoints: no reply without end, none from somewhere else, one sentence each.

openai reads whatever comes: an error of gigabytes, a redirect that takes the key to another host.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.request import getproxies

import httpx2
import openai

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import failures
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.settings.web_address import is_usable, shown

LONGEST_ERROR = 64 << 10
"""Bytes of an error's body that are read: far more than the reason takes."""
CONNECT_SECONDS = 10.0
PLACEHOLDER_KEY = "none-needed"
"""openai insists on a key; local servers ignore it."""
_CODINGS = ("", "identity", "gzip", "deflate")


class Elsewhere(Exception):
    """The server redirects to another origin, which is the argument."""


def connect(endpoint: Endpoint) -> openai.AsyncOpenAI:
    """A connection to it. Raises ExaminerError where the settings or the environment cannot do,
    since that would fail later with an obscure error, or with one that shows the key."""
    key = endpoint.key or ""
    if not is_usable(endpoint.url):
        raise _unfit("no address", endpoint)
    if not (endpoint.base_url or key):
        raise _unfit("no key", endpoint)
    if not (key.isascii() and key.isprintable()):
        raise _unfit("odd key", endpoint)
    return openai.AsyncOpenAI(
        api_key=key or PLACEHOLDER_KEY,
        base_url=endpoint.url,
        timeout=openai.Timeout(
            endpoint.timeout, connect=min(CONNECT_SECONDS, endpoint.timeout / 2)
        ),
        max_retries=0,  # done by the client, where the screen can be told
        http_client=endpoint.http_client or new_client(endpoint),  # type: ignore[arg-type]
    )


def new_client(endpoint: Endpoint) -> httpx2.AsyncClient:
    """A client with these limits, and else as openai's own. Raises ExaminerError."""
    try:
        return openai.DefaultAsyncHttpxClient(
            event_hooks={"request": [_ask_plain], "response": [_bound]},
            trust_env=not endpoint.is_local,  # no proxy for this machine
        )
    except OSError as error:
        raise _unfit("odd trust", endpoint, error.strerror or str(error)) from error
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        proxies = {name: getproxies().get(name) for name in ("http", "https", "all")}
        named = [f"{name.upper()}_PROXY ({shown(url)})" for name, url in proxies.items() if url]
        which = " or ".join(named) or "The proxy of this machine"
        kind = "socks proxy" if isinstance(error, ImportError) else "odd proxy"
        raise _unfit(kind, endpoint, which) from error


def _unfit(kind: str, endpoint: Endpoint, why: str = "") -> ExaminerError:
    return ExaminerError(failures.of(kind, endpoint, why=why).message)


async def _ask_plain(request: httpx2.Request) -> None:
    request.headers["Accept-Encoding"] = "identity"


async def _bound(response: httpx2.Response) -> None:
    """Raises Elsewhere, and DecodingError for a coding that nobody asked for."""
    if response.has_redirect_location:
        target = response.request.url.join(response.headers["location"])
        if _origin(target) != _origin(response.request.url):
            raise Elsewhere(_origin(target))
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding not in _CODINGS:
        raise httpx2.DecodingError(coding, request=response.request)
    if response.is_error:
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Beginning(response.stream)


def _origin(url: httpx2.URL) -> str:
    return str(url.copy_with(raw_path=b"/", userinfo=b"", fragment=None)).rstrip("/")


class _Beginning(httpx2.AsyncByteStream):
    """The first bytes of an error."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for data in self._inner:
            yield data
            size += len(data)
            if size > LONGEST_ERROR:
                return

    async def aclose(self) -> None:
        await self._inner.aclose()
