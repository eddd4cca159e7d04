"""The moves of a match of chess that a table sends to its club."""

import chess
import pytest

from captains_table.games.contract import Pick, Rolled
from captains_table.reporting.messages import BadPayload, FromTable, PlayedMove, ViewMessage, decode, encode
from captains_table.reporting.played_moves import standing_moves, start_fen
from captains_table.reporting.table_view import spectator_view
from captains_table.table.model.entries import Acted, ClockWentOn, Entry, MatchStarted, TakenBack
from captains_table.table.model.match import Match
from captains_table.table.model.view import Phase, View


def match_of(*actions: str, options: dict[str, str] | None = None) -> Match:
    """Return a match of chess in which these answers were given, a second apart, the players in turn."""
    match = Match(MatchStarted("chess", ("Anne", "Bart"), options or {}))
    for second, id_ in enumerate(actions, 1):
        match.start_clock(0)
        match.act(Pick(id_), 1000 * second)
    return match


def test_each_move_has_its_time_and_the_clock_of_its_press() -> None:
    match = match_of("e2e4", "press-clock", "e7e5", "press-clock", "g1f3", options={"clock": "5+3"})
    expected = (PlayedMove("e2e4", 1, 301), PlayedMove("e7e5", 3, 301), PlayedMove("g1f3", 5))
    assert standing_moves(match) == expected
    assert start_fen(match) == ""


def test_moves_taken_back_are_not_among_them() -> None:
    entries: list[Entry] = [
        MatchStarted("chess", ("Anne", "Bart"), {"clock": "5"}),
        ClockWentOn(0),
        Acted(1, 0, 1_000, Pick("e2e3")),
        TakenBack(2, 0, 2_000, 1),
        Acted(3, 0, 2_000, Pick("e2e4")),
        Acted(4, 0, 3_000, Pick("press-clock")),
    ]
    assert standing_moves(Match.resumed(entries)) == (PlayedMove("e2e4", 2, 297),)
    consent = match_of("e2e4", "e7e5", "g1f3", "b8c6", "offer-takeback", "agree")
    assert [move.id for move in standing_moves(consent)] == ["e2e4", "e7e5"]


def test_a_start_from_elsewhere_is_told_once_the_dice_have_fallen() -> None:
    match = match_of(options={"start": "dice"})
    assert start_fen(match) == ""
    match.act(Rolled((1, 1, 1, 1, 1)), 0)
    assert chess.Board(start_fen(match), chess960=True).status() == chess.STATUS_VALID
    match.act(Pick("e2e4"), 1_000)
    assert [move.id for move in standing_moves(match)] == ["e2e4"]


def test_moves_travel_with_the_view_and_a_message_without_them_is_read() -> None:
    view = spectator_view(View(phase=Phase.PLAYING))
    moves = (PlayedMove("e2e4", 1, 300), PlayedMove("e7e8q", 2))
    sent = ViewMessage(boot="b", n=1, pairing="p", view=view, moves=moves)
    assert decode(FromTable.VIEW, encode(sent)) == sent
    old = decode(FromTable.VIEW, b'{"v":1,"boot":"b","n":1,"view":{"phase":"playing"}}')
    assert isinstance(old, ViewMessage)
    assert (old.start, old.moves) == ("", ())


@pytest.mark.parametrize("move", [["e2e9", 1], ["e2e4", -1], ["e2 e4", 1], ["e2e4\n", 1], "e2e4", ["{x}", 1]])
def test_what_is_no_move_is_refused(move: object) -> None:
    view = b'{"v":1,"boot":"b","n":1,"view":{"phase":"playing"},"moves":'
    with pytest.raises(BadPayload):
        decode(FromTable.VIEW, view + str([move]).replace("'", '"').encode() + b"}")
