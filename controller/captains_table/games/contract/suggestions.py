"""What somebody may have meant by a name that nothing has."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

LETTERS_A_SLIP: Final = 4  # one letter more or less in so many


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the known name that a misspelt one was most likely meant for, as a question in brackets; empty for none.

    A name that was cut short is like it too. Whether letters are capitals makes no difference.
    """
    written = name.casefold()
    by_small = {each.casefold(): str(each) for each in known}
    near = [each for each in by_small if _is_as_long(written, each)]
    alike = get_close_matches(written, near, n=1)
    return f" (did you mean {by_small[alike[0]]!r}?)" if alike else ""


def _is_as_long(written: str, known: str) -> bool:
    """Return whether a name is about as long as another, or its beginning."""
    slip = max(1, len(written) // LETTERS_A_SLIP)
    return abs(len(written) - len(known)) <= slip or known.startswith(written)
