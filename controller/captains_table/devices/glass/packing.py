"""The SSD1306's memory: eight pages of 128 columns, a byte being eight pixels with the topmost in bit 0."""

from typing import Final

from PIL import Image

WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = HEIGHT // 8
SIZE: Final = (WIDTH, HEIGHT)


def pack(image: Image.Image) -> bytes:
    """Return the 1,024 bytes of a frame, page by page as the chip stores them.

    Turned by a quarter, a column becomes a row whose leftmost pixel is the bottom one; packed most significant bit
    first, its bytes are already the chip's, the bottom page first. No bit needs to be touched one by one.

    Raises:
        ValueError: the image is not 128 x 64 pixels of one bit.
    """
    if image.mode != "1" or image.size != SIZE:
        raise ValueError(f"a frame is a 128x64 image of mode '1', not {image.width}x{image.height} of {image.mode!r}")
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


def unpack(memory: bytes) -> Image.Image:
    """Return the frame that 1,024 bytes of the chip's memory show."""
    image = Image.new("1", SIZE)
    for page in range(PAGES):
        image.paste(unpack_columns(memory[page * WIDTH : (page + 1) * WIDTH]), (0, page * 8))
    return image


def unpack_columns(columns: bytes) -> Image.Image:
    """Return a strip eight pixels high from a byte a column."""
    return Image.frombytes("1", (8, len(columns)), columns).transpose(Image.Transpose.ROTATE_90)
