"""The tool that finds the messages of the program finds all of them, and refuses what it could not find."""

from pathlib import Path

import pytest

from tests.languages.extracting import NoMessage, all_messages, messages_of

FOUND = """from captains_table.phrases import say, several
say("{name} wins", name=name)
several(2, "{n} die", "{n} dice")
"""


def test_literal_first_arguments_are_messages(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(FOUND)
    assert [(each.text, each.plural_text) for each in messages_of(tmp_path)] == [
        ("{name} wins", ""),
        ("{n} die", "{n} dice"),
    ]


@pytest.mark.parametrize("call", ['say(f"{name} wins")', 'several(2, f"{name} wins", "x")', 'noun(f"{name}")'])
def test_an_f_string_is_refused(tmp_path: Path, call: str) -> None:
    (tmp_path / "code.py").write_text(f"{FOUND}{call}\n")
    with pytest.raises(NoMessage, match=r"code\.py:4: .*f-string"):
        list(messages_of(tmp_path))


@pytest.mark.parametrize(
    "call",
    [
        'say("{a} beats {b}", a)',
        'say("{a} wins", b=b)',
        'say("Won", a)',
        'say("{a} beats {b}", a, b=b)',
        'several(2, "{n} die of {a}", "{n} dice of {a}", 2, a)',
    ],
)
def test_a_message_whose_parts_do_not_fit_is_refused(tmp_path: Path, call: str) -> None:
    (tmp_path / "code.py").write_text(f"{FOUND}{call}\n")
    with pytest.raises(NoMessage, match=r"code\.py:4: .*expected these in this order"):
        list(messages_of(tmp_path))


@pytest.mark.parametrize(
    "call",
    ['say("{Piece} takes {other}, {piece:acc}", a, b)', 'say("{a} wins", **a)', 'several(2, "{n} {a}", "{a}s", a)'],
)
def test_each_part_of_a_message_is_named_once_by_the_order_of_its_fields(tmp_path: Path, call: str) -> None:
    (tmp_path / "code.py").write_text(f"{FOUND}{call}\n")
    assert len(list(messages_of(tmp_path))) == 3


def test_no_message_of_the_program_is_an_f_string() -> None:
    assert len(all_messages()) > 1000
