"""The address by which phones open the table's page, as text and as a QR code."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import segno


@dataclass(frozen=True, slots=True)
class JoinLink:
    """An address to open on a phone: complete, as typed, and as a QR code (SVG); all empty without a network."""

    address: str
    typed: str
    picture: str


NO_NETWORK: Final = JoinLink("", "", "")


def join_link(base: str) -> JoinLink:
    """Return the address at which a phone follows the match, made of a base URL that other devices reach."""
    if not base:
        return NO_NETWORK
    address = f"{base.rstrip('/')}/table"
    return JoinLink(address, address.partition("//")[2], qr_picture(address))


@lru_cache(maxsize=8)
def qr_picture(text: str) -> str:
    """Return an address or a digest as a QR code: an SVG that fills its parent element."""
    return segno.make(text, error="m", micro=False).svg_inline(omitsize=True, light="#fff")
