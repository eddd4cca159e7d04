"""What announces this machine's name in place of avahi, by answers that avahi 0.8 gave."""

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

UNKNOWN = b"-15 Timeout reached\n"


@contextlib.contextmanager
def announcing(path: Path, names: Mapping[str, bytes | None]) -> Iterator[None]:
    """Answer on a socket which name an address has; None: say nothing."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        held: list[socket.socket] = []

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    line, _ = listener.accept()
                    held.append(line)
                    command, _, address = line.recv(300).decode().strip().partition(" ")
                    said = names.get(address, UNKNOWN) if command == "RESOLVE-ADDRESS" else b"-1 no such command\n"
                    if said is not None:
                        line.sendall(said)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)
            for line in held:
                line.close()
            path.unlink()
