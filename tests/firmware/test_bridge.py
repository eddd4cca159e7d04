"""What the bridge to MicroPython says where something is missing."""

from pathlib import Path

import pytest

from tests.support import micropython_bridge as bridge


def test_where_npm_cannot_fetch_micropython_its_own_words_are_handed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody_there = "http://127.0.0.1:9/"
    monkeypatch.setenv("npm_config_registry", nobody_there)
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    (tmp_path / "package.json").write_text((bridge.HERE / "package.json").read_text())
    monkeypatch.setattr(bridge, "HERE", tmp_path)
    monkeypatch.setattr(bridge, "INTERPRETER", tmp_path / "node_modules" / "nothing")
    with pytest.raises(bridge.NoMicroPython, match=r"npm could not install MicroPython(.|\n)*127\.0\.0\.1:9"):
        bridge.install()


def test_a_program_that_fails_says_why() -> None:
    with pytest.raises(RuntimeError, match="no module named 'nothing'"):
        bridge.run_program("import nothing")
