"""How much a club's server takes under many tables: `python -m tests.club_load [--tables 500] [--seconds 60]`."""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

import httpx

from tests.club_load.crowd import Crowd, recorded
from tests.club_load.measured import cpu_s, peak_mb
from tests.support.club_process import ClubProcess
from tests.support.mosquitto import Mosquitto
from tests.support.patience import PATIENCE_S

SETTLED_S = 10.0
STEP_S = 0.2


def main() -> None:
    """Print what broker, server and crowd took."""
    parser = argparse.ArgumentParser(prog="python -m tests.club_load")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), arguments.tables, arguments.seconds)


def measure(folder: Path, tables: int, seconds: float) -> None:
    """Let so many tables show a view a second for so long, and print what that took."""
    matches = recorded()
    with Mosquitto(folder / "broker") as broker:
        config = folder / "club.toml"
        config.write_text(f'[club]\nstate_dir = "state"\n[broker]\nport = {broker.port}\n[web]\nport = 0\n')
        with ClubProcess(config, folder) as server:
            crowd = Crowd(broker.port, tables, matches)
            pids = {"server": server.process.pid, "broker": broker.process.pid, "crowd": os.getpid()}
            before = {name: cpu_s(pid) for name, pid in pids.items()}
            began = time.monotonic()
            asyncio.run(crowd.play(seconds))
            took = time.monotonic() - began
            sent = sum(crowd.sent.values())
            health = settled(server, sent)
            print(f"{tables} tables, {seconds:.0f} s: {sent:,} views of {crowd.size / max(1, sent) / 1000:.1f} kB")
            lost = sent - health["views"] - health["left_out"]
            print(f"taken: {health['views']:,}, left out for newer ones: {health['left_out']:,}, lost: {lost:,}")
            for name, pid in pids.items():
                print(f"{name}: {(cpu_s(pid) - before[name]) / took:6.1%} of a core, at most {peak_mb(pid):.0f} MB")


def settled(server: ClubProcess, sent: int) -> dict[str, int]:
    """Return what the server says of itself once it has taken all that was sent, or nothing came for long."""
    patience = time.monotonic() + SETTLED_S
    health: dict[str, int] = {}
    while time.monotonic() < patience:
        before, health = health, httpx.get(f"{server.wall}health", timeout=PATIENCE_S).json()
        if health["views"] + health["left_out"] >= sent:
            break
        if health != before:
            patience = time.monotonic() + SETTLED_S
        time.sleep(STEP_S)
    return health


if __name__ == "__main__":
    main()
