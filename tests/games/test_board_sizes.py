"""Which game a board has room for."""

import pytest

from captains_table.games.common.board_sizes import BoardTooSmall, check_fits, misfit
from captains_table.games.contract import Shape
from captains_table.games.registry import GAMES, game_by_key


def test_captains_chess_says_why_a_board_with_eight_files_cannot_play_it() -> None:
    game = game_by_key("captains-chess")
    words = "Captain's Chess needs a board of 9 files and 8 ranks: this one has 8 files and 8 ranks"
    assert misfit(game, Shape(8, 8)) == words
    with pytest.raises(BoardTooSmall, match="9 files"):
        check_fits(game, Shape(8, 8))


@pytest.mark.parametrize("board", [Shape(9, 8), Shape(10, 10), None])
def test_a_board_that_is_large_enough_or_takes_any_shape_plays_every_game(board: Shape | None) -> None:
    for game in GAMES.values():
        assert misfit(game, board) is None
        check_fits(game, board)


def test_legend_is_played_in_the_corner_of_a_larger_board() -> None:
    assert misfit(game_by_key("legend"), Shape(9, 8)) is None
