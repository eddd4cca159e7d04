"""What the display for a room says at the end of a round or a match, and of a crowd."""

from dataclasses import replace

from captains_table.games.contract import Result
from captains_table.table.model.view import LastThrow, Phase, SeatView, View
from captains_table.web.cards import card_of, in_words, standing_of, visible_columns
from tests.support.dice_views import DICE_VIEWS
from tests.support.display_views import VIEWS
from tests.support.party import PARTY, crowded


def test_of_a_crowd_a_line_names_the_first_and_counts_the_rest() -> None:
    assert in_words(PARTY[:2]) == f"{PARTY[0]} and {PARTY[1]}"
    assert in_words(PARTY).endswith(f"{PARTY[5]} and 26 more")
    assert (in_words(()), in_words(("Anne",))) == ("", "Anne")


def test_of_a_crowd_the_columns_around_the_player_on_turn_or_the_last_throw_are_shown() -> None:
    assert list(visible_columns(crowded(DICE_VIEWS["boxes-best-first"]))) == list(range(16, 24)), "around 20, on turn"
    view = crowded(DICE_VIEWS["boxes-best-first"], 31)
    assert list(visible_columns(view)) == list(range(24, 32))
    assert list(visible_columns(replace(view, last_throw=LastThrow(0, (), (), "")))) == list(range(8))


def test_a_winner_is_listed_first_and_equal_scores_share_a_rank() -> None:
    seats = tuple(SeatView(name, {"total": 0}, on_turn=False) for name in "ABCD")
    over = View(Phase.OVER, seats=seats, result=Result(2, (5, 9, 9, 5)))
    assert standing_of(over) == [(2, 1), (1, 2), (0, 3), (3, 3)]
    assert standing_of(replace(over, result=Result(None, (5, 9, 9, 5)))) == [(1, 1), (2, 1), (0, 3), (3, 3)]
    assert standing_of(replace(over, phase=Phase.PLAYING, result=None)) == [(0, None), (1, None), (2, None), (3, None)]


def test_no_card_is_shown_while_the_match_goes_on() -> None:
    assert card_of(VIEWS["after-a-throw"]) is None
    card = card_of(VIEWS["shared"])
    assert card is not None
    assert card.is_final
