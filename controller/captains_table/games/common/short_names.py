"""Shortens names by one rule: different names stay different, and no letter is cut from its accents or joiners.

A name that fits stays whole. A longer one loses its end, and an ellipsis says so. If names that begin alike would then
look alike, each loses its middle and keeps its last word, or as much of its end as tells them apart: *Cap…11*,
*Cap…12*. A last word that is no number may stand alone: *…Anne*. If even this is not enough, they become longer than
asked. A name with an ellipsis is not cut any more.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

ELLIPSIS: Final = "…"
STUMP: Final = 4  # so many letters or fewer are written without an ellipsis, where the room is short
_LAST_WORD: Final = re.compile(r"(?<=\s)\S+$|(?<=[^0-9])[0-9]+$")
_ZWJ: Final = "\u200d"
_VIRAMA: Final = 9  # the combining class of signs that join the consonants of Indic scripts
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})
_PARTS: Final = re.compile("[\u200c\u200d\u0e33\u0eb3\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
"""Characters that belong to the letter before them, though Unicode does not class them as marks."""
_PREFIXES: Final = frozenset("\u0d4e\U000111c2\U000111c3\U0001193f\U00011941\U00011a3a\U00011d46")
_FLAG_LETTER: Final = re.compile("[\U0001f1e6-\U0001f1ff]")
_SYLLABLE: Final = re.compile(
    "[\u1100-\u115f\ua960-\ua97c]+[\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb]"
    "|[\u1160-\u11ff\uac00-\ud7fb][\u1160-\u11ff\ud7b0-\ud7fb]"
)
"""Two neighbouring parts of one Korean syllable."""


def letters_of(text: str) -> list[str]:
    """Split a text into letters as readers see them, each with its accents and joiners.

    No user-perceived character of UAX #29 is split; some that stand next to each other may stay together.
    """
    found: list[str] = []
    for sign in text:
        if found and _belongs_to(found[-1], sign):
            found[-1] += sign
        else:
            found.append(sign)
    return found


def _belongs_to(letter: str, sign: str) -> bool:
    """Return whether a character is part of the letter before it."""
    before = letter[-1]
    if unicodedata.category(sign) in _MARKS or _PARTS.match(sign) or before == _ZWJ or before in _PREFIXES:
        return True
    if before.isascii():
        return False
    if _FLAG_LETTER.match(sign):
        return _FLAG_LETTER.fullmatch(letter) is not None
    return _joins_consonants(letter) or _SYLLABLE.fullmatch(before + sign) is not None


def _joins_consonants(letter: str) -> bool:
    """Return whether a letter ends in a sign that joins it to the next consonant."""
    marks = (sign for sign in reversed(letter[1:]))
    for sign in marks:
        if unicodedata.combining(sign) == _VIRAMA:
            return True
        if unicodedata.category(sign) not in _MARKS:
            break
    return False


def count_letters(text: str) -> int:
    """Return how many letters a reader sees in a text."""
    return len(letters_of(text))


@lru_cache(maxsize=512)
def short_names(names: tuple[str, ...], room: int, width: Callable[[str], int] = count_letters) -> tuple[str, ...]:
    """Return each name in a form that is at most `room` wide, or as little wider as keeps different names different.

    Shortening the result again changes nothing.

    Args:
        names: all names that stand next to each other.
        room: the width that each name gets.
        width: measures a text; by default it counts letters.
    """
    shown = _shortened(names, room, width)
    while shown != names:
        names, shown = shown, _shortened(shown, room, width)
    return shown


def fitting_names(
    names: tuple[str, ...], room: int, width: Callable[[str], int] = count_letters, between: int = 0
) -> tuple[str, ...]:
    """Return the names shortened so that they fit side by side in `room`, as long as possible.

    Short names stay whole, and the longer ones share the rest equally. If nothing fits, the shortest forms are
    returned.

    Args:
        names: all names that stand next to each other.
        room: the width that all names get together.
        width: measures a text; by default it counts letters.
        between: the width of the space between two names.
    """
    left = room - between * (len(names) - 1)
    widths = range(1, max(map(width, names), default=0) + 1)
    fitting = bisect_right(widths, left, key=lambda most: sum(map(width, short_names(names, most, width))))
    return short_names(names, max(1, fitting), width)


def _shortened(names: Sequence[str], room: int, width: Callable[[str], int]) -> tuple[str, ...]:
    """Give each name its best form, and the next best one to all that look alike but for ellipses, until none do."""
    different = list(dict.fromkeys(names))
    forms = [_forms(name, room, width) for name in different]
    shown = [next(each) for each in forms]
    while True:
        counted = Counter(form.replace(ELLIPSIS, "") for form in shown)
        alike = (place for place, form in enumerate(shown) if counted[form.replace(ELLIPSIS, "")] > 1)
        better = {place: form for place in alike if (form := next(forms[place], ""))}
        if not better:
            break
        shown = [better.get(place, form) for place, form in enumerate(shown)]
    form_of = dict(zip(different, shown, strict=True))
    return tuple(form_of[name] for name in names)


def _forms(name: str, room: int, width: Callable[[str], int]) -> Iterator[str]:
    """Yield the forms of a name, the best ones first: those that fit `room`, then wider ones, then the whole name."""
    letters, whole = letters_of(name), width(name)
    if whole > room and ELLIPSIS not in name:
        word = _LAST_WORD.search(name)
        ends = [0, *([] if word is None else [count_letters(word[0])]), *range(1, len(letters))]
        ends = [end for end in ends if end < len(letters) and _may_end(letters, end)]
        alone = 0 if word is None or word[0].isdecimal() else count_letters(word[0])
        yield from filter(None, (_cut(letters, end, room, width, may_stand_alone=end == alone > 0) for end in ends))
        longer = ((kept, end) for kept in range(2, len(letters)) for end in ends if end < kept)
        forms = (_form(letters, kept - end, end, "" if kept <= STUMP else ELLIPSIS) for kept, end in longer)
        yield from (form for form in forms if room < width(form) < whole)
    yield name


def _may_end(letters: Sequence[str], end: int) -> bool:
    """Return whether a form may end in the last `end` letters of a name: no number is cut, and no space comes first."""
    before, first = letters[-end - 1 :][:2] if end else ("", "")
    return not (first.isspace() or (first.isdecimal() and before.isdecimal()))


def _cut(letters: Sequence[str], end: int, most: int, width: Callable[[str], int], *, may_stand_alone: bool) -> str:
    """Return a name's beginning, as long as fits, and its last `end` letters; empty if the name cannot be cut so.

    If the end may stand alone, the beginning may be empty, and is not cut to a stump.
    """
    cuts = range(0 if may_stand_alone else max(1, STUMP - end), len(letters) - end)
    stumps = range(int(end <= STUMP)) if may_stand_alone else range(1, min(STUMP, len(letters) - 1) - end + 1)
    for begins, sign in ((cuts, ELLIPSIS), (stumps, "")):
        fitting = bisect_right(begins, most, key=lambda begin: width(_form(letters, begin, end, sign)))
        if fitting:
            return _form(letters, begins[fitting - 1], end, sign)
    return ""


def _form(letters: Sequence[str], begin: int, end: int, sign: str) -> str:
    """Return the first `begin` and the last `end` letters of a name, with a sign between them."""
    return f"{''.join(letters[:begin]).rstrip()}{sign}{''.join(letters[len(letters) - end :])}"
