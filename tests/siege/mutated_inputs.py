"""Give commands spoiled inputs, tapes, configurations, profiles and exports, through the command line's own door.

Each command must end with an exit code that is documented, say what is wrong in sentences, and let nothing escape.
`verify` must refuse every export that is not the value it was made from. The value, not its spelling, is what is
proven: spaces, the order of keys and the way a letter is escaped are nothing. A key that comes twice is another value,
whatever is under it: readers see one or the other.
"""

import json
import random
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Final

from captains_table.table.history.export import canonical
from tests.siege.attack import Attack, Case, Fault, Finding, Found, HungError, Outcome, at_most_cpu
from tests.siege.honest_matches import honest_match, recorded_tape
from tests.siege.mutations import spoil_bytes, spoil_json, spoil_lines
from tests.support.table_process import run_here

ROOT: Final = Path(__file__).parents[2]
LONG: Final = 20
BYTES_SHARE: Final = 0.15
MOST_CPU_S: Final = 60.0
MATCHES: Final = 24
Command = Callable[[Path], CompletedProcess[str]]


def lines_of(tape: str) -> int:
    """Return how many lines of a tape say something."""
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in tape.splitlines())


@cache
def tapes() -> tuple[str, ...]:
    """Return tapes of twenty lines or more: those of the suite, and matches played by themselves."""
    found = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "tapes").glob("*.tape"))]
    recorded = [recorded_tape(number) for number in range(MATCHES)]
    return tuple(tape for tape in (*found, *recorded) if lines_of(tape) >= LONG)


@cache
def exports() -> tuple[str, ...]:
    """Return exports of twenty entries or more, each of which verifies."""
    found = (honest_match(number).export for number in range(MATCHES))
    return tuple(export for export in found if len(json.loads(export)["entries"]) >= LONG)


@cache
def configurations() -> tuple[str, ...]:
    """Return configurations of every kind."""
    files = [ROOT / "systemd" / "config.toml", *sorted((ROOT / "tests" / "outward" / "earlier").glob("*.toml"))]
    return tuple(path.read_text(encoding="utf-8") for path in files if "[" in path.read_text(encoding="utf-8"))


@cache
def profiles() -> tuple[str, ...]:
    """Return the profiles of all builds."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted((ROOT / "hardware" / "profiles").glob("*.toml")))


# --- what is done with them -----------------------------------------------------------------------------------------


def check_profile(path: Path) -> CompletedProcess[str]:
    """Let a configuration name the profile, and have both checked."""
    config = path.with_name("table.toml")
    config.write_text(f'[table]\nprofile = "{path}"\nstate_dir = "{path.parent / "state"}"\n', encoding="utf-8")
    return run_here("run", config, "--check")


class Kind:
    """One kind of input.

    Args:
        name: what it is called.
        ending: of the file it lies in.
        bases: returns what is spoiled.
        command: what is run with the file.
        codes: the exit codes that are documented.
    """

    def __init__(
        self, name: str, ending: str, bases: Callable[[], tuple[str, ...]], command: Command, codes: range
    ) -> None:
        self.name = name
        self.ending = ending
        self.bases = bases
        self.command = command
        self.codes = codes

    def spoil(self, rng: random.Random) -> tuple[str, bytes]:
        """Return what was there, and what becomes of it."""
        base = rng.choice(self.bases())
        if rng.random() < BYTES_SHARE:
            return base, spoil_bytes(base.encode(), rng)
        spoilt = spoil_json(base, rng) if self.ending == "json" else spoil_lines(base, rng, self.bases())
        return base, spoilt.encode(errors="surrogatepass")


KINDS: Final = {
    "tapes": Kind("tapes", "tape", tapes, partial(run_here, "replay"), range(3)),
    "exports": Kind("exports", "json", exports, partial(run_here, "verify"), range(3)),
    "configurations": Kind(
        "configurations", "toml", configurations, lambda path: run_here("run", path, "--check"), range(0, 3, 2)
    ),
    "profiles": Kind("profiles", "toml", profiles, check_profile, range(0, 3, 2)),
}
UNREADABLE: Final = 2
NAMED: Final = re.compile(r"\.(tape|json|toml)\b|: cannot be read|no profile ")


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
    """Check how a command ended; raises Found."""
    code, said = ended.returncode, ended.stderr
    if "Traceback" in said + ended.stdout:
        raise Found(Fault.TRACEBACK, said[-800:])
    if code not in kind.codes:
        raise Found(Fault.WRONG, f"exit code {code} is none of {list(kind.codes)}")
    if code == UNREADABLE and not NAMED.search(said):
        raise Found(Fault.WRONG, f"refused without naming a file: {said[-300:]!r}")
    if kind.name == "exports" and (code == 0) != is_same:
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


def run_kind(kind: Kind, case: Case, place: Path) -> Outcome:
    """Spoil inputs of one kind; those at which something is found stay where they are."""
    rng, outcome = case.rng(), Outcome()
    for number in range(case.units):
        base, spoilt = kind.spoil(rng)
        path = place / f"{number}.{kind.ending}"
        path.write_bytes(spoilt)
        is_same = kind.name == "exports" and means_the_same(base, spoilt)
        try:
            ended = run_command_on(kind, path)
            check(kind, ended, is_same=is_same)
        except Found as found:
            words = f"{path.name}: {found.finding.words}"
            outcome.findings.append(Finding(found.finding.fault, words))
            continue
        outcome.counts[f"exit code {ended.returncode}"] += 1
        outcome.counts["that still mean the same"] += is_same
        path.unlink()
    return outcome


def _attack(kind: Kind, what: str, each: int) -> Attack:
    return Attack(kind.name, what, "inputs", each, partial(run_kind, kind))


TAPES: Final = _attack(KINDS["tapes"], "`replay` of spoiled tapes of 20 lines and more", 50)
EXPORTS: Final = _attack(KINDS["exports"], "`verify` of spoiled exports of 20 entries and more", 100)
CONFIGURATIONS: Final = _attack(KINDS["configurations"], "`run --check` of spoiled configurations", 100)
PROFILES: Final = _attack(KINDS["profiles"], "`run --check` of spoiled hardware profiles", 100)
