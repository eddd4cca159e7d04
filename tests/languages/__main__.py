"""`python -m tests.languages`: bring the catalogues of all languages up to date, and say what is missing in each.

New messages of the program are added to `controller/captains_table/locale/*.po`, gone ones are dropped, and a changed
one keeps its former translation, marked as fuzzy. `--new CODE` begins the catalogue of a new language; `--check`
changes nothing, and ends with 1 if anything is missing.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from captains_table.phrases.catalogue import catalogue_entries, misfits
from tests.languages.extracting import PRODUCT, messages_of
from tests.languages.rules_pages import lacking_pages

LOCALE = PRODUCT / "locale"
WIDTH = 120
SHOWN = 20  # missing messages a language


def main(arguments: Sequence[str]) -> int:
    """Update or check all catalogues; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.languages", description=__doc__.splitlines()[0])
    parser.add_argument("--new", metavar="CODE", help="begin the catalogue of a language, such as pt")
    parser.add_argument("--check", action="store_true", help="change nothing; end with 1 if anything is missing")
    parser.add_argument("--all", action="store_true", help=f"list all that is missing, not {SHOWN} messages a language")
    given = parser.parse_args(arguments)
    template = template_of_program()
    if given.new:
        begin(given.new, template)
    lacks = False
    for path in sorted(LOCALE.glob("*.po")):
        if not given.check:
            update(path, template)
        messages, pages = missing_in(path, template), lacking_pages(path.stem)
        missing = [*pages, *messages]
        lacks |= bool(missing)
        print(f"{path.stem}: {len(template) - len(messages)} of {len(template)} messages are translated")
        for line in missing if given.all else missing[:SHOWN]:
            print(f"  {line}")
        if len(missing) > SHOWN and not given.all:
            print(f"  and {len(missing) - SHOWN} more (--all lists them)")
    return int(given.check and lacks)


@cache
def template_of_program(folder: Path = PRODUCT) -> Catalog:
    """Return a catalogue with all messages of a package and no translations."""
    template = Catalog(fuzzy=False)
    for message in messages_of(folder):
        text = (message.text, message.plural_text) if message.plural_text else message.text
        template.add(text, locations=[(message.file, 0)], context=message.context or None)
    return template


def begin(code: str, template: Catalog) -> None:
    """Write the empty catalogue of a new language; print why if there is no such language."""
    try:
        Locale.parse(code)
    except (ValueError, UnknownLocaleError):
        print(f"{code!r} is no language: expected a code such as pt")
        return
    path = LOCALE / f"{code}.po"
    if not path.exists():
        _write(path, Catalog(locale=code, fuzzy=False))
    update(path, template)


def update(path: Path, template: Catalog) -> None:
    """Merge the program's messages into a catalogue."""
    with path.open("rb") as written:
        catalogue = read_po(written, locale=path.stem)
    catalogue.update(template)
    catalogue.obsolete.clear()
    _write(path, catalogue)


def _write(path: Path, catalogue: Catalog) -> None:
    catalogue.header_comment = (
        f"# Captain's Table in the language {catalogue.locale_identifier}: see docs/translating.md."
    )
    out = BytesIO()
    write_po(out, catalogue, width=WIDTH, include_lineno=False, omit_header=False)
    unstamped = [line for line in out.getvalue().splitlines(keepends=True) if not line.startswith(_STAMPS)]
    path.write_bytes(b"".join(unstamped))


_STAMPS = tuple(
    f'"{name}'.encode()
    for name in ("Project-Id", "Language-Team", "POT-", "PO-", "Generated-By", "Report-Msgid", "Last-Translator")
)


def missing_in(path: Path, template: Catalog) -> list[str]:
    """Return what a catalogue lacks, one message a line: untranslated, to be looked at again, or wrong."""
    wanted = {(message.context or "", _first(message.id)) for message in template if message.id}
    found = {(entry.context, entry.text): entry for entry in catalogue_entries(path.read_text(encoding="utf-8"))}
    lines = []
    for key in wanted:
        entry = found.get(key)
        if entry is None or not all(entry.forms):
            lines.append(f"untranslated: {key[1]!r}")
        elif entry.is_fuzzy:
            lines.append(f"changed: {key[1]!r}")
        else:
            lines += [f"wrong: {words}" for words in misfits(entry)]
    return sorted(lines)


def _first(text: str | tuple[str, ...] | list[str]) -> str:
    return text if isinstance(text, str) else text[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
