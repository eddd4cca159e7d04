"""Debian's `nats-server`, which speaks MQTT too: a broker of another make, kept in JetStream."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.support.listening_process import ListeningProcess, free_port
from tests.support.tools import program

SETTINGS: Final = """\
listen: "127.0.0.1:{own}"
server_name: "club"
jetstream {{ store_dir: "{folder}/jetstream" }}
mqtt {{ listen: "127.0.0.1:{port}" }}
"""


class NatsServer(ListeningProcess):
    """A NATS server on loopback.

    Args:
        folder: where its configuration, its log and what it keeps are.
        settings: further lines of its configuration.
    """

    def __init__(self, folder: Path, settings: Sequence[str] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        file, port = folder / "nats.conf", free_port()
        own = SETTINGS.format(own=free_port(), port=port, folder=folder)
        file.write_text(own + "".join(f"{line}\n" for line in settings), encoding="utf-8")
        command = program("nats-server", f"{os.environ['PATH']}:/usr/sbin")
        super().__init__((command, "-c", file), folder / "nats.log", port)
