"""`make club-load`: a club under five hundred tables, each of which shows a view a second, for ten minutes."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.club_load.halls import Brokers
from tests.club_load.load import Found, Load, put_under
from tests.club_load.recorded import PLAYED, Reel, recorded
from tests.support.browser import chromium

KB, MB = 1e3, 1e6
SEED: Final = 1


def main() -> int:
    """Put a club under a load, print what came of it, and return 1 where something is lost or above the limits."""
    arguments = _arguments()
    brokers = Brokers.BRIDGED if arguments.bridged else Brokers.NATS if arguments.nats else Brokers.ONE
    reels = [Reel(recorded(played, SEED + place)) for place, played in enumerate(PLAYED)]
    load = Load(arguments.tables, arguments.seconds, arguments.daemons, brokers, reels)
    with tempfile.TemporaryDirectory(prefix="captains-table-club-") as folder, chromium() as browser:
        found = put_under(load, Path(folder), browser)
    _tell(load, found)
    wrong = [*found.lost(), *found.slow()]
    for words in wrong:
        print(words, file=sys.stderr)
    return 1 if wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make club-load ARGS=", description=__doc__)
    parser.add_argument("--tables", type=int, default=500, metavar="N", help="tables in all (500)")
    parser.add_argument("--seconds", type=float, default=600, metavar="S", help="for how long they play (600)")
    parser.add_argument("--daemons", type=int, default=12, metavar="N", help="of the tables, real ones at play (12)")
    brokers = parser.add_mutually_exclusive_group()
    brokers.add_argument("--bridged", action="store_true", help=f"{Brokers.BRIDGED}, in place of {Brokers.ONE}")
    brokers.add_argument("--nats", action="store_true", help=f"{Brokers.NATS}, in place of {Brokers.ONE}")
    arguments = parser.parse_args()
    arguments.tables -= arguments.daemons
    return arguments


def _tell(load: Load, found: Found) -> None:
    count = sum(table.n for table in found.tables)
    size, told = (sum(table.size for table in found.tables), sum(table.tellings for table in found.tables))
    print(
        f"{load.brokers}: {load.tables} tables that show recorded matches, {load.daemons} daemons, {load.seconds:g} s"
    )
    print(f"views: {found.said:,} of {size / max(1, count) / KB:.1f} kB; taken {found.views:,}, left out for")
    print(f"  newer ones {found.left_out:,} (by tables themselves {sum(h.left_out for h in found.heard.values()):,})")
    print(f"results: {len(found.results):,}, told {told:,} times by the crowd; kept {len(found.kept):,}")
    print(f"lines that broke: {sum(table.lost for table in found.tables)}")
    print(
        f"table -> wall: median {found.late_ms(0.5)} ms, p99 {found.late_ms(0.99)} ms, longest {found.late_ms(1)} ms "
        f"({len(found.ages_ms):,} views on the page)"
    )
    for name, taken_s in found.cpu_s.items():
        peak = f", at most {found.peaks_mb[name]:.0f} MB" if name in found.peaks_mb else ""
        print(f"{name}: {taken_s / found.took_s:.1%} of a core{peak}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
