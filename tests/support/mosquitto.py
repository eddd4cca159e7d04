"""The real Mosquitto as a child process."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from tests.support.listening_process import ListeningProcess, free_port

PROGRAMS = ("/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/usr/bin/mosquitto")


class BrokerProcess(ListeningProcess):
    """A broker as its settings have it.

    Args:
        folder: where its configuration and log are.
        settings: the lines of its configuration.
        port: where these let it listen on loopback.
        within: what runs it.
    """

    def __init__(self, folder: Path, settings: Sequence[str], port: int, within: Sequence[str] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "mosquitto.conf"
        user = ("user root",) if os.geteuid() == 0 else ()  # or it could not read what only the test's user may
        file.write_text("".join(f"{line}\n" for line in (*user, *settings)), encoding="utf-8")
        program = next(path for path in PROGRAMS if Path(path).exists())
        super().__init__((*within, program, "-c", file), folder / "mosquitto.log", port)

    def reload(self) -> None:
        """Let it read passwords, access list and certificates again."""
        self.process.send_signal(signal.SIGHUP)


class Mosquitto(BrokerProcess):
    """A broker on loopback that lets anybody in, unless its settings say otherwise.

    Args:
        folder: where its configuration and log are.
        settings: further lines of its configuration.
        port: where it listens; `None`: any free port.
        within: what runs it.
    """

    def __init__(
        self,
        folder: Path,
        settings: Sequence[str] = ("allow_anonymous true",),
        port: int | None = None,
        within: Sequence[str] = (),
    ) -> None:
        port = port or free_port()
        super().__init__(folder, (f"listener {port} 127.0.0.1", "set_tcp_nodelay true", *settings), port, within)
