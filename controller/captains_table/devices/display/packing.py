"""Frames as bytes: as the chips store them (one bit in pages of eight rows, or four bits), and as a picture file."""

from io import BytesIO
from typing import Final

from PIL import Image

WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = HEIGHT // 8
SIZE: Final = (WIDTH, HEIGHT)
WIDE: Final = (256, HEIGHT)


def pack(image: Image.Image) -> bytes:
    """Return the 1,024 bytes of a frame, page by page, a byte being eight pixels with the topmost in bit 0.

    So store SSD1306, SSD1309 and SH1106. Turned by a quarter, a column becomes a row whose leftmost pixel is the bottom
    one; packed most significant bit first, its bytes are already the chip's, the bottom page first. No bit needs to be
    touched one by one.

    Raises:
        ValueError: the image is not 128 x 64 pixels of one bit.
    """
    _check(image, SIZE, "1")
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


def unpack_columns(columns: bytes) -> Image.Image:
    """Return a strip eight pixels high from a byte a column."""
    return Image.frombytes("1", (8, len(columns)), columns).transpose(Image.Transpose.ROTATE_90)


def pack_greys(image: Image.Image) -> bytes:
    """Return the 8,192 bytes of a wide frame, row by row, a byte being two pixels with the left one in the high half.

    So stores the SSD1322. The halves are put together as two large numbers: no carry, for none exceeds 15.

    Raises:
        ValueError: the image is not 256 x 64 pixels of eight bits.
    """
    _check(image, WIDE, "L")
    levels = image.point([grey >> 4 for grey in range(256)]).tobytes()
    left, right = (int.from_bytes(levels[first::2], "big") for first in (0, 1))
    return (left << 4 | right).to_bytes(len(levels) // 2, "big")


def _check(image: Image.Image, size: tuple[int, int], mode: str) -> None:
    if image.mode != mode or image.size != size:
        wanted = f"a frame is a {size[0]}x{size[1]} image of mode {mode!r}"
        raise ValueError(f"{wanted}, not {image.width}x{image.height} of {image.mode!r}")


def png(image: Image.Image, scale: int = 1) -> bytes:
    """Return an image as PNG, every pixel enlarged to `scale` x `scale`."""
    enlarged = image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)
    file = BytesIO()
    enlarged.save(file, "PNG")
    return file.getvalue()
