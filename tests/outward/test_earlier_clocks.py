"""Matches on a plain clock that were written before clocks had stages are exported, proven and resumed as they were.

Source: tests/outward/earlier/clocks/README.md.
"""

import re
import shutil
from pathlib import Path

import pytest

from tests.support.outward.command import command
from tests.support.table_process import Caller, TableProcess

PLAYED = Path(__file__).parent / "earlier" / "clocks"
EXPORTS = sorted(path.name for path in PLAYED.glob("match-*"))
FACE = re.compile(r'role="timer">(\d+):(\d\d)<')
LEFT_S = (300, 302)
BUSY_S = 100  # Anne's clock runs on while the page is fetched


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return a state directory with the earlier journal."""
    shutil.copy(PLAYED / "journal.sqlite3", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", EXPORTS)
def test_a_match_on_a_plain_clock_is_exported_to_the_byte(state: Path, name: str) -> None:
    number, _, form = name.removeprefix("match-").partition(".")
    exported = command("matches", "--state", state, "export", number, "--form", form)
    assert (exported.code, exported.err) == (0, "")
    assert exported.out.encode() == (PLAYED / name).read_bytes()


def test_there_is_an_export_of_each_match_and_form() -> None:
    assert EXPORTS == ["match-1.json", "match-1.pgn", "match-2.json", "match-2.pgn"]


def test_an_earlier_match_on_a_plain_clock_is_proven_with_its_interruption() -> None:
    verified = command("verify", PLAYED / "match-1.json")
    assert (verified.code, verified.err) == (0, "")
    first, second, *_ = verified.out.splitlines()
    assert first == "The seed is the one committed to, and all 0 throws are the seed's"
    assert second.startswith("The match was taken up again once: at entry 10 after 0:03, given back at most 0:00.")


@pytest.mark.parametrize("changed", ['"at_ms": 9478', '"at_ms": 8562'])
def test_an_earlier_match_with_a_move_after_the_time_is_not_proven(tmp_path: Path, changed: str) -> None:
    forged = tmp_path / "forged.json"
    text = (PLAYED / "match-1.json").read_text(encoding="utf-8")
    later = text[text.index(changed) :]
    forged.write_text(
        text.replace(later, re.sub(r'(?<="at_ms": )\d+', lambda found: f"{int(found[0]) + 600_000}", later))
    )
    verified = command("verify", forged)
    assert verified.code == 1
    assert "the time was up before" in verified.out


def test_an_earlier_match_on_a_plain_clock_goes_on_with_the_time_that_was_left(state: Path) -> None:
    table = TableProcess("matches", "resume", "2", "--state", state, "--port", "0", logs=state / "logs")
    anne = Caller(table.origin)
    try:
        acting, waiting = [int(m) * 60 + int(s) for m, s in FACE.findall(anne.get("/table").text)]
        assert waiting == LEFT_S[1]
        assert 0 <= LEFT_S[0] - acting <= BUSY_S
        anne.pick("a2a3", "press-clock")
    finally:
        anne.close()
        table.stop()
