"""Lets a real Home Assistant look on at a club of one table, and says what it shows: `tests.home_assistant HASS`.

HASS is its program, with words before it where it needs any; it may have to fetch what its integrations need.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.clubroom.room import Room
from tests.home_assistant.home import HomeAssistant, NotSoAtHome
from tests.home_assistant.trial import PLAY, Trial, automations


def main() -> int:
    """Try it, and return the exit code: 0 where all is as docs/club.md says, 1 where it is not."""
    parser = argparse.ArgumentParser(prog="python -m tests.home_assistant", description=__doc__)
    parser.add_argument(
        "hass", nargs="+", metavar="HASS", help="the program hass of an installation, such as ha/bin/hass"
    )
    command = parser.parse_args().hass
    try:
        _try_out(command)
    except NotSoAtHome as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _try_out(command: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="captains-table-home-") as folder, Room(Path(folder), (PLAY,)) as room:
        room.open_tables()
        with HomeAssistant(command, Path(folder) / "home", automations()) as home:
            print(f"Home Assistant {home.version}:", flush=True)
            Trial(room, home, lambda words: print(f"- {words}", flush=True)).run()


if __name__ == "__main__":
    sys.exit(main())
