"""Debian's `nats-server`, which speaks MQTT too: a broker of another make, kept in JetStream."""

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

from tests.support.mosquitto import STEP_S, answers, free_port
from tests.support.patience import PATIENCE_S
from tests.support.tools import program

SETTINGS: Final = """\
listen: "127.0.0.1:{own}"
server_name: "club"
jetstream {{ store_dir: "{folder}/jetstream" }}
mqtt {{ listen: "127.0.0.1:{port}" }}
"""


class NatsServer:
    """A NATS server on loopback; ready as soon as it is made.

    Args:
        folder: where its configuration, its log and what it keeps are.
        settings: further lines of its configuration.
    """

    def __init__(self, folder: Path, settings: Sequence[str] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.log = folder / "nats.log"
        self._file = folder / "nats.conf"
        own = SETTINGS.format(own=free_port(), port=self.port, folder=folder)
        self._file.write_text(own + "".join(f"{line}\n" for line in settings), encoding="utf-8")
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        path = os.environ["PATH"]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [program("nats-server", f"{path}:/usr/sbin"), "-c", self._file], stdout=log, stderr=log
            )
        patience = time.monotonic() + PATIENCE_S
        while not answers(self.port):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < patience, self.log.read_text()
            time.sleep(STEP_S)

    def kill(self) -> None:
        """Let it end without a word."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
