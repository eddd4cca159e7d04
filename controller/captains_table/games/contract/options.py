"""The options of games, such as `rounds=3`: declaration, validation, proposed values, and what a match stores of them.

The exchange of seats for a rematch and suggestions for misspelt names are here too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import reduce
from typing import Final, NamedTuple

from captains_table.phrases import listed, say

LETTERS_A_SLIP: Final = 4  # a typo may change the length by one letter in this many
MOST_DIGITS: Final = 9
LONGEST_SHOWN: Final = 200


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a suggestion for a misspelt or shortened name, such as ` (did you mean 'rounds'?)`.

    The text is empty if no known name is similar. Upper and lower case are not distinguished.
    """
    written = name.casefold()
    by_small = {each.casefold(): str(each) for each in known}
    slip = max(1, len(written) // LETTERS_A_SLIP)
    near = [each for each in by_small if abs(len(written) - len(each)) <= slip or each.startswith(written)]
    alike = get_close_matches(written, near, n=1)
    return say(" (did you mean {name}?)", repr(by_small[alike[0]])) if alike else ""


class BadOption(ValueError):
    """A match cannot start as asked: an option is unknown or invalid, or a player's name or another choice is invalid.

    Args:
        words: what was wrong and what was expected.
        option: the name of the game's option that must be changed; empty if the error concerns no declared option.
    """

    def __init__(self, words: str, option: str = "") -> None:
        super().__init__(words)
        self.option = option


class Choice(NamedTuple):
    """An allowed value of an option, and the text that displays show for it."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class GameOption:
    """One option of a match, chosen before it starts.

    Attributes:
        name: the option's key, such as `rounds` in `rounds=3`.
        words: the option's name on displays.
        default: the value if no value is given; may be empty.
        choices: the allowed values; for free text, the common values.
        bounds: the smallest and the largest allowed whole number; `None` if numbers are not allowed.
        of_players: whether a player's name is an allowed value.
        empty_text: the text that displays show for an empty value, such as "nobody".
        is_free: whether the value is free text, which the game parses.
        hint: an explanation for players.
        proposed: the value that the lobby and the form preselect instead of `default`; it applies nowhere else. Empty
            if they preselect `default`.
        detail_of: the name of the option that this option refines. While this option has no effect (`moot_at`), it is
            not offered and, unless it is a seat's, not stored. Empty if it refines none.
        moot_at: the value of the refined option with which this option has no effect. Empty for the default of the
            refined option.
        seat: the number of the seat to which the option belongs, from 1; 0 if the option belongs to the match.
        collection: the name of a collection that the table stores, such as `pieces`. The lobby and the form offer its
            items too, and an item's name stands for the item's value (see `spelt_out`). Empty if there is none.
        is_advanced: whether the form for a new match shows this option only under *More options*.
    """

    name: str
    words: str
    default: str = ""
    choices: tuple[Choice, ...] = ()
    bounds: tuple[int, int] | None = None
    of_players: bool = False
    empty_text: str = say("nobody")
    is_free: bool = False
    hint: str = ""
    proposed: str = ""
    detail_of: str = ""
    seat: int = 0
    collection: str = ""
    moot_at: str = ""
    is_advanced: bool = False

    def values(self, players: Sequence[str] = ()) -> tuple[Choice, ...]:
        """Return the choices and, if they are allowed, the players' names; numbers within the bounds are not listed."""
        named = tuple(Choice(player, player) for player in players) if self.of_players else ()
        return (*self.choices, *named)

    def allows(self, value: str, players: Sequence[str] = ()) -> bool:
        """Return whether a value is allowed.

        The allowed values are the listed choices, whole numbers within the bounds, and the empty value if it is the
        default. If the option takes players' names, these names are allowed too. A free-text option also allows any
        other text that is not empty; the game must check that text.
        """
        is_usual = not value and not self.default
        if is_usual or any(value == choice.value for choice in self.values(players)):
            return True
        if self.is_free:
            return bool(value)
        is_number = value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS
        return self.bounds is not None and is_number and self.bounds[0] <= int(value) <= self.bounds[1]

    def expected(self, players: Sequence[str] = ()) -> str:
        """Return the allowed values in words, for error messages."""
        if self.of_players:
            return say("one of the players {names}", listed(players, ","))
        values = [choice.value for choice in self.choices]
        if self.bounds is None:
            return say("one of {values}", listed(values, ",")) if values else say("some text")
        lo, hi = self.bounds
        number = say("a whole number from {lo} to {hi}", lo, hi)
        return reduce(lambda before, value: listed([before, value], "or"), [*values, number])

    def display_text(self, value: str) -> str:
        """Return the text that displays show for a value: the words of its choice; the value if it has no choice."""
        return next((choice.words for choice in self.choices if choice.value == value), value)


def settled(declared: Sequence[GameOption], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the options to store with a match: those whose values differ from the defaults.

    An option of the match that refines another (`detail_of`) is also left out if it has no effect. A seat's option is
    kept, because earlier matches were started with such options, and a rematch should not lose them.

    Args:
        declared: the game's options.
        chosen: the values chosen in the lobby or the form; unknown names stay, so that the game can report them.
    """
    defaults = {option.name: option.default for option in declared}
    moot = {option.name for option in declared if not option.seat and is_moot(option, declared, chosen)}
    return {name: value for name, value in chosen.items() if value != defaults.get(name) and name not in moot}


def is_moot(option: GameOption, declared: Sequence[GameOption], chosen: Mapping[str, str]) -> bool:
    """Return whether an option has no effect because of the chosen value of the option that it refines."""
    refined = next((each for each in declared if each.name == option.detail_of), None)
    return refined is not None and chosen.get(refined.name, refined.default) == (option.moot_at or refined.default)


def spelt_out(
    declared: Sequence[GameOption], chosen: Mapping[str, str], kept: Callable[[str], Sequence[Choice]]
) -> dict[str, str]:
    """Return the chosen options; the name of a stored item or of a choice is replaced by the value that it names.

    The match then no longer depends on the collection of stored items. Only options with a collection are changed.
    Options that have no default and are given an empty value are dropped.

    Args:
        declared: the game's options.
        chosen: the chosen values; for an option with a collection, a value may be the name of an item or of a choice.
        kept: returns the stored items of a collection; if an item and a choice have the same name, the item is used.
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
    """Return the options of a rematch in which all players change seats; the options of a seat move with its player.

    Args:
        declared: the game's options.
        chosen: the options of the match before.
        players: the number of players.
        by: the number of seats by which each player moves towards the first seat; from there a player moves to the
            last seat.
    """
    seats = {option.name: option.seat for option in declared if option.seat}
    names = {(_stem(name), seat): name for name, seat in seats.items()}
    return {
        names[_stem(name), (seats[name] - 1 - by) % players + 1] if name in seats else name: value
        for name, value in chosen.items()
    }


def _stem(name: str) -> str:
    """Return the name of a seat's option without the seat's number."""
    return name.rstrip("0123456789")


def is_usual(name: str, declared: Sequence[GameOption], chosen: Mapping[str, str]) -> bool:
    """Return whether an option has its default value, that is, whether no other value was chosen."""
    default = next((option.default for option in declared if option.name == name), None)
    return chosen.get(name, default) == default


def proposals(declared: Sequence[GameOption]) -> dict[str, str]:
    """Return the values that the lobby and the form preselect instead of the defaults, keyed by the option's name.

    Options whose default is preselected are left out.
    """
    return {option.name: option.proposed for option in declared if option.proposed}


def switch(name: str, words: str, no: str, yes: str, *, default: bool = False) -> GameOption:
    """Return an option with the values `true` and `false`, the default value first.

    Args:
        name: the option's key.
        words: the option's name on displays.
        no: the text that displays show for `false`.
        yes: the text that displays show for `true`.
        default: the default value.
    """
    choices = (Choice("true", yes), Choice("false", no))
    return GameOption(name, words, str(default).lower(), choices if default else choices[::-1])


def advanced(*options: GameOption) -> tuple[GameOption, ...]:
    """Return options that the form for a new match shows only under *More options*."""
    return tuple(replace(option, is_advanced=True) for option in options)


ORDER: Final = GameOption(
    "order", say("Who begins"), "throw", (Choice("throw", say("thrown for")), Choice("seated", say("the first named")))
)


def read_options(
    declared: Sequence[GameOption], given: Mapping[str, str], players: Sequence[str] = ()
) -> dict[str, str]:
    """Return the value of every declared option: the given value, or the default if none is given.

    Raises:
        BadOption: an option is not declared, or its given value is not allowed.
    """
    known = sorted(option.name for option in declared)
    for name in given:
        if name not in known:
            names, meant = listed(known, ","), did_you_mean(name, known)
            words = say("unknown option {name}: expected one of {names}{did_you_mean}", repr(name), names, meant)
            raise BadOption(words)
    for option in declared:
        value = given.get(option.name)
        if value is not None and not option.allows(value, players):
            shown = value[:LONGEST_SHOWN]
            meant = did_you_mean(shown, (choice.value for choice in option.values(players)))
            given_words, expected = f"{option.name}={shown}", option.expected(players)
            words = say("{given}: expected {expected}{did_you_mean}", given_words, expected, meant)
            raise BadOption(words, option.name)
    return {option.name: given.get(option.name, option.default) for option in declared}
