"""`run --check` says of the configured engines what the table would say of them."""

from pathlib import Path

import pytest

from captains_table.cli import run
from captains_table.cli.main import main
from tests.support.odd_engines import odd_engine

pytestmark = pytest.mark.slow  # starts engines


def checked(folder: Path, engine: str, capsys: pytest.CaptureFixture[str], more: str = "") -> tuple[int, str]:
    config = folder / "table.toml"
    config.write_text((f"[table]\nengine = '{engine}'\n" if engine else "") + more, encoding="utf-8")
    code = main(["run", "--check", str(config)])
    told = capsys.readouterr()
    return code, told.out + told.err


@pytest.mark.parametrize("is_root", [True, False])
def test_a_program_that_is_not_there_is_not_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, is_root: bool
) -> None:
    monkeypatch.setattr(run, "is_root", lambda: is_root)
    (tmp_path / "text").write_text("no program", encoding="utf-8")
    for engine in ("/bin/sh -c id", str(tmp_path / "missing"), str(tmp_path / "text"), str(tmp_path)):
        code, words = checked(tmp_path, engine, capsys)
        assert code == 2
        assert f"engine = {engine!r}: there is no such program" in words


def test_an_engine_is_asked_for_a_move_by_everybody_but_root(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "is_root", lambda: False)
    code, words = checked(tmp_path, str(odd_engine(tmp_path, "plays-on-eight-files")), capsys)
    assert (code, "answered 'h1g1'" in words) == (2, True)
    assert checked(tmp_path, str(odd_engine(tmp_path, "none")), capsys)[0] == 0
    started = tmp_path / "by root"
    started.mkdir()
    monkeypatch.setattr(run, "is_root", lambda: True)
    assert checked(started, str(odd_engine(started, "dies-on-nine-files")), capsys)[0] == 0
    assert checked(started, "", capsys, "[[engine]]\nname = 'Leela'\npath = '/nowhere/lc0'\n")[0] == 2
    assert sorted(path.name for path in started.iterdir()) == ["dies-on-nine-files", "table.toml"]


def test_every_engine_is_asked_with_its_own_options_and_for_the_games_it_is_to_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "is_root", lambda: False)
    good, plain = odd_engine(tmp_path), odd_engine(tmp_path, "knows-no-variants")
    leela = f"[[engine]]\nname = 'Leela'\npath = '{good}'\n"
    assert checked(tmp_path, str(good), capsys, leela)[0] == 0
    code, words = checked(tmp_path, str(good), capsys, f"{leela}options = {{ Hush = 4 }}\n")
    assert (code, f"[[engine]] Leela: path = '{good}': {good} (Oddity 1): it has no option 'Hush'" in words) == (
        2,
        True,
    )
    other = f"[[engine]]\nname = 'Plain'\npath = '{plain}'\ngames = ['captains-chess']\n"
    code, words = checked(tmp_path, "", capsys, other)
    assert (code, f"Plain: path = '{plain}': {plain} (Plain) plays no variants" in words) == (2, True)
