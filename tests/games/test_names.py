"""Names with joiners are taken, and the reason of a refusal names the wrong character."""

import re
from typing import Any

import pytest

from captains_table.games.contract import BadOption, Game, check_names, is_showable
from captains_table.games.contract.names import hidden_character
from captains_table.games.registry import GAMES

PERSIAN = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
HELLO = "\u0936\u094d\u200d\u092f\u093e\u092e"


@pytest.mark.parametrize("name", [PERSIAN, FAMILY, SCOTLAND, HELLO, "Zoe\u0308", "Anne-Marie O'Neill", "x" * 40])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_names_with_joiners_and_accents_are_taken_by_every_game(game: Game[Any], name: str) -> None:
    state = game.start((name, "Bart"), {})
    assert game.names(state)[0] == name
    assert is_showable(name)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "it is empty, expected 1 to 40 characters"),
        ("a=b", "it has = in it"),
        ("x" * 41, "it has 41 characters, expected at most 40"),
        (" Bart", "it begins with a space"),
        ("Bart ", "it ends with a space"),
        ("Ba\x07rt", "it has U+0007 (a control character) in it"),
        ("Ba\trt", "it has U+0009 (a tab) in it"),
        ("Ba\nrt", "it has U+000A (a line break) in it"),
        ("Ba\u2028rt", "it has U+2028 (line separator) in it"),
        ("Ba\u202ert", "it has U+202E (right-to-left override) in it"),
        ("Ba\u2067rt", "it has U+2067 (right-to-left isolate) in it"),
        ("Ba\u200brt", "it has U+200B (zero width space) in it"),
        ("Ba\u00a0rt", "it has U+00A0 (no-break space) in it"),
        ("Ba\U000e0062rt", "it has U+E0062 (tag latin small letter b) in it"),
        ("Ba\ue000rt", "it has U+E000 (of private use) in it"),
        ("Ba\ud800rt", "it has U+D800 (half of a character) in it"),
        ("Ba\u0378rt", "it has U+0378 (unknown to this program) in it"),
        ("\u200dBart", "U+200D (zero width joiner) joins nothing in it"),
        ("Bart\u200c", "U+200C (zero width non-joiner) joins nothing in it"),
        ("Ba\u200c\u200crt", "U+200C (zero width non-joiner) joins nothing in it"),
        ("Ba \u200drt", "U+200D (zero width joiner) joins nothing in it"),
    ],
)
def test_a_refusal_names_the_wrong_character(name: str, why: str) -> None:
    with pytest.raises(BadOption, match=re.escape(f"is no name: {why}")):
        check_names((name,), range(1, 2))


def test_other_texts_may_have_joiners_but_nothing_that_cannot_be_shown() -> None:
    assert is_showable(f"For {PERSIAN} and {FAMILY}")
    assert hidden_character(f"For {PERSIAN}") == ""
    assert hidden_character("a\u2066b") == "U+2066 (left-to-right isolate)"
    assert not is_showable("a\u2066b")
