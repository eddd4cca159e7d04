"""How a phone gets here: the address that others reach the page by, and its picture for their cameras."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import segno


@dataclass(frozen=True, slots=True)
class Joining:
    """An address to open on a phone: whole, as one types it, and as a QR code (SVG); all empty without a network."""

    address: str
    typed: str
    picture: str


NO_NETWORK: Final = Joining("", "", "")


def joining(base: str) -> Joining:
    """Return where a phone follows the match, by the beginning of the addresses for others."""
    if not base:
        return NO_NETWORK
    address = f"{base.rstrip('/')}/table"
    return Joining(address, address.partition("//")[2], qr_picture(address))


@lru_cache(maxsize=8)
def qr_picture(text: str) -> str:
    """Return an address or a digest as a QR code, an SVG that takes the size of what it is put into."""
    return segno.make(text, error="m", micro=False).svg_inline(omitsize=True, light="#fff")
