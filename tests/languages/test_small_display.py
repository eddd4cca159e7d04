"""The first line of a prompt is whole on the small display in each language, by a shorter form where it is long."""

import pytest

from captains_table.catalog.languages import find_language, language_codes
from captains_table.devices.display.screens import playing_screen, recovery_screen, text
from captains_table.devices.display.screens.draw_view import draw_view
from captains_table.phrases import short_form
from captains_table.table.model.view import View, view_in
from tests.languages.tape_views import FEW, views_of_tapes
from tests.support.effort import LONG_RUN


@pytest.fixture(scope="module")
def shown() -> list[View]:
    return list(views_of_tapes(() if LONG_RUN else FEW))


@pytest.mark.parametrize("code", language_codes())
def test_no_prompt_s_first_line_ends_in_an_ellipsis(
    code: str, shown: list[View], monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[str] = []
    fit, shorten = text.Face.fit, text.shorten

    def watched_fit(face: text.Face, words: str, width: int) -> str:
        fitted = fit(face, words, width)
        cut.extend([words] if fitted not in {words, short_form(words)} else [])
        return fitted

    def watched_shorten(lines: list[str], count: int, width: int) -> list[str]:
        cut.extend([" ".join(lines)] if len(lines) > count > 0 else [])
        return shorten(lines, count, width)

    monkeypatch.setattr(text.Face, "fit", watched_fit)
    for module in (text, playing_screen, recovery_screen):
        monkeypatch.setattr(module, "shorten", watched_shorten)
    faults = set()
    for view in shown:
        cut.clear()
        seen = view_in(view, find_language(code), keeps_short=True)
        draw_view(seen)
        first = short_form(seen.prompt[0]).casefold() if seen.prompt else ""
        faults |= {words for words in cut if words and first.endswith(words.casefold())}
    assert faults == set()
