"""The examples in docs/operations.md are true: its tape plays, its configuration is read."""

import io
import textwrap
import tomllib

from captains_table.runtime.config import parse_config
from captains_table.runtime.tape_player import replay_lines
from tests.support.documents import read_documents

OPERATIONS = read_documents()["docs/operations.md"]


def test_the_tape_plays_and_its_expectations_hold() -> None:
    tape = textwrap.dedent(OPERATIONS.block("game legend")).splitlines()
    out, err = io.StringIO(), io.StringIO()
    assert replay_lines("operations.md", tape, out, err) == 0, err.getvalue()


def test_the_configuration_is_read() -> None:
    config = parse_config(tomllib.loads(textwrap.dedent(OPERATIONS.block("[table]"))))
    assert config.players == ("Anne", "Bart")
    assert config.settings.slide_ms == 300
