"""Distributions installed as anybody installs them: Pig is there, the broken ones are named and the table plays on."""

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from captains_table.process.plugins import GROUP, install_plugins
from tests.support.table_process import COMMAND, TableProcess, run_command

ROOT = Path(__file__).parents[2]
BROKEN = Path(__file__).parent / "broken"
OFFLINE = ("--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "--no-index")
UNFINISHED = (
    "plug-in 'unfinished' of captains-table-broken 0.1.0 is left out: broken_game.unfinished:ENTRY cannot be loaded "
    "(ModuleNotFoundError: No module named 'broken_game.no_such_module'): "
    "expected a captains_table.catalog.GameEntry there"
)
SECOND_LEGEND = (
    "plug-in 'second-legend' of captains-table-broken 0.1.0 is left out: the key 'legend' is "
    "Legend's: expected one that no other game has"
)


def test_pig_is_installed_for_the_tests_alone() -> None:
    """`make test` installs it from its folder, without a network, and not where `make play` would find it."""
    (pig,) = (point for point in entry_points(group=GROUP) if point.name == "pig")
    assert pig.value == "pig_game:ENTRY"
    assert pig.dist is not None
    assert Path(str(pig.dist.locate_file(""))).resolve() == ROOT / ".venv" / "plugins"
    assert "pig (Pig on nine squares) of captains-table-pig 0.1.0" in install_plugins().installed
    installing = [line for line in (ROOT / "Makefile").read_text("utf-8").splitlines() if "tests/plugins/pig" in line]
    assert [line for line in installing if "pip install" in line and "--target $(PLUGINS)" not in line] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder into which the broken distribution was installed; the environment itself stays clean."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run([sys.executable, "-m", "pip", "install", *OFFLINE, "--target", folder, BROKEN], check=True)
    return folder


def test_the_doctor_names_the_broken_ones(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(site), prepend=os.pathsep)
    found = run_command("doctor", "--simulated", "--checks", "--state", tmp_path, timeout_s=60).stdout
    for words in (UNFINISHED, SECOND_LEGEND):
        assert f"warning  P{words[1:]}." in found
    assert "ok       Game pig (Pig on nine squares) of captains-table-pig 0.1.0 is installed." in found


def test_the_table_names_them_when_it_starts_and_plays_on(site: Path, tmp_path: Path) -> None:
    program = ("env", f"PYTHONPATH={site}", COMMAND)
    start = ("play", "legend", "--port", "0", "--state", tmp_path / "state")
    table = TableProcess(*start, logs=tmp_path / "log", program=program)
    try:
        assert table.complaints.splitlines() == [f"captains-table: {SECOND_LEGEND}", f"captains-table: {UNFINISHED}"]
    finally:
        table.stop()
    assert table.process.returncode == 0
