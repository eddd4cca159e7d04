"""Players that sometimes err, so that a computer can be met at several levels."""

from captains_table.games.contract import Action, Decide
from captains_table.players.common.strategies import Below, Strategy

PERCENT = 100


def err_sometimes(right: Strategy, wrong: Strategy, percent: int, below: Below) -> Strategy:
    """Return a player who answers so many questions in a hundred wrongly, by chance, and the others rightly."""
    if not percent:
        return right

    def play(state: object, decide: Decide) -> Action:
        return (wrong if below(PERCENT) < percent else right)(state, decide)

    return play
