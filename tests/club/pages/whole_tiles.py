"""What the eye finds wrong with the tiles of a wall: what is cut, what lies over what, who is not even counted."""

from pathlib import Path

from playwright.sync_api import Page

_LOOK = Path(__file__).with_suffix(".js").read_text("utf-8")


def wrong_with_tiles(page: Page) -> list[str]:
    """Return what is cut, sticks out, lies over something else or is not counted on the tiles of a wall."""
    found: list[str] = page.evaluate(_LOOK)
    return found
