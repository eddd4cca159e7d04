"""The engine as another program runs it: a process, lines in, lines out."""

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from captains_table.players.legend.aether.opponent import LEVELS
from tests.players.test_engine_lines import ASKED
from tests.support.documents import ROOT
from tests.support.patience import PATIENCE_S
from tests.support.table_process import COMMAND

STRONGEST = str(max(LEVELS))
LONE_KING = "7k/8/8/8/8/8/8/7K w - - 0 1"


class Engine:
    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [str(COMMAND), "engine", "legend", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask_bytes(self, line: bytes) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer.endswith(b"\n")
        found: dict[str, Any] = json.loads(answer.decode())
        return found

    def ask(self, **changed: object) -> dict[str, Any]:
        return self.ask_bytes(json.dumps(ASKED | changed).encode() + b"\n")

    def end(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        assert self.process.stdout.read() == b""
        self.process.stdout.close()
        return self.process.wait(PATIENCE_S)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Yield an engine that several tests ask; at its input's end it ends with 0."""
    engine = Engine("--level", STRONGEST)
    yield engine
    assert engine.end() == 0


def test_a_question_is_answered_before_the_next_is_asked(engine: Engine) -> None:
    answer = engine.ask(die=6, throws=2)
    assert list(answer) == ["action", "move", "value", "depth", "nodes", "ms"]
    assert answer["action"] in ("throw", "move", "genie")
    assert answer["depth"] >= 1
    assert answer["nodes"] >= 1


def test_a_line_that_cannot_be_read_is_answered_by_an_error_and_the_next_is_read(engine: Engine) -> None:
    assert engine.ask_bytes(b"what?\n").keys() == {"error"}
    assert engine.ask_bytes(b"\n").keys() == {"error"}
    assert "UTF-8" in engine.ask_bytes(b"\xff\n")["error"]
    assert engine.ask(die=7)["error"].startswith("die: expected")
    assert engine.ask_bytes(b"[" * 200_000 + b"\n").keys() == {"error"}
    assert engine.ask(die=6)["action"] in ("throw", "move", "genie")


def test_the_value_counts_the_present_tallies_for_the_player_to_move(engine: Engine) -> None:
    even = engine.ask(fen=LONE_KING, die=5, throws=3, cargo=[0, 0], legend=[0, 0], genie_spent=[True, True])
    ahead = engine.ask(fen=LONE_KING, die=5, throws=3, cargo=[0, 0], legend=[30, 0], genie_spent=[True, True])
    assert ahead["value"] == pytest.approx(even["value"] + 30)


def answers(lines: Sequence[bytes], *arguments: str) -> list[dict[str, Any]]:
    engine = Engine(*arguments)
    found = [engine.ask_bytes(line) for line in lines]
    assert engine.end() == 0
    return [{key: value for key, value in answer.items() if key != "ms"} for answer in found]


def test_the_same_lines_get_the_same_answers_and_the_longer_it_may_think_the_more_it_looks_at() -> None:
    """At a level that errs."""
    lines = [json.dumps(ASKED | {"die": die, "throws": 1}).encode() + b"\n" for die in (1, 4, 6)]
    first, again = (answers(lines, "--level", "1") for _ in range(2))
    assert first == again
    [hasty] = answers(lines[-1:], "--level", "1", "--think", "0.001")
    assert hasty["nodes"] < first[-1]["nodes"]


def test_the_session_in_the_document_goes_as_it_is_written() -> None:
    """Values and moves change with what Aether learns; what is asked, refused and answered does not."""
    session = re.findall(r"^(?:< .*|{.*)$", (ROOT / "docs" / "engine.md").read_text(encoding="utf-8"), re.MULTILINE)
    asked = [line[2:].encode() + b"\n" for line in session if line.startswith("< ")]
    written = [json.loads(line) for line in session if not line.startswith("< ")]
    assert len(asked) == len(written) > 3
    for answered, wrote in zip(answers(asked, "--level", STRONGEST), written, strict=True):
        assert answered.keys() == wrote.keys() - {"ms"}
        assert answered.get("error") == wrote.get("error")


def test_the_last_line_may_lack_its_end() -> None:
    engine = Engine("--level", "1")
    out, _ = engine.process.communicate(json.dumps(ASKED).encode(), timeout=PATIENCE_S)
    assert json.loads(out)["action"] in ("throw", "move", "genie")
    assert engine.process.returncode == 0
