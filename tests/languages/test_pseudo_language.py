"""What players see is made of messages: what bypasses them is found by a language in which all messages are marked."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from captains_table.games.registry import GAMES
from captains_table.runtime.tape_player import TapePlayer
from captains_table.table.model.view import View
from captains_table.table.tapes.tape_reader import parse_line
from tests.languages.pseudo import leaks_of
from tests.support.random_matches import match_steps, seats_for

TAPES = sorted((Path(__file__).parents[1] / "tapes").glob("*.tape"))
COMPUTERS = frozenset({"Aether", "Boreas", "Zephyr", "Eurus", "Notus"})
ALLOWED: frozenset[str] = frozenset()
"""The fields of views that may hold text which no message made."""


def views_of(tape: Path) -> Iterator[View]:
    player = TapePlayer(io.StringIO())
    for number, text in enumerate(tape.read_text().splitlines(), 1):
        line = parse_line(number, text)
        if line is not None:
            player.play(line)
            yield player.view()
    player.finish()
    yield player.view()


def names_in(view: View) -> frozenset[str]:
    return COMPUTERS | {name for seat in view.seats for name in (seat.name, seat.title, seat.called) if name}


@pytest.mark.parametrize("tape", TAPES, ids=lambda tape: tape.stem)
def test_everything_that_a_tape_shows_is_a_message(tape: Path) -> None:
    leaks = {leak for view in views_of(tape) for leak in leaks_of(view, names_in(view))}
    assert {leak for leak in leaks if leak[0] not in ALLOWED} == set()


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_a_match_at_random_says_is_a_message(game: str) -> None:
    rules, leaks = GAMES[game], set()
    for seed in range(3):
        names = COMPUTERS | set(seats_for(rules, seed))
        for step in match_steps(rules, seed):
            said = (
                step.turn,
                rules.calls(step.before),
                rules.game_events(step.before, step.after),
                rules.heading(step.after),
                rules.stakes(step.after),
                rules.standing(step.after),
                rules.sheet(step.after),
            )
            leaks |= set(leaks_of(said, names, "Game"))
    assert {leak for leak in leaks if leak[0] not in ALLOWED} == set()


def test_the_titles_and_options_of_all_games_are_messages() -> None:
    assert list(leaks_of([(game.title, game.options) for game in GAMES.values()], frozenset(), "Game")) == []
