"""A plug-in that writes plain English goes on as it is; one that says messages is translated by a file of its own."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from captains_table import catalog
from captains_table.catalog import languages
from captains_table.games import registry
from captains_table.phrases import ENGLISH, Phrase
from captains_table.web.page_language import page_language_of
from captains_table.web.render import Renderer

STY = """
from captains_table.catalog import GameEntry
from captains_table.phrases import noun, say
from pig_game.rules import Pig


class Sty(Pig):
    key = "sty"
    title = say("A sty on nine squares")

    def heading(self, state):
        return say("{name} feeds the {animal}", name=state.name, animal=noun("pig"))


ENTRY = GameEntry(game=Sty(), sentence=say("Throw the dice"))
"""
GERMAN = """
msgid ""
msgstr ""
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "A sty on nine squares"
msgstr "Ein Stall auf neun Feldern"

msgctxt "noun"
msgid "pig"
msgstr "Schwein|n|acc=das Schwein"

msgid "{name} feeds the {animal}"
msgstr "{name} füttert {animal:acc}"

msgid "Throw the dice"
msgstr "Das Programm weiß es besser"
"""


PLURALS = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(import);\\n"\n'


@pytest.fixture
def sty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the folder of a plug-in's translations; the plug-in is installed."""
    package = tmp_path / "sty_game"
    (package / "locale").mkdir(parents=True)
    (package / "__init__.py").write_text(STY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(languages, "_read", {ENGLISH.code: ENGLISH})
    monkeypatch.setattr(catalog, "_entries", dict(catalog._entries))
    catalog.add_game(import_module("sty_game").ENTRY)
    yield package / "locale"
    registry.GAMES.pop("sty")
    registry.COMPUTERS.pop("sty")
    sys.modules.pop("sty_game")


def heading(code: str) -> str:
    game = registry.GAMES["sty"]
    words = game.heading(game.start(["Anne", "Bart"], {}))
    assert isinstance(words, Phrase)
    return words.render(languages.find_language(code))


def test_its_own_file_translates_its_messages_and_ours_translate_ours(sty: Path) -> None:
    (sty / "de.po").write_text(GERMAN)
    german = languages.find_language("de")
    assert heading("de") == "Anne füttert das Schwein"
    assert heading("fr") == "Anne feeds the pig"
    assert german.find("Throw the dice") not in {"", "Das Programm weiß es besser"}
    with page_language_of(german):
        assert '<li><a href="/rules/sty">' not in Renderer().page("rules_index", may_touch=False)
    title = registry.GAMES["sty"].title
    assert isinstance(title, Phrase)
    assert title.render(german) == "Ein Stall auf neun Feldern"


@pytest.mark.parametrize("written", ["", "no catalogue", 'msgid "a\nmsgstr', 'msgid ""\n', PLURALS])
def test_a_file_that_cannot_be_read_leaves_it_english(sty: Path, written: str) -> None:
    (sty / "de.po").write_text(written)
    assert heading("de") == "Anne feeds the pig"


def test_without_a_file_it_stays_english_and_plain_text_is_never_looked_up(sty: Path) -> None:
    assert sty.exists()
    assert heading("de") == "Anne feeds the pig"
    pig = registry.GAMES["pig"]
    assert type(pig.title) is str
    assert type(pig.heading(pig.start(["Stand", "Bart"], {}))) is str
