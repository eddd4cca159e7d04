"""A match told with other names: no real one is anywhere, and with the real ones it is told as it is."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec
import pytest

from captains_table.games.contract import Correct, Over, Pick
from captains_table.games.registry import GAMES
from captains_table.phrases import as_english
from captains_table.reporting.table_view import spectator_view
from captains_table.table.history.event_log import events_of, log_lines
from captains_table.table.model.entries import MatchStarted, SeatKind
from captains_table.table.model.match import Match
from captains_table.table.model.view import LogLine, Phase, SeatView, View
from captains_table.table.playing.timed_displays import last_throw_of
from captains_table.table.prompt_lines import result_sentence, turn_lines
from captains_table.table.renamed_match import RenamedMatch, player_initials, renamed_start
from tests.support.effort import effort
from tests.support.random_matches import eager_action, options_for, seats_for

MARKED = "Xq"
REASON = "quite secret"


def marked(game: str, seed: int) -> MatchStarted:
    """Return how a match begins whose players have names that nothing else is called."""
    names = seats_for(GAMES[game], seed)
    others = {name: f"{MARKED}{number} Wzy" for number, name in enumerate(names)}
    options = {key: others.get(value, value) for key, value in options_for(GAMES[game], seed).items()}
    return MatchStarted(game, tuple(others.values()), options)


def played(started: MatchStarted, seed: int) -> Iterator[tuple[Match, View]]:
    """Yield a match action by action, with what a table would show of it in words."""
    match, rng = Match(started), random.Random(seed)
    log: list[LogLine] = []
    for place in range(effort(80, 3000)):
        yield match, shown(match, log)
        if isinstance(match.turn, Over):
            return
        corrections = match.game.corrections(match.state)
        if corrections and rng.random() < 0.05 and not corrections[0].choices:
            match.act(Correct(corrections[0].what, corrections[0].of, "+1", f"{REASON} {match.names[0]}"), place)
        else:
            match.act(eager_action(match.game, match.state, match.turn, rng), place)
        log += log_lines(match, match.history[-1])


def shown(match: Match, log: Sequence[LogLine]) -> View:
    """Return what has words, or is told by what has."""
    last = match.history[-1] if match.history else None
    over = match.turn if isinstance(match.turn, Over) else None
    called = match.called(match.state)
    titles = match.game.titles(match.state) or [""] * len(called)
    return View(
        phase=Phase.OVER if over else Phase.PLAYING,
        game=match.game.key,
        title=match.game.title,
        heading=match.game.heading(match.state),
        prompt=(result_sentence(match, over),) if over else tuple(turn_lines(match.turn, called)),
        seats=tuple(
            SeatView(name, tally, on_turn=False, title=title)
            for name, tally, title in zip(match.names, match.game.tallies(match.state), titles, strict=True)
        ),
        last_throw=None if last is None else last_throw_of(match, last),
        latest_events=() if last is None else tuple(events_of(match, last)),
        sheet=tuple(match.game.sheet(match.state)),
        log=tuple(log[-12:]),
    )


CASES = [(game, seed) for game in sorted(GAMES) for seed in range(effort(1, 12))]


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("game", "seed"), CASES)
def test_nothing_that_is_told_holds_a_name_and_with_the_real_names_it_is_told_as_it_is(game: str, seed: int) -> None:
    started = marked(game, seed)
    hidden, real = RenamedMatch(started, player_initials(started)), RenamedMatch(started, started.seats)
    for match, view in played(started, seed):
        told = msgspec.json.encode(spectator_view(hidden.view(view, match)), enc_hook=as_english).decode()
        assert MARKED not in told
        assert REASON not in told
        assert len(json.loads(told)["seats"]) == len(view.seats)
        as_it_is = real.view(view, match)
        if REASON in msgspec.json.encode(spectator_view(view), enc_hook=as_english).decode():
            continue  # a reason is told nowhere else
        assert as_it_is.log == tuple(replace(line, aloud="") for line in view.log)
        for name in ("heading", "prompt", "seats", "sheet", "latest_events", "last_throw"):
            assert getattr(as_it_is, name) == getattr(view, name), name


def test_what_was_taken_back_is_not_told_any_more() -> None:
    started = MatchStarted("captains-chess", ("Anne", "Bart"), {})
    match, retelling = Match(started), RenamedMatch(started, ("A.", "B."))
    match.act(Pick("e2e4"), 1)
    retelling.view(shown(match, []), match)
    match.take_back(match.history[-1], 2)
    match.act(Pick("d2d4"), 3)
    step = match.history[-1]
    told = retelling.view(shown(match, list(log_lines(match, step))), match)
    assert [line.words for line in told.log] == ["A.: " + log_lines(match, step)[0].words.partition(": ")[2]]


def test_initials_tell_players_apart_and_computers_keep_their_names() -> None:
    kinds: tuple[SeatKind, ...] = ("human", "human", "computer", "human")
    started = MatchStarted("legend", ("Anne Mary", "Ada Moss", "aether:3", "åsa"), {}, "", kinds)
    assert player_initials(started) == ("A.M.", "A.M. (2)", "aether:3", "Å.")


def test_an_option_that_names_a_player_is_told_with_the_other_name_too() -> None:
    started = MatchStarted("swashbuckle", ("Anne", "Bart"), {"captain": "Bart", "columns": "2"})
    assert renamed_start(started, ("A.", "B.")).options == {"captain": "B.", "columns": "2"}
