"""Install plug-ins with wrong fields next to the real commands: the table must start, and every help be shown.

Each plug-in is Toss with one wrong field. It may come out right by chance; such a game is installed, and must be shown.
"""

import random
import re
import sys
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Final

import httpx

from captains_table.catalog import GameEntry
from captains_table.games.common.records import RecordRules
from captains_table.games.contract import GameOption
from captains_table.players.common.opponents import Opponent
from tests.siege.attack import Fault, Found, Trial
from tests.siege.kills_below import command_in_fork
from tests.support.patience import PATIENCE_S
from tests.support.plugin_distributions import TOSS, install
from tests.support.table_process import COMMAND

RUN_WITH: Final = "tests.support.plugin_distributions:run_with"
HELPS: Final = (("play", "--help"), ("simulate", "--help"), ("odds", "--help"))
PLAIN_PAGES: Final = ("/", "/table", "/new", "/rules", "/matches", "/records")
IMPORTS: Final = """
from captains_table.catalog import Example, Export, Picture, RulesPage
from captains_table.games.contract import *
from captains_table.games.contract import GameOption
from captains_table.games.common.records import *
from captains_table.players.common.opponents import Opponent
"""
NASTY: Final = """
class Raising:
    def __getattribute__(self, name):
        raise RuntimeError(f"{name} cannot be had")

class Mute:
    def __repr__(self):
        raise ValueError("unspeakable")

class Thorns(dict):
    def items(self):
        raise KeyError("not for you")

class Endless(dict):
    def items(self):
        while True:
            yield "a", "b"

class Spikes(list):
    def __iter__(self):
        raise OSError("nor for you")

class Loud(str):
    def encode(self, *_):
        raise MemoryError

class Sly(GameEntry):
    def __getattribute__(self, name):
        if name == FIELD:
            raise SystemExit(f"{name} is gone")
        return super().__getattribute__(name)
"""
ATOMS: Final = (
    *("7", "-1", "0", "True", "None", "''", "' '", "'Anne'", "'a:b'", "'a,b'", "'a=b'", "'%(prog)s 100%'", "'{0} {x'"),
    *("'\\ud800'", "'\\x00'", "'a\\nb'", "'x' * 10**6", "10**5000", "-10**5000", "float('nan')", "1j", "b'x'", "..."),
    *("object()", "Raising()", "Mute()", "Thorns(a='b')", "Endless(a='b')", "Spikes('ab')", "Loud('A b')", "int"),
    *("print", "range(10**12)", "range(0)", "range(5, 2)", "lambda: 1 / 0", "lambda *_: 1 / 0", "lambda a, b, c, d: a"),
    *("Toss()", "'play toss'", "'play --nonsense'", "'play --help'", "'odds toss'", "'/dev/zero'", "'../../x'"),
    "(x for x in 'ab')",
)
WITHIN: Final = {
    "opponents": (Opponent, "{{'thor': Opponent({})}}", {"key": "'thor'", "title": "'Thor'", "make": "make"}),
    "records": (RecordRules, "RecordRules({})", {}),
    "options": (GameOption, "(GameOption({}),)", {"name": "'depth'", "words": "'Depth'", "default": "'1'"}),
}
"""Fields that hold a dataclass: which, how it is written, and what it cannot do without."""

PAIRS: Final = {
    "examples": "(Example({}, {}),)",
    "exports": "{{'txt': Export({}, {})}}",
    "picture": "Picture({}, {})",
    "rules_page": "RulesPage({}, {})",
}
"""Fields that hold a pair, and how it is written."""

OF_THE_GAME: Final = ("key", "title", "seats", "shape", "options")
ATTACKED: Final = re.compile(r"plug-in '(wrong-\d+)' of table-wrong 0\.3 is left out: .{10}")


def wrong_value(rng: random.Random, depth: int = 0) -> str:
    """Return a value that hardly any field can use, as Python writes it."""
    chance = rng.random()
    if depth > 2 or chance < 0.6:
        return rng.choice(ATOMS)
    inside = [wrong_value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    if chance < 0.8:
        keys = [rng.choice(("'thor'", "'a:b'", "''", "7", "None", "'pgn'", "'json'", "'P'")) for _ in inside]
        return f"{{{', '.join(f'{key}: {value}' for key, value in zip(keys, inside, strict=True))}}}"
    return f"[{', '.join(inside)}]" if chance < 0.9 else f"({''.join(f'{value}, ' for value in inside)})"


def wrong_field(rng: random.Random) -> tuple[str, str]:
    """Return a field of the entry, or one of the game's attributes, and its wrong value."""
    name = rng.choice([*(each.name for each in fields(GameEntry)), *OF_THE_GAME, *WITHIN])
    if name in WITHIN and rng.random() < 0.8:
        kind, form, needed = WITHIN[name]
        given = needed | {rng.choice(fields(kind)).name: wrong_value(rng)}
        if kind is Opponent and "levels" not in given:
            given["levels"] = rng.choice(("{}", "{1: 'weak', 3: 'strong'}", "{'1': 'weak'}", "{2: 7}"))
        return name, form.format(", ".join(f"{key}={value}" for key, value in given.items()))
    if name in PAIRS and rng.random() < 0.6:
        return name, PAIRS[name].format(wrong_value(rng, 3), wrong_value(rng, 3))
    return name, wrong_value(rng)


def wrong_plugin(rng: random.Random, key: str) -> str:
    """Return a module whose entry has one wrong field."""
    name, value = wrong_field(rng)
    rules = TOSS.replace('key = "toss"', f'key = "{key}"').replace("\nENTRY = GameEntry(game=Toss())", "")
    lines = [IMPORTS, rules, NASTY, "def make(level, means): ..."]
    if name in OF_THE_GAME:
        held = ["class Changed(Toss): ...", f"{name} = {value}", f"Changed.{name} = {name}", "game = Changed()"]
        on_itself = ["game = Toss()", f"game.{name} = {value}"]
        lines += [*(held if rng.random() < 0.5 else on_itself), "ENTRY = GameEntry(game=game)"]
    elif rng.random() < 0.1:
        lines += [f"FIELD = {name!r}", "ENTRY = Sly(game=Toss())"]
    else:
        lines += [f"ENTRY = GameEntry(**{{'game': Toss(), {name!r}: {value}}})"]
    return "\n".join(lines)


def run(trial: Trial) -> None:
    """Install all plug-ins of a case in one place, and look at what comes of it."""
    site = trial.place / "site"
    names = [f"wrong-{number}" for number in range(trial.case.units)]
    modules = {f"{name.replace('-', '_')}.py": wrong_plugin(trial.rng, name) for name in names}
    install(site, "table-wrong", modules, **{name: f"{name.replace('-', '_')}:ENTRY" for name in names})
    for words in HELPS:
        ended = command_in_fork(words, trial.place, partial(sys.path.insert, 0, str(site)))
        trial.complain(ended.stderr, " ".join(words))
        if ended.returncode or "captains-table" not in ended.stdout:
            trial.find(Fault.WRONG, f"{words}: {ended.returncode}, {ended.stderr[-500:]}")
    look_at_table(names, site, trial)


def look_at_table(names: list[str], site: Path, trial: Trial) -> None:
    """Start the table with all of them, see each named where it is left out, and see its form where it is not."""
    program = (
        ("env", f"PYTHONPATH={site}", COMMAND) if trial.nursery is None else trial.nursery.program(RUN_WITH, str(site))
    )
    words = ("play", "--state", trial.place / "state", "--port", "0")
    with trial.daemon(*words, program=program) as table:
        left_out = set(ATTACKED.findall(table.complaints))
        installed = [name for name in names if name not in left_out]
        with httpx.Client(base_url=table.origin, timeout=PATIENCE_S) as client:
            listed = client.get("/new").text
            for path in (*PLAIN_PAGES, *(f"/new?game={name}" for name in installed)):
                status = client.get(path).status_code
                if status != httpx.codes.OK:
                    raise Found(Fault.WRONG, f"{path} answers {status}: {table.complaints[-1500:]}")
        unseen = [name for name in installed if f"game={name}" not in listed]
        if unseen:
            raise Found(Fault.WRONG, f"{unseen} are neither installed nor left out with a sentence")
        trial.counts["left out with a sentence"] += len(left_out)
        trial.counts["right by chance, and installed"] += len(installed)
