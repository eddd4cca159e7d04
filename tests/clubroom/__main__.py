"""`make club`: a club's evening on this machine, to be looked at and tried: broker, server, twelve tables at play."""

import argparse
import contextlib
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.clubroom.programme import contest_for, plays_for
from tests.clubroom.room import Room
from tests.support.mosquitto import PROGRAMS

WALL_PORT: Final = 8378


def main() -> int:
    """Hold an evening until it is interrupted, and return the exit code."""
    arguments = _arguments()
    if not any(Path(program).exists() for program in PROGRAMS):
        print("There is no Mosquitto: sudo apt-get install mosquitto", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), tempfile.TemporaryDirectory(prefix="captains-table-club-") as folder:
        plays = plays_for(arguments.tables, short=arguments.short)
        port = WALL_PORT if _is_free(WALL_PORT) else 0
        contest = contest_for(arguments.tables, short=arguments.short)
        with Room(Path(folder), plays, arguments.host, port, contest, short=arguments.short) as room:
            _hold(room)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make club ARGS=", description=__doc__)
    parser.add_argument("--tables", type=int, default=12, metavar="N", help="how many tables play (12)")
    parser.add_argument("--host", default="127.0.0.1", help="the address the wall listens on (127.0.0.1)")
    parser.add_argument("--short", action="store_true", help="matches of a move, or a few throws: results come at once")
    return parser.parse_args()


def _hold(room: Room) -> None:
    print(f"The wall is at {room.club.wall}")
    print(f"The arbiter is at {room.club.arbiter}")
    print("The tables come up, which takes a while. Ctrl-C ends all of it.", flush=True)
    room.open_tables()
    for number, crew in enumerate(room.crews, start=1):
        print(f"Table {number} is at {crew.address}/table")
    sys.stdout.flush()
    room.open_event()
    while room.is_open():
        room.look_after()


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
