"""Give commands spoiled inputs, tapes, configurations, profiles and exports, through the command line's own door.

`verify` must refuse every export that is not the value it was made from, whatever its spelling. A key that comes twice
is another value, whatever is under it: readers see one or the other.
"""

import json
import random
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, Final

from captains_table.table.history.export import canonical
from tests.siege.attack import Fault, Found, HungError, Trial, at_most_cpu
from tests.siege.forged_exports import honest_match
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


def a_text(*patterns: str) -> Callable[[random.Random], str]:
    return lambda rng: rng.choice([text for text in texts(*patterns) if "[" in text])


def a_tape(rng: random.Random) -> str:
    """Return a tape of the suite, of twenty lines or more."""
    return rng.choice([tape for tape in texts("tests/tapes/*.tape") if lines_of(tape) >= LONG])


def an_export(rng: random.Random) -> str:
    """Return an export of twenty entries or more, which verifies."""
    export = honest_match(rng.randrange(MATCHES)).export
    return export if len(json.loads(export)["entries"]) >= LONG else an_export(rng)


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
CONFIGURATIONS: Final = Kind(
    "toml",
    a_text("systemd/config.toml", "tests/outward/earlier/*.toml"),
    lambda path: run_here("run", path, "--check"),
    (0, 2),
)
PROFILES: Final = Kind("toml", a_text("hardware/profiles/*.toml"), check_profile, (0, 2))


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


# --- how inputs are spoiled -------------------------------------------------------------------------------------------

DEEP: Final = (64, 900, 5000, 100_000)
NUMBERS: Final = (
    *("0", "-1", "1", "2", "7", "64", "255", "256", "65536", "2147483648", "9007199254740993", "18446744073709551616"),
    *("1e9", "1e400", "-0", "0.5", "NaN", "Infinity", "0x10", "1_000", "٣", "9" * 12, "9" * 400, "9" * 5000),
)
WORDS: Final = (
    *("", " ", "\x00", "\ufeff", "é", "Ω≈ç√", "\u202e", "💀" * 9, "\ud83d".encode("utf-16", "surrogatepass").hex()),
    *("[" * 3000, "null", "true", "[]", "{}", '"', "'", "\\", "#", "=", "..", "../../etc/passwd", "%s%n", "a" * 5000),
    *("__class__", "e2e4", "a1", "i9", "z0", "roll", "done", "keep", "take-back", "legend", "captains-chess"),
    *("mermaid-chess", "Anne"),
)


def spoil_bytes(data: bytes, rng: random.Random) -> bytes:
    """Return bytes of which a few are flipped, lost, doubled or made up."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        if not found:
            break
        place = rng.randrange(len(found))
        match rng.randrange(5):
            case 0:
                found[place] ^= 1 << rng.randrange(8)
            case 1:
                del found[place : place + rng.choice((1, 3, 40))]
            case 2:
                found[place:place] = found[place : place + rng.choice((1, 8, 60))]
            case 3:
                found[place:place] = rng.randbytes(rng.randrange(1, 9))
            case _:
                del found[place:]
    return bytes(found)


# --- lines and words ------------------------------------------------------------------------------------------------


def spoil_lines(text: str, rng: random.Random, other: str) -> str:
    """Return text of which a few lines are lost, doubled, swapped, of another text, or have other words in them."""
    lines = text.split("\n")
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        place = rng.randrange(len(lines))
        match rng.randrange(7):
            case 0:
                del lines[place : place + rng.choice((1, 1, 3))]
            case 1:
                lines[place:place] = lines[place : place + rng.choice((1, 1, 5))]
            case 2:
                another = rng.randrange(len(lines))
                lines[place], lines[another] = lines[another], lines[place]
            case 3:
                foreign = other.split("\n")
                start = rng.randrange(len(foreign))
                lines[place:place] = foreign[start : start + rng.choice((1, 2, 8))]
            case 4:
                words = lines[place].split(" ")
                words[rng.randrange(len(words))] = rng.choice((*WORDS, *NUMBERS, *words))
                lines[place] = " ".join(words)
            case 5:
                line, at = lines[place], rng.randrange(len(lines[place]) + 1)
                letter = rng.choice("abcdefgh12345678+-= #\"'[]{}.,é\t")
                lines[place] = line[:at] + letter + line[at + rng.randrange(2) :]
            case _:
                _another_value(lines, rng)
        if not lines:
            break
    return "\n".join(lines)


def _another_value(lines: list[str], rng: random.Random) -> None:
    """Give a key another value, where a line has one."""
    found = [at for at, line in enumerate(lines) if "=" in line]
    if not found:
        return
    place = rng.choice(found)
    key, _, _ = lines[place].partition("=")
    depth = rng.choice(DEEP[:3])
    values = (*NUMBERS, f'"{rng.choice(WORDS)}"', "true", "[]", "{}", '["x", 1]', "1979-05-27T07:32:00Z", "[" * depth)
    lines[place] = f"{key}= {rng.choice(values)}"


# --- JSON -----------------------------------------------------------------------------------------------------------


def spoil_json(text: str, rng: random.Random) -> str:
    """Return JSON of which a few values, keys or items are others, or that is written in another way."""
    if rng.random() < WRITTEN_ANOTHER_WAY_SHARE:
        return rewritten(text, rng)
    value = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if places := places_in(value):
            _spoil_value(*rng.choice(places), rng)
    written = json.dumps(value, ensure_ascii=rng.random() < 1 / 2)
    depth = rng.choice(DEEP)
    return written.replace(
        f'"{DEEP_MARK}"', rng.choice(("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth))
    )


WRITTEN_ANOTHER_WAY_SHARE: Final = 0.1
DEEP_MARK: Final = "deep-mark"


def rewritten(text: str, rng: random.Random) -> str:
    """Return JSON that means the same, or nearly: other spaces, another order, a key twice, something after its end."""
    value = json.loads(text)
    match rng.randrange(5):
        case 0:
            return json.dumps(value, indent=rng.choice((None, 1, 7)), separators=(",", ":"))
        case 1:
            return json.dumps(dict(rng.sample(list(value.items()), len(value))), sort_keys=rng.random() < 1 / 2)
        case 2:
            key = rng.choice(list(value))
            return text.replace("{", f'{{"{key}": {json.dumps(rng.choice([1, None, value[key]]))},', 1)
        case 3:
            return text + rng.choice(("\n", " ", "{}", "\x00", text))
        case _:
            return text.replace("a", "\\u0061").replace("\\\\u0061", "\\u0061")


def places_in(value: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401 - JSON
    """Return every place in a value of JSON: a dictionary or list, and the key or index of what is in it."""
    found: list[tuple[Any, Any]] = []
    inside = [value]
    while inside:
        holder = inside.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        found += [(holder, key) for key in keys]
        inside += [holder[key] for key in keys if isinstance(holder[key], dict | list)]
    return found


def _spoil_value(holder: Any, key: Any, rng: random.Random) -> None:  # noqa: ANN401 - JSON
    """Delete, change, rename, double or swap what a dictionary or list has under a key or index, if it is there yet."""
    is_item = isinstance(holder, list) and key < len(holder)
    if not is_item and (isinstance(holder, list) or key not in holder):
        return
    old, numbers = holder[key], (0, 1, -1, 1.0, 1.5)
    others: list[object] = [None, True, False, *numbers, "", "1", [], {}, [1], {"type": "pick"}, DEEP_MARK]
    match rng.randrange(7):
        case 0:
            del holder[key]
        case 1:
            holder[key] = rng.choice(others)
        case 2:
            near = [old + 1, old - 1, float(old)] if isinstance(old, int) else []
            far = (2**31, 2**53 + 1, 2**64, 10**30, -(2**63) - 1, 1e308, float("nan"), float("inf"))
            holder[key] = rng.choice((*near, *far))
        case 3:
            holder[key] = rng.choice(WORDS)
        case 4 if not is_item:
            holder[rng.choice((*WORDS, "entry", "seq", "damaged"))] = holder.pop(key)
        case 5 if is_item:
            holder.insert(rng.randrange(len(holder) + 1), old)
        case 6 if is_item:
            other = rng.randrange(len(holder))
            holder[key], holder[other] = holder[other], old
