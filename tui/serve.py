"""The front end in a browser: a web server that runs one of it for each tab.

Whoever reaches the server can type as the user who started it. So it listens on this machine alone
unless told otherwise, and then asks for a token; it answers only to the names it was given, so that
no other page can reach it through the browser (DNS rebinding, cross-site websockets).
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import shlex
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from aiohttp import WSCloseCode, web
from textual_serve.server import Server

from interviewer.settings.web_address import is_loopback

COOKIE = "interviewer-token"
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self' ws: wss:; img-src 'self' data:; frame-ancestors 'none'"
)
"""Nothing is loaded from anywhere else, fonts included."""
_PAGE = """
<script>
  // A browser keeps Ctrl+W for itself: it asks before it closes an interview.
  addEventListener("beforeunload", event => {
    if (!document.body.classList.contains("-closed")) event.preventDefault();
  });
  // Keys reach the interview without a click first. It hears of the focus once it runs.
  new MutationObserver((_, observer) => {
    if (!document.body.classList.contains("-first-byte")) return;
    observer.disconnect();
    const keys = document.querySelector(".xterm-helper-textarea");
    keys?.blur();
    keys?.focus();
  }).observe(document.body, { attributeFilter: ["class"] });
</script>
</body>"""
"""What the page does besides, at its end."""
IN_A_BROWSER = {"interview.hint": "alt+h", "practice.hint": "alt+h"}
"""Keys in place of those that browsers keep for themselves."""
_PATIENCE = 5.0
"""Seconds for the interviews to end when the server does."""
_LAST_WORDS = 0.5
"""Seconds from the last frame of an interview to the end of its process, which nothing tells."""
_HOST = r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?"
_ORIGIN = rf"(?:[a-z]+://)?({_HOST})"
_SIDES = {*range(1, 1_000)}  # of a screen, in cells
_base: ContextVar[str] = ContextVar("base")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def is_local(host: str) -> bool:
    return is_loopback(host.strip("[]"))


class GuardedServer(Server):
    """Textual's server behind a check of host, origin and token.

    ``token`` is None for a server that only this machine can reach.
    """

    def __init__(self, command: str, host: str, port: int, token: str | None) -> None:
        super().__init__(command, host=host, port=port, title="Mock interview")
        self.token = token
        self._tabs: dict[asyncio.Task[Any], web.Request] = {}

    @property
    def public_url(self) -> str:
        return _base.get(f"http://{self.host}:{self.port}")

    @public_url.setter
    def public_url(self, value: str) -> None:
        """Textual's server would fix one address for all requests."""

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard())
        return app

    async def on_startup(self, app: web.Application) -> None:
        """Says where to go; the token is part of the address."""
        query = f"?token={self.token}" if self.token else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        print(f"Open http://{host}:{self.port}/{query}", flush=True)
        print("Ctrl+C stops it; interviews are saved as you type.", flush=True)

    async def on_shutdown(self, app: web.Application) -> None:
        """Closes the tabs, and with them their interviews; those that are closing just finish."""
        for tab, request in self._tabs.items():
            if request.transport is not None and not request.transport.is_closing():
                tab.cancel()
        if self._tabs:
            await asyncio.wait(self._tabs, timeout=_PATIENCE)
            await asyncio.sleep(_LAST_WORDS)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """One tab, for as long as it is open."""
        sides = (request.query.get(side, "") for side in ("width", "height"))
        if not web.WebSocketResponse().can_prepare(request) or max(map(len, sides)) > 3:
            raise web.HTTPBadRequest(text="This is for the page's own connection.")
        tab = asyncio.ensure_future(super().handle_websocket(request))
        self._tabs[tab] = request
        tab.add_done_callback(self._tabs.pop)
        return await asyncio.shield(tab)

    async def _process_messages(self, websocket: web.WebSocketResponse, app_service: Any) -> None:
        """Takes what the page sends. Anything else closes the tab; its interview can be resumed."""
        async for message in websocket:
            sent = None
            with suppress(ValueError, TypeError, RecursionError):
                sent = json.loads(message.data)
            match sent:
                case ["stdin", str(keys)]:
                    await app_service.send_bytes(keys.encode(errors="replace"))
                case ["resize", {"width": int(x), "height": int(y)}] if {x, y} <= _SIDES:
                    await app_service.set_terminal_size(x, y)
                case ["ping", stamp]:
                    await websocket.send_json(["pong", stamp])
                case ["blur" | "focus" as what]:
                    await app_service.send_meta({"type": what})
                case _:
                    await websocket.close(code=WSCloseCode.UNSUPPORTED_DATA)

    def initialize_logging(self) -> None:
        """Textual's server would show every request, tokens included, aiohttp's what is no HTTP."""
        logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)

    def _guard(self) -> Any:
        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            host = re.fullmatch(_HOST, request.host)
            origin = re.fullmatch(_ORIGIN, request.headers.get("Origin", f"http://{request.host}"))
            if not (host and origin):
                raise web.HTTPBadRequest(text="The header Host or Origin is no address.")
            if self.token is None and not is_local(host[1]):
                raise web.HTTPForbidden(text="This server answers to localhost only.")
            if origin[1].lower() != request.host.lower():
                raise web.HTTPForbidden(text="Another site may not use this server.")
            given = request.query.get("token") or request.cookies.get(COOKIE, "")
            if self.token is not None and not secrets.compare_digest(
                given.encode(), self.token.encode()
            ):
                raise web.HTTPForbidden(text="Open the address that the server printed.")
            _base.set(f"{request.scheme}://{request.host}")
            response = await handler(request)
            if not response.prepared:
                if isinstance(response, web.Response) and response.content_type == "text/html":
                    response.text = (response.text or "").replace("</body>", _PAGE)
                response.headers["Content-Security-Policy"] = _POLICY
                response.headers["Referrer-Policy"] = "no-referrer"
                if self.token is not None and "token" in request.query:
                    response.set_cookie(COOKIE, self.token, httponly=True, samesite="Strict")
            return response

        return guard


def server(host: str, port: int, flags: Mapping[str, Any]) -> GuardedServer:
    command = shlex.join([sys.executable, "-m", "tui.serve", json.dumps(dict(flags))])
    return GuardedServer(command, host, port, None if is_local(host) else secrets.token_urlsafe(24))


def main() -> None:
    """The front end of one tab; its keys and pictures go through Textual's web driver."""
    from interviewer.settings import load_settings
    from tui import main as front_end

    settings = load_settings(**json.loads(sys.argv[1]))
    keys = {**IN_A_BROWSER, **settings.keys}
    raise SystemExit(front_end(replace(settings, keys=keys)))


if __name__ == "__main__":
    main()
