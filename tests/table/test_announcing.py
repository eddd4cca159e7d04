"""When a capture is announced: its signals, its news and what the log says it scored wait till the board has rested."""

import pytest

from captains_table.games.contract import Square, parse_square
from captains_table.table.playing.timed_displays import takes_a_piece
from tests.support.listening import ListeningPlayer

KING = """
    game legend Anne Bart "fen=4k3/8/8/8/8/8/8/4R1K1 w - - 0 1"
    dice 1 1 1 1 1 6
    press roll
"""
TAKEN = "lift e8\nlift e1\nplace e8"
FALLEN = ["Anne gains 6 legend", "Anne captures the king"]
FORK = 'game captains-chess Anne Bart "fen=4k4/9/9/3p1p3/4P4/9/9/4K4 w - - 0 1"'
FORK_TAKEN = f"{FORK}\nlift d5\nlift e4\nplace d5"
PAWN = "Anne takes the black pawn"
MATE = 'game captains-chess Anne Bart "fen=7k1/6ppp/9/9/9/9/9/R3K4 w - - 0 1"'


def king_taken(settings: str = "") -> ListeningPlayer:
    """Return a table at which the king has just been set down on by the rook that takes it."""
    return ListeningPlayer(f"{settings}{KING}{TAKEN}")


# --- it waits -------------------------------------------------------------------------------------------------------


def test_a_capture_is_believed_at_once_and_announced_once_when_the_board_has_rested() -> None:
    table = king_taken()
    view = table.view()
    assert str(view.pieces[parse_square("e8")]) == "R"
    assert view.seats[0].tallies["legend"] == 11
    assert "king-taken" not in table.final()["lights"].values()
    assert (table.signals, table.news, table.log[-1]) == ([], [], "Anne: Re1xe8")
    table.wait(699)
    assert (table.signals, table.news, table.log[-1]) == ([], [], "Anne: Re1xe8")
    table.wait(1)
    assert (table.signals, table.news, table.log[-2:]) == (["king"], FALLEN, FALLEN)
    assert table.final()["lights"]["e8"] == "king-taken"
    table.lines("+5000 pick done\n+5000 expect round 2")
    assert table.signals.count("king") == 1
    assert [table.log.count(words) for words in FALLEN] == [1, 1]


@pytest.mark.parametrize(
    ("waits", "ends"),
    [
        pytest.param(
            "+600 lift g1\n+600 place g1\n+699", "+1", id="every change of the board lets the time begin anew"
        ),
        pytest.param("+100 mask h4\n+600 place h4\n+99", "+1", id="a switch that is ignored disturbs nobody"),
        pytest.param("+300 lift e8\n+2500", "place e8\n+700", id="the piece that took is in the hand again"),
        pytest.param("+100 unplug\n+5000", "plug\n+700", id="nobody knows how the pieces stand"),
    ],
)
def test_nothing_is_announced_before_the_board_has_rested_as_it_is(waits: str, ends: str) -> None:
    table = king_taken()
    table.lines(f"{waits} expect pieces.e8 R")
    assert (table.signals, table.news) == ([], [])
    table.lines(f"{ends} expect pieces.e8 R")
    assert (table.signals, table.news) == (["king"], FALLEN)


def test_a_piece_in_the_next_players_hand_keeps_nothing_back() -> None:
    table = ListeningPlayer(f"{FORK_TAKEN}\n+300 lift e8")
    table.wait(699)
    assert table.news == []
    table.wait(1)
    assert table.news == [PAWN]


@pytest.mark.parametrize(("ms", "waited"), [(0, 0), (200, 200), (2500, 2500)])
def test_how_long_it_waits_is_configured(ms: int, waited: int) -> None:
    table = king_taken(f"config announce_ms={ms}\n")
    table.wait(waited - 1 if waited else 0)
    assert table.signals == ([] if waited else ["king"])
    table.wait(1 if waited else 0)
    assert table.signals == ["king"]


# --- it never comes -------------------------------------------------------------------------------------------------


def test_a_capture_taken_back_or_changed_into_a_step_in_time_was_never_news_and_never_sounded() -> None:
    table = king_taken()
    table.lines("+300 lift e8\n+100 place e1\n+100 place e8\n+9000 expect pieces.e8 k")
    assert (table.heard, table.ever_news, table.news) == (["throw"], [], [])
    assert not set(FALLEN) & set(table.log)
    table = ListeningPlayer(FORK_TAKEN)
    table.lines("+300 lift d5\n+300 place e5\n+300 place d5\n+9000 expect pieces.e5 P\nexpect pieces.d5 p")
    assert table.ever_news == []
    assert PAWN not in table.log


def test_a_mate_by_capture_that_is_taken_back_in_time_ends_nothing_and_sounds_of_nothing() -> None:
    table = ListeningPlayer('game captains-chess Anne Bart "fen=r7k/6ppp/9/9/9/9/9/R3K4 w - - 0 1"')
    table.lines("lift a8\nlift a1\nplace a8\n+0 expect phase over")
    table.lines("+300 lift a8\n+100 place a1\n+100 place a8\n+9000 expect phase playing")
    assert (table.signals, table.ever_news) == ([], [])


# --- what seals it brings it out ------------------------------------------------------------------------------------


def test_done_and_the_next_throw_announce_it_first_and_let_it_stay_news() -> None:
    table = king_taken()
    table.lines("+100 pick done\n+0 expect round 2")
    assert table.signals == ["king", "settlement"]
    assert table.news[:2] == FALLEN  # nobody has read it yet: it stays with what the end of the round brings
    assert len(table.news) > 2
    assert [words for words in table.log if words in table.news] == table.news
    table = king_taken()
    table.lines("+50 dice 6 5 4 6 6\n+50 keep 6")
    assert table.signals[0] == "king"
    assert table.news[:2] == FALLEN
    throws = [place for place, words in enumerate(table.log) if "throws" in words]
    assert table.log.index(FALLEN[1]) < throws[-1]


def test_the_next_capture_announces_the_one_before_and_waits_itself() -> None:
    table = ListeningPlayer('game captains-chess Anne Bart "fen=4k4/9/2p6/3p5/4P4/9/9/4K3R w - - 0 1"')
    table.lines("lift d5\nlift e4\nplace d5\n+100 lift d5\n+100 lift c6\n+100 place d5\n+0 expect pieces.d5 p")
    assert table.news == [PAWN]
    table.wait(700)
    assert table.news == ["Bart takes the white pawn"]
    assert table.ever_news == ["Anne takes the black pawn", "Bart takes the white pawn"]
    takes = ["Anne: e4xd5", "Anne takes the black pawn", "Bart: c6xd5", "Bart takes the white pawn"]
    assert [words for words in table.log if words in takes] == takes


def test_the_press_of_the_clock_announces_it_and_an_answer_that_only_asks_does_not() -> None:
    table = ListeningPlayer(FORK_TAKEN.replace(' "fen', ' clock=5 "fen'))
    table.lines("+100 press roll")
    assert table.news == [PAWN]
    assert PAWN not in ListeningPlayer(f"{FORK_TAKEN}\n+100 pick offer-draw").ever_news


def test_leaving_the_match_announces_it_and_a_match_taken_up_again_shows_everything_and_sounds_of_nothing() -> None:
    left, cut = king_taken(), king_taken()
    left.leave()
    assert left.signals == ["king"]
    cut.lines("+100 cut")
    assert (cut.news, cut.log[-2:]) == (FALLEN, FALLEN)
    cut.wait(5000)
    assert cut.signals == []


# --- what does not wait ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "signal"),
    [
        pytest.param(f"{MATE}\nlift a1\nplace a8\n+300 expect phase over", "match", id="a move that takes nothing"),
        pytest.param(f"{KING}pick e1e8", "king", id="a capture answered on the page"),
        pytest.param(f"{KING}lift e1\n+9000 pick e1e8", "king", id="an answer to what happened on the board"),
    ],
)
def test_all_other_moves_tell_at_once(lines: str, signal: str) -> None:
    assert ListeningPlayer(lines).signals[0] == signal


# --- what takes a piece ---------------------------------------------------------------------------------------------


def standing(words: str) -> dict[Square, str]:
    return {parse_square(word[1:]): word[0] for word in words.split()}


@pytest.mark.parametrize(
    ("before", "after", "takes"),
    [
        ("Ra1 rd1", "Rd1", True),
        ("Pe5 pd5", "Pd6", True),  # in passing
        ("Pb7 rc8", "Qc8", True),  # and becomes another piece
        ("Ra1 rd1", "Rd1 rd8", True),  # the victim is set elsewhere on the board
        ("Ra1 rd1", "Rc1 rd1", False),
        ("Ke1 Rh1", "Kg1 Rf1", False),
        ("Pb7", "Qb8", False),
        ("Pb7", "Qb7", False),
        ("Ra1 rd1", "ra1 Rd1", False),  # they change places
        ("Ra1", "Ra1 nd4", False),  # one enters
    ],
)
def test_a_piece_is_taken_where_it_leaves_the_board_or_makes_room(before: str, after: str, *, takes: bool) -> None:
    assert takes_a_piece(standing(before), standing(after)) is takes
