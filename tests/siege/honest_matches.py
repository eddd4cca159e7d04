"""Matches of every game with honest dice, played by themselves: their exports and their tapes."""

import io
import json
import random
from dataclasses import dataclass
from functools import cache
from typing import Final

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.games.contract import Decide, Pick, PickAsk
from captains_table.games.registry import game_by_key
from captains_table.storage.memory_journal import MemoryJournal
from captains_table.table.history.export import export_json
from captains_table.table.model.entries import Entry, MatchStarted
from tests.support.random_matches import seats_for
from tests.support.self_play import SelfPlay

BEGAN: Final = "2026-11-22T05:00:00+00:00"
LONG_ENOUGH: Final = 40
MOST_STEPS: Final = 2000
SHORT: Final = (
    ("legend", {"rounds": "1", "turn_limit": "8"}),
    ("legend", {"rounds": "2", "turn_limit": "4", "score": "piece"}),
    ("ship-captain-crew", {"target": "20"}),
    ("ship-captain-crew", {"mode": "single"}),
    ("captains-chess", {}),
    ("captains-chess", {"clock": "10+5"}),
    ("legend", {"rounds": "1", "turn_limit": "12"}),
)
"""Games with options that let a match be short, but none is less than twenty entries long."""


@dataclass(frozen=True, slots=True)
class HonestMatch:
    """A match that is over: its seed, its entries, and the tape it was recorded on."""

    seed: bytes
    entries: tuple[Entry, ...]
    tape: str

    @property
    def export(self) -> str:
        """The match as `matches export` writes it."""
        return json.dumps(export_json(self.entries, self.seed, BEGAN), indent=1, ensure_ascii=False) + "\n"


@cache
def honest_match(number: int) -> HonestMatch:
    """Return the match of a number; the same each time."""
    key, options = SHORT[number % len(SHORT)]
    seed = random.Random(number).randbytes(32)
    names = tuple(seats_for(game_by_key(key), number + 1))
    journal, tape = MemoryJournal(MatchStarted(key, names, options, commitment(seed))), io.StringIO()
    table = SelfPlay(journal, HonestDice(seed), number, tape)
    for _ in range(MOST_STEPS):
        if table.over:
            break
        if key == "captains-chess":
            _move(table, len(journal.entries()), number)
        else:
            table.step()
    return HonestMatch(seed, tuple(journal.entries()), tape.getvalue())


def _move(table: SelfPlay, entries: int, number: int) -> None:
    """Make any move of chess, and resign when there were enough: at random somebody would give up at once."""
    turn = table.match.turn
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    ids = {option.id: option.on_board for option in turn.ask.options}
    moves = [id_ for id_, on_board in ids.items() if on_board]
    chosen = "resign" if entries >= LONG_ENOUGH and "resign" in ids else None
    if chosen is None:
        chosen = random.Random(f"{number} {entries}").choice(moves) if moves else next(iter(ids))
    table.table.answer(Pick(chosen), table.later())
