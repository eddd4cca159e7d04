"""axe-core, which judges whether a page keeps anybody out."""

from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

AXE: Final[str] = Axe().axe_script
"""Its script: half a megabyte, so a browser context that judges many pages has it from its beginning."""
OPTIONS: Final = {"resultTypes": ["violations"], "selectors": False}


def found_on(page: Page) -> dict[str, list[str]]:
    """Return what axe-core finds, by its rule: what is wrong, and where."""
    page.evaluate("document.adoptedStyleSheets = []")  # contrast is judged with all decoration
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    return _wrong(page.evaluate("options => axe.run(document, options)", OPTIONS))


def found_on_light(page: Page) -> dict[str, list[str]]:
    """Return what axe-core, which has just judged a page of a table, finds wrong with its contrast in the light theme.

    Only colours change with the theme. The theme goes back to what it was.
    """
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    found = page.evaluate("options => axe.run(document, options)", OPTIONS | {"runOnly": ["color-contrast"]})
    page.evaluate("delete document.documentElement.dataset.theme")
    return _wrong(found)


def _wrong(results: dict[str, Any]) -> dict[str, list[str]]:
    return {
        violation["id"]: [f"{node['failureSummary']} {node['html'][:200]}" for node in violation["nodes"]]
        for violation in results["violations"]
    }
