"""Every text on a screen is a message, and none is cut where all are longer by a third, at three sizes."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from captains_table.games.common.short_names import short_names
from tests.e2e.conftest import OpenTable
from tests.e2e.every_screen import EIGHT, resize, screens_of_a_table
from tests.languages.pseudo import PROPER, PSEUDO, has_words
from tests.support.browser import Visitor
from tests.support.effort import LONG_RUN
from tests.support.looking import cut_or_covered

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(3600 if LONG_RUN else 300)]
SIZES: Final = ((1366, 768), (390, 844), (1920, 1080))
FEW: Final = frozenset({"first screen", "first screen, room", "legend, thrown", "legend, thrown, settings"})
"""The screens that are looked at without `make long`."""
FOURTEEN: Final = (*EIGHT, *(f"Sailor the {number}th" for number in range(9, 15)))
LEARNER: Final = ("Sailor", "Notus", "Notus 2", "Notus 3")
NAMES: Final = frozenset(
    {*PROPER, *FOURTEEN, *LEARNER, "Stockfish", "English", "Deutsch", "Français", "Nederlands", "Español", "Italiano"}
    | {"JSON", "Pig on nine squares", "Sum"}  # a value that one writes
    | {
        form
        for names in (EIGHT[:2], EIGHT[:3], EIGHT, FOURTEEN, LEARNER)
        for room in range(1, 21)
        for form in short_names(names, room)
    }
    | {"and", "or"}  # a list's, which stand between its messages
)
"""Names of players, computers, pieces and languages, which are the same in every language."""
NOT_OURS: Final = ("pig", "/rules/")
"""Screens of a plug-in, which has no messages; and rules, which are whole pages in each language."""
TEXTS: Final = """() => {
  const found = [];
  let depth = 0; // a message may have elements within it
  const outside = (text) => [...text].filter((sign) => {
    depth += (sign === "⟦") - (sign === "⟧");
    return depth === 0 && sign !== "⟧";
  }).join("");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const around = node.parentElement;
    if (around.closest("script, style, noscript, template, [translate=no], datalist, .sample")) continue;
    const text = outside(node.textContent).trim();
    if (text && !around.closest("code, kbd")) found.push([around.closest("[id]")?.id ?? around.nodeName, text]);
  }
  for (const name of ["title", "aria-label", "alt", "placeholder", "aria-description", "aria-roledescription"])
    for (const element of document.querySelectorAll(`[${name}]`))
      found.push([`${element.closest("[id]")?.id ?? element.nodeName} ${name}`, outside(element.getAttribute(name))]);
  return found;
}"""
ADDRESS: Final = re.compile(r"(https?://)?[\w.:\[\]-]*:\d+/[\w?=-]*|Ferris: .*")
"""Addresses, and a piece in its notation."""


def screens(open_table: OpenTable, page: Page) -> Iterator[tuple[str, Page]]:
    left = set(FEW)
    for name, screen in screens_of_a_table(partial(open_table, served="pseudo_table"), page):
        if LONG_RUN or name in left:
            yield name, screen
        left.discard(name)
        if not (LONG_RUN or left):
            return


def told(faults: Mapping[str, Any]) -> str:
    return "\n".join(sorted({f"{where}: {fault}" for where, found in faults.items() for fault in found}))


def test_every_text_is_a_message_and_none_is_cut(open_table: OpenTable, visitor: Visitor) -> None:
    page, faults = visitor.open("about:blank", is_drawn=True, locale=PSEUDO.code), {}
    visitor.accept("Failed to load resource")
    for name, screen in screens(open_table, page):
        texts = [(where, ADDRESS.sub("", text)) for where, text in screen.evaluate(TEXTS)]
        if not any(each in name for each in NOT_OURS):
            faults[f"{name}, English"] = [f"{where}: {text}" for where, text in texts if has_words(text, NAMES)]
        for size in SIZES:
            resize(screen, size)
            faults[f"{name} at {size}"] = cut_or_covered(screen) if not name.endswith(", room") else []
    assert not told(faults), told(faults)
