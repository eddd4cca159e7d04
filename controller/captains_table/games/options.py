"""Reading a game's options: words of the form key=value, checked against what the game knows."""

from collections.abc import Iterable, Mapping, Sequence

from captains_table.games.contract import BadOption

LONGEST_NAME = 40


def refuse_unknown(options: Mapping[str, str], known: Iterable[str]) -> None:
    """Raise BadOption if an option's key is not one of those known."""
    known = sorted(known)
    for key in options:
        if key not in known:
            raise BadOption(f"unknown option {key!r}: expected one of {', '.join(known)}")


def check_names(names: Sequence[str], seats: range) -> None:
    """Raise BadOption unless these are as many different names as there are seats, each fit to be shown and written."""
    for name in names:
        if name != name.strip() or not name.isprintable() or not 1 <= len(name) <= LONGEST_NAME or "=" in name:
            raise BadOption(f"{name[:LONGEST_NAME]!r} is no name: expected 1 to {LONGEST_NAME} characters without =")
    if len(set(names)) != len(names):
        raise BadOption(f"players {', '.join(names)}: expected different names")
    if len(names) not in seats:
        expected = f"{seats.start} to {seats.stop - 1}" if len(seats) > 1 else f"{seats.start}"
        raise BadOption(f"{len(names)} players were named: expected {expected}")


def number(options: Mapping[str, str], key: str, default: int, lo: int, hi: int) -> int:
    """Return an option that is a whole number between `lo` and `hi`; raises BadOption."""
    text = options.get(key)
    if text is None:
        return default
    if not text.isdecimal() or not lo <= int(text) <= hi:
        raise BadOption(f"{key}={text}: expected a whole number from {lo} to {hi}")
    return int(text)


def choice(options: Mapping[str, str], key: str, allowed: tuple[str, ...]) -> str:
    """Return an option that is one of some words, the first by default; raises BadOption."""
    text = options.get(key, allowed[0])
    if text not in allowed:
        raise BadOption(f"{key}={text}: expected one of {', '.join(allowed)}")
    return text


def flag(options: Mapping[str, str], key: str, *, default: bool) -> bool:
    """Return an option that is `true` or `false`; raises BadOption."""
    words = ("true", "false") if default else ("false", "true")
    return choice(options, key, words) == "true"


def is_seated(options: Mapping[str, str]) -> bool:
    """Return whether the first player named begins, instead of the one who throws highest; raises BadOption."""
    return choice(options, "order", ("throw", "seated")) == "seated"
