"""The options of Swashbuckle: their declaration and parsing.

Source: docs/rules/swashbuckle.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from captains_table.games.common.dice import PARTY
from captains_table.games.common.option_values import as_declared
from captains_table.games.contract import (
    ORDER,
    BadOption,
    Choice,
    GameOption,
    advanced,
    check_names,
    read_options,
    switch,
)
from captains_table.games.swashbuckle.sheet import PRINTED, Values
from captains_table.phrases import message_of, say

MOST_PLAYERS: Final = PARTY[-1]
MOST_COLUMNS: Final = 6
MOST_PENALTY: Final = 99
PIRATE: Final = "pirate"
PIRATE_NAMES: Final = (
    "Sunnyseas", "Saltbeard", "Gullfoot", "Rumcask", "Foulwind", "Brassbuckle", "Tideleg", "Squallmouth",
    "Barnaclebess", "Lanternjack", "Stormpetrel", "Driftbones", "Kelphook", "Mizzenmary", "Powderkeg", "Cutlasskit",
)  # fmt: skip
"""Suggestions of pirate names, which displays offer as choices."""

SWASHBUCKLE_OPTIONS: Final = (
    *advanced(
        ORDER,
        GameOption(
            "captain",
            say("Captain"),
            of_players=True,
            empty_text=say("by rank"),
            hint=say("Who begins; empty: whoever holds that rank."),
        ),
        switch("voluntary_scuttle", say("Scuttling"), say("only when nothing scores"), say("whenever one likes")),
        GameOption(
            "pillage",
            say("A raid"),
            "steal",
            (Choice("steal", say("takes from a victim")), Choice("add", say("only adds"))),
        ),
        GameOption(
            "captain_pillage",
            say("A Captain who is raided"),
            "single",
            (Choice("single", say("loses it")), Choice("double", say("loses twice as much"))),
            detail_of="pillage",
            moot_at="add",
        ),
        GameOption("aces_high", say("Aces high"), "45", (Choice("sum", say("the sum of the dice")),), (1, 99)),
        GameOption("succession_4", say("Succession of 4"), "30", bounds=(1, 99)),
        GameOption("succession_5", say("Succession of 5"), "40", bounds=(1, 99)),
        GameOption("pieces_of_8", say("Pieces of 8"), "45", bounds=(1, 99)),
        switch(
            "challenge",
            say("Who plays when"),
            say("turn by turn"),
            say("each alone, one after the other (challenge sheet)"),
        ),
        GameOption(
            "penalty",
            say("A penalty costs"),
            "0",
            bounds=(0, MOST_PENALTY),
            hint=say("0: none can be called; otherwise players may have pirate names."),
        ),
        GameOption(
            "columns",
            say("Columns"),
            "1",
            bounds=(1, MOST_COLUMNS),
            hint=say("More than 1: perfect storm, without ranks."),
        ),
    ),
    *(
        GameOption(
            f"{PIRATE}{number}",
            say("Pirate name {number}", number),
            choices=tuple(Choice(name, name) for name in PIRATE_NAMES),
            is_free=True,
            empty_text=say("none"),
            hint=say("Shown in place of the name; the name is kept for ranks."),
            seat=number,
            detail_of="penalty",
        )
        for number in range(1, MOST_PLAYERS + 1)
    ),
)


@dataclass(frozen=True, slots=True)
class SwashbuckleOptions:
    """The match's options.

    Attributes:
        values: the points that the rules leave open.
        voluntary_scuttle: whether a box may be scuttled while the dice would score in another box (W3).
        pillage: "steal" if a raid takes its points from a victim too; "add" if it only adds them (N4).
        captain_pillage: "double" if a pillaged Captain loses twice the points; else "single" (N3).
        captain: the seat of the Captain, who begins (W1); `None` if no player is the Captain.
        order: who begins if there is no Captain: "seated" for the player named first, "throw" for the highest throw.
        challenge: whether each player plays all turns alone, one player after the other (N1).
        penalty: the points of a penalty; 0 if no penalty can be called (N2).
        columns: the number of columns that each player fills (N5).
        pirates: each seat's pirate name; empty for none (N2).
    """

    values: Values = PRINTED
    voluntary_scuttle: bool = False
    pillage: str = "steal"
    captain_pillage: str = "single"
    captain: int | None = None
    order: str = "throw"
    challenge: bool = False
    penalty: int = 0
    columns: int = 1
    pirates: tuple[str, ...] = ("",) * MOST_PLAYERS


def parse_swashbuckle_options(options: Mapping[str, str], seats: Sequence[str]) -> SwashbuckleOptions:
    """Return the match's options; raises BadOption if one is unknown or invalid."""
    chosen = read_options(SWASHBUCKLE_OPTIONS, options, seats)
    aces_high = None if chosen["aces_high"] == "sum" else int(chosen["aces_high"])
    values = as_declared(Values, SWASHBUCKLE_OPTIONS, chosen, aces_high=aces_high)
    captain = seats.index(chosen["captain"]) if chosen["captain"] else None
    pirates = _pirates([chosen[f"{PIRATE}{number}"] for number in range(1, MOST_PLAYERS + 1)], seats)
    return as_declared(SwashbuckleOptions, SWASHBUCKLE_OPTIONS, chosen, values=values, captain=captain, pirates=pirates)


def _pirates(pirates: Sequence[str], seats: Sequence[str]) -> tuple[str, ...]:
    """Return the pirate names, one for each possible seat, after checking them (N2).

    Raises:
        BadOption: a pirate name is invalid, is given for a seat without a player, or is another player's name or pirate
            name.
    """
    for seat, pirate in enumerate(pirates):
        option = f"{PIRATE}{seat + 1}"
        if not pirate:
            continue
        if seat >= len(seats):
            words = say("{option} is nobody's: expected pirate names of {count} players", option, len(seats))
            raise BadOption(words, option)
        try:
            check_names([pirate], range(1, 2))
        except BadOption as error:
            raise BadOption(say("{option}: {fault}", option, message_of(error)), option) from error
        others = {
            name.casefold()
            for each, names in enumerate(zip(seats, pirates, strict=False))
            if each != seat
            for name in names
        }
        if pirate.casefold() in others:
            given = f"{option}={pirate}"
            words = say("{given}: somebody else is called so; expected a name of his own", given)
            raise BadOption(words, option)
    return tuple(pirates)
