"""What the bridge to MicroPython says where something is missing."""

import shutil
import subprocess

import pytest

from tests.support import micropython_bridge as bridge


def test_without_node_it_says_what_the_tests_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(bridge.NoMicroPython, match="need Node 20 or newer with npm"):
        bridge.install()


def test_an_old_node_is_named_with_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bookworm's own is 18."""

    def old(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 0, stdout="v18.19.0\n")

    monkeypatch.setattr(subprocess, "run", old)
    with pytest.raises(bridge.NoMicroPython, match=r"20 or newer, not v18\.19\.0"):
        bridge.install()


def test_a_program_that_fails_says_why() -> None:
    with pytest.raises(RuntimeError, match="no module named 'nothing'"):
        bridge.run_program("import nothing")
