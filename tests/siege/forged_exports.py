"""Forge honest matches in every way and seal them as a forger would: `verify` refuses each at an entry."""

import json
import random
from collections.abc import Callable
from typing import Final

from captains_table.table.history import export
from captains_table.table.history.dice_stream import commitment
from captains_table.table.history.verify import verify_export
from tests.siege.attack import Fault, Trial
from tests.siege.honest_matches import HonestMatch, honest_match
from tests.support.forgeries import FORGERIES, Value, place_of, sealed, throw_dropped

MATCHES: Final = 140


def another_face(value: Value, rng: random.Random) -> None:
    """Turn one die of a throw."""
    throws = [entry for entry in value["entries"] if entry.get("action", {}).get("type") == "rolled"]
    faces = rng.choice(throws)["action"]["faces"]
    die = rng.randrange(len(faces))
    faces[die] = faces[die] % 6 + 1


def another_result(value: Value, rng: random.Random) -> None:
    """Let somebody else win, or win more."""
    ended = value["entries"][place_of(value, "ended")]
    ended["scores"][rng.randrange(len(ended["scores"]))] += rng.randrange(1, 50)
    ended["winner"] = rng.choice((0, 1, None))


def _acted(value: Value) -> list[int]:
    return [place for place, entry in enumerate(value["entries"]) if entry["entry"] == "acted"]


def an_action_dropped(value: Value, rng: random.Random) -> None:
    """Leave any action out, and number none anew."""
    del value["entries"][rng.choice(_acted(value)[:-1])]


def actions_swapped(value: Value, rng: random.Random) -> None:
    """Swap two actions as they are numbered."""
    one, other = rng.sample(_acted(value), 2)
    value["entries"][one], value["entries"][other] = value["entries"][other], value["entries"][one]


def another_actor(value: Value, rng: random.Random) -> None:
    """Let somebody else have done an action."""
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
    """Change names, options, game or result in the heading alone; return which."""
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
