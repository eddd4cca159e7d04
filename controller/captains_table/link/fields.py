"""Parses the numbers in the serial link's messages, checks the number of words, and formats hexadecimal numbers.

Defines `BadLinkMessage`, the error for an invalid message. Also runs on the board (MicroPython).
"""


class BadLinkMessage(ValueError):
    """Raised for a line with a valid checksum whose content is not a message of this version of the link."""


_DIGITS = "0123456789"
_HEX_DIGITS = "0123456789abcdef"
_LONGEST_NUMBER = 15


def parse_count(word: str, what: str, highest: int = 10**_LONGEST_NUMBER) -> int:
    """Parse a decimal number from 0 to `highest`; `what` names the number in the error.

    Raises:
        BadLinkMessage: the word is not such a number.
    """
    if not word or len(word) > _LONGEST_NUMBER or not _only(word, _DIGITS) or int(word) > highest:
        raise BadLinkMessage(f"expected {what} from 0 to {highest}, not {word!r}")
    return int(word)


def parse_signed(word: str, what: str) -> int:
    """Parse a decimal number that may be negative; raises BadLinkMessage."""
    if word.startswith("-"):
        return -parse_count(word[1:], what)
    return parse_count(word, what)


def parse_hex(word: str, what: str, digits: int) -> int:
    """Parse a number of exactly `digits` hex digits; raises BadLinkMessage."""
    if len(word) != digits or not _only(word, _HEX_DIGITS):
        raise BadLinkMessage(f"expected {what} as {digits} hex digits, not {word!r}")
    return int(word, 16)


def format_hex(number: int, digits: int) -> str:
    """Return a number as `digits` hex digits, padded with zeros."""
    text = f"{number:x}"
    return "0" * (digits - len(text)) + text


def parse_counts(word: str, what: str, how_many: int, highest: int = 10**_LONGEST_NUMBER) -> list[int]:
    """Parse exactly `how_many` decimal numbers of at most `highest`, separated by commas; raises BadLinkMessage."""
    words = word.split(",")
    if len(words) != how_many:
        raise BadLinkMessage(f"expected {how_many} numbers for {what}, not {word!r}")
    return [parse_count(each, what, highest) for each in words]


def expect_word_count(words: list[str], how_many: int) -> None:
    """Check that a message has exactly `how_many` words; raises BadLinkMessage."""
    if len(words) != how_many:
        raise BadLinkMessage(f"expected {how_many} words, not {len(words)}: {' '.join(words)!r}")


def _only(word: str, characters: str) -> bool:
    return all(character in characters for character in word)
