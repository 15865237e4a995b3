"""Network addresses and coordinates: from reserved ranges, or nearby."""

import ipaddress
import re

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.surrogates.context import Context

_TRIES = 60
_HEX = re.compile(r"[0-9A-Fa-f]")
_NUMBER = re.compile(r"(-?)(\d+)\.(\d+)")


def network_address(context: Context, text: str) -> str | None:
    """An address of a documentation range (RFC 5737, 3849, 7042), or a point within one degree; else None."""
    draw = context.draws.draw("network", text.lower())
    for _ in range(_TRIES):
        value = _ip(text, draw) or _mac(text, draw) or _point(text, draw)
        if value is None or context.taken.take(value):
            return value
    return None


def _ip(text: str, draw: Draw) -> str | None:
    address, slash, prefix = text.partition("/")
    try:
        version = ipaddress.ip_address(address).version
    except ValueError:
        return None
    if version == 4:
        new = f"{draw.pick(('192.0.2', '198.51.100', '203.0.113'))}.{draw.between(1, 254)}"
    else:
        new = f"2001:db8:{draw.between(1, 9999):x}::{draw.between(1, 65535):x}"
    return new + slash + prefix


def _mac(text: str, draw: Draw) -> str | None:
    if len(_HEX.findall(text)) != 12 or re.search(r"[^0-9A-Fa-f:.-]", text):
        return None
    digits = iter(f"00005e0053{draw.below(256):02x}")
    return _HEX.sub(lambda old: next(digits).upper() if text.isupper() else next(digits), text)


def _point(text: str, draw: Draw) -> str | None:
    if len(_NUMBER.findall(text)) != 2:
        return None

    def near(match: re.Match[str]) -> str:
        most = 89 if match.start() == 0 else 179
        degrees = min(int(match[2]) + draw.pick((-1, 0, 1)), most)
        return f"{match[1]}{max(degrees, 0)}.{draw.digits(min(len(match[3]), 15))}"

    return _NUMBER.sub(near, text)
