"""Matches of every game with honest dice, played by themselves: their exports and their tapes."""

import io
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Decide, Pick, PickAsk
from captains_table.games.registry import game_by_key
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.events import Answered, WordsGiven
from tests.support.honest_match import HonestTable
from tests.support.random_matches import seats_for
from tests.support.self_play import SelfPlay
from tests.support.stopped_clocks import WAYS, stopped

LONG_ENOUGH: Final = 30
MOST_STEPS: Final = 2000
CLOCK: Final = {"clock": "10+5"}
SHORT: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("legend", {"rounds": "1", "turn_limit": "8"}),
    ("ship-captain-crew", {"target": "20"}),
    ("legend", {"rounds": "2", "turn_limit": "4", "score": "piece"}),
    ("captains-chess", CLOCK),
    ("ship-captain-crew", {"mode": "single"}),
    ("captains-chess", {}),
    ("legend", {"rounds": "1", "turn_limit": "12"}),
)
"""Games with options that let a match be short, but few are less than twenty entries long."""


@dataclass(frozen=True, slots=True)
class HonestMatch:
    """A match that is over, as it is exported, and what went into it: presses, own words, or how its clock stood."""

    way: str
    export: str


STOPPED: Final = tuple(WAYS)
STOPPED_SHARE: Final = 0.15


@cache
def honest_match(number: int) -> HonestMatch:
    """Return the match of a number, the same each time.

    In some power is cut, in others words are given, a hand makes a computer's move, or the table asks what was done.
    """
    rng = random.Random(number)
    if rng.random() < STOPPED_SHARE:
        way = rng.choice(STOPPED)
        return HonestMatch(way, json.dumps(stopped(way), indent=1, ensure_ascii=False) + "\n")
    game, options = SHORT[number % len(SHORT)]
    table = HonestTable(game, options)
    way = "clock" if options == CLOCK else "presses"
    if game == "captains-chess":
        _play_chess(table, rng)
    else:
        if rng.random() < 1 / 3:
            way = "words"
            table.table.session.handle(WordsGiven(0, f"the luck of {number}"), 0)
            table.table.session.handle(WordsGiven(1, rng.choice(("tóc 7", "🎲", "seven"))), 0)
        for _ in range(rng.randrange(3)):
            table.play_on(rng.randrange(1000), most=3)
            table.cut(rng.randrange(1, 100))
        table.play_on(number)
    return HonestMatch(way, json.dumps(table.export(), indent=1, ensure_ascii=False) + "\n")


def _play_chess(table: HonestTable, rng: random.Random) -> None:
    """Make moves, with interruptions of both kinds, and resign: at random somebody would give up at once."""
    table.cut(5)
    while len(table.entries()) < LONG_ENOUGH:
        if rng.random() < 1 / 8:
            table.leave(60) if rng.random() < 1 / 2 else table.cut(60)
        table.pick(_chess_move(table.match.turn, rng))
    while "resign" not in _open_ids(table.match.turn):
        table.pick(_chess_move(table.match.turn, rng))
    table.pick("resign")
    table.wait(10_000)


def _open_ids(turn: object) -> Mapping[str, bool]:
    """Return the ids that are asked for, and whether each is a move on the board."""
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    return {option.id: option.on_board for option in turn.ask.options}


def _chess_move(turn: object, rng: random.Random) -> str:
    ids = _open_ids(turn)
    moves = [id_ for id_, on_board in ids.items() if on_board]
    return rng.choice(moves) if moves else next(iter(ids))


@cache
def recorded_tape(number: int) -> str:
    """Return the tape of the match of a number, the same each time."""
    game, options = SHORT[number % len(SHORT)]
    journal = MemoryJournal(MatchStarted(game, tuple(seats_for(game_by_key(game), number + 1)), options))
    dice, tape, rng = DictatedDice(), io.StringIO(), random.Random(number)
    dice.seed(number)
    table = SelfPlay(journal, dice, number, tape)
    for _ in range(MOST_STEPS):
        if table.over or (game == "captains-chess" and len(journal.entries()) > LONG_ENOUGH):
            break
        if game == "captains-chess":
            table.table.session.handle(Answered(Pick(_chess_move(table.match.turn, rng))), table.later())
        else:
            table.step()
    return tape.getvalue()
