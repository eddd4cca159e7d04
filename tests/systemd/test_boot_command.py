"""`captains-table boot`: shows what config.txt lacks for a build, writes it when somebody at a terminal says yes."""

import io
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from captains_table.cli import boot
from captains_table.cli.main import main

SHIPPED = "dtparam=audio=on\n[all]\n"


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.txt"
    path.write_text(SHIPPED, encoding="utf-8")
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, config: Path) -> Run:
    """Return what asks the command about the file with an answer, and returns its exit code and what it says."""

    def run_with(*words: str, answer: str = "", is_there: bool = True) -> tuple[int, str]:
        out = io.StringIO()
        for name, stream in (("stdin", io.StringIO(answer)), ("stdout", out)):
            monkeypatch.setattr(stream, "isatty", lambda: is_there)
            monkeypatch.setattr(sys, name, stream)
        return main(["boot", "pico-8x8", "--file", str(config), *words]), out.getvalue()

    return run_with


@pytest.mark.parametrize("answer", ["y\n", "Yes\n"])
def test_somebody_who_says_yes_gets_it_written_a_copy_kept_and_a_word_about_restarting(
    run: Run, config: Path, answer: str
) -> None:
    code, said = run(answer=answer)
    assert code == 0
    assert "    +dtparam=i2c_arm=on,i2c_arm_baudrate=400000" in said
    assert "sudo reboot" in said
    assert "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n" in config.read_text(encoding="utf-8")
    (copy,) = config.parent.glob("config.txt.before-*")
    assert copy.read_text(encoding="utf-8") == SHIPPED
    assert str(copy) in said


@pytest.mark.parametrize(
    ("answer", "is_there"), [("\n", True), ("n\n", True), ("yeah\n", True), ("", True), ("y\n", False)]
)
def test_anything_else_writes_nothing_and_nobody_is_asked_where_nobody_is(
    run: Run, config: Path, answer: str, *, is_there: bool
) -> None:
    code, said = run(answer=answer, is_there=is_there)
    assert code == 1
    assert ("Write it?" in said) == is_there
    again = f"sudo captains-table boot pico-8x8 --file {shlex.quote(str(config))} --yes"
    assert f"Nothing was written. To write it: {again}" in said
    assert config.read_text(encoding="utf-8") == SHIPPED
    assert list(config.parent.iterdir()) == [config]


def test_yes_may_be_said_beforehand_and_once_is_enough(run: Run, config: Path) -> None:
    assert run("--yes", is_there=False)[0] == 0
    written = config.read_text(encoding="utf-8")
    assert run(is_there=False) == (0, f"{config} has what pico-8x8 needs.\n")
    assert config.read_text(encoding="utf-8") == written
    assert len(list(config.parent.iterdir())) == 2


def test_the_file_is_looked_for_where_the_pi_has_it_and_without_one_the_lines_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [str(path) for path in boot.FILES] == ["/boot/firmware/config.txt", "/boot/config.txt"]
    monkeypatch.setattr(boot, "FILES", (tmp_path / "firmware" / "config.txt", config))
    assert main(["boot", "pico-8x8", "--yes"]) == 0
    assert str(config) in capsys.readouterr().out
    config.unlink()
    assert main(["boot", "pico-8x8"]) == 1
    assert "    dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n" in capsys.readouterr().out
    assert main(["boot", "simulated"]) == 0
    assert capsys.readouterr().out == ""


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boot", "pico-8x8", "--file", str(tmp_path / "nowhere.txt")]) == 2
    assert "nowhere.txt" in capsys.readouterr().err
