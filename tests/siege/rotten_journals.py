"""Let a journal rot below the program, and start a table on it: it lists what can be read, and plays.

Every tenth journal is met by the real daemon, the others by the same service in this process.
"""

import json
import random
import shutil
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from captains_table.devices.ports import JournalUnwritable
from captains_table.games.contract import Pick, PickAsk
from captains_table.runtime.match_archive import CannotRead, CannotResume
from captains_table.runtime.table import Table
from captains_table.runtime.table_loop import TableStopped
from captains_table.storage.exports import NoSuchForm
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.schema import JournalUnreadable
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import JOURNAL_ENTRIES, Entry, MatchStarted
from captains_table.table.model.events import Answered
from tests.siege.attack import Fault, Trial, at_most_cpu
from tests.siege.forged_exports import honest_match
from tests.siege.mutated_inputs import WORDS, spoil_bytes, spoil_json
from tests.support.journals import EARLIER
from tests.support.rotten_journal import body_of, lose, rot
from tests.support.service_at_work import at_a_table
from tests.support.table_process import Caller, TableProcess, run_here

JOURNAL: Final = "journal.sqlite3"
MATCHES: Final = 3
DAEMON_EVERY: Final = 10
MOST_CPU_S: Final = 60.0
PAGE: Final = 4096
ENTRIES_ALONE_SHARE: Final = 0.7
FINE: Final = (200, 204, 503)  # the last where torn pages cannot be read, or take no entry


@cache
def sound_journal(variant: int) -> bytes:
    """Return a journal with whole matches, and one that was left in the midst, as the file's bytes."""
    with TemporaryDirectory(prefix="siege-") as folder:
        path = Path(folder) / JOURNAL
        if variant == 0:
            shutil.copy(EARLIER, path)
        with closing(JournalFile(path)) as file:
            for number in range(MATCHES):
                _write(file, variant * MATCHES + number, whole=number < MATCHES - 1)
        return path.read_bytes()


def _write(file: JournalFile, number: int, *, whole: bool) -> None:
    value = json.loads(honest_match(number).export)
    started, *others = (JOURNAL_ENTRIES.from_plain(entry) for entry in value["entries"])
    assert isinstance(started, MatchStarted)
    journal = file.start(started, bytes.fromhex(value["seed"]))
    kept: list[Entry] = others if whole else others[: len(others) // 2]
    for entry in kept:
        journal.append(entry)


# --- what rots ------------------------------------------------------------------------------------------------------


def rot_entries(path: Path, rng: random.Random) -> str:
    """Let entries rot, most often of the newest match; return how."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT match, position FROM entries").fetchall()
    newest = [row for row in rows if row[0] == max(match for match, _ in rows)]
    for _ in range(rng.choice((1, 1, 2, 4))):
        match, position = rng.choice(newest if rng.random() < 1 / 2 else rows)
        position = rng.choice((0, position, position))
        with suppress(ValueError, RecursionError):  # an entry that rots twice is no entry any more, or no text
            _rot_entry(path, match, position, rng)
    return "entries"


def _rot_entry(path: Path, match: int, position: int, rng: random.Random) -> None:
    kind = rng.randrange(5)
    if kind <= 1:
        rot(path, match, position, spoil_json(body_of(path, match, position), rng))
    elif kind == 2:  # the match is of a game that is not there
        body = body_of(path, match, 0)
        for game in ("legend", "captains-chess", "ship-captain-crew", "swashbuckle"):
            body = body.replace(f'"game":"{game}"', f'"game":"{rng.choice(("mermaid-chess", game + "2", ""))}"')
        rot(path, match, 0, body)
    elif kind == 3:
        gibberish = (*WORDS, "[" * 10_000, '{"entry":"prophecy"}', '{"entry":"acted","seq":1,')
        rot(path, match, position, rng.choice(gibberish))
    else:
        lose(path, match, position)


def rot_file(path: Path, rng: random.Random) -> str:
    """Let the file rot: bytes, whole or half pages, its end, or a log next to it that is none; return how."""
    data = bytearray(path.read_bytes())
    page = rng.randrange(len(data) // PAGE) * PAGE
    match rng.randrange(6):
        case 0:
            path.write_bytes(spoil_bytes(bytes(data), rng))
            return "bytes"
        case 1:
            data[page : page + PAGE] = bytes(PAGE)
        case 2:
            data[page + PAGE // 2 : page + PAGE] = rng.randbytes(PAGE // 2)
        case 3:
            other = rng.randrange(len(data) // PAGE) * PAGE
            data[page : page + PAGE] = data[other : other + PAGE]
        case 4:
            del data[rng.randrange(len(data)) :]
        case _:
            path.with_name(f"{JOURNAL}-wal").write_bytes(rng.randbytes(rng.randrange(1, 3 * PAGE)))
    path.write_bytes(bytes(data))
    return "pages"


# --- what is done with it -------------------------------------------------------------------------------------------


def visit(table: Table) -> None:
    """Start as the daemon does, look at everything, take up what can be taken up, and play."""
    with suppress(CannotResume):
        table.matches.begin("legend", ["Anne", "Bart"], {})
    for match in table.matches.listed():
        for form in match.forms:
            with suppress(NoSuchForm):
                text = table.archive.export(match.number, form)
                if form == "json":
                    verify_export(json.loads(text))
    table.archive.standings()
    table.archive.missing_games()
    for match in table.matches.listed():
        with suppress(CannotResume):
            table.matches.resume(match.number)
            _act(table)
    table.matches.new_match("legend", ["Anne", "Bart"], {})
    assert _act(table), "a new match takes no answer"


def _act(table: Table) -> bool:
    view = table.view()
    turn = view.ask
    if not isinstance(turn, PickAsk) or not turn.options:
        return False
    table.handle(Answered(Pick(turn.options[0].id)), view.revision)
    return True


def in_process(state: Path) -> str:
    """Visit a journal by the service in this process; return what came of it."""
    try:
        with at_most_cpu(MOST_CPU_S):
            at_a_table(state, visit)
            listed = run_here("matches", "--state", state)
    except (JournalUnreadable, JournalUnwritable) as error:
        return f"refused: {type(error).__name__}"
    except (CannotRead, TableStopped) as error:
        return f"said so in play: {type(error).__name__}"
    if listed.returncode:
        raise AssertionError(f"`matches` ended with {listed.returncode}: {listed.stderr}")
    return "played on"


def by_the_daemon(state: Path, trial: Trial) -> str:
    """Visit a journal by the real daemon; return what came of it."""
    logs = state.parent / "logs"
    try:
        table = TableProcess("play", "--state", state, "--port", "0", logs=logs, program=trial.program)
    except AssertionError as error:
        said = (logs / "stderr.txt").read_text(encoding="utf-8")
        trial.complain(said)
        if "captains-table: " not in said or "exit code 2" not in str(error):
            trial.find(Fault.WRONG, f"the daemon ended without a sentence: {error}")
        return "refused by the daemon"
    caller = Caller(table.origin)
    try:
        for path in ("/", "/table", "/matches", "/records", "/new"):
            answer = caller.get(path)
            assert answer.status_code in FINE, f"{path}: {answer.status_code} {answer.text[:300]}"
        started = caller.post("/new", {"game": "legend", "name1": "Anne", "name2": "Bart"})
        assert started.status_code in FINE, started.text
    finally:
        caller.close()
        table.stop()  # in order, so that all it has to say is written
        trial.complain(table.complaints)
    return "played on at the daemon"


def run(trial: Trial) -> None:
    rng = trial.rng
    for number in range(trial.case.units):
        state = trial.place / str(number) / "state"
        state.mkdir(parents=True)
        path = state / JOURNAL
        path.write_bytes(sound_journal(rng.randrange(3)))
        how = rot_entries(path, rng) if rng.random() < ENTRIES_ALONE_SHARE else rot_file(path, rng)
        words = f"journal {number}, {path}"
        try:
            met = by_the_daemon(state, trial) if number % DAEMON_EVERY == 0 else in_process(state)
        except Exception as error:  # noqa: BLE001 - whatever escapes is what is looked for
            trial.find(Fault.TRACEBACK, f"{words} ({how}): {type(error).__name__}: {str(error)[:600]}")
            continue
        if how == "entries" and "played on" not in met:
            trial.find(Fault.LOST, f"{words}: only entries are rotten: {met}")
        trial.counts[f"{how}: {met}"] += 1
