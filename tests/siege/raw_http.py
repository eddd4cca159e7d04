"""Bytes to a server and what it answers, with nothing in between that would put them right."""

import re
import socket
from dataclasses import dataclass

from tests.support.patience import PATIENCE_S

STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
END_OF_HEAD = b"\r\n\r\n"
MOMENT_S = 0.02


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, None if nothing came, and all bytes."""

    status: int | None
    data: bytes

    @property
    def body(self) -> str:
        return self.data.partition(END_OF_HEAD)[2].decode(errors="replace")


def send(port: int, data: bytes, *, is_whole: bool = True) -> Answer:
    """Send bytes on a connection of their own and return the answer; raises TimeoutError where one must come.

    Where what is sent is not whole it is waited for a moment only.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        found = b""
        try:
            connection.sendall(data)
            if not is_whole:
                connection.settimeout(MOMENT_S)
            while not _is_complete(found, has_body=not data.startswith(b"HEAD ")) and (
                more := connection.recv(1 << 16)
            ):
                found += more
        except TimeoutError:
            if is_whole:
                raise
        except OSError:  # the server hung up while we were speaking: it may
            pass
    status = STATUS.match(found)
    return Answer(int(status[1]) if status else None, found)


def _is_complete(data: bytes, *, has_body: bool) -> bool:
    """Return whether an answer is all there; of a stream the head is enough."""
    head, end, body = data.partition(END_OF_HEAD)
    if not end:
        return False
    length = LENGTH.search(head + b"\r\n")
    return length is None or not has_body or len(body) >= int(length[1])


def request(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    """Return a request as it is sent; the length of its body goes with it unless the headers say one."""
    if body and not any(name.lower() in ("content-length", "transfer-encoding") for name in headers):
        headers = headers | {"Content-Length": str(len(body))}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode("utf-8", "surrogatepass") + END_OF_HEAD + body
