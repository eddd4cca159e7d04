"""A frame as a picture file, for tests, pages and guides."""

from io import BytesIO

from PIL import Image


def png(image: Image.Image, scale: int = 1) -> bytes:
    """Return an image as PNG, every pixel enlarged to `scale` x `scale`."""
    enlarged = image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)
    file = BytesIO()
    enlarged.save(file, "PNG")
    return file.getvalue()
