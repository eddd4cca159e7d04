"""The form for a new match: which options each game has, and how the fields become names and options."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from captains_table.games.contract import Game
from captains_table.games.options import check_names
from captains_table.games.registry import GAMES
from captains_table.kiosk.problems import Problem

MAX_OPTION = 200


@dataclass(frozen=True, slots=True)
class Field:
    """One option in the form: its key, words, what it is when left alone, and its bounds or choices."""

    key: str
    label: str
    default: str = ""
    hint: str = ""
    bounds: tuple[int, int] | None = None
    choices: tuple[tuple[str, str], ...] = ()


_FEN = Field("fen", "Starting position", hint="FEN; empty for the usual one. Only the first round begins there.")
_LEGEND = (
    Field("rounds", "Rounds", "3", "The players change colours after each.", (1, 99)),
    Field("turn_limit", "Turns a round", "0", "Both players' turns together; 0 for no limit.", (0, 9999)),
    Field("score", "Legend for a turn", "die", choices=(("die", "the die's value"), ("piece", "the piece's value"))),
    _FEN,
)
_ORDER = Field("order", "Who begins", "throw", choices=(("throw", "thrown for"), ("seated", "the first named")))
_SHIP_CAPTAIN_CREW = (
    Field("mode", "Played", "target", choices=(("target", "to a target"), ("single", "one round"))),
    Field("target", "Target", "50", "Whoever has as much first; counts only when playing to a target.", (1, 999)),
    Field("finish_round", "The last round", "true", choices=(("true", "is finished"), ("false", "ends at the target"))),
    Field(
        "cargo_dice", "Cargo is thrown again", "both", choices=(("both", "both dice together"), ("each", "each alone"))
    ),
    Field("stake", "Stake", "0", "Counters that each player pays into the pot.", (0, 9999)),
    _ORDER,
)
_SWASHBUCKLE = (
    _ORDER,
    Field(
        "voluntary_scuttle",
        "Scuttling",
        "false",
        choices=(("false", "only when nothing scores"), ("true", "whenever one likes")),
    ),
    Field("pillage", "A raid", "steal", choices=(("steal", "takes from a victim"), ("add", "only adds"))),
    Field(
        "captain_pillage", "A Captain who is raided", "single", choices=(("single", "loses it"), ("double", "twice"))
    ),
    Field("aces_high", "Aces high", "45", "Points, or the word sum for the sum of the dice."),
    Field("succession_4", "Succession of 4", "30", bounds=(1, 99)),
    Field("succession_5", "Succession of 5", "40", bounds=(1, 99)),
    Field("pieces_of_8", "Pieces of 8", "45", bounds=(1, 99)),
)
OPTIONS: dict[str, tuple[Field, ...]] = {
    "legend": _LEGEND,
    "ship-captain-crew": _SHIP_CAPTAIN_CREW,
    "swashbuckle": _SWASHBUCKLE,
}
OTHER = "more"  # a field of words key=value, for options without a field of their own


def fields_of(game: Game[Any]) -> tuple[Field, ...]:
    """Return the options a game's form shows; a new game gets those all of its kind have."""
    if game.key in OPTIONS:
        return OPTIONS[game.key]
    return (_ORDER,) if game.shape is None else (_FEN,)


def chosen_game(key: str) -> Game[Any]:
    """Return the game a form is about; raises Problem."""
    if key not in GAMES:
        raise Problem(400, f"There is no game {key!r}: expected one of {', '.join(GAMES)}.")
    return GAMES[key]


def read_names(fields: Mapping[str, str], seats: range) -> tuple[str, ...]:
    """Return the players' names in seat order, empty ones left out; raises BadOption."""
    given = (" ".join(fields.get(f"name{number}", "").split()) for number in range(1, seats.stop))
    names = tuple(name for name in given if name)
    check_names(names, seats)
    return names


def read_options(fields: Mapping[str, str], game: Game[Any]) -> dict[str, str]:
    """Return the options that differ from a game's defaults; raises Problem."""
    options = {}
    for field in fields_of(game):
        value = fields.get(field.key, "").strip()
        if value and value != field.default:
            options[field.key] = value
    options |= _read_words(fields.get(OTHER, "").split())
    for key, value in options.items():
        if not (key + value).isprintable() or len(key + value) > MAX_OPTION:
            raise Problem(
                400, f"The option {key[:MAX_OPTION]!r} cannot be read: expected at most {MAX_OPTION} characters."
            )
    return options


def _read_words(words: Sequence[str]) -> dict[str, str]:
    options = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not (key and equals and value):
            raise Problem(400, f"The option {word[:MAX_OPTION]!r} cannot be read: expected the form key=value.")
        options[key] = value
    return options
