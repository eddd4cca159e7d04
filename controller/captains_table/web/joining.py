"""How a phone gets here: the address that others reach the page by, and its picture for their cameras."""

from dataclasses import dataclass
from urllib.parse import urlsplit

import segno
from starlette.requests import Request

from captains_table.web.security import is_loopback


@dataclass(frozen=True, slots=True)
class Joining:
    """An address to open on a phone: whole, as one types it, and as a QR code (SVG)."""

    address: str
    typed: str
    picture: str


def base_address(request: Request, own: str) -> str:
    """Return how addresses for others begin: as whoever asks came here, if others can come so too, else the own one."""
    if is_loopback(request.url.hostname or ""):
        return own
    return f"{request.url.scheme}://{request.headers['host']}/"


def joining(request: Request, own: str) -> Joining | None:
    """Return where a phone follows the match; `None` where nobody but this machine reaches the page."""
    base = base_address(request, own)
    if is_loopback(urlsplit(base).hostname or "localhost"):
        return None
    address = f"{base.rstrip('/')}/table"
    return Joining(address, address.partition("//")[2], qr_picture(address))


def qr_picture(address: str) -> str:
    """Return an address as a QR code, an SVG that takes the size of what it is put into."""
    return segno.make(address, error="m", micro=False).svg_inline(omitsize=True, light="#fff")
