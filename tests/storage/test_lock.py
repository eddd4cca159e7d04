import subprocess
import sys
from pathlib import Path

import pytest

from captains_table.storage.lock import StateInUse, StateUnusable, sole_use

HOLDER = """
import sys, time
from pathlib import Path
from captains_table.storage.lock import sole_use
with sole_use(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_table_over_the_same_state_is_refused(tmp_path: Path) -> None:
    with sole_use(tmp_path), pytest.raises(StateInUse, match="another table runs"), sole_use(tmp_path):
        pass


def test_a_killed_table_lets_go_of_its_state(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.kill()
    with sole_use(tmp_path):
        pass


def test_a_state_directory_is_made_where_there_is_none_and_one_that_is_a_file_is_named(tmp_path: Path) -> None:
    with sole_use(tmp_path / "not" / "there"):
        assert (tmp_path / "not" / "there").is_dir()
    (tmp_path / "file").write_text("", encoding="ascii")
    with pytest.raises(StateUnusable, match="file cannot be used"), sole_use(tmp_path / "file"):
        pass
