"""Matches of Legend in some position with the dice thrown, and what may be done on their board."""

from captains_table.games.contract import Keep, Pick, Rolled, Square, parse_square
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match


def squares(names: str) -> frozenset[Square]:
    return frozenset(parse_square(name) for name in names.split())


def thrown(fen: str, die: int) -> Match:
    """Return a match in a position, with worthless cargo and this Legend die."""
    match = Match(MatchStarted("legend", ("Anne", "Bart"), {"fen": fen}))
    match.act(Pick("roll"), 0)
    match.act(Rolled((1, 1, 1, 1, 1, die)), 0)
    return match


def thrown_out(fen: str, die: int) -> Match:
    """Return a match in a position with no cargo throw left, so that a move passes the turn."""
    match = thrown(fen, die)
    for _ in range(2):
        match.act(Pick("throw-again"), 0)
        match.act(Keep((6,)), 0)
        match.act(Rolled((1, 1, 1, 1, 1)), 0)
    return match
