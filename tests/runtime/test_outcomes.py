"""A result as the club is told it, derived from a match's journal."""

import base64
import json
import random
import zlib
from collections.abc import Mapping, Sequence

import pytest

from captains_table.devices.dice_sources import commitment
from captains_table.games.contract import Over, Pick
from captains_table.games.registry import GAMES
from captains_table.reporting.messages import FromTable, decode, encode
from captains_table.runtime.club_line.member import NoOutcome, match_outcome
from captains_table.table.model.entries import Entry, MatchEnded, MatchStarted, SeatKind
from captains_table.table.model.match import Match
from tests.support.random_play import random_action

SEED = bytes(32)
BEGAN, ENDED = "2026-11-23T20:00:00+01:00", "2026-11-23T20:40:00+01:00"

Played = tuple[list[Entry], bytes, str, str, str]
"""A match, as `match_outcome` takes it."""


def started(game: str, seats: Sequence[str], options: Mapping[str, str] | None = None) -> MatchStarted:
    kinds: tuple[SeatKind, ...] = tuple("computer" if ":" in name else "human" for name in seats)
    return MatchStarted(game, tuple(seats), dict(options or {}), commitment(SEED), kinds, 0)


def played(first: MatchStarted, *, ends: bool = True, pairing: str = "7") -> Played:
    """Return a match played at random, to its end or a few actions."""
    match, rng = Match(first), random.Random(3)
    entries: list[Entry] = [first]
    while not isinstance(match.turn, Over) and (ends or len(entries) < 5):
        entries.append(match.act(random_action(match.turn, rng), len(entries)))
    if isinstance(match.turn, Over):
        entries.append(MatchEnded(match.turn.result.winner, match.turn.result.scores))
    return entries, SEED, BEGAN, ENDED, pairing


def resigned() -> Played:
    first = started("captains-chess", ("Anne", "Bart"))
    match = Match(first)
    entries: list[Entry] = [first, match.act(Pick("e2e4"), 1), match.act(Pick("resign"), 2), MatchEnded(0, (1, 0))]
    return entries, SEED, BEGAN, ENDED, "7"


def test_a_result_says_who_won_and_has_the_match_with_it() -> None:
    outcome = match_outcome(*resigned(), names=True)
    assert (outcome.match, outcome.rev, outcome.pairing) == (commitment(SEED), 1, "7")
    assert (outcome.seats, outcome.kinds) == (("Anne", "Bart"), ("human", "human"))
    assert (outcome.began, outcome.ended) == (BEGAN, ENDED)
    assert outcome.ending is not None
    assert (outcome.ending.winner, outcome.ending.scores) == (0, (1, 0))
    exported = json.loads(zlib.decompress(base64.b64decode(outcome.export)))
    assert exported["seats"] == ["Anne", "Bart"]
    assert exported["seed"] == SEED.hex()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_games_result_is_one_the_club_reads(game: str) -> None:
    names = [f"Xq{number}" for number in range(max(2, GAMES[game].seats.start))][: GAMES[game].seats[-1]]
    for tells in (True, False):
        outcome = match_outcome(*played(started(game, names), ends=False), names=tells)
        assert decode(FromTable.RESULT, encode(outcome)) == outcome
        assert ("Xq" in encode(outcome).decode()) == tells


def test_without_names_an_option_that_names_a_player_says_initials_and_no_match_is_told() -> None:
    first = started("swashbuckle", ("Anne", "Ada", "eurus:2"), {"captain": "Ada", "order": "seated"})
    outcome = match_outcome(*played(first), names=False)
    assert outcome.seats == ("A.", "A. (2)", "Eurus")
    assert outcome.options == {"captain": "A. (2)", "order": "seated"}
    assert outcome.kinds == ("human", "human", "computer")
    assert outcome.export == ""
    assert outcome.ending is not None


def test_a_match_that_was_left_has_no_ending_and_gives_nothing_of_it_away() -> None:
    outcome = match_outcome(*played(started("legend", ("Anne", "Bart")), ends=False), names=True)
    assert (outcome.ending, outcome.export) == (None, "")


def test_who_plays_alone_has_a_result_with_every_seat() -> None:
    outcome = match_outcome(*played(started("swashbuckle", ("Anne",))), names=False)
    assert outcome.ending is not None
    assert len(outcome.seats) == len(outcome.ending.scores)


def test_an_export_that_no_payload_has_room_for_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("captains_table.runtime.club_line.member.LARGEST", 600)
    outcome = match_outcome(*resigned(), names=True)
    assert (outcome.export, outcome.ending is None) == ("", False)


def test_a_match_that_does_not_replay_has_no_result() -> None:
    with pytest.raises(NoOutcome, match="unknown game"):
        match_outcome([MatchStarted("gone", ("Anne",), {})], None, BEGAN, ENDED, "", names=True)
    with pytest.raises(NoOutcome, match="does not begin"):
        match_outcome([], None, BEGAN, ENDED, "", names=True)
