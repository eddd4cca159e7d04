"""The address by which phones open the table's page, as text and as a QR code.

The module also turns other texts, such as a digest, into QR codes.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import segno


@dataclass(frozen=True, slots=True)
class JoinLink:
    """An address to open on a phone; all attributes are empty without a network.

    Attributes:
        address: the complete URL.
        typed: the URL without its scheme, as people type it.
        picture: the URL as a QR code (SVG).
    """

    address: str
    typed: str
    picture: str


NO_NETWORK: Final = JoinLink("", "", "")


def join_link(base: str) -> JoinLink:
    """Return the link by which a phone follows the match, given the page's base URL for other devices.

    If the base URL is empty, return NO_NETWORK.
    """
    if not base:
        return NO_NETWORK
    address = f"{base.rstrip('/')}/table"
    return JoinLink(address, address.partition("//")[2], qr_picture(address))


@lru_cache(maxsize=8)
def qr_picture(text: str) -> str:
    """Return a text, such as an address or a digest, as a QR code: an SVG that fills its parent element."""
    return segno.make(text, error="m", micro=False).svg_inline(omitsize=True, light="#fff")
