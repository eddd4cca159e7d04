"""A game's options: declared once, read and refused here, offered in the same words by the page and at the table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, NamedTuple

LETTERS_A_SLIP: Final = 4  # one letter more or less in so many
LONGEST_NAME = 40
MOST_DIGITS: Final = 9
LONGEST_SHOWN: Final = 200


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the known name that a misspelt one was most likely meant for, as a question in brackets; empty for none.

    A name that was cut short is like it too. Whether letters are capitals makes no difference.
    """
    written = name.casefold()
    by_small = {each.casefold(): str(each) for each in known}
    slip = max(1, len(written) // LETTERS_A_SLIP)
    near = [each for each in by_small if abs(len(written) - len(each)) <= slip or each.startswith(written)]
    alike = get_close_matches(written, near, n=1)
    return f" (did you mean {by_small[alike[0]]!r}?)" if alike else ""


class BadOption(ValueError):
    """A game's option is unknown or has a value the game cannot use.

    Args:
        words: what was wrong and what was expected.
        option: the name of the option that is to be changed, if it is one of the game's.
    """

    def __init__(self, words: str, option: str = "") -> None:
        super().__init__(words)
        self.option = option


class Choice(NamedTuple):
    """A value an option may have, and what it means in words."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class GameOption:
    """One thing that may be agreed before a match.

    Attributes:
        name: its key, as in `rounds=3`.
        words: what it is called.
        default: its value where nothing is said; empty where there is none to speak of.
        choices: values it may have; of free text only the usual ones.
        bounds: the least and the largest whole number it may be.
        of_players: whether it may be the name of a player.
        empty_text: what it means that no player is named.
        is_free: whether it is free text, which the game itself reads.
        hint: what else there is to know, a sentence.
        proposed: the value that lobby and form propose to people, where that is not `default`; nothing else sets it.
        detail_of: the option that this one is a detail of: as long as that one has its default there is nothing to
            choose here, and nothing is written down.
        seat: of a match with so many players, from 1, whose option it is; 0 where it is the match's.
        collection: what a table keeps by name, such as `pieces`, of which its values may be too; they are handed in
            from where they are kept, as choices that name each value.
    """

    name: str
    words: str
    default: str = ""
    choices: tuple[Choice, ...] = ()
    bounds: tuple[int, int] | None = None
    of_players: bool = False
    empty_text: str = "nobody"
    is_free: bool = False
    hint: str = ""
    proposed: str = ""
    detail_of: str = ""
    seat: int = 0
    collection: str = ""

    def values(self, players: Sequence[str] = ()) -> tuple[Choice, ...]:
        """Return the values that can be listed; numbers between bounds are not."""
        named = tuple(Choice(player, player) for player in players) if self.of_players else ()
        return (*self.choices, *named)

    def allows(self, value: str, players: Sequence[str] = ()) -> bool:
        """Return whether the option may have this value; free text is the game's to judge, if there is any."""
        is_usual = not value and not self.default
        if is_usual or any(value == choice.value for choice in self.values(players)):
            return True
        if self.is_free:
            return bool(value)
        is_number = value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS
        return self.bounds is not None and is_number and self.bounds[0] <= int(value) <= self.bounds[1]

    def expected(self, players: Sequence[str] = ()) -> str:
        """Return in words what the option may be."""
        if self.of_players:
            return f"one of the players {', '.join(players)}"
        values = [choice.value for choice in self.choices]
        if self.bounds is None:
            return f"one of {', '.join(values)}" if values else "some text"
        lo, hi = self.bounds
        return " or ".join([*values, f"a whole number from {lo} to {hi}"])

    def display_text(self, value: str) -> str:
        """Return what a value means in words."""
        return next((choice.words for choice in self.choices if choice.value == value), value)


def settled(declared: Sequence[GameOption], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the options that people chose as they are written down: without defaults, and details of nothing.

    Args:
        declared: the game's options.
        chosen: what was chosen in lobby or form, what is not a game's option too: the game will say so.
    """
    defaults = {option.name: option.default for option in declared}
    idle = {option.name for option in declared if option.detail_of and is_usual(option.detail_of, declared, chosen)}
    return {name: value for name, value in chosen.items() if value != defaults.get(name) and name not in idle}


def spelt_out(
    declared: Sequence[GameOption], chosen: Mapping[str, str], kept: Callable[[str], Sequence[Choice]]
) -> dict[str, str]:
    """Return the options with what was named only written out: a match must say by itself what is played.

    One that is given empty, and is empty where nothing is said, is left out, so that it is as if it were not given.

    Args:
        declared: the game's options.
        chosen: what was chosen; of an option with a collection it may be the name of one of its choices.
        kept: returns what is kept of a collection; a name counts there first.
    """
    collections = {option.name: option for option in declared if option.collection}
    may_be_empty = {option.name for option in declared if not option.default}
    found = {name: value for name, value in chosen.items() if value or name not in may_be_empty}
    for name in found.keys() & collections.keys():
        option = collections[name]
        named = (*kept(option.collection), *option.choices)
        found[name] = next((choice.value for choice in named if choice.words == found[name]), found[name])
    return found


def moved_on(declared: Sequence[GameOption], chosen: Mapping[str, str], players: int, by: int) -> dict[str, str]:
    """Return the options of a match in which everybody has moved on by some seats: each keeps his seat's own.

    Args:
        declared: the game's options.
        chosen: what was agreed before.
        players: how many play.
        by: by how many seats; whoever sat there first now sits last.
    """
    seats = {option.name: option.seat for option in declared if option.seat}
    names = {(_stem(name), seat): name for name, seat in seats.items()}
    return {
        names[_stem(name), (seats[name] - 1 - by) % players + 1] if name in seats else name: value
        for name, value in chosen.items()
    }


def _stem(name: str) -> str:
    """Return what a seat's own option is called without its number."""
    return name.rstrip("0123456789")


def is_usual(name: str, declared: Sequence[GameOption], chosen: Mapping[str, str]) -> bool:
    """Return whether an option has its default."""
    default = next((option.default for option in declared if option.name == name), None)
    return chosen.get(name, default) == default


def proposals(declared: Sequence[GameOption]) -> dict[str, str]:
    """Return what lobby and form propose where that is not the default."""
    return {option.name: option.proposed for option in declared if option.proposed}


def switch(name: str, words: str, no: str, yes: str, *, default: bool = False) -> GameOption:
    """Return an option that is `true` or `false`, with what each means in words; the default comes first."""
    choices = (Choice("true", yes), Choice("false", no))
    return GameOption(name, words, str(default).lower(), choices if default else choices[::-1])


ORDER: Final = GameOption(
    "order", "Who begins", "throw", (Choice("throw", "thrown for"), Choice("seated", "the first named"))
)


def read_options(
    declared: Sequence[GameOption], given: Mapping[str, str], players: Sequence[str] = ()
) -> dict[str, str]:
    """Return every declared option's value, the default where none is given.

    Raises:
        BadOption: an option is not declared, or has a value it does not allow.
    """
    known = sorted(option.name for option in declared)
    for name in given:
        if name not in known:
            raise BadOption(f"unknown option {name!r}: expected one of {', '.join(known)}{did_you_mean(name, known)}")
    for option in declared:
        value = given.get(option.name)
        if value is not None and not option.allows(value, players):
            shown = value[:LONGEST_SHOWN]
            meant = did_you_mean(shown, (choice.value for choice in option.values(players)))
            raise BadOption(f"{option.name}={shown}: expected {option.expected(players)}{meant}", option.name)
    return {option.name: given.get(option.name, option.default) for option in declared}


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
