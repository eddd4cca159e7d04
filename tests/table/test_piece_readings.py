"""What the readings of a board mean: learnt from the match, and nothing where they are unknown or alike."""

from captains_table.games.contract import Square, parse_square
from captains_table.table.model.entries import MatchStarted, Unsure
from captains_table.table.model.match import Match
from captains_table.table.playing.ambiguous_move import UnsureJournal
from captains_table.table.recognition.board_reports import PieceReadings


def readings(**on: str) -> PieceReadings:
    found = PieceReadings()
    found.on = {parse_square(name): reading for name, reading in on.items()}
    return found


def pieces(**on: str) -> dict[Square, str]:
    return {parse_square(name): piece for name, piece in on.items()}


def test_readings_of_one_kind_of_piece_are_alike_and_of_two_kinds_differ() -> None:
    board = readings(a1="chip 1", h1="chip 2", e1="chip 3")
    assert board.differ("chip 1", "chip 2"), "until it is known that both are rooks"
    board.learn(pieces(a1="R", h1="R", e1="K"))
    assert not board.differ("chip 1", "chip 2")
    assert board.differ("chip 1", "chip 3")
    assert not board.differ("chip 1", "")
    assert board.deny("chip 3", "R")
    assert not board.deny("chip 4", "R"), "nothing is known of it"


def test_a_reading_that_stands_for_two_pieces_means_nothing() -> None:
    board = readings(a1="?", e1="?")
    board.learn(pieces(a1="R", e1="K"))
    assert not board.deny("?", "R")
    assert not board.deny("?", "Q")


def test_a_reading_keeps_what_it_meant_first_until_another_match_begins() -> None:
    board = readings(a1="R")
    board.learn(pieces(a1="R"))
    board.learn(pieces(a1="Q"))  # a rook set upside down
    assert board.deny("R", "Q")
    board.forget()
    board.learn(pieces(a1="Q"))
    assert not board.deny("R", "Q")


def test_what_the_board_read_is_journalled_with_the_doubt_and_recalled() -> None:
    match = Match(MatchStarted("chess", ("Anne", "Bart"), {}))
    changes = ((5, "e2", False), (9, "e4", True))
    found = UnsureJournal().recall(match, Unsure(0, 0, changes, readings=("P", "Q")))
    assert found is not None
    assert [(change.closed, change.reading) for change in found.changes] == [(False, "P"), (True, "Q")]
    assert UnsureJournal().recall(match, Unsure(0, 0, changes, readings=("P",))) is None, "one is missing"
    found = UnsureJournal().recall(match, Unsure(0, 0, changes))
    assert found is not None
    assert [change.reading for change in found.changes] == ["", ""]
