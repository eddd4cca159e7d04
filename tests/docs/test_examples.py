"""The examples in the documents are true: a tape plays, a configuration is read, code is that of the file it names."""

import io
import re
import textwrap
import tomllib

from captains_table.runtime.config import parse_table_config
from captains_table.runtime.tape_player import replay_lines
from tests.support.documents import ROOT, read_documents

DOCUMENTS = read_documents()
OPERATIONS = DOCUMENTS["docs/operations.md"]
EXCERPT = re.compile(r"^```\w+\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)  # its first line names the file


def test_the_tape_plays_and_its_expectations_hold() -> None:
    tape = textwrap.dedent(OPERATIONS.block("game legend")).splitlines()
    out, err = io.StringIO(), io.StringIO()
    assert replay_lines("operations.md", tape, out, err) == 0, err.getvalue()


def test_the_configuration_is_read() -> None:
    config = parse_table_config(tomllib.loads(textwrap.dedent(OPERATIONS.block("[table]"))))
    assert config.players == ("Anne", "Bart")
    assert config.settings.slide_ms == 300


def test_code_in_the_guide_to_a_new_game_is_that_of_the_files_it_names() -> None:
    excerpts = EXCERPT.findall(DOCUMENTS["docs/adding-a-game.md"].text)
    assert len(excerpts) >= 8
    for path, code in excerpts:
        assert code in (ROOT / path).read_text(encoding="utf-8"), f"{path}:\n{code}"
