"""Every scenario tape plays as it says: its `expect` and `# journal:` lines hold, and all that it shows is a message.

The tapes of Crowns without such a line are played by tests/games/test_crowns_tapes.py.
"""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from captains_table.runtime.tape_player import replay_files
from tests.languages.pseudo import watched_tapes

JOURNAL = "# journal:"
ALL = sorted((Path(__file__).parent / "tapes").glob("*.tape"))
TAPES = [tape for tape in ALL if not tape.stem.startswith("crowns-") or JOURNAL in tape.read_text()]
SLOW = {"whole-round", "quick-round", "worked-example", "settlement-example", "swashbuckle-tied-is-shared"}


def words_of(action: dict[str, Any]) -> str:
    match action["type"]:
        case "pick":
            return str(action["id"])
        case "keep":
            return " ".join(["keep", *map(str, action["dice"])])
        case "amount":
            return f"amount {action['value']}"
        case "rolled":
            return "".join(map(str, action["faces"]))
        case "take-back":
            return f"take-back {action['seq']}"
        case other:
            return str(other)


def journal_promised(tape: Path) -> list[str]:
    lines = [line.removeprefix(JOURNAL) for line in tape.read_text().splitlines() if line.startswith(JOURNAL)]
    return [words.strip() for line in lines for words in line.split(",")]


@pytest.mark.parametrize(
    "tape",
    [pytest.param(tape, id=tape.stem, marks=[pytest.mark.slow] if tape.stem in SLOW else []) for tape in TAPES],
)
def test_a_scenario_tape_plays_as_it_says(tape: Path) -> None:
    out, err = io.StringIO(), io.StringIO()
    with watched_tapes() as plain:
        code = replay_files([tape], out, err)
    assert (code, err.getvalue()) == (0, "")
    written = tape.read_text()  # names of people and pieces, and reasons that a game master gives
    assert {text for text in plain if text not in written} == set(), "no messages"
    *actions, last = [json.loads(line) for line in out.getvalue().splitlines()]
    assert set(last) == {"tape", "final"}
    promised = journal_promised(tape)
    if promised:
        assert [words_of(line["action"]) for line in actions] == promised


def test_there_are_scenario_tapes() -> None:
    assert len(TAPES) > 30
