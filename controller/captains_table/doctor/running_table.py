"""Asks the web page of a running table about the health of its switches, and returns it as lines of text."""

import json
import urllib.error
import urllib.request
from pathlib import Path

from captains_table.daemon import ADDRESS
from captains_table.storage.ownership import Planted, as_owner

PATIENCE_S = 5.0


class NoTableRuns(OSError):
    """No running table responds."""


def switch_lines(state_dir: Path) -> list[str]:
    """Return the health of the running table's switches as lines of text.

    If no match with a board is on the table, the result is one sentence that says so.

    Args:
        state_dir: the table's state directory, where the table has written its page's address.

    Raises:
        NoTableRuns: no table has run with this directory, or the table does not respond.
        Planted: as in `as_owner`.
    """
    try:
        with as_owner(state_dir, state=True) as folder:
            address = (folder / ADDRESS).read_text(encoding="ascii").strip()
        with urllib.request.urlopen(f"{address}switches.json", timeout=PATIENCE_S) as answer:  # noqa: S310 - the table's own address
            switches = json.load(answer)["switches"]
    except FileNotFoundError:
        raise NoTableRuns(f"no table has run with {state_dir}: start one, or name another by --state") from None
    except Planted:
        raise
    except (urllib.error.URLError, OSError) as error:
        raise NoTableRuns(f"the table of {state_dir} does not answer ({error}): expected it to run") from error
    if not switches:
        return ["No match with a board is on the table."]
    lines = ["square  now     changes  flickers  condition"]
    for switch in switches:
        now = "closed" if switch["closed"] else "open"
        line = f"{switch['square']:6}  {now:6}  {switch['changes']:7}  {switch['flickers']:8}  {switch['condition']}"
        lines.append(line)
    return lines
