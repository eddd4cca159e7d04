"""Reading tapes: every directive, every kind of mistake (docs/contracts.md Contract 6)."""

import pytest

from captains_table.games.contract import Amount, Keep, Pick, Shape, Square, parse_square
from captains_table.table.model.events import Answered, Button, SwitchMasked
from captains_table.table.tapes.tape_reader import (
    BadTape,
    Configure,
    Directive,
    Expect,
    MoveSwitch,
    Press,
    QueueDice,
    SeedDice,
    SetUpBoard,
    StartMatch,
    TapeLine,
    WordDirective,
    parse_line,
)

E4 = parse_square("e4")


@pytest.mark.parametrize(
    ("text", "directive"),
    [
        ("game legend Anne Bart rounds=3", StartMatch("legend", ("Anne", "Bart"), {"rounds": "3"})),
        ("game legend 'Anne Marie' Bart", StartMatch("legend", ("Anne Marie", "Bart"), {})),
        ('game legend Anne "fen=8/8 w - - 0 1"', StartMatch("legend", ("Anne",), {"fen": "8/8 w - - 0 1"})),
        ('game legend Anne fen="8/8 w"', StartMatch("legend", ("Anne",), {"fen": "8/8 w"})),
        ("dice 6 5 4 3 2 5", QueueDice((6, 5, 4, 3, 2, 5))),
        ("dice   1", QueueDice((1,))),
        ("dice seed 7", SeedDice(7)),
        ("press roll", Press(Button.ROLL)),
        ("press next", Press(Button.NEXT)),
        ("press choose", Press(Button.CHOOSE)),
        ("press back", Press(Button.BACK)),
        ("hold roll 800", Press(Button.ROLL, 800)),
        ("lift e4", MoveSwitch(E4, closed=False)),
        ("place e4", MoveSwitch(E4, closed=True)),
        ("lift i8", MoveSwitch(Square(8, 7), closed=False)),
        ("pick e7e8q", Answered(Pick("e7e8q"))),
        ("pick q@d1", Answered(Pick("q@d1"))),
        ("amount 12", Answered(Amount(12))),
        ("keep 1 2 5", Answered(Keep((1, 2, 5)))),
        ("keep", Answered(Keep(()))),
        ("set-up", WordDirective("set-up")),
        ("unplug", WordDirective("unplug")),
        ("plug", WordDirective("plug")),
        ("cut", WordDirective("cut")),
        ("config slide_ms=250", Configure("slide_ms", "250")),
        ("mask e4", SwitchMasked(E4)),
        ("expect tallies.Anne.cargo 9", Expect("tallies.Anne.cargo", "9")),
        ("expect seat Bart", Expect("seat", "Bart")),
        ('expect prompt ["a # b", "c"]', Expect("prompt", '["a # b", "c"]')),
        ("expect tallies.Anne.cargo 9            # compare a value", Expect("tallies.Anne.cargo", "9")),
        ("expect seat Bart # who else", Expect("seat", "Bart")),
        ('expect prompt ["a # b"] # c', Expect("prompt", '["a # b"]')),
        ('expect "tallies.Anne Marie.cargo" 9', Expect("tallies.Anne Marie.cargo", "9")),
    ],
)
def test_a_directive_is_read(text: str, directive: Directive) -> None:
    assert parse_line(3, text) == TapeLine(3, 1000, directive)


@pytest.mark.parametrize(
    ("text", "pieces", "shape"),
    [
        ("board 8/8/8/8/8/8/8/4K3", {"e1": "K"}, Shape(8, 8)),
        ("board +c8/9/9/9/9/9/9/8K", {"a8": "+c", "i1": "K"}, Shape(9, 8)),
    ],
)
def test_what_stands_on_the_switches_is_read_from_the_top_rank(text: str, pieces: dict[str, str], shape: Shape) -> None:
    line = parse_line(1, text)
    assert line is not None
    assert line.directive == SetUpBoard({parse_square(square): piece for square, piece in pieces.items()}, shape)


@pytest.mark.parametrize("text", ["", "   ", "\t", "# a comment", "   # another", "#"])
def test_empty_lines_and_comments_say_nothing(text: str) -> None:
    assert parse_line(1, text) is None


@pytest.mark.parametrize(
    ("text", "after_ms"),
    [("+3 lift e4", 3), ("+0 lift e4", 0), ("lift e4", 1000), ("  lift   e4   # slowly", 1000)],
)
def test_a_line_happens_a_second_later_or_as_it_says_and_columns_only_save_space(text: str, after_ms: int) -> None:
    assert parse_line(1, text) == TapeLine(1, after_ms, MoveSwitch(E4, closed=False))
    assert parse_line(1, "+5 expect seat Anne # soon") == TapeLine(1, 5, Expect("seat", "Anne"))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["jump e4", "Lift e4"], "lift"),
        (["game"], "game KEY NAME"),
        (["dice"], "dice FACE"),
        (["dice 7", "dice 0", "dice six", "dice seed"], "1 to 6"),
        (["dice seed x", "hold roll long", "hold roll -5", "amount -3", "amount 1.5", "amount ²"], "whole number"),
        (["amount " + "1" * 5000, "keep one", "+ lift e4", "+x lift e4", "+-5 lift e4"], "whole number"),
        (["press", "press roll 800"], "press BUTTON"),
        (["press fire"], "roll, next, previous, choose, back"),
        (["hold roll"], "hold BUTTON MILLISECONDS"),
        (["lift", "lift e4 e5"], "lift SQUARE"),
        (["lift 4e", "lift e0", "lift e", "place E4", "mask 44"], "such as e4"),
        (["pick", "pick e2 e4"], "pick ID"),
        (["amount"], "amount N"),
        (["set-up now"], "set-up alone"),
        (["cut off"], "cut alone"),
        (["plug in"], "plug alone"),
        (["unplug it"], "unplug alone"),
        (["board"], "board FEN"),
        (["board xyz/8/8/8/8/8/8/8"], "piece letters"),
        (["board 8/8/8/8/8/8/8/4K4"], "the same length"),
        (["config", "config slide_ms"], "config KEY=VALUE"),
        (["mask"], "mask SQUARE"),
        (["expect", "expect seat", "expect seat # Anne"], "expect PATH VALUE"),
        (["+5"], "directive"),
        (["game legend 'Anne"], "closed quotes"),
    ],
)
def test_a_line_that_cannot_be_read_says_what_was_expected(texts: list[str], expected: str) -> None:
    for text in texts:
        with pytest.raises(BadTape, match="expected") as caught:
            parse_line(1, text)
        assert expected in str(caught.value), text
