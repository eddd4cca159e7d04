"""Whole matches of Legend played through the switches and buttons alone."""

import random

import pytest

from captains_table.games.contract import Over
from captains_table.table.model.entries import Acted, MatchEnded, MatchStarted, TakenBack
from captains_table.table.model.match import Match
from tests.support.effort import LONG_RUN
from tests.table.hand import Hand

SEEDS = range(200) if LONG_RUN else (2,)
SHARP = "r3k2r/pPp2p1p/8/8/8/8/PpP2P1P/R3K2R w KQkq - 0 1"  # castling and promotions are near
MOST_DOINGS = 4000
VARIANTS: list[tuple[tuple[str, ...], dict[str, str]]] = [
    (("Anne", "Bart"), {}),
    (("Anne", "Bart"), {"fen": SHARP}),
    (("Anne", "Bart"), {"fen": SHARP, "score": "piece"}),
    (("Anne",), {"fen": SHARP, "turn_limit": "60"}),
]


def play_match(hand: Hand) -> None:
    for _ in range(MOST_DOINGS):
        if isinstance(hand.match.turn, Over):
            return
        hand.play_on()
        view = hand.view
        assert view.wrong or hand.occupied == frozenset(hand.match.pieces())
    raise AssertionError(f"no end after {MOST_DOINGS} doings: {hand.view}")


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_played_through_the_switches_ends_as_its_journal_says(seed: int) -> None:
    names, options = VARIANTS[seed % len(VARIANTS)]
    hand = Hand(MatchStarted("legend", names, options), random.Random(seed), dice_seed=seed)
    play_match(hand)
    match, entries = hand.match, hand.entries()
    assert hand.occupied == frozenset(match.pieces())
    replayed = Match.resumed(entries)
    assert replayed.state == match.state
    assert replayed.game.tallies(replayed.state) == match.game.tallies(match.state)
    assert isinstance(entries[-1], MatchEnded)
    seqs = [entry.seq for entry in entries if isinstance(entry, Acted | TakenBack)]
    assert seqs == list(range(1, len(seqs) + 1))
