"""Who may sit in a person's place: as words declare it, and nobody by mistake."""

import pytest

from captains_table.catalog import kinds_of, opponents_of
from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent
from captains_table.players.common.opponents import opponent_of, sitter_of


def test_a_name_with_a_level_is_a_computer_and_all_else_a_person() -> None:
    assert kinds_of("legend", ("Anne", "aether:3")) == ("human", "computer")
    assert kinds_of("legend", ("Aether", "AETHER: 3")) == ("human", "computer")
    assert kinds_of("swashbuckle", ("Anne:3", "Bart: the second", "aether", "Aether: a poem")) == ("human",) * 4


@pytest.mark.parametrize(
    ("game", "words", "why"),
    [
        ("crowns", "aether:1", "'aether:1': aether plays Legend ~ Ship, Captain, Crew; Crowns has notus:1 to notus:4"),
        ("captains-chess", "AETHER: 9", "aether plays Legend .*; Captain's Chess has boreas:1 to boreas:6"),
        ("legend", "zephyr:2", "zephyr plays Ship, Captain and Crew; Legend .* has aether:1 to aether:6"),
        ("captains-chess", "engine:2", "engine is there where the configuration names one; Captain's Chess has boreas"),
    ],
)
def test_the_computer_of_another_game_is_refused_and_the_own_ones_are_named(game: str, words: str, why: str) -> None:
    with pytest.raises(NoSuchOpponent, match=why):
        kinds_of(game, ("Anne", words))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("aether:9", "expected a level from 1 to 6, as in aether:1"),
        ("aether:", "expected a level from 1 to 6"),
        ("aehter:3", "no computer of this game is called aehter .did you mean 'aether'.."),
    ],
)
def test_a_computer_that_is_not_there_is_refused_in_words(words: str, why: str) -> None:
    with pytest.raises(NoSuchOpponent, match=why):
        sitter_of(words, opponents_of("legend"))


def test_a_sitter_is_who_it_says_or_nobody() -> None:
    opponents = opponents_of("legend")
    assert opponent_of(ComputerSeat("aether", 3), opponents) is opponents["aether"]
    with pytest.raises(NoSuchOpponent, match="no computer 'zephyr:1' is known"):
        opponent_of(ComputerSeat("zephyr", 1), opponents)
