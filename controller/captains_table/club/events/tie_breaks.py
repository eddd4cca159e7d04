"""What parts those of equal points, after FIDE's tie-break regulations (Handbook C.07).

All values are in half points, of Sonneborn-Berger in quarter points (half points times half points). What a round
without a match counts: for who got points in it, or had to do without, an opponent of his own points stands in; an
opponent's last rounds, after he had left, count him a half each.
"""

from collections.abc import Callable, Mapping
from typing import Final

from captains_table.club.events.entries import DRAW, WIN, TieBreak
from captains_table.club.events.records import How, Records, Turnout, points

WORDS: Final[Mapping[TieBreak, str]] = {
    TieBreak.BUCHHOLZ: "Buchholz",
    TieBreak.BUCHHOLZ_CUT_1: "Buchholz cut 1",
    TieBreak.SONNEBORN_BERGER: "Sonneborn-Berger",
    TieBreak.DIRECT_ENCOUNTER: "Direct encounter",
    TieBreak.WINS: "Wins",
    TieBreak.SCORE: "Score",
}

SHORT: Final[Mapping[TieBreak, str]] = {
    TieBreak.BUCHHOLZ: "BH",
    TieBreak.BUCHHOLZ_CUT_1: "BH-C1",
    TieBreak.SONNEBORN_BERGER: "SB",
    TieBreak.DIRECT_ENCOUNTER: "DE",
    TieBreak.WINS: "Wins",
    TieBreak.SCORE: "Score",
}
"""As FIDE abbreviates them."""

SCALE: Final[Mapping[TieBreak, int]] = {
    TieBreak.BUCHHOLZ: 2,
    TieBreak.BUCHHOLZ_CUT_1: 2,
    TieBreak.SONNEBORN_BERGER: 4,
    TieBreak.DIRECT_ENCOUNTER: 2,
    TieBreak.WINS: 1,
    TieBreak.SCORE: 1,
}
"""By what a value is divided to be shown in points."""


def value_of(tie_break: TieBreak, history: Records, player: int) -> int:
    """Return a player's value, for every tie-break but the direct encounter, which depends on who is level."""
    return _VALUES[tie_break](history, player)


def direct_encounter(history: Records, level: frozenset[int]) -> Mapping[int, int]:
    """Return what each of those who are level scored against the others, if all of them met; else nothing for all."""
    among = {player: [turnout for turnout in history[player] if _met_among(turnout, level)] for player in level}
    all_met = all(
        {other for turnout in among[player] for other in turnout.opponents} >= level - {player} for player in level
    )
    return {player: points(tuple(among[player])) if all_met else 0 for player in level}


def _met_among(turnout: Turnout, level: frozenset[int]) -> bool:
    return turnout.how in {How.PLAYED, How.FORFEIT} and len(turnout.opponents) == 1 and turnout.opponents[0] in level


def _adjusted(history: Records, player: int) -> int:
    """Return what an opponent counts: his points, and a half for each of the rounds at the end that he left out."""
    turnouts = list(history[player])
    left_out = 0
    while turnouts and turnouts[-1].how in {How.AWAY, How.SAT_OUT}:
        left_out += DRAW - turnouts.pop().halves
    return points(history[player]) + left_out


def _contributions(history: Records, player: int) -> list[tuple[bool, int]]:
    """Return what each round brings to the Buchholz, and whether he left the round out by his own will."""
    own = points(history[player])
    found = []
    for turnout in history[player]:
        if turnout.how is How.PLAYED:
            found.append((False, sum(_adjusted(history, other) for other in turnout.opponents)))
        elif turnout.how is not How.PENDING:
            found.append((turnout.how in {How.AWAY, How.SAT_OUT}, own))
    return found


def _buchholz(history: Records, player: int) -> int:
    return sum(brought for _, brought in _contributions(history, player))


def _cut(history: Records, player: int) -> int:
    """Return the Buchholz without the least; a round he left out by his own will is cut first."""
    contributions = _contributions(history, player)
    willing = [brought for by_will, brought in contributions if by_will]
    return _buchholz(history, player) - min(willing or [brought for _, brought in contributions], default=0)


def _sonneborn_berger(history: Records, player: int) -> int:
    own = points(history[player])
    total = 0
    for turnout in history[player]:
        if turnout.how is How.PLAYED:
            total += turnout.halves * sum(_adjusted(history, other) for other in turnout.opponents)
        else:
            total += turnout.halves * own
    return total


def _wins(history: Records, player: int) -> int:
    """Return how often he was the best of his match, over the board or because nobody came."""
    return sum(turnout.best or (turnout.how is How.BYE and turnout.halves == WIN) for turnout in history[player])


def _score(history: Records, player: int) -> int:
    return sum(turnout.score for turnout in history[player])


_VALUES: Final[Mapping[TieBreak, Callable[[Records, int], int]]] = {
    TieBreak.BUCHHOLZ: _buchholz,
    TieBreak.BUCHHOLZ_CUT_1: _cut,
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.WINS: _wins,
    TieBreak.SCORE: _score,
}
