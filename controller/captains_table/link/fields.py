"""The words of a message: numbers, hexadecimal numbers, and what is wrong with them in a sentence."""


class BadMessage(ValueError):
    """A line with a right checksum says something that this version of the link does not know."""


_DIGITS = "0123456789"
_HEX_DIGITS = "0123456789abcdef"
_LONGEST_NUMBER = 15


def parse_count(word: str, what: str, highest: int = 10**_LONGEST_NUMBER) -> int:
    """Return a number from 0 up.

    Raises:
        BadMessage: it is none, or higher than `highest`.
    """
    if not word or len(word) > _LONGEST_NUMBER or not _only(word, _DIGITS) or int(word) > highest:
        raise BadMessage(f"expected {what} from 0 to {highest}, not {word!r}")
    return int(word)


def parse_signed(word: str, what: str) -> int:
    """Return a number that may be negative; raises BadMessage."""
    if word.startswith("-"):
        return -parse_count(word[1:], what)
    return parse_count(word, what)


def parse_hex(word: str, what: str, digits: int) -> int:
    """Return a number written as this many hex digits; raises BadMessage."""
    if len(word) != digits or not _only(word, _HEX_DIGITS):
        raise BadMessage(f"expected {what} as {digits} hex digits, not {word!r}")
    return int(word, 16)


def format_hex(number: int, digits: int) -> str:
    """Return a number as this many hex digits."""
    text = f"{number:x}"
    return "0" * (digits - len(text)) + text


def parse_counts(word: str, what: str, how_many: int, highest: int = 10**_LONGEST_NUMBER) -> list[int]:
    """Return this many numbers with commas between them; raises BadMessage."""
    words = word.split(",")
    if len(words) != how_many:
        raise BadMessage(f"expected {how_many} numbers for {what}, not {word!r}")
    return [parse_count(each, what, highest) for each in words]


def expect(words: list[str], how_many: int) -> None:
    """Check that a message has this many words.

    Raises:
        BadMessage: it has more or fewer.
    """
    if len(words) != how_many:
        raise BadMessage(f"expected {how_many} words, not {len(words)}: {' '.join(words)!r}")


def _only(word: str, characters: str) -> bool:
    return all(character in characters for character in word)
