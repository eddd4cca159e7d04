"""`python -m tests.ladder.dice_games`: how strong the opponents of the dice games are, in pairs of matches.

Both matches of a pair have the same dice, by seat, turn and throw, and the players exchange seats. So a player
who plays as the other does wins exactly half, and only what is played differently counts. What was played is kept in a
file, and a further run plays what is left. Exit code 1 where a pairing falls short of its goal.
"""

import argparse
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

from platformdirs import user_cache_path

from captains_table.catalog import GameEntry, entry_of
from captains_table.games.contract import Decide, Over, Roll, Rolled
from captains_table.games.swashbuckle.steps import Cursing, Raiding
from captains_table.players.common.hold_solver import FACES
from captains_table.players.common.strategies import Strategy
from captains_table.runtime.simulated_matches import BEST, strategy_of
from tests.ladder.results import Share, play_rest, share_of

USUAL: Final = user_cache_path("captains-table") / "ladder-dice.jsonl"
DICE: Final = 5
BATCH: Final = 20  # pairs
OWN_DICE_ONLY: Final = "+best's raids and curses"


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players, how many matches they play, and what the lower end of the first one's interval is to lie above."""

    name: str
    game: str
    first: str
    second: str
    matches: int
    goal: float
    options: Mapping[str, str] = field(default_factory=dict)


SHIP, SHEETS = "ship-captain-crew", "swashbuckle"
TO_WIN: Final = (
    Pairing("eurus", SHEETS, "eurus:5", BEST, 20_000, 0.5),
    Pairing("eurus-without-curses", SHEETS, f"eurus:5{OWN_DICE_ONLY}", BEST, 4_000, 0.0),
    Pairing("eurus-dice-alone", SHEETS, f"eurus:5{OWN_DICE_ONLY}", BEST, 4_000, 0.0, {"pillage": "add"}),
)
LEVELS: Final = tuple(
    Pairing(f"{key}-{level}", game, f"{key}:{level}", f"{key}:{level - 1}", 800, 0.5)
    for key, game, levels in (("zephyr", SHIP, 4), ("eurus", SHEETS, 5))
    for level in range(1, levels + 1)
)
PAIRINGS: Final = {pairing.name: pairing for pairing in (*TO_WIN, *LEVELS)}


class SameDice:
    """Dice that fall alike in both matches of a pair: by seat, turn of that seat, throw of that turn, and die."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._seat = -1
        self._turns: dict[int, int] = {}
        self._throws = 0

    def fall(self, roll: Roll) -> Rolled:
        if roll.seat != self._seat:
            self._seat, self._throws = roll.seat, 0
            self._turns[roll.seat] = self._turns.get(roll.seat, 0) + 1
        self._throws += 1
        rng = random.Random(f"{self._seed} {roll.seat} {self._turns[roll.seat]} {self._throws}")
        faces = rng.choices(FACES, k=DICE)
        return Rolled(tuple(faces[die - 1] for die in roll.dice))


class Played(NamedTuple):
    """A pair of matches: the first player's share of the two wins, and by how many points they led on average."""

    won: float
    lead: float


def play_pair(pairing: Pairing, key: tuple[str, int]) -> Played:
    """Play both matches of a pair, by its name and number; the same number gives the same matches."""
    matches = [_play(pairing, key[1], first_seat=seat) for seat in (0, 1)]
    return Played(fmean(won for won, _ in matches), fmean(lead for _, lead in matches))


def _play(pairing: Pairing, number: int, *, first_seat: int) -> tuple[float, int]:
    entry, dice = entry_of(pairing.game), SameDice(f"{pairing.game} {number}")
    state = entry.game.start(["A", "B"], {"order": "seated", **pairing.options})
    players = [_player(entry, name, random.Random(f"{name} {number}")) for name in (pairing.first, pairing.second)]
    if first_seat:
        players.reverse()
    while not isinstance(turn := entry.game.turn(state), Over):
        match turn:
            case Roll():
                state = entry.game.apply(state, dice.fall(turn))
            case Decide(seat=seat):
                state = entry.game.apply(state, players[seat](state, turn))
    scores, winner = turn.result.scores, turn.result.winner
    lead = scores[first_seat] - scores[1 - first_seat]
    return (0.5 if winner is None else float(winner == first_seat)), lead


def _player(entry: GameEntry, name: str, rng: random.Random) -> Strategy:
    bare = name.removesuffix(OWN_DICE_ONLY)
    player = strategy_of(entry, bare, rng)
    return player if bare == name else _with_raids_and_curses_of(strategy_of(entry, BEST, rng), player)


def _with_raids_and_curses_of(other: Strategy, player: Strategy) -> Strategy:
    def play(state: Any, decide: Decide) -> Any:  # noqa: ANN401 - each game has its own state
        return (other if isinstance(state.step, Raiding | Cursing) else player)(state, decide)

    return play


# --- what came of it --------------------------------------------------------------------------------------------------


def pairs_of(pairing: Pairing, pairs: int, path: Path, processes: int) -> list[Played]:
    """Play the pairs that are not in the file yet, and return all."""
    keys = [(pairing.name, number) for number in range(pairs)]
    return [Played(*each) for each in play_rest(path, keys, partial(play_pair, pairing), processes, BATCH).values()]


def share_won(pairs: Sequence[Played]) -> Share:
    return share_of([[played.won] for played in pairs])


def _reached(pairing: Pairing, arguments: argparse.Namespace) -> bool:
    began = time.monotonic()
    pairs = max(2, (arguments.matches or pairing.matches) // 2)
    found = pairs_of(pairing, pairs, arguments.results, arguments.processes)
    options = "".join(f" {name}={value}" for name, value in pairing.options.items())
    won, lead = share_won(found).told(digits=2), fmean(played.lead for played in found)
    print(
        f"{pairing.first} against {pairing.second}{options}: {won} of {2 * pairs:,} matches, by {lead:+.1f} points; "
        f"{time.monotonic() - began:.0f} s",
        flush=True,
    )
    return share_won(found).low > pairing.goal


def main(argv: Sequence[str] | None = None) -> int:
    found = argparse.ArgumentParser(prog="python -m tests.ladder.dice_games", description=__doc__)
    found.add_argument("--only", choices=list(PAIRINGS), action="append", help="this alone; may be given again")
    found.add_argument("--matches", type=int, help="so many of each pairing, in place of its own number")
    found.add_argument("--processes", type=int, default=1, help="how many run at once (1)")
    found.add_argument("--results", type=Path, default=USUAL, metavar="FILE", help=f"what was played ({USUAL})")
    arguments = found.parse_args(argv)
    reached = [_reached(PAIRINGS[name], arguments) for name in arguments.only or PAIRINGS]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    raise SystemExit(main())
