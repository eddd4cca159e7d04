"""The examples in README.md are true: its tape plays, its configuration is read."""

import io
import re
import textwrap
import tomllib
from pathlib import Path

from captains_table.runtime.config import parse_config
from captains_table.runtime.tape_player import replay_lines

README = Path(__file__).parent.parent / "README.md"


def block_with(beginning: str) -> str:
    blocks = re.findall(r"(?:^    .*\n|^\n)+", README.read_text(encoding="utf-8"), re.MULTILINE)
    (found,) = [block for block in blocks if block.strip().startswith(beginning)]
    return textwrap.dedent(found)


def test_the_tape_plays_and_its_expectations_hold() -> None:
    out, err = io.StringIO(), io.StringIO()
    assert replay_lines("README.md", block_with("game legend").splitlines(), out, err) == 0, err.getvalue()


def test_the_configuration_is_read() -> None:
    config = parse_config(tomllib.loads(block_with("[table]")))
    assert config.players == ("Anne", "Bart")
    assert config.settings.slide_ms == 300
