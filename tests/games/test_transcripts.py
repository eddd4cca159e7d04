"""Every game has a golden transcript: a match written down action by action, with all the table could show of it.

The actions in the file are played again and must give the file again. A missing file fails;
`UPDATE_GOLDEN=1` writes it anew from a seeded match.
"""

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import convert
from msgspec.structs import astuple

from captains_table.games.contract import (
    Action,
    Amount,
    AmountAsk,
    Auction,
    Correct,
    Decide,
    EndMatch,
    Game,
    Keep,
    KeepAsk,
    Over,
    Pick,
    PickAsk,
    Roll,
    Rolled,
    TimeUp,
    Turn,
)
from captains_table.games.registry import GAMES, game_by_key
from tests.support.random_matches import eager_match

TESTS = Path(__file__).parents[1]
FOLDER = TESTS / "golden" / "transcripts"
SEED = 23
MOST_ACTIONS = 600
NAMES = ["Anne", "Bart", "Cora", "Dirk", "Elsa", "Finn", "Gwen", "Hugo"]
OPTIONS: dict[str, dict[str, str]] = {
    "legend": {"rounds": "2", "turn_limit": "40"},
    "crowns": {"turn_limit": "40"},
    "chess": {"clock": "5+3", "white": "dice", "fen": "r3k2r/pP4p1/8/2pP4/8/8/Pp4P1/R3K2R w KQkq c6 0 1"},
    "captains-chess": {"clock": "5+3", "fen": "r3k3r/p1p1p1p1p/9/B6R1/1r6b/9/P1P1P1P1P/R3K3R w KQkq - 0 1"},
}


def format_action(action: Action) -> str:
    """Return an action as the name of its kind and its fields."""
    values = [value if isinstance(value, tuple) else (value,) for value in astuple(action)]
    return shlex.join([str(action.__struct_config__.tag), *map(str, chain.from_iterable(values))])


def parse_action(text: str) -> Action:
    word, *fields = shlex.split(text)
    names = next(kind.__struct_fields__ for kind in get_args(Action) if kind.__struct_config__.tag == word)
    values = [fields] if word in ("keep", "rolled") else fields
    action: Action = convert({"type": word, **dict(zip(names, values, strict=True))}, Action, strict=False)
    return action


def format_turn(names: Sequence[str], turn: Turn) -> str:
    match turn:
        case Decide(seat=seat, ask=PickAsk(prompt=prompt, options=options, default=default)):
            return f"{names[seat]} picks: {prompt} [{' '.join(option.id for option in options)}] *{default}"
        case Decide(seat=seat, ask=KeepAsk(prompt=prompt, dice=dice, default=kept)):
            return f"{names[seat]} keeps: {prompt} {list(dice)} *{list(kept)}"
        case Decide(seat=seat, ask=AmountAsk(prompt=prompt, lo=lo, hi=hi, default=amount)):
            return f"{names[seat]} names an amount: {prompt} {lo} to {hi} *{amount}"
        case Roll(seat=seat, dice=dice, at_once=at_once, prompt=prompt):
            return f"{names[seat]} throws {list(dice)}{' at once' if at_once else ''}: {prompt}"
        case Auction(prompt=prompt, bidders=bidders):
            bids = ", ".join(f"{names[bidder.seat]} {bidder.least} to {bidder.most}" for bidder in bidders)
            return f"auction: {prompt}; {bids}"
        case Over(result=result):
            winner = "shared" if result.winner is None else f"{names[result.winner]} wins"
            return f"over: {winner}, {list(result.scores)}"
    raise AssertionError(turn)


def transcript(game: Game[Any], seats: Sequence[str], options: Mapping[str, str], actions: Sequence[Action]) -> str:
    """Return a match as lines: `?` what is asked, `>` what is done, `!` what happens, `=` how things stand.

    Below what is asked stands after `~` what may follow, where the game says so.
    """
    state = game.start(seats, options)
    names = game.names(state)
    lines = [f"game {game.key} {json.dumps({'seats': list(seats), 'options': dict(options)})}"]
    lines += [f"= {standing(game, state)}", *asked(names, game.turn(state))]
    for action in actions:
        after = game.apply(state, action)
        lines.append(f"> {format_action(action)}")
        for told in game.game_events(state, after):
            where = f" on {told.square}" if told.square else ""
            whose = "everybody" if told.seat is None else names[told.seat]
            lines.append(f"! {told.kind} {whose} {told.points}{where}: {told.words}")
        if standing(game, after) != standing(game, state):
            lines.append(f"= {standing(game, after)}")
        lines += asked(names, game.turn(after))
        state = after
    return "\n".join([*lines, ""])


def asked(names: Sequence[str], turn: Turn) -> list[str]:
    then = turn.ask.then if isinstance(turn, Decide) else turn.then if isinstance(turn, Roll) else ""
    return [f"? {format_turn(names, turn)}", *([f"~ {then}"] if then else [])]


def standing(game: Game[Any], state: Any) -> str:  # noqa: ANN401
    """Return heading, tallies, dice and details in one line."""
    dice = " ".join(str(die.face or "-") + ("h" if die.held else "") for die in game.dice(state))
    tallies = json.dumps([dict(tally) for tally in game.tallies(state)])
    return f"{game.heading(state)} | {dice} | {tallies} | {json.dumps(dict(game.details(state)), default=str)}"


def path_of(key: str) -> Path:
    """Return a game's transcript; a plug-in's lies with it, in `plugins/*/transcripts`."""
    beside = next(iter(TESTS.glob(f"plugins/*/transcripts/{key}.txt")), None)
    return beside or FOLDER / f"{key}.txt"


@pytest.mark.parametrize("key", GAMES)
def test_every_game_plays_its_golden_transcript_word_for_word(key: str) -> None:
    game, path = game_by_key(key), path_of(key)
    if os.environ.get("UPDATE_GOLDEN"):
        seats, options = NAMES[: max(game.seats.start, min(2, game.seats.stop - 1))], OPTIONS.get(key, {})
        path.parent.mkdir(parents=True, exist_ok=True)
        actions, _ = eager_match(game, seats, options, SEED, MOST_ACTIONS)
        path.write_text(transcript(game, seats, options, actions), encoding="utf-8")
    assert path.exists(), f"{path} is missing: UPDATE_GOLDEN=1 writes it"
    golden = path.read_text(encoding="utf-8")
    first, *lines = golden.splitlines()
    told = json.loads(first.partition(f"game {key} ")[2])
    actions = [parse_action(line[2:]) for line in lines if line.startswith("> ")]
    assert transcript(game, told["seats"], told["options"], actions) == golden


@pytest.mark.parametrize(
    "action",
    [
        *(Pick("e2e4"), Keep(()), Keep((1, 6)), Amount(12), Rolled((3, 4)), TimeUp()),
        *(Correct("gold", "Anne", "+3", "said 'no'"), Correct("crown", "white", "e4"), EndMatch()),
    ],
)
def test_an_action_is_read_back_as_it_was_written(action: Action) -> None:
    assert parse_action(format_action(action)) == action
