"""The real Mosquitto as a child process: started, killed and started again at the same port."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tests.support.patience import PATIENCE_S

PROGRAMS = ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/usr/bin/mosquitto")
STEP_S = 0.02


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class BrokerProcess:
    """A broker as its settings have it; ready as soon as it is made.

    Args:
        folder: where its configuration and log are.
        settings: the lines of its configuration.
        port: where these let it listen on loopback.
    """

    def __init__(self, folder: Path, settings: Sequence[str], port: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = port
        self.log = folder / "mosquitto.log"
        self._file = folder / "mosquitto.conf"
        user = ("user root",) if os.geteuid() == 0 else ()  # or it could not read what only the test's user may
        self._file.write_text("".join(f"{line}\n" for line in (*user, *settings)), encoding="utf-8")
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        program = next(path for path in PROGRAMS if Path(path).exists())
        with self.log.open("a") as log:
            self.process = subprocess.Popen([program, "-c", self._file], stdout=log, stderr=log)
        patience = time.monotonic() + PATIENCE_S
        while not answers(self.port):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < patience, self.log.read_text()
            time.sleep(STEP_S)

    def kill(self) -> None:
        """Let it end without a word, and forget all that was retained."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def stop(self) -> None:
        """Let it end in order."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class Mosquitto(BrokerProcess):
    """A broker on loopback that lets anybody in, unless its settings say otherwise.

    Args:
        folder: where its configuration and log are.
        settings: further lines of its configuration.
        port: where it listens; `None`: any free port.
    """

    def __init__(
        self, folder: Path, settings: Sequence[str] = ("allow_anonymous true",), port: int | None = None
    ) -> None:
        port = port or free_port()
        super().__init__(folder, (f"listener {port} 127.0.0.1", "set_tcp_nodelay true", *settings), port)


class ClubBroker(BrokerProcess):
    """The broker of a club that was laid out: by the very settings that Mosquitto has in its conf.d.

    Args:
        folder: where its log is.
        settings: the folder of these settings.
        port: the port in them.
    """

    def __init__(self, folder: Path, settings: Path, port: int) -> None:
        super().__init__(folder, (f"include_dir {settings}",), port)

    def reload(self) -> None:
        """Let it read passwords, access list and certificates again."""
        self.process.send_signal(signal.SIGHUP)


def answers(port: int) -> bool:
    """Return whether somebody listens on a port of loopback."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=STEP_S * 10).close()
    except OSError:
        return False
    return True
