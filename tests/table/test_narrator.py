"""What is said of what changes: to screen readers, by phones, and at the table; one sentence for all of them."""

from dataclasses import replace

import pytest

from captains_table.games.contract import Square
from captains_table.table.history.narrator import Narrator, sentence
from captains_table.table.model.view import BoardDifference, Coach, LogLine, Phase, RollOffer, SeatView, View
from tests.support.listening import ListeningPlayer

ANNE, BART = SeatView("Anne", {}, on_turn=True), SeatView("Bart", {}, on_turn=False)
PLAYING = View(
    phase=Phase.PLAYING, game="legend", title="Legend", prompt=("Anne: your move",), seat=0, seats=(ANNE, BART)
)


def told_of(tape: str) -> list[str]:
    """Return what is said over a tape."""
    return ListeningPlayer(tape).told


# --- in each game ---------------------------------------------------------------------------------------------------


def test_in_legend_throws_moves_captures_and_cargo_are_said() -> None:
    told = told_of(
        """
        game legend Anne Bart "fen=1k6/8/8/8/8/8/r7/Q3K3 w - - 0 1" rounds=1
        dice 6 5 4 2 1 6
        press roll
        lift a2
        lift a1
        place a2
        pick done
        """
    )
    assert told[1].startswith("Legend. Round 1 of 1. Anne")
    assert told[2].startswith("Anne throws 6 5 4 2 1, Legend die 6: ship, captain, crew; cargo 3. ")
    assert told[3].startswith("Anne moves the queen from a1 to a2. ")
    assert told[4].startswith("Anne gains 6 legend, takes a rook")
    assert told[5].startswith("Anne brings home a cargo of 3 (6 5 4 2 1). ")
    assert "Bart" in told[5].partition(". ")[2]


@pytest.mark.parametrize(
    ("tape", "said"),
    [
        pytest.param(
            "game legend Anne Bart\ndice 6 5 1 1 1 3\npick roll-cargo\npick roll-legend",
            ["Anne throws 6 5 1 1 1: ship, captain. ", "Anne throws Legend die 3. "],
            id="of the Legend die alone says nothing of the cargo",
        ),
        pytest.param(
            "game ship-captain-crew Anne Bart order=seated\ndice 5 5 4 4 1\npress roll\ndice 6 5 4 1 1\npress roll",
            ["Anne throws 5 5 4 4 1. ", "Anne throws 6 5 4 1 1: ship, captain, crew; cargo 2. "],
            id="of Ship, Captain and Crew says what it came to",
        ),
        pytest.param(
            "game swashbuckle Anne Bart\ndice 3 1\npress roll\npress roll",
            ["Anne throws 3. ", "Bart throws 1. Anne begins. "],
            id="for who begins says who does",
        ),
    ],
)
def test_a_throw_is_said(tape: str, said: list[str]) -> None:
    assert [told.startswith(words) for told, words in zip(told_of(tape)[2:], said, strict=True)] == [True, True]


def test_in_swashbuckle_a_box_and_what_it_scores_are_said() -> None:
    told = told_of(
        "game swashbuckle Anne Bart order=seated\ndice 2 2 3 3 3\npress roll\npick score-full-boat\n+100 pick no-curse"
    )
    assert told[2].startswith("Anne throws 2 2 3 3 3. ")
    assert any(words.startswith("Anne scores 25: Full boat.") for words in told), told
    assert told[-1].startswith("Bart")


def test_in_captains_chess_moves_captures_and_time_running_out_are_said() -> None:
    table = ListeningPlayer(
        """
        game captains-chess Anne Bart "fen=4k4/9/9/3p1p3/4P4/9/9/4K4 w - - 0 1" clock=1
        lift d5
        lift e4
        place d5
        +2000 press roll
        """
    )
    assert table.told[2].startswith("Anne moves the pawn from e4 to d5. ")
    assert table.told[3].startswith("Anne takes the black pawn.")
    assert table.told[4].startswith("Bart")
    for _ in range(62):
        table.wait(1000)
    assert "Bart has 30 seconds left." in table.told
    assert "Bart has 10 seconds left." in table.told
    assert table.told[-1].startswith("Bart: time is up. Bart has no time left, Anne wins. Anne wins the match.")


# --- what is wrong, and what is asked -------------------------------------------------------------------------------


BISHOP = 'game legend Anne Bart "fen=4k3/8/8/8/8/8/8/2B1K1N1 w - - 0 1"\ndice 1 1 1 1 1 1\npress roll\n'


def test_a_wrong_board_is_said_with_what_to_do_that_it_is_right_again_and_why_the_die_forbids_a_move() -> None:
    table = ListeningPlayer(f"{BISHOP}lift e1\nplace e4\n+2000 expect phase playing")
    assert table.told[-1].endswith("Put the white king from e4 back on e1.")
    table.lines("lift e4\nplace e1\n+2000 expect phase playing")
    assert table.told[-1].startswith("Anne")
    table.lines("lift g1\nplace f3\n+2000 expect phase playing")
    assert table.told[-1].startswith(
        "knight g1 to f3: A knight needs a 2; the Legend die shows 1. Put the white knight"
    )


TAUGHT = ("Anne: throw the dice", "Press Roll: the Legend die says which pieces may move")
UNSURE = ("Taken as Re1xe8, but it may be no move", "What happened?")
VAIN = RollOffer("Roll", why="Anne is to move on the board", in_vain=True)
BIDS = (LogLine(1, "Bart: bids 3"), LogLine(None, "The bell rings"))


@pytest.mark.parametrize(
    ("view", "said"),
    [
        pytest.param(replace(PLAYING, prompt=TAUGHT), "Anne: throw the dice.", id="only what is waited for"),
        pytest.param(
            replace(PLAYING, prompt=UNSURE, asks_about_board=True),
            "Taken as rook e1 takes on e8, but it may be no move. What happened?",
            id="a question about the board",
        ),
        pytest.param(
            replace(PLAYING, faults=("The switch of e4 is ignored",)), "The switch of e4 is ignored.", id="a new fault"
        ),
        pytest.param(replace(PLAYING, roll=VAIN), "Anne is to move on the board.", id="a press in vain"),
        pytest.param(replace(PLAYING, log=BIDS), "Bart: bids 3. The bell rings.", id="an auction"),
        pytest.param(replace(PLAYING, switches=frozenset({Square(4, 1)}), revision=9), "", id="nothing that matters"),
    ],
)
def test_what_is_new_is_said_once(view: View, said: str) -> None:
    assert sentence(PLAYING, view) == said
    assert sentence(view, replace(view, switches=frozenset({Square(0, 0)}), revision=3)) == ""


def test_a_move_taken_back_is_said() -> None:
    table = ListeningPlayer(
        'game legend Anne Bart "fen=4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"\ndice 1 1 1 1 1 1\npress roll\n'
        "lift e4\nplace e5\nlift e5\nplace e4\n+2000 expect pieces.e4 P"
    )
    assert any("takes that back" in words for words in table.told), table.told


# --- how it is said -------------------------------------------------------------------------------------------------


def test_where_something_is_wrong_it_is_said_what_to_do_first_and_no_line_that_was_there_before() -> None:
    wrong = BoardDifference(missing=(Square(4, 0), Square(3, 0)))
    long = replace(PLAYING, prompt=("Set up the pieces", "Put a king on e1", "Put a queen on d1"), wrong=wrong)
    assert sentence(PLAYING, long) == "Set up the pieces. Put a king on e1."
    assert sentence(long, replace(long, prompt=("Set up the pieces", "Put a rook on a1"))) == "Put a rook on a1."


def test_no_sentence_is_said_twice_in_a_row_and_the_last_one_stays() -> None:
    narrator = Narrator()
    wrong = replace(PLAYING, prompt=("This is no move now",), wrong=BoardDifference(extra=(Square(4, 4),)))
    quiet = replace(PLAYING, prompt=())
    told = [narrator.tell(view).told for view in (PLAYING, quiet, PLAYING, wrong, quiet, wrong)]
    assert told == [
        "Legend. Anne: your move.",
        *["Legend. Anne: your move.", "Anne: your move."],
        *["This is no move now."] * 3,
    ]


def test_of_a_log_that_is_full_only_what_is_new_is_said() -> None:
    full = replace(PLAYING, log=tuple(LogLine(0, f"Anne does {number}") for number in range(40)))
    gained = replace(full, log=(*full.log[2:], LogLine(1, "Bart gains 5 legend"), LogLine(1, "Bart takes a rook")))
    assert sentence(full, gained) == "Bart gains 5 legend, takes a rook."


def test_a_match_that_is_taken_up_again_is_not_told_from_its_beginning() -> None:
    table = ListeningPlayer(f"{BISHOP}lift g1\n+100 place g1\ncut")
    assert "throws" not in table.told[-1]
    assert "Anne" in table.told[-1]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        *(("a VI", "a 6."), ("up to I", "up to 1."), ("May I? IV or V", "May I? 4 or 5.")),
        *(("e2-e4", "pawn e2 to e4."), ("Qa1xa2", "queen a1 takes on a2."), ("O-O", "O-O.")),
        ("+Ra1-b2", "crowned rook a1 to b2."),
    ],
)
def test_moves_and_what_the_legend_die_shows_are_said_in_words(written: str, said: str) -> None:
    assert sentence(PLAYING, replace(PLAYING, prompt=(written,))) == said


def test_the_coach_of_a_lesson_is_heard_once_a_step_and_at_a_slip() -> None:
    coach = Coach(2, 16, "Throw", "The *Legend die* says what may move.")
    before, now = View(coach=replace(coach, step=1)), View(coach=coach)
    assert sentence(before, now) == "Throw. The Legend die says what may move."
    assert not sentence(now, replace(now, revision=1))
    slipped = replace(now, coach=replace(coach, slip="First the dice"))
    assert sentence(now, slipped) == "First the dice."
    assert not sentence(slipped, slipped)
