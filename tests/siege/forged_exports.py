"""Honest matches of every game that play themselves; and forged in every way, sealed as a forger would, and refused.

`verify` must name the entry at which each forged match is refused.
"""

import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

from captains_table.games.contract import Decide, PickAsk
from captains_table.table.history import export
from captains_table.table.history.dice_stream import commitment
from captains_table.table.history.verify import verify_export
from captains_table.table.model.events import WordsGiven
from tests.siege.attack import Fault, Trial
from tests.support.forgeries import FORGERIES, Value, place_of, sealed, throw_dropped
from tests.support.honest_match import HonestTable
from tests.support.stopped_clocks import WAYS, stopped

LONG_ENOUGH: Final = 30
CLOCK: Final = {"clock": "10+5"}
SHORT: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("legend", {"rounds": "1", "turn_limit": "8"}),
    ("ship-captain-crew", {"target": "20"}),
    ("legend", {"rounds": "2", "turn_limit": "4", "score": "piece"}),
    ("captains-chess", CLOCK),
    ("ship-captain-crew", {"mode": "single"}),
    ("captains-chess", {}),
    ("legend", {"rounds": "1", "turn_limit": "12"}),
)
"""Games with options that let a match be short, but few are less than twenty entries long."""


class HonestMatch(NamedTuple):
    """A match that is over, as it is exported, and what went into it: presses, own words, or how its clock stood."""

    way: str
    export: str


STOPPED: Final = tuple(WAYS)
STOPPED_SHARE: Final = 0.15


@cache
def honest_match(number: int) -> HonestMatch:
    """Return the match of a number, the same each time.

    In some power is cut, in others words are given, a hand makes a computer's move, or the table asks what was done.
    """
    rng = random.Random(number)
    if rng.random() < STOPPED_SHARE:
        way = rng.choice(STOPPED)
        return HonestMatch(way, json.dumps(stopped(way), indent=1, ensure_ascii=False) + "\n")
    game, options = SHORT[number % len(SHORT)]
    table = HonestTable(game, options)
    way = "clock" if options == CLOCK else "presses"
    if game == "captains-chess":
        _play_chess(table, rng)
    else:
        if rng.random() < 1 / 3:
            way = "words"
            table.table.session.handle(WordsGiven(0, f"the luck of {number}"), 0)
            table.table.session.handle(WordsGiven(1, rng.choice(("tóc 7", "🎲", "seven"))), 0)
        for _ in range(rng.randrange(3)):
            table.play_on(rng.randrange(1000), most=3)
            table.cut(rng.randrange(1, 100))
        table.play_on(number)
    return HonestMatch(way, json.dumps(table.export(), indent=1, ensure_ascii=False) + "\n")


def _play_chess(table: HonestTable, rng: random.Random) -> None:
    """Make moves, with interruptions of both kinds, and resign: at random somebody would give up at once."""
    table.cut(5)
    while len(table.entries()) < LONG_ENOUGH:
        if rng.random() < 1 / 8:
            table.leave(60) if rng.random() < 1 / 2 else table.cut(60)
        table.pick(_chess_move(table.match.turn, rng))
    while "resign" not in _open_ids(table.match.turn):
        table.pick(_chess_move(table.match.turn, rng))
    table.pick("resign")
    table.wait(10_000)


def _open_ids(turn: object) -> Mapping[str, bool]:
    """Return the ids that are asked for, and whether each is a move on the board."""
    assert isinstance(turn, Decide)
    assert isinstance(turn.ask, PickAsk)
    return {option.id: option.on_board for option in turn.ask.options}


def _chess_move(turn: object, rng: random.Random) -> str:
    ids = _open_ids(turn)
    moves = [id_ for id_, on_board in ids.items() if on_board]
    return rng.choice(moves) if moves else next(iter(ids))


# --- forged -----------------------------------------------------------------------------------------------------------

MATCHES: Final = 140


def another_face(value: Value, rng: random.Random) -> None:
    throws = [entry for entry in value["entries"] if entry.get("action", {}).get("type") == "rolled"]
    faces = rng.choice(throws)["action"]["faces"]
    die = rng.randrange(len(faces))
    faces[die] = faces[die] % 6 + 1


def another_result(value: Value, rng: random.Random) -> None:
    ended = value["entries"][place_of(value, "ended")]
    ended["scores"][rng.randrange(len(ended["scores"]))] += rng.randrange(1, 50)
    ended["winner"] = rng.choice((0, 1, None))


def _acted(value: Value) -> list[int]:
    return [place for place, entry in enumerate(value["entries"]) if entry["entry"] == "acted"]


def an_action_dropped(value: Value, rng: random.Random) -> None:
    """Leave any action out, and number none anew."""
    del value["entries"][rng.choice(_acted(value)[:-1])]


def actions_swapped(value: Value, rng: random.Random) -> None:
    one, other = rng.sample(_acted(value), 2)
    value["entries"][one], value["entries"][other] = value["entries"][other], value["entries"][one]


def another_actor(value: Value, rng: random.Random) -> None:
    entry = value["entries"][rng.choice(_acted(value))]
    entry["seat"] = 1 - entry["seat"] if entry["seat"] is not None else 0


def seed_of_another_match(value: Value, rng: random.Random) -> None:
    """Commit to another seed afterwards, too; a match without a throw proves nothing of its seed."""
    place_of(value, "rolled")
    seed = rng.randbytes(32)
    value["seed"] = seed.hex()
    value["commitment"] = value["entries"][0]["commitment"] = commitment(seed)


ENTRY_FORGERIES: Final = (
    *(another_face, another_result, an_action_dropped, actions_swapped, another_actor, seed_of_another_match),
)
HEADING_SHARE: Final = 0.1


def heading_changed(value: Value, rng: random.Random) -> str:
    key = rng.choice(("seats", "options", "game", "result", "dice"))
    value[key] = {"seats": ["Mallory", "Bart"], "options": {"rounds": "99"}, "game": "pig", "dice": "fair"}.get(key)
    return key


def forgeries_of(way: str) -> dict[str, Callable[[Value, random.Random], object]]:
    """Return the ways to forge a match by what went into it, each of which is sealed afterwards."""
    without_chance = [*(forge for of, forge, _ in FORGERIES if of == way), throw_dropped]
    found = {forge.__name__: lambda value, _rng, forge=forge: forge(value) for forge in without_chance}
    return {**found, **{forge.__name__: forge for forge in ENTRY_FORGERIES}}


def forge_one(match: HonestMatch, rng: random.Random) -> tuple[str, Value]:
    """Return what was forged, and the export; raises IndexError or StopIteration where the match has nothing of it."""
    value: Value = json.loads(match.export)
    if rng.random() < HEADING_SHARE:
        key = heading_changed(value, rng)
        return f"heading: {key}", {**value, "digest": export.digest(value)}
    name, forge = rng.choice(list(forgeries_of(match.way).items()))
    forge(value, rng)
    return name, sealed(value)


def run(trial: Trial) -> None:
    for _ in range(trial.case.units):
        number = trial.rng.randrange(MATCHES)
        match = honest_match(number)
        honest = verify_export(json.loads(match.export))
        if not honest.proven:
            trial.find(Fault.WRONG, f"match {number} is honest and refused: {honest.words}")
        try:
            name, forged = forge_one(match, trial.rng)
        except (IndexError, StopIteration):
            trial.counts["nothing of the kind to forge"] += 1
            continue
        verdict = verify_export(forged)
        if verdict.proven:
            trial.find(Fault.WRONG, f"{name} of match {number} passes for honest")
        elif verdict.entry is None and not name.startswith("heading"):
            trial.find(Fault.WRONG, f"{name} of match {number} is refused without an entry: {verdict.words}")
        trial.counts[name.replace("_", " ")] += 1
