"""Addresses of endpoints: is one usable, where does it lead, and what of it may be shown."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

OPENAI_URL = "https://api.openai.com/v1"
_HOST = re.compile(r"[A-Za-z0-9._\-:\[\]]+")
_USERINFO = re.compile(r"(?<=//)[^/?#]*@")
_QUERY = re.compile(r"[?#].*", re.DOTALL)


def is_usable(url: str) -> bool:
    """Whether requests can be sent to it at all."""
    parts = _parts(url)
    if parts is None or not url.isprintable() or " " in url:
        return False
    try:
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError:
        return False
    host = parts.hostname or ""
    return parts.scheme in ("http", "https") and bool(_HOST.fullmatch(host)) and port_is_fine


def host_of(url: str) -> str:
    """The host, "" if there is none."""
    parts = _parts(url)
    return (parts and parts.hostname) or ""


def is_loopback(host: str) -> bool:
    """Whether the name or address is this machine's own."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_local(url: str) -> bool:
    """Whether requests to it stay on this machine."""
    host = host_of(url)
    return is_loopback(host) or host.endswith(".localhost")


def proxy_of(url: str) -> tuple[str, str] | None:
    """The proxy that the HTTP client finds for it in the environment, and the variable."""
    from urllib.request import getproxies

    if is_local(url) or not is_usable(url) or not getproxies():
        return None
    from httpx2 import URL
    from httpx2._utils import URLPattern, get_environment_proxies

    ways = sorted((URLPattern(name), to) for name, to in get_environment_proxies().items())
    way, proxy = next((each for each in ways if each[0].matches(URL(url))), (None, None))
    return (shown(proxy), f"{way.scheme or 'all'}_PROXY".upper()) if way and proxy else None


def route(url: str) -> str:
    """The address as shown, and the proxy on the way there."""
    proxy = proxy_of(url)
    return f"{shown(url)} through the proxy {proxy[0]}" if proxy else shown(url)


def shown(url: str) -> str:
    """The address for people to read: without a password or a query that may hold one."""
    parts = _parts(url)
    if parts is None:
        return _QUERY.sub("", without_password(url))
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))


def without_password(text: str) -> str:
    """Text with the name and password taken out of any address in it."""
    return _USERINFO.sub("", text)


def secrets_in(url: str) -> tuple[str, ...]:
    """What is secret in an address, decoded: its password, that with the name, each query value."""
    parts = _parts(url)
    if parts is None:
        return ()
    password = unquote(parts.password or "")
    pair = f"{unquote(parts.username or '')}:{password}"
    return (
        *((pair, password) if password else ()),
        *(value for _, value in parse_qsl(parts.query)),
    )


def _parts(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:  # a bracket without its pair, or no IPv6 address between two
        return None
