"""When a capture is announced: its signals, its news and what the log says it scored wait till the board has rested."""

import pytest

from captains_table.games.contract import Square, parse_square
from captains_table.table.playing.delayed_announcement import takes_a_piece
from tests.support.listening import ListeningPlayer

KING = """
    game legend Anne Bart "fen=4k3/8/8/8/8/8/8/4R1K1 w - - 0 1"
    dice 1 1 1 1 1 6
    press roll
"""
TAKEN = "lift e8\nlift e1\nplace e8"
FALLEN = ["Anne gains 6 legend", "Anne captures the king"]
FORK = 'game captains-chess Anne Bart "fen=4k4/9/9/3p1p3/4P4/9/9/4K4 w - - 0 1"'


def king_taken(settings: str = "") -> ListeningPlayer:
    """Return a table at which the king has just been set down on by the rook that takes it."""
    return ListeningPlayer(f"{settings}{KING}{TAKEN}")


# --- it waits -------------------------------------------------------------------------------------------------------


def test_a_capture_is_believed_at_once_and_announced_once_the_board_has_rested() -> None:
    table = king_taken()
    view = table.view()
    assert str(view.pieces[parse_square("e8")]) == "R"
    assert view.seats[0].tallies["legend"] == 11
    assert (table.signals, table.news, table.log[-1]) == ([], [], "Anne: Re1xe8")
    table.wait(699)
    assert (table.signals, table.news, table.log[-1]) == ([], [], "Anne: Re1xe8")
    table.wait(1)
    assert (table.signals, table.news, table.log[-2:]) == (["king"], FALLEN, FALLEN)


def test_a_capture_is_announced_once() -> None:
    table = king_taken()
    table.wait(5000)
    table.lines("pick done\n+5000 expect round 2")
    assert table.signals.count("king") == 1
    assert [table.log.count(words) for words in FALLEN] == [1, 1]


def test_no_mark_lights_where_the_king_fell_before_it_is_announced() -> None:
    table = king_taken()
    assert "king-taken" not in table.final()["lights"].values()
    table.wait(700)
    assert table.final()["lights"]["e8"] == "king-taken"


def test_every_change_of_the_board_lets_the_time_begin_anew() -> None:
    table = king_taken()
    table.lines("+600 lift g1\n+600 place g1\n+699 expect pieces.g1 K")
    assert table.signals == []
    table.wait(1)
    assert table.signals == ["king"]


def test_a_switch_that_is_ignored_disturbs_nobody() -> None:
    table = king_taken()
    table.lines("+100 mask h4\n+600 place h4\n+100 lift h4")
    assert table.signals == ["king"]


def test_nothing_is_announced_while_the_piece_that_took_is_in_the_hand_again() -> None:
    table = king_taken()
    table.lines("+300 lift e8\n+2500 expect pieces.e8 R")
    assert (table.signals, table.news) == ([], [])
    table.lines("place e8\n+700 expect pieces.e8 R")
    assert (table.signals, table.news) == (["king"], FALLEN)


def test_a_piece_in_the_next_players_hand_keeps_nothing_back() -> None:
    table = ListeningPlayer(f"{FORK}\nlift d5\nlift e4\nplace d5\n+300 lift e8")
    table.wait(699)
    assert table.news == []
    table.wait(1)
    assert table.news == ["Anne takes the black pawn"]


def test_nothing_is_announced_while_nobody_knows_how_the_pieces_stand() -> None:
    table = king_taken()
    table.lines("+100 unplug\n+5000 expect pieces.e8 R")
    assert table.signals == []
    table.lines("plug\n+700 expect pieces.e8 R")
    assert table.signals == ["king"]


@pytest.mark.parametrize(("ms", "waited"), [(0, 0), (200, 200), (2500, 2500)])
def test_how_long_it_waits_is_configured(ms: int, waited: int) -> None:
    table = king_taken(f"config announce_ms={ms}\n")
    table.wait(waited - 1 if waited else 0)
    assert table.signals == ([] if waited else ["king"])
    table.wait(1 if waited else 0)
    assert table.signals == ["king"]


# --- it never comes -------------------------------------------------------------------------------------------------


def test_a_capture_taken_back_in_time_was_never_news_and_never_sounded() -> None:
    table = king_taken()
    table.lines("+300 lift e8\n+100 place e1\n+100 place e8\n+9000 expect pieces.e8 k")
    assert (table.heard, table.ever_news, table.news) == (["throw"], [], [])
    assert not set(FALLEN) & set(table.log)


def test_a_capture_changed_into_a_step_in_time_was_never_news() -> None:
    table = ListeningPlayer(f"{FORK}\nlift d5\nlift e4\nplace d5")
    table.lines("+300 lift d5\n+300 place e5\n+300 place d5\n+9000 expect pieces.e5 P\nexpect pieces.d5 p")
    assert table.ever_news == []
    assert "Anne takes the black pawn" not in table.log


def test_a_mate_by_capture_that_is_taken_back_in_time_ends_nothing_and_sounds_of_nothing() -> None:
    table = ListeningPlayer('game captains-chess Anne Bart "fen=r7k/6ppp/9/9/9/9/9/R3K4 w - - 0 1"')
    table.lines("lift a8\nlift a1\nplace a8\n+0 expect phase over")
    table.lines("+300 lift a8\n+100 place a1\n+100 place a8\n+9000 expect phase playing")
    assert (table.signals, table.ever_news) == ([], [])


# --- what seals it brings it out ------------------------------------------------------------------------------------


def test_done_announces_it_first() -> None:
    table = king_taken()
    table.lines("+100 pick done\n+0 expect round 2")
    assert table.signals == ["king", "settlement"]
    assert table.news[:2] == FALLEN  # nobody has read it yet: it stays beside what the end of the round brings
    assert len(table.news) > 2
    assert [words for words in table.log if words in table.news] == table.news


def test_the_next_throw_announces_it_first_and_lets_it_stay_news() -> None:
    table = king_taken()
    table.lines("+50 dice 6 5 4 6 6\n+50 keep 6")
    assert table.signals[0] == "king"
    assert table.news[:2] == FALLEN
    throws = [place for place, words in enumerate(table.log) if "throws" in words]
    assert table.log.index(FALLEN[1]) < throws[-1]


def test_the_next_capture_announces_the_one_before_and_waits_itself() -> None:
    table = ListeningPlayer('game captains-chess Anne Bart "fen=4k4/9/2p6/3p5/4P4/9/9/4K3R w - - 0 1"')
    table.lines("lift d5\nlift e4\nplace d5\n+100 lift d5\n+100 lift c6\n+100 place d5\n+0 expect pieces.d5 p")
    assert table.news == ["Anne takes the black pawn"]
    table.wait(700)
    assert table.news == ["Bart takes the white pawn"]
    assert table.ever_news == ["Anne takes the black pawn", "Bart takes the white pawn"]
    takes = ["Anne: e4xd5", "Anne takes the black pawn", "Bart: c6xd5", "Bart takes the white pawn"]
    assert [words for words in table.log if words in takes] == takes


def test_the_press_of_the_clock_announces_it() -> None:
    table = ListeningPlayer(FORK.replace(' "fen', ' clock=5 "fen'))
    table.lines("lift d5\nlift e4\nplace d5\n+100 press roll")
    assert table.news == ["Anne takes the black pawn"]


def test_an_answer_that_only_asks_and_seals_nothing_announces_nothing() -> None:
    table = ListeningPlayer(f"{FORK}\nlift d5\nlift e4\nplace d5\n+100 pick offer-draw")
    assert "Anne takes the black pawn" not in table.ever_news


def test_leaving_the_match_announces_it() -> None:
    table = king_taken()
    table.leave()
    assert table.signals == ["king"]


def test_a_match_taken_up_again_shows_everything_at_once_and_sounds_of_nothing() -> None:
    table = king_taken()
    table.lines("+100 cut")
    assert (table.news, table.log[-2:]) == (FALLEN, FALLEN)
    table.wait(5000)
    assert table.signals == []


# --- what does not wait ---------------------------------------------------------------------------------------------


def test_a_move_that_takes_nothing_tells_at_once() -> None:
    table = ListeningPlayer('game captains-chess Anne Bart "fen=7k1/6ppp/9/9/9/9/9/R3K4 w - - 0 1"')
    table.lines("lift a1\nplace a8\n+300 expect phase over")  # it may be slid on: that is another patience
    assert table.signals == ["match"]


def test_a_capture_answered_on_the_page_tells_at_once() -> None:
    table = ListeningPlayer(f"{KING}pick e1e8")
    assert (table.signals[0], table.news) == ("king", FALLEN)


def test_an_answer_to_what_happened_on_the_board_tells_at_once() -> None:
    table = ListeningPlayer(f"{KING}lift e1\n+9000 expect ask.kind pick\npick e1e8")
    assert table.signals == ["king"]


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
