"""`python -m tests.club_load.table_away`: an event at which everything fails once, and a table is away for an hour."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.club_load.disturbed_evening import WHOLE, Away, Back, hold_disturbed, lost_or_changed
from tests.support.patience import PATIENCE_S

HOUR_S: Final = 3600


def main() -> int:
    """Hold the event, print what came of it, and return 1 where something is otherwise than if nothing had failed."""
    arguments = _arguments()
    away = Away(arguments.seconds, arguments.every)
    with tempfile.TemporaryDirectory(prefix="captains-table-club-") as folder:
        held = hold_disturbed(WHOLE, Path(folder), away, PATIENCE_S * WHOLE.rounds)
        wrong = lost_or_changed(WHOLE, held, Path(folder))
    print(f"{WHOLE.players} players, {WHOLE.rounds} rounds, {WHOLE.tables} tables; {len(held.ended)} matches ended")
    for back in held.back:
        _tell(back)
    for words in wrong:
        print(words, file=sys.stderr)
    return 1 if wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=HOUR_S, metavar="S", help="how long it is away (%(default)s)")
    parser.add_argument(
        "--every", type=float, default=20, metavar="S", help="then all end one more match (%(default)s)"
    )
    return parser.parse_args()


def _tell(back: Back) -> None:
    print(f"a table came back: {back.waited} results waited, all acknowledged after {back.told_s:.1f} s")
    print(f"  its speaker: {back.before_mb:.1f} MB before, {back.after_mb:.1f} MB after")
    print(f"  it said: {' '.join(back.words) or 'nothing'}")


if __name__ == "__main__":
    sys.exit(main())
