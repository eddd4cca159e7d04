"""What root does in the folder of a table's user: nothing that the user plants there leads it to another's file."""

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import captains_table
from captains_table.cli import main as command_line
from captains_table.storage import ownership
from captains_table.storage.backup import back_up
from captains_table.storage.files import PART
from captains_table.storage.ownership import MOUNTS, Planted, as_owner
from captains_table.storage.schema import MIGRATIONS
from tests.support.effort import effort
from tests.support.journals import EARLIER, journal_with, rows_of
from tests.support.outsider import NOBODY
from tests.support.patience import PATIENCE_S
from tests.support.table_process import run_command, run_here

pytestmark = pytest.mark.root

PARSER: Final = cache(command_line.build_parser)
NAME: Final = "journal.sqlite3"
OWN_WORDS: Final = "root's own\n"

# The names in a state folder that the commands below opened, by `strace -f -e trace=%file` (a part's digits and the
# date of a journal that is kept differ each time), a running table's `token`, and the logs that SQLite would open
# after a power cut.
UPGRADED: Final = f"{NAME}.before-{len(MIGRATIONS)}"
DATABASES: Final = (NAME, f"{NAME}.replaced-2026-11-24-120000", f"{UPGRADED}.part", f"{PART}0123456789abcdef.part")
OPENED: Final = (
    *("address", "doctor-report.txt", "lock", "profile-override.toml", "token", UPGRADED),
    *(f"{name}{end}" for name in DATABASES for end in ("", "-journal", "-shm", "-wal")),
)


@pytest.fixture(autouse=True)
def _one_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build the parser of the commands once: that takes longer than what most of them do here."""
    monkeypatch.setattr(command_line, "build_parser", PARSER)


@pytest.fixture
def owned(tmp_path: Path) -> Path:
    """Return a state folder of a user who cannot come to it by its path, with a match in it, as a service's is."""
    journal_with(tmp_path / "state" / NAME, "Anne")
    return given(tmp_path / "state")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    copy = tmp_path / "evening.sqlite3"
    back_up(journal_with(tmp_path / "other" / NAME, "Grace"), copy)
    return copy


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    """Return a file of root's, which is to stay as it is."""
    file = tmp_path / "shadow"
    file.write_text(OWN_WORDS)
    file.chmod(0o600)
    before = file.stat()
    yield file
    after = file.stat()
    assert (after.st_uid, after.st_mode) == (before.st_uid, before.st_mode)
    assert (after.st_mtime_ns, file.read_text()) == (before.st_mtime_ns, OWN_WORDS)


def given(folder: Path) -> Path:
    """Return a folder that is nobody's from now on, with all that is in it."""
    for place in (folder, *folder.iterdir()):
        os.chown(place, NOBODY, NOBODY)
    return folder


def plant(kind: str, place: Path, secret: Path) -> None:
    if kind == "link":
        place.symlink_to(secret)
    elif kind == "hard link":
        place.hardlink_to(secret)
    else:
        os.mkfifo(place)
        os.chown(place, NOBODY, NOBODY)


def commands(state: Path, backup: Path) -> dict[str, tuple[str | Path, ...]]:
    """Return what documents tell root to run with a state folder, in their order."""
    config = state.parent / "config.toml"
    config.write_text(f'[table]\nstate_dir = "{state}"\n[web]\nhost = "0.0.0.0"\nport = 1\n')
    return {
        "matches": ("matches", "--state", state),
        "export": ("matches", "export", "1", "--state", state),
        "review": ("review", "1", "--state", state),
        "backup": ("backup", state.parent / "copy.sqlite3", "--state", state),
        "restore": ("restore", backup, "--state", state),
        "doctor": ("doctor", "simulated", "--checks", "--state", state),
        "switches": ("doctor", "--switches", "--state", state),
        "check": ("run", "--check", config),
        "page": ("page", config),
    }


PLANTS: Final = ("link", "hard link", "FIFO")
SHARES: Final = effort(6, 1)  # each command meets so large a share of the names, another one for each


def owners_in(folder: Path) -> set[int]:
    return {place.lstat().st_uid for place in (folder, *folder.iterdir())}


def test_what_root_restores_belongs_to_the_tables_user(owned: Path, backup: Path) -> None:
    answer = run_command("restore", backup, "--state", owned)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert f"is kept as {owned / NAME}.replaced-" in answer.stdout
    assert rows_of(owned / NAME) == rows_of(backup)
    assert owners_in(owned) == {NOBODY}
    assert not any(MOUNTS.iterdir()), "what was mounted went with the process"


COMMANDS: Final = ("matches", "export", "review", "backup", "restore", "doctor", "switches", "check")

ONE_AFTER_THE_OTHER: Final = """
import json, os, sys
from captains_table.cli.game_help import install_games
from captains_table.cli.main import main

install_games()  # as each command does first, and still as root
for words in json.loads(sys.argv[1]):
    child = os.fork()
    if not child:
        sys.exit(main(words))
    os.waitpid(child, 0)
"""


@pytest.mark.slow
def test_root_leaves_nothing_of_its_own_and_needs_no_program_that_the_tables_user_may_read(
    owned: Path, backup: Path, tmp_path: Path
) -> None:
    """As a checkout below `/root` is."""
    closed = tmp_path / "closed"
    program = Path(captains_table.__file__).parent
    shutil.copytree(program, closed / program.name)
    closed.chmod(0o700)
    shutil.copy(EARLIER, owned / NAME)
    words = [[str(word) for word in command] for command in commands(owned, backup).values()]
    answer = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_THE_OTHER, json.dumps(words)],
        env=os.environ | {"PYTHONPATH": str(closed)},
        input="",
        capture_output=True,
        text=True,
        check=True,
        timeout=5 * PATIENCE_S,
    )
    assert "Permission denied" not in answer.stderr
    assert "Traceback" not in answer.stderr
    assert owners_in(owned) == {NOBODY}
    assert {UPGRADED, "doctor-report.txt", "lock"} <= {place.name for place in owned.iterdir()}
    assert (owned.parent / "copy.sqlite3").stat().st_uid == 0


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_planted_at_any_name_that_root_opens_is_named_and_refused(
    owned: Path, backup: Path, secret: Path, name: str
) -> None:
    words, first = commands(owned, backup)[name], COMMANDS.index(name)
    for turn, opened in enumerate(OPENED[first % SHARES :: SHARES], start=first):
        kind = PLANTS[turn % 3]  # another one for each command
        place, aside = owned / opened, owned.parent / "aside"
        if place.exists():
            place.rename(aside)
        plant(kind, place, secret)
        before = {file.name for file in owned.iterdir()}
        answer = run_here(*words)
        assert answer.returncode == 2, (opened, kind, answer)
        assert f"{place} is a {kind}" in answer.stderr
        assert {file.name for file in owned.iterdir()} == before
        place.unlink()
        if aside.exists():
            aside.rename(place)


def test_a_parent_that_is_another_users_link_is_refused(owned: Path, backup: Path) -> None:
    way = owned.parent / "way"
    way.symlink_to(owned.parent)
    os.chown(way, NOBODY, NOBODY, follow_symlinks=False)
    words = commands(way / "state", backup)
    os.chown(owned.parent, NOBODY, NOBODY)
    for name in COMMANDS:
        answer = run_here(*words[name])
        assert (answer.returncode, "leads through 'way', a link that is not root's" in answer.stderr) == (2, True), name
    assert {place.name for place in owned.iterdir()} == {NAME}


def test_roots_own_link_to_a_state_folder_is_followed_as_systemds_are(owned: Path) -> None:
    way = owned.parent / "way"
    way.symlink_to("state")
    answer = run_here("matches", "--state", way)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "Anne" in answer.stdout
    with as_owner(way, state=True) as folder:
        assert (os.geteuid(), (folder / NAME).stat().st_uid) == (NOBODY, NOBODY)
    assert os.geteuid() == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_link_that_takes_a_files_place_after_the_look_leads_root_to_no_file_of_its_own(
    owned: Path, backup: Path, secret: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    journal, roots = (owned / NAME).read_bytes(), owned.parent / NAME
    shutil.copy(EARLIER, roots)  # which root would bring to today's form
    roots.chmod(0o600)
    look = ownership._check_nothing_planted
    for name in OPENED:

        def look_and_plant(folder: Path, owner: int, name: str = name) -> None:
            look(folder, owner)
            (folder / name).unlink(missing_ok=True)
            (folder / name).symlink_to(roots if name == NAME else secret)

        monkeypatch.setattr(ownership, "_check_nothing_planted", look_and_plant)
        answer = run_here(*commands(owned, backup)[command])
        assert answer.returncode == 0 or answer.stderr.startswith("captains-table: "), (name, answer)
        assert (roots.read_bytes(), roots.stat().st_mode & 0o777) == (EARLIER.read_bytes(), 0o600), name
        assert not list(owned.parent.glob(f"{NAME}?*")), "nothing was made next to root's journal"
        assert owners_in(owned) == {NOBODY}, name
        for place in owned.iterdir():
            place.unlink()
        (owned / NAME).write_bytes(journal)
        (owned.parent / "copy.sqlite3").unlink(missing_ok=True)
        given(owned)


def test_a_copy_that_root_keeps_in_another_users_folder_is_that_users_and_comes_back(owned: Path, backup: Path) -> None:
    home = owned.parent / "home"
    home.mkdir()
    given(home)
    assert run_here("backup", home / "copy.sqlite3", "--state", owned).returncode == 0
    shutil.copy(backup, home / "roots.sqlite3")  # as earlier programs left it: root's, and nobody else may read it
    (home / "roots.sqlite3").chmod(0o600)
    for name in ("roots.sqlite3", "copy.sqlite3"):
        assert run_here("restore", home / name, "--state", owned).returncode == 0
    assert (home / "copy.sqlite3").stat().st_uid == NOBODY
    assert "Anne" in run_here("matches", "--state", owned).stdout


def test_what_root_writes_for_the_user_goes_through_no_link_of_another(owned: Path, secret: Path) -> None:
    (owned.parent / "common").mkdir(mode=0o777)
    for folder in (owned.parent / "common", owned):
        folder.chmod(0o1777)
        target = folder / "match.json"
        target.symlink_to(secret)
        os.chown(target, NOBODY, NOBODY, follow_symlinks=False)
        answer = run_here("matches", "export", "1", "--state", owned, "--to", target)
        assert (answer.returncode, f"{target} is a link" in answer.stderr) == (2, True)


def test_a_backup_where_all_may_write_is_read_through_no_link(owned: Path, backup: Path) -> None:
    """Another user's link may lead to a journal that root alone may read, and the service would read its copy."""
    common = owned.parent / "common"
    common.mkdir()
    common.chmod(0o1777)
    shutil.copy(backup, common / "whole.sqlite3")
    os.chown(common / "whole.sqlite3", NOBODY, NOBODY)
    for kind in PLANTS:
        target = common / f"{kind}.sqlite3"
        plant(kind, target, backup)
        answer = run_here("restore", target, "--state", owned)
        assert (answer.returncode, f"{target} is a {kind}" in answer.stderr) == (2, True)
    assert "Anne" in run_here("matches", "--state", owned).stdout
    assert run_here("restore", common / "whole.sqlite3", "--state", owned).returncode == 0


def test_root_keeps_no_table_running_in_another_users_folder(owned: Path) -> None:
    answer = run_here("play", "--players", "Anne", "--port", "0", "--state", owned)
    words = f"{owned} is of user {NOBODY}, whom files of root's would lock out: start the program as that user"
    assert (answer.returncode, words in answer.stderr) == (2, True)


def test_a_folder_of_roots_that_others_may_write_keeps_no_state(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(Planted, match="others than root may write in"), as_owner(tmp_path, state=True):
        pass


def test_children_mount_a_folder_each_in_a_namespace_of_its_own(owned: Path) -> None:
    """Else a child's mount would stay where the next child of the same process wants to mount."""

    def ended_with() -> int:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                with as_owner(owned) as folder:
                    code = int(folder == owned)
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    with as_owner(owned) as folder:
        assert folder != owned, "it is mounted elsewhere"
    assert [ended_with(), ended_with()] == [0, 0]


@pytest.mark.parametrize("command", ["backup", "restore"])
@pytest.mark.parametrize("look_after", [1, 2, 3])
def test_a_file_of_roots_that_becomes_a_log_after_a_look_stays_as_it_is(
    owned: Path, backup: Path, secret: Path, command: str, look_after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel may let users make hard links to others' files, and SQLite gives logs that root opens to the owner."""
    look, looks = ownership._check_nothing_planted, 0

    def look_and_plant(folder: Path, owner: int) -> None:
        nonlocal looks
        look(folder, owner)
        looks += 1
        if looks == look_after:
            user = os.geteuid()
            os.seteuid(0)
            (owned / f"{NAME}-shm").unlink(missing_ok=True)
            (owned / f"{NAME}-shm").hardlink_to(secret)
            os.seteuid(user)

    monkeypatch.setattr(ownership, "_check_nothing_planted", look_and_plant)
    before = secret.stat()
    run_here(*commands(owned, backup)[command])
    after = secret.stat()
    assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)
    assert secret.read_text() == OWN_WORDS
