"""What root does in the folder of a table's user: nothing that the user plants there leads it to another's file."""

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import captains_table
from captains_table.storage import ownership
from captains_table.storage.backup import back_up
from captains_table.storage.files import PART
from captains_table.storage.ownership import MOUNTS, Planted, as_owner
from captains_table.storage.schema import MIGRATIONS
from tests.support.journals import EARLIER, journal_with, rows_of
from tests.support.outsider import NOBODY
from tests.support.table_process import run_command, run_here

pytestmark = pytest.mark.root

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
    assert (after.st_uid, after.st_mode, after.st_mtime_ns, file.read_text()) == (
        *(before.st_uid, before.st_mode, before.st_mtime_ns),
        OWN_WORDS,
    )


def given(folder: Path) -> Path:
    """Return a folder that is nobody's from now on, with all that is in it."""
    for place in (folder, *folder.iterdir()):
        os.chown(place, NOBODY, NOBODY)
    return folder


def link(place: Path, secret: Path) -> None:
    place.symlink_to(secret)


def hard_link(place: Path, secret: Path) -> None:
    place.hardlink_to(secret)


def fifo(place: Path, _secret: Path) -> None:
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


PLANTS: Final = (link, hard_link, fifo)


def owners_in(folder: Path) -> set[int]:
    return {place.lstat().st_uid for place in (folder, *folder.iterdir())}


def test_what_root_restores_belongs_to_the_tables_user(owned: Path, backup: Path) -> None:
    answer = run_command("restore", backup, "--state", owned)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert f"is kept as {owned / NAME}.replaced-" in answer.stdout
    assert rows_of(owned / NAME) == rows_of(backup)
    assert owners_in(owned) == {NOBODY}
    assert not any(MOUNTS.iterdir()), "what was mounted went with the process"


def test_nothing_of_roots_stays_behind_in_a_tables_folder(
    owned: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    shutil.copy(EARLIER, owned / NAME)
    for words in commands(owned, backup).values():
        run_here(*words)
    assert owners_in(owned) == {NOBODY}
    assert {UPGRADED, "doctor-report.txt", "lock"} <= {place.name for place in owned.iterdir()}
    assert (owned.parent / "copy.sqlite3").stat().st_uid == 0


COMMANDS: Final = ("matches", "export", "review", "backup", "restore", "doctor", "switches", "check")


@pytest.mark.parametrize("name", COMMANDS)
def test_root_needs_no_program_that_the_tables_user_may_read(
    owned: Path, backup: Path, tmp_path: Path, name: str
) -> None:
    """As a checkout below `/root` is."""
    closed = tmp_path / "closed"
    program = Path(captains_table.__file__).parent
    shutil.copytree(program, closed / program.name, ignore=shutil.ignore_patterns("__pycache__"))
    closed.chmod(0o700)
    words = [str(word) for word in commands(owned, backup)[name]]
    command = [sys.executable, "-c", "import sys; from captains_table.cli.main import main; sys.exit(main())", *words]
    answer = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(closed)}, input="", capture_output=True, text=True, check=False
    )
    assert "Permission denied" not in answer.stderr
    assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_planted_at_any_name_that_root_opens_is_named_and_refused(
    owned: Path, backup: Path, secret: Path, name: str
) -> None:
    words = commands(owned, backup)[name]
    for opened in OPENED:
        place, aside = owned / opened, owned.parent / "aside"
        if place.exists():
            place.rename(aside)
        for plant in PLANTS:
            plant(place, secret)
            before = {file.name for file in owned.iterdir()}
            answer = run_here(*words)
            assert answer.returncode == 2, (opened, plant.__name__, answer)
            assert f"{place} is a {plant.__name__.replace('_', ' ').replace('fifo', 'FIFO')}" in answer.stderr
            assert {file.name for file in owned.iterdir()} == before
            place.unlink()
        if aside.exists():
            aside.rename(place)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_parent_that_is_another_users_link_is_refused(owned: Path, backup: Path, name: str) -> None:
    way = owned.parent / "way"
    way.symlink_to(owned.parent)
    os.chown(way, NOBODY, NOBODY, follow_symlinks=False)
    os.chown(owned.parent, NOBODY, NOBODY)
    answer = run_here(*commands(way / "state", backup)[name])
    assert (answer.returncode, "leads through 'way', a link that is not root's" in answer.stderr) == (2, True)
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
    assert [
        run_here("restore", home / name, "--state", owned).returncode for name in ("roots.sqlite3", "copy.sqlite3")
    ] == [
        0,
        0,
    ]
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
        assert answer.returncode == 2
        assert f"{target} is a link" in answer.stderr


def test_a_backup_where_all_may_write_is_read_through_no_link(owned: Path, backup: Path) -> None:
    """Another user's link may lead to a journal that root alone may read, and the service would read its copy."""
    common = owned.parent / "common"
    common.mkdir()
    common.chmod(0o1777)
    shutil.copy(backup, common / "whole.sqlite3")
    os.chown(common / "whole.sqlite3", NOBODY, NOBODY)
    for plant in PLANTS:
        target = common / f"{plant.__name__}.sqlite3"
        plant(target, backup)
        answer = run_here("restore", target, "--state", owned)
        assert answer.returncode == 2
        assert f"{target} is a {plant.__name__.replace('_', ' ').replace('fifo', 'FIFO')}" in answer.stderr
    assert "Anne" in run_here("matches", "--state", owned).stdout
    assert run_here("restore", common / "whole.sqlite3", "--state", owned).returncode == 0


def test_root_keeps_no_table_running_in_another_users_folder(owned: Path) -> None:
    answer = run_here("play", "--players", "Anne", "--port", "0", "--state", owned)
    assert answer.returncode == 2
    assert (
        f"{owned} is of user {NOBODY}, whom files of root's would lock out: start the program as that user"
        in answer.stderr
    )


def test_a_folder_of_roots_that_others_may_write_keeps_no_state(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(Planted, match="others than root may write in"), as_owner(tmp_path, state=True):
        pass
