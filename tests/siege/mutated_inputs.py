"""Give commands spoiled inputs, tapes, configurations, profiles and exports, through the command line's own door.

Each command must end with an exit code that is documented, say what is wrong in sentences, and let nothing escape.
`verify` must refuse every export that is not the value it was made from. The value, not its spelling, is what is
proven: spaces, the order of keys and the way a letter is escaped are nothing. A key that comes twice is another value,
whatever is under it: readers see one or the other.
"""

import json
import random
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Final

from captains_table.table.history.export import canonical
from tests.siege.attack import Fault, Found, HungError, Trial, at_most_cpu
from tests.siege.honest_matches import honest_match, recorded_tape
from tests.siege.mutations import spoil_bytes, spoil_json, spoil_lines
from tests.support.table_process import run_here

ROOT: Final = Path(__file__).parents[2]
LONG: Final = 20
BYTES_SHARE: Final = 0.15
MOST_CPU_S: Final = 60.0
MATCHES: Final = 24
UNREADABLE: Final = 2
NAMED: Final = re.compile(r"\.(tape|json|toml)\b|: cannot be read|no profile ")


def lines_of(tape: str) -> int:
    """Return how many lines of a tape say something."""
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in tape.splitlines())


@cache
def texts(*patterns: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def a_tape(rng: random.Random) -> str:
    """Return a tape of twenty lines or more: one of the suite, or of a match that played itself."""
    found = [tape for tape in texts("tests/tapes/*.tape") if lines_of(tape) >= LONG]
    number = rng.randrange(len(found) + MATCHES)
    tape = found[number] if number < len(found) else recorded_tape(number - len(found))
    return tape if lines_of(tape) >= LONG else a_tape(rng)


def an_export(rng: random.Random) -> str:
    """Return an export of twenty entries or more, which verifies."""
    export = honest_match(rng.randrange(MATCHES)).export
    return export if len(json.loads(export)["entries"]) >= LONG else an_export(rng)


def a_configuration(rng: random.Random) -> str:
    return rng.choice([text for text in texts("systemd/config.toml", "tests/outward/earlier/*.toml") if "[" in text])


def a_profile(rng: random.Random) -> str:
    return rng.choice(texts("hardware/profiles/*.toml"))


def check_profile(path: Path) -> CompletedProcess[str]:
    """Let a configuration name the profile, and have both checked."""
    config = path.with_name("table.toml")
    config.write_text(f'[table]\nprofile = "{path}"\nstate_dir = "{path.parent / "state"}"\n', encoding="utf-8")
    return run_here("run", config, "--check")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of input: its files' ending, what is spoiled, what is run with it, and the exit codes documented."""

    ending: str
    base: Callable[[random.Random], str]
    command: Callable[[Path], CompletedProcess[str]]
    codes: Collection[int]

    def spoil(self, rng: random.Random) -> tuple[str, bytes]:
        base = self.base(rng)
        if rng.random() < BYTES_SHARE:
            return base, spoil_bytes(base.encode(), rng)
        spoilt = spoil_json(base, rng) if self.ending == "json" else spoil_lines(base, rng, self.base(rng))
        return base, spoilt.encode(errors="surrogatepass")


TAPES: Final = Kind("tape", a_tape, partial(run_here, "replay"), (0, 1, 2))
EXPORTS: Final = Kind("json", an_export, partial(run_here, "verify"), (0, 1, 2))
CONFIGURATIONS: Final = Kind("toml", a_configuration, lambda path: run_here("run", path, "--check"), (0, 2))
PROFILES: Final = Kind("toml", a_profile, check_profile, (0, 2))


def run(kind: Kind, trial: Trial) -> None:
    """Spoil inputs of one kind; those at which something is found stay where they are."""
    for number in range(trial.case.units):
        base, spoilt = kind.spoil(trial.rng)
        path = trial.place / f"{number}.{kind.ending}"
        path.write_bytes(spoilt)
        is_same = kind is EXPORTS and means_the_same(base, spoilt)
        try:
            ended = run_command_on(kind, path)
            check(kind, ended, is_same=is_same)
        except Found as found:
            trial.find(found.finding.fault, f"{path.name}: {found.finding.words}")
            continue
        trial.counts[f"exit code {ended.returncode}"] += 1
        trial.counts["that still mean the same"] += is_same
        path.unlink()


def run_command_on(kind: Kind, path: Path) -> CompletedProcess[str]:
    """Run the command on a file; raises Found where it does not end as commands do."""
    try:
        with at_most_cpu(MOST_CPU_S):
            return kind.command(path)
    except HungError as error:
        raise Found(Fault.HANG, str(error)) from error
    except BaseException as error:
        raise Found(Fault.TRACEBACK, f"{type(error).__name__} escaped: {str(error)[:500]}") from error


def check(kind: Kind, ended: CompletedProcess[str], *, is_same: bool) -> None:
    code, said = ended.returncode, ended.stderr
    if "Traceback" in said + ended.stdout:
        raise Found(Fault.TRACEBACK, said[-800:])
    if code not in kind.codes:
        raise Found(Fault.WRONG, f"exit code {code} is none of {kind.codes}")
    if code == UNREADABLE and not NAMED.search(said):
        raise Found(Fault.WRONG, f"refused without naming a file: {said[-300:]!r}")
    if kind is EXPORTS and (code == 0) != is_same:
        raise Found(Fault.WRONG, f"exit code {code} for another value than was exported: {ended.stdout.strip()[:300]}")


def means_the_same(base: str, spoilt: bytes) -> bool:
    """Return whether an export is still the same value, however it is written."""
    try:
        return canonical(json.loads(spoilt.decode(), object_pairs_hook=_object_of)) == canonical(json.loads(base))
    except (ValueError, RecursionError):
        return False


def _object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(value := dict(pairs)) < len(pairs):
        raise ValueError("a key comes twice")
    return value
