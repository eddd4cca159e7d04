"""The catalogues of all languages fit the program; what is missing in them is no fault, and shows English."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from captains_table.catalog.languages import find_language, language_codes, language_names
from captains_table.phrases.catalogue import CatalogueEntry, catalogue_entries, misfits
from captains_table.phrases.phrase import FIELD, NOUN, SMALL_LETTER
from tests.languages.__main__ import LOCALE, begin, main, missing_in, template_of_program, update

CATALOGUES = sorted(LOCALE.glob("*.po"))


def translated(path: Path) -> list[CatalogueEntry]:
    entries = catalogue_entries(path.read_text(encoding="utf-8"))
    return [entry for entry in entries if entry.text and all(entry.forms) and not entry.is_fuzzy]


class Elements(HTMLParser):
    """Which elements a text has, with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(f"{tag} {sorted(attrs)}")

    def handle_endtag(self, tag: str) -> None:
        self.found.append(f"/{tag}")


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_the_fields_of_every_translation_fit(path: Path) -> None:
    assert [fault for entry in translated(path) for fault in misfits(entry)] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_no_translation_drops_what_a_message_says(path: Path) -> None:
    """A number may be left out where it chose the form: "one throw"."""
    lost = {
        entry.text: missing
        for entry in translated(path)
        if entry.context != NOUN
        for form in entry.forms
        if (missing := fields_of(entry.text) - fields_of(form) - ({"n"} if entry.plural_text else set()))
    }
    assert lost == {}


def fields_of(text: str) -> set[str]:
    return {name[:1].lower() + name[1:] for name, _ in FIELD.findall(text)}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_a_message_with_a_number_has_all_its_plural_forms(path: Path) -> None:
    with path.open("rb") as file:
        count = read_po(file).num_plurals
    assert {entry.text for entry in translated(path) if entry.plural_text and len(entry.forms) != count} == set()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_every_form_that_a_sentence_wants_is_one_that_nouns_have(path: Path) -> None:
    forms = {
        form.partition("=")[0] for entry in translated(path) if entry.context == NOUN for form in noun_parts(entry)
    }
    wanted = {
        (choice.partition("=")[0], entry.text)
        for entry in translated(path)
        for text in entry.forms
        for _, form in FIELD.findall(text)
        for choice in form.split("|")
        if form
    }
    assert {(form, text) for form, text in wanted if form not in {*forms, SMALL_LETTER}} == set()


def noun_parts(entry: CatalogueEntry) -> list[str]:
    return entry.forms[0].split("|")[1:]


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_elements_are_those_of_the_english_text_and_no_quotation_mark_ends_an_attribute(path: Path) -> None:
    for entry in translated(path):
        for form in entry.forms:
            assert sorted(Elements(form).found) == sorted(Elements(entry.text).found), form
            assert "<" in form or '"' not in form, form


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_our_reader_reads_what_babel_reads(path: Path) -> None:
    with path.open("rb") as file:
        theirs = {
            (message.context or "", message.id if isinstance(message.id, str) else message.id[0]): (
                (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            )
            for message in read_po(file)
            if message.id and not message.fuzzy
        }
    ours = {(entry.context, entry.text): entry.forms for entry in translated(path)}
    assert ours == {key: forms for key, forms in theirs.items() if all(forms)}


def test_every_language_says_its_own_name() -> None:
    names = language_names()
    assert list(names) == list(language_codes())
    assert names["en"] == "English"
    assert len(set(names.values())) == len(names)


def test_an_unknown_language_is_english() -> None:
    assert find_language("tlh") is find_language("en")


def test_a_new_language_begins_with_all_messages_and_a_changed_one_is_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.languages.__main__.LOCALE", tmp_path)
    template = template_of_program()
    begin("pt", template)
    path = tmp_path / "pt.po"
    assert len(missing_in(path, template)) == len(template)
    text = path.read_text().replace('msgid "."\nmsgstr ""', 'msgid "."\nmsgstr ","')
    path.write_text(text + '\nmsgid "Throw the dices"\nmsgstr "Lance os dados"\n')
    update(path, template)
    missing = missing_in(path, template)
    assert len(missing) == len(template) - 1
    assert "Throw the dices" not in path.read_text()


def test_what_is_missing_is_listed_and_red_where_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.languages.__main__.LOCALE", tmp_path)
    assert main(["--new", "pt"]) == 0
    written = (tmp_path / "pt.po").read_text()
    assert main(["--check"]) == 1
    assert "pt: 0 of" in capsys.readouterr().out
    assert (tmp_path / "pt.po").read_text() == written
    assert main(["--new", "nowhere"]) == 0
    assert "'nowhere' is no language: expected a code such as pt" in capsys.readouterr().out
