"""Requests that nobody's page sends, odd or mere noise, as bytes to a server; and what it answers."""

import json
import random
import re
import socket
from collections.abc import Callable
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode

from tests.siege.mutated_inputs import NUMBERS, WORDS, spoil_bytes, spoil_json
from tests.support.patience import PATIENCE_S

STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)
END_OF_HEAD = b"\r\n\r\n"
MOMENT_S = 0.02


class Answer(NamedTuple):
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


# --- what is sent -----------------------------------------------------------------------------------------------------

HOME: Final = {"Host": "127.0.0.1"}
GETS: Final = (
    *("/", "/table", "/new", "/matches", "/records", "/rules", "/rules/legend", "/pieces.svg", "/glass.png", "/events"),
    *("/export/1.json", "/export/1.pgn", "/health", "/switches", "/switches.json", "/static/style.css"),
)
NEW_MATCH: Final = {"game": "legend", "name1": "Anne", "name2": "Bart", "rounds": "1"}
BODIES: Final[dict[str, object]] = {
    "/answer": {"revision": 1048576, "action": {"type": "pick", "id": "roll"}},
    "/board/click": {"square": "e2"},
    "/board/take": {"piece": "p"},
    "/board/mask": {"square": "e4"},
    "/new": NEW_MATCH,
}
BARE_POSTS: Final = (
    *("/button/roll/press", "/button/roll/release", "/button/next/press", "/button/next/release", "/die/1"),
    *("/advice", "/board/beside", "/board/set-up", "/board/noise/on", "/board/noise/off", "/matches/1/resume"),
    "/timers/start",
)
METHODS: Final = ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "CONNECT", "get", "POST ", "", "Ω", "A" * 9000)
HEADERS: Final[tuple[tuple[str, str], ...]] = (
    *(("Host", host) for host in ("", "[", "evil.example", "127.0.0.1:99999", "[::1", "a@localhost", "é", "x" * 9000)),
    *(("Content-Length", length) for length in ("-1", "0", "1", "9" * 30, "1e3", "0x10", "+5", "5, 6", "")),
    *(("Transfer-Encoding", coding) for coding in ("chunked", "gzip, chunked", "identity", "chunked, chunked", "\x0b")),
    *(("Content-Type", kind) for kind in ("text/plain", "application/json; charset=utf-7", "multipart/form-data", "")),
    *(("Origin", origin) for origin in ("null", "http://evil.example", "http://[", "http://127.0.0.1:1", "é")),
    *(("Cookie", cookie) for cookie in ("table_token=", "=;=;=", "a" * 9000, 'x="\\', "table-token=\xff")),
    *(("X-Table-Token", token) for token in ("", "x", "é", "A" * 5000, "null")),
    *(("Accept", kind) for kind in ("text/html", "*/*", "", "é", "text/event-stream")),
    *(("Connection", word) for word in ("upgrade", "keep-alive, close", "\x01")),
    *(("Upgrade", word) for word in ("websocket", "h2c")),
    *(("Expect", word) for word in ("100-continue", "nothing")),
    *(("Range", word) for word in ("bytes=0-0", "bytes=-1", "bytes=9-1,1-2,x")),
    *(("If-None-Match", word) for word in ("*", '"x')),
    *((name, "x") for name in ("", "a b", "é", "X" * 9000, "X\x00Y", "X\r\nY")),
)
NOISE: Final = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /\r\n",
    b"GET / HTTP/0.9\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    b"\r\n" * 200 + b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET http://127.0.0.1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n folded\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"POST /answer HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n",
    b"POST /answer HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    b"POST /answer HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
    b"\x00" * 100,
    b"\xff" * 70_000,
)


class Malformed(NamedTuple):
    """A request as it is sent.

    Attributes:
        is_whole: whether it must be answered.
        may_touch: whether it may be one that does something at the table, whatever it was made to be.
    """

    kind: str
    data: bytes
    is_whole: bool = True
    may_touch: bool = True


def any_request(rng: random.Random) -> Malformed:
    return rng.choices(list(_KINDS), list(_KINDS.values()))[0](rng)


def _post(path: str, body: bytes, kind: str = "application/json") -> bytes:
    return request("POST", path, HOME | {"Content-Type": kind}, body)


def _well_formed(rng: random.Random) -> bytes:
    path = rng.choice(list(BODIES))
    return _post(path, json.dumps(BODIES[path]).encode())


def _spoilt_json(rng: random.Random) -> Malformed:
    """Return a POST that plays, with something else in its JSON than belongs there."""
    path = rng.choice(list(BODIES))
    body = json.dumps(BODIES[path])
    body = spoil_json(body, rng) if rng.random() < 3 / 4 else rng.choice((*WORDS, *NUMBERS, "[" * 20_000, "{"))
    return Malformed("JSON", _post(path, body.encode("utf-8", "surrogatepass")))


def _spoilt_form(rng: random.Random) -> Malformed:
    fields: dict[str, object] = {**NEW_MATCH}
    for _ in range(rng.randrange(1, 4)):
        key = rng.choice((*fields, "fen", "clock", "name99", "", *WORDS))
        fields[key] = rng.choice((*WORDS, *NUMBERS, "x" * 20_000))
    body = urlencode(fields, errors="replace").encode()
    if rng.random() < 1 / 4:
        body = spoil_bytes(body, rng)
    headers = HOME | {"Content-Type": "application/x-www-form-urlencoded", "Accept": rng.choice(("text/html", "*/*"))}
    return Malformed("form", request("POST", "/new", headers, body))


def _odd_path(rng: random.Random) -> Malformed:
    start = rng.choice((*GETS, *BARE_POSTS, *BODIES))
    word = quote(rng.choice((*WORDS, *NUMBERS)), safe="/%")
    path = rng.choice(
        (
            *(start + word, start.rpartition("/")[0] + "/" + word, f"{start}?{word}={word}", f"{start}?token={word}"),
            *(f"{start}?page=table&side={word}&page={word}", f"/rules/{word}", f"/new?game={word}"),
            *(f"/export/{word}.json", f"/export/1.{word}", f"/die/{word}", f"/matches/{word}/resume"),
            *(f"/button/{word}/press", f"/board/noise/{word}", f"/static/{word}/..%2f..%2fapp.py"),
            *("/static/../app.py", "//" + word, "/%", "/%zz", "/%00", "/" + "a" * rng.choice((1, 9000, 70_000)), "*"),
        )
    )
    return Malformed("path", request(rng.choice(("GET", "GET", "POST", "HEAD")), path, HOME))


def _odd_method(rng: random.Random) -> Malformed:
    path = rng.choice((*GETS, *BARE_POSTS, *BODIES))
    return Malformed("method", request(rng.choice(METHODS), path, HOME), may_touch=False)


def _odd_headers(rng: random.Random) -> Malformed:
    path = rng.choice((*GETS, *BODIES, *BARE_POSTS))
    headers = HOME | dict(rng.choices(HEADERS, k=rng.choice((1, 1, 2, 5))))
    body = json.dumps(BODIES[path]).encode() if path in BODIES else b""
    return Malformed("headers", request("GET" if path in GETS else "POST", path, headers, body), is_whole=False)


def _noise(rng: random.Random) -> Malformed:
    data = rng.choice(NOISE) if rng.random() < 2 / 3 else rng.randbytes(rng.randrange(1, 400))
    return Malformed("noise", data, is_whole=False, may_touch=False)


def _spoilt_bytes(rng: random.Random) -> Malformed:
    return Malformed("bytes", spoil_bytes(_well_formed(rng), rng), is_whole=False)


def _torn(rng: random.Random) -> Malformed:
    """Return a request that ends before its end; what reads its body cannot do anything then."""
    whole = _well_formed(rng)
    return Malformed("torn", whole[: rng.randrange(1, len(whole))], is_whole=False, may_touch=False)


def _too_long(rng: random.Random) -> Malformed:
    size = rng.choice((16_385, 70_000, 300_000))
    body = json.dumps({"square": "e2", "x": "y" * size}).encode()
    return Malformed("too long", request("POST", rng.choice(list(BODIES)), HOME, body), may_touch=False)


def _two_at_once(rng: random.Random) -> Malformed:
    """Return two requests in one breath, the second malformed."""
    return Malformed("two at once", request("GET", rng.choice(GETS[:5]), HOME) + any_request(rng).data, is_whole=False)


def _stale(rng: random.Random) -> Malformed:
    """Return an answer that would do if its revision were the present one."""
    id_ = rng.choice(("roll", "done", "abandon", "throw-again", "e2e4", "a2a3", "take-back", "put-right"))
    answer = {"revision": rng.choice((0, 1, -1, 1048575, 2**40)), "action": {"type": "pick", "id": id_}}
    return Malformed("stale", request("POST", "/answer", HOME, json.dumps(answer).encode()), may_touch=False)


def _bare(rng: random.Random) -> Malformed:
    """Return one of the POSTs that need no body: they may well do something."""
    return Malformed("bare", request("POST", rng.choice(BARE_POSTS), HOME))


_KINDS: Final[dict[Callable[[random.Random], Malformed], int]] = {
    _spoilt_json: 26,
    _spoilt_form: 8,
    _odd_path: 16,
    _odd_method: 8,
    _odd_headers: 12,
    _noise: 6,
    _spoilt_bytes: 6,
    _torn: 4,
    _too_long: 1,
    _two_at_once: 3,
    _stale: 6,
    _bare: 4,
}
