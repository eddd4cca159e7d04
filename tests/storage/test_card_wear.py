"""What a match writes to the card, as docs/operations.md says it of SD cards."""

import re
from pathlib import Path

from captains_table.games.contract import Rolled
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import Acted, MatchStarted
from tests.support.documents import ROOT

ACTIONS = 200
STARTED = MatchStarted("legend", ("Anne", "Bart"), {"rounds": "1"}, "ab" * 32)


def written() -> int:
    """Return the bytes this process has handed to the kernel so far, in files and elsewhere."""
    found = re.search(r"^wchar: (\d+)$", Path("/proc/self/io").read_text(encoding="ascii"), re.MULTILINE)
    assert found is not None
    return int(found[1])


def test_an_action_writes_no_more_than_is_said(tmp_path: Path) -> None:
    said = re.search(r"writes (\d+) kB and waits once", (ROOT / "docs/operations.md").read_text(encoding="utf-8"))
    assert said is not None
    file = JournalFile(tmp_path / "journal.sqlite3")
    journal = file.start(STARTED, bytes(range(32)))
    before = written()
    for seq in range(ACTIONS):
        journal.append(Acted(seq, seq % 2, 1000 * seq, Rolled((1, 2, 3, 4, 5, 6))))
    each = (written() - before) / ACTIONS / 1000
    file.close()
    assert each <= int(said[1])
    assert each > int(said[1]) / 2, "it has become less: say so"
