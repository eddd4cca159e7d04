"""What players see is made of messages: what bypasses them is found by a language in which all messages are marked.

The same is asked of every tape in tests/test_tapes.py, and of every screen in tests/e2e.
"""

import pytest

from captains_table.games.registry import GAMES
from captains_table.phrases.phrase import NOUN
from tests.languages.extracting import all_messages
from tests.languages.pseudo import PROPER, leaks_of
from tests.support.effort import LONG_RUN
from tests.support.random_matches import match_steps, seats_for

MATCHES = 30 if LONG_RUN else 1


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_a_match_at_random_says_is_a_message(game: str) -> None:
    rules, found, known, tallies = GAMES[game], set[tuple[str, str]](), set[str](), set[str]()
    for seed in range(MATCHES):
        names = PROPER | set(seats_for(rules, seed))
        for step in match_steps(rules, seed):
            said = (
                *(step.turn, rules.calls(step.before), rules.game_events(step.before, step.after)),
                *(rules.heading(step.after), rules.stakes(step.after), rules.standing(step.after)),
                *(rules.sheet(step.after), rules.goal(step.after), rules.refused(step.after)),
            )
            found |= set(leaks_of(said, names, "Game", known))
            tallies.update(name for tally in rules.tallies(step.after) for name in tally)
    is_plain = game == "pig"  # its author knows nothing of messages
    assert bool(found) is is_plain, found
    assert is_plain or tallies <= {message.text for message in all_messages() if message.context == NOUN}


def test_the_titles_and_options_of_all_games_are_messages() -> None:
    games = [game for game in GAMES.values() if game.key != "pig"]
    pirates = {choice.value for game in games for option in game.options for choice in option.choices}
    leaks = leaks_of([(game.title, game.options) for game in games], PROPER, "Game")
    assert [leak for leak in leaks if leak[1] not in pirates] == []
