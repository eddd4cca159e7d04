"""Buttons that ask once more before they do what cannot be undone."""

from playwright.sync_api import Page, TimeoutError as TooLate

ASKS_MS = 3000
"""A button asks for a little longer than this: who comes later, as on a busy machine, begins anew."""
MOST = 20


def press_twice(page: Page, name: str, again: str = "Really? Press again") -> None:
    """Press a button, and once more when it asks."""
    for _ in range(MOST):
        page.get_by_role("button", name=name).click()
        try:
            page.get_by_role("button", name=again).click(timeout=ASKS_MS)
        except TooLate:
            continue
        return
    raise AssertionError(f"the button {name!r} was pressed in vain")
