"""Converts frames to the byte formats of the display chips (1 bit in pages of eight rows, or 4 bits), and to PNG."""

from io import BytesIO
from typing import Final

from PIL import Image

WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = HEIGHT // 8
GLASS_SIZE: Final = (WIDTH, HEIGHT)
WIDE: Final = (256, HEIGHT)


def pack_pages(image: Image.Image) -> bytes:
    """Return a frame as 1,024 bytes, page by page; each byte is a column of eight pixels with the top one in bit 0.

    This is the format of SSD1306, SSD1309 and SH1106. The image is rotated by 270 degrees, which turns each column into
    a row that begins with the column's bottom pixel. Pillow packs the first pixel of a row into the highest bit, so
    that each row already has the chip's bytes, in the order from the bottom page to the top page. No loop over single
    pixels is needed.

    Raises:
        ValueError: the image is not 128 x 64 pixels of one bit.
    """
    _check(image, GLASS_SIZE, "1")
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


def unpack_columns(columns: bytes) -> Image.Image:
    """Return an image eight pixels high, with one byte per column and a column's top pixel in bit 0."""
    return Image.frombytes("1", (8, len(columns)), columns).transpose(Image.Transpose.ROTATE_90)


def pack_greys(image: Image.Image) -> bytes:
    """Return a wide frame as 8,192 bytes, row by row; each byte is two pixels with the left one in the high nibble.

    This is the format of the SSD1322. Every pixel is reduced to a grey level, 0 to 15. The levels of all left pixels
    form one large integer, and those of all right pixels another. Both are combined without a loop over pixels.

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
