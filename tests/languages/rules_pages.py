"""The pages of rules in other languages: which are missing, and which were made of an English page that has changed.

Each begins with a comment that names the SHA-256 of the English page: `{# Of the English page with SHA-256 … #}`.
"""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

TEMPLATES: Final = Path(__file__).parents[2] / "controller" / "captains_table" / "web" / "templates"
TIME: Final = "rules_time.html"
ORIGIN: Final = re.compile(r"\{# Of the English page with SHA-256 ([0-9a-f]{64}) #\}")


def english_pages() -> Iterator[tuple[str, Path]]:
    """Yield each English page with the name that its translations have."""
    for path in sorted((TEMPLATES / "rules").glob("*.html")):
        yield path.name, path
    yield "time.html", TEMPLATES / TIME


def lacking_pages(code: str) -> list[str]:
    """Return what is to be done about the pages of a language, one sentence each."""
    return [words for name, path in english_pages() if (words := _lacking(TEMPLATES / "rules" / code / name, path))]


def _lacking(page: Path, english: Path) -> str:
    where = page.relative_to(TEMPLATES)
    if not page.exists():
        return f"untranslated: {where}"
    found = ORIGIN.match(page.read_text(encoding="utf-8"))
    current = hashlib.sha256(english.read_bytes()).hexdigest()
    if found is None or found[1] != current:
        return f"changed: {where}; of the English page with SHA-256 {current}"
    return ""
