"""axe-core, which judges whether a page keeps anybody out."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def found_on(page: Page) -> dict[str, list[str]]:
    """Return what axe-core finds, by its rule: what is wrong, and where."""
    page.evaluate("document.adoptedStyleSheets = []")  # contrast is judged with all decoration
    results: dict[str, Any] = Axe().run(page, options={"resultTypes": ["violations"], "selectors": False}).response
    return {
        violation["id"]: [f"{node['failureSummary']} {node['html'][:200]}" for node in violation["nodes"]]
        for violation in results["violations"]
    }
