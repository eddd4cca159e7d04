"""What follows from the switches that answered: against boards wired wrongly on purpose."""

from hypothesis import given, strategies as st

from captains_table.doctor.diagnosis.wiring_faults import diagnose
from captains_table.games.contract import Shape, Square, parse_square

BOARD = Shape(8, 8)


def rewired(rule: dict[Square, Square]) -> tuple[str, ...]:
    return diagnose(BOARD, rule).wiring


def test_lines_in_reverse_order_exchanged_and_transposed_are_told_as_such() -> None:
    squares = BOARD.squares()
    assert rewired({at: Square(7 - at.file, at.rank) for at in squares}) == ("The file lines are in reverse order.",)
    assert rewired({at: Square(at.file, 7 - at.rank) for at in squares}) == ("The rank lines are in reverse order.",)
    assert "transposed" in rewired({at: Square(at.rank, at.file) for at in squares})[0]
    assert "turned round" in rewired({at: Square(7 - at.file, 7 - at.rank) for at in squares})[0]
    b_with_c = {1: 2, 2: 1}
    assert rewired({at: Square(b_with_c.get(at.file, at.file), at.rank) for at in squares}) == (
        "The file lines b and c are exchanged.",
    )


@given(st.permutations(BOARD.squares()), st.sets(st.sampled_from(BOARD.squares()), max_size=8))
def test_whatever_the_wiring_the_map_brings_every_answer_home_and_names_each_square_once(
    wires: list[Square], dead: set[Square]
) -> None:
    answers = {at: wire for at, wire in zip(BOARD.squares(), wires, strict=True) if at not in dead}
    diagnosis = diagnose(BOARD, answers)
    assert sorted(diagnosis.places) == sorted(diagnosis.places.values()) == sorted(BOARD.squares())
    assert all(diagnosis.places[wire] == at for at, wire in answers.items())
    assert set(diagnosis.dead) == dead


def test_two_squares_that_close_one_switch_are_a_short() -> None:
    answers = {at: at for at in BOARD.squares()} | {parse_square("d4"): parse_square("e4")}
    diagnosis = diagnose(BOARD, answers)
    assert diagnosis.shared == ((parse_square("d4"), parse_square("e4")),)
    assert diagnosis.dead == ()
    assert diagnosis.places[parse_square("e4")] == parse_square("e4")
