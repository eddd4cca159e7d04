"""The guided test at a person's pace: what is asked, what counts as an answer, and what is left out."""

from collections.abc import Callable, Iterable

import pytest

from captains_table.doctor.diagnosis.guided_test import LIGHT_WRONG, GuidedTest
from captains_table.doctor.diagnosis.steps import GuidedPart, squares_text
from captains_table.doctor.diagnosis.walk import MOST_TRIED
from captains_table.games.contract import Shape, Square, parse_square
from captains_table.table.model.events import Button

BOARD = Shape(8, 8)
E4, E5, A1, A2, B1, C1 = map(parse_square, ("e4", "e5", "a1", "a2", "b1", "c1"))
TURNS = (Button.ROLL, Button.NEXT, Button.PREVIOUS)


class Person:
    """Somebody at a board of eight by eight whose switches all work."""

    def __init__(self, *, buttons: tuple[Button, ...] = (), has_lights: bool = False, has_matrix: bool = True) -> None:
        self.test = GuidedTest(BOARD, buttons, BOARD.squares() if has_lights else (), has_matrix=has_matrix)
        self.now_ms = 0
        self.test.read(frozenset(), 0)
        self.type("")
        if has_matrix:
            self.type("")

    def type(self, word: str) -> None:
        self.test.on_word(word, self.now_ms)

    def switch(self, name: str, *, closed: bool, wait_ms: int = 600) -> None:
        self.test.switched(parse_square(name), closed=closed, now_ms=self.now_ms)
        self.now_ms += wait_ms
        self.test.tick(self.now_ms)

    def visit(self, name: str) -> None:
        self.switch(name, closed=True)
        self.switch(name, closed=False)

    def visit_all(self) -> None:
        for square in BOARD.squares():
            self.visit(str(square))

    def begin_rounds(self) -> list[Square]:
        """Visit all squares, and return where pieces are wanted first."""
        self.visit_all()
        self.skip_to(GuidedPart.ROUNDS)
        return sorted(self.test.step.squares)

    def stand_on(self, squares: Iterable[Square]) -> None:
        for square in squares:
            self.switch(str(square), closed=True)

    def skip_to(self, part: GuidedPart) -> None:
        for _ in GuidedPart:
            if self.test.step.part is not part:
                self.test.skip()


def test_a_piece_slid_over_other_squares_answers_where_it_stops() -> None:
    person = Person()
    for name in ("e4", "a2"):
        person.switch(name, closed=True, wait_ms=50)
        person.switch(name, closed=False, wait_ms=50)
    person.switch("a1", closed=True, wait_ms=200)
    assert person.test.step.squares == {A1}
    person.test.tick(person.now_ms + 300)
    assert person.test.step.squares == {B1}


def test_the_piece_is_led_over_the_corners_while_the_next_square_is_asked_for() -> None:
    person = Person()
    person.visit("a1")
    person.visit("a1")
    assert person.test.step.squares == {B1}
    person.visit("b1")
    assert person.test.step.squares == {C1}
    person.skip_to(GuidedPart.CLEARED)
    person.type("")
    assert person.test.step.part is GuidedPart.CORNERS
    assert person.test.step.prompt == "Put the piece into the near left corner of a1"
    person.type("")
    for _ in range(3):
        person.switch("a1", closed=True)
        person.type("")
        person.switch("a1", closed=False)
    assert person.test.step.part is not GuidedPart.CORNERS
    (narrow,) = person.test.findings().corners
    assert narrow.startswith("a1 closes only in its middle, not in its near left corner.")
    sound = Person()
    sound.visit("a1")
    sound.visit("a1")
    sound.skip_to(GuidedPart.CLEARED)
    sound.type("")
    sound.switch("a1", closed=True)
    for _ in range(4):
        sound.type("")
    assert sound.test.findings().corners == ()


def test_another_piece_is_asked_for_where_the_first_one_is_read_nowhere() -> None:
    person = Person()
    person.type("")
    assert person.test.step.prompt == "Put another piece on a1 instead"
    person.visit("a1")
    assert "magnet is weak or missing" in person.test.findings().pieces[0]
    person.type("")
    assert person.test.step.squares == {C1}


def test_a_switch_that_stays_closed_sticks_and_is_no_ghost_and_a_loose_joint_chatters() -> None:
    person = Person()
    person.switch("a1", closed=True)
    for square in BOARD.squares()[1:]:
        person.visit(str(square))
    person.type("")
    findings = person.test.findings()
    assert findings.sticking == (A1,)
    assert findings.lines() == ["a1 sticks: it closed and did not open again."]
    for index in range(20):
        person.test.switched(E4, closed=index % 2 == 0, now_ms=person.now_ms + 30 * index)
    assert "e4 chatters: a loose joint?" in person.test.findings().lines()


def test_a_strong_magnet_that_closes_a_neighbour_is_named_with_both_squares() -> None:
    person = Person()
    for square in BOARD.squares():
        if square == E4:
            person.switch("e5", closed=True, wait_ms=10)
        person.visit(str(square))
        if square == E4:
            person.switch("e5", closed=False)
    (line,) = person.test.findings().lines()
    assert line.startswith("e5 closes with a piece on e4: a magnet too strong")


def test_squares_that_were_left_out_are_not_called_dead() -> None:
    person = Person()
    person.visit("a1")
    person.type("")
    (either,) = person.test.findings().lines()
    assert either.startswith("Cannot be told without a meter: b1 does not conduct (")
    assert either.endswith("; or file line b is not connected.")
    for square in BOARD.squares()[2:10]:
        person.visit(str(square))
    person.test.skip()
    findings = person.test.findings()
    assert [line[:10] for line in findings.lines()] == ["b1 is dead"]
    assert not findings.complete


def test_rounds_that_were_left_out_leave_the_diodes_unknown() -> None:
    person = Person()
    person.visit_all()
    person.skip_to(GuidedPart.OVER)
    findings = person.test.findings()
    assert findings.lines() == []
    assert "Whether the diode is missing or bridged is not known of: a1-h1 a2-h2" in findings.notes[-1]
    assert squares_text(map(parse_square, ("b2", "a1", "c1", "b1", "e1", "h8"))) == "a1-c1 e1 b2 h8"


def test_in_a_round_the_lights_of_pieces_that_are_read_go_out_and_what_is_left_is_asked_again() -> None:
    person = Person(has_lights=True)
    squares = person.begin_rounds()
    assert len(squares) == 32
    assert person.test.lit == set(squares)
    *others, last = squares
    person.stand_on(others)
    assert person.test.lit == {last}
    person.type("")
    assert person.test.step.prompt == f"{last} not read: take the piece away for good and put another there"
    person.stand_on([last])
    person.type("")
    assert person.test.step.squares != set(squares)
    (weak,) = person.test.findings().pieces
    assert weak == f"The piece on {last} is not read there, another one is: its magnet is weak or missing."


def test_who_types_enter_before_all_pieces_stand_accuses_no_magnet() -> None:
    person = Person()
    squares = person.begin_rounds()
    person.stand_on(squares[:10])
    person.type("")
    assert person.test.step.prompt == "22 squares are not read: put pieces there too"
    person.stand_on(squares[10:])
    person.type("")
    assert person.test.findings().pieces == ()


@pytest.mark.parametrize(("pieces", "stand"), [("3", 3), ("16", 16), ("24", 24), ("99", 32)])
def test_no_round_wants_more_pieces_than_there_are(pieces: str, stand: int) -> None:
    person = Person()
    person.test = GuidedTest(BOARD)
    person.type("")
    person.type("many")
    assert person.test.step.part is GuidedPart.PIECES
    person.type(pieces)
    person.visit("a1")
    person.skip_to(GuidedPart.ROUNDS)
    assert len(person.test.step.squares) == stand


def test_a_light_that_shines_elsewhere_has_all_lights_walked_and_rounds_lit_where_they_are() -> None:
    person = Person(has_lights=True)
    person.type("l")
    assert person.test.lit == frozenset()
    person.visit_all()
    person.type("")
    assert person.test.step.part is GuidedPart.LIGHTS
    for square in BOARD.squares():
        assert person.test.lit == {square}
        if square == E4:
            person.type("")
        elif square == A2:
            person.type("a2")
        else:
            person.visit(str({A1: B1, B1: A1}.get(square, square)))
    findings = person.test.findings()
    assert findings.lights == ("The light of e4 is dark: look at its joints.", "Lights: a1 and b1 are swapped.")
    assert {lit: seen for lit, seen in findings.light_places.items() if lit != seen} == {A1: B1, B1: A1}
    assert person.test.step.prompt.startswith("Put a piece on each")
    assert person.test.lit == person.test.step.squares - {E4}


def test_dead_and_exchanged_buttons_are_told() -> None:
    person = Person(buttons=TURNS)
    person.skip_to(GuidedPart.BUTTONS)
    person.type("")
    person.test.pressed(Button.PREVIOUS)
    person.test.pressed(Button.PREVIOUS)
    assert person.test.step.part is GuidedPart.OVER
    turned, roll = person.test.findings().buttons
    assert roll.startswith("roll does nothing")
    assert turned.startswith("next answers as previous")
    assert person.test.findings().button_places == {}


# --- a board that was bought -----------------------------------------------------------------------------------------


def bought(read_as: Callable[[Square], Square | None]) -> Person:
    """Return somebody who has put one piece on every square of a bought board, which reads it where it is told."""
    person = Person(has_lights=True, has_matrix=False)
    for asked in BOARD.squares():
        read = read_as(asked)
        if read is None:
            person.type("")
        else:
            person.visit(str(read))
    return person


def test_of_a_bought_board_is_told_what_was_seen_and_no_cause_inside() -> None:
    wrong = {E4: None, E5: None, A1: A2, A2: A1}
    person = bought(lambda asked: wrong.get(asked, asked))
    assert person.test.step.part is GuidedPart.OVER
    findings = person.test.findings()
    assert findings.lines() == [
        "The piece is not read on e4 e5: try another one there.",
        "A piece on a1 is read on a2.",
        "A piece on a2 is read on a1.",
    ]
    assert findings.notes == ()


def test_a_bought_board_that_lies_the_other_way_round_is_one_sentence() -> None:
    (words,) = bought(lambda asked: None if asked == E4 else BOARD.turned(asked)).test.findings().lines()[1:]
    assert words.startswith("The board lies with its connector at the other side")


def test_a_bought_board_that_reads_no_square_may_have_another_boards_pieces() -> None:
    person = Person(has_matrix=False)
    for _ in range(BOARD.files * BOARD.ranks + MOST_TRIED - 1):
        person.type("")
    assert person.test.findings().lines() == ["No square reads the piece: is it one of the board's own?"]


def test_lights_of_a_bought_board_are_told_by_their_squares() -> None:
    person = Person(has_lights=True, has_matrix=False)
    person.type(LIGHT_WRONG)
    person.visit_all()
    assert person.test.lit == {A1}
    shown = {A1: "", B1: "c1", C1: "b1"}
    for square in BOARD.squares():
        person.type(shown.get(square, str(square)))
    assert person.test.findings().lines() == [
        "Without light: a1.",
        "The light of b1 shines on c1.",
        "The light of c1 shines on b1.",
    ]


def test_at_a_bought_board_no_piece_is_led_over_corners() -> None:
    assert Person(has_matrix=False).test.step.details == ""
    assert "corners" in Person().test.step.details
