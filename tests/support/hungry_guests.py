"""Guests who take all they can get of a page, while somebody plays at the table: `besieged` says how it went.

The guests call from other addresses of loopback (127.0.0.2 and on), so that the table does not take them for its own
machine; the player and the kiosk call from 127.0.0.1. So may the guests: then they are a program gone wild over there.
As a command, `python -m tests.support.hungry_guests` holds a siege in full, from outside and from the table's own
machine, and prints how it went; with PORT STREAMS HALVES RESTS SEED FROM (a name in SOURCES) it is the guests alone,
until its standard input is closed, and prints what they met with.
"""

import asyncio
import http.client
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import httpx

from tests.support.patience import PATIENCE_S
from tests.support.table_process import COMMAND, Caller, TableProcess, write_config

HOME = ("127.0.0.1",)
AWAY = tuple(f"127.0.0.{number}" for number in range(2, 52))
SOURCES = {"home": HOME, "away": AWAY, "one": ("127.0.0.9",), "many": tuple(f"127.0.1.{n}" for n in range(64))}
WHOLE = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HALF = b"GET /table HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
PATHS = ("/events?page=display", "/events?page=table", "/events?page=display&side=black")
COME_BACK_S = (2.0, 6.0)
AT_ONCE_S = (0.1, 0.9)
"""How soon those come back who want to keep others out."""
DRIBBLE_S = 1.0
DESCRIPTORS = 256
Guest = Callable[[asyncio.StreamReader, asyncio.StreamWriter, Counter[str], random.Random], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Report:
    """How a table did among hungry guests."""

    picks: int  # answers that the table took from its player
    journalled: int  # those of them that its journal has, in their order
    action_s: Sequence[float]  # how long each answer took, as the player sees it
    shown_s: Sequence[float]  # how long until the kiosk showed what came of it
    breaks: int  # how often the kiosk's stream was cut
    crowd: Counter[str]  # what the guests met with: connections served, turned away, closed on them
    waiting: float  # the share of a core that the table took while nobody played
    playing: float  # the same while somebody did, as fast as they could
    open_files: int  # the most that the table had open at once
    complaints: str  # what it wrote to its standard error

    def lines(self) -> list[str]:
        """Return it for people to read."""
        crowd = ", ".join(f"{what} {count}" for what, count in sorted(self.crowd.items()))
        return [
            f"answers taken {self.picks}, in the journal {self.journalled}",
            f"an answer took {_spread(self.action_s)}; on the kiosk after {_spread(self.shown_s)}",
            f"the kiosk's stream was cut {self.breaks} times",
            f"guests: {crowd}",
            f"{self.waiting:.0%} of a core while nobody played, {self.playing:.0%} while somebody did",
            f"at most {self.open_files} open files",
            f"lines on the standard error: {len(self.complaints.splitlines())}",
        ]


def _spread(seconds: Sequence[float]) -> str:
    ms = sorted(1000 * each for each in seconds)
    return f"{statistics.median(ms):.0f} ms (99 of 100 within {ms[int(len(ms) * 0.99)]:.0f} ms, worst {ms[-1]:.0f} ms)"


# --- the guests -------------------------------------------------------------------------------------------------------


class Crowd:
    """The guests, in a process of their own while it is entered."""

    def __init__(
        self, port: int, *, streams: int, halves: int, seed: int, rests: int = 0, source: str = "away"
    ) -> None:
        numbers = map(str, (port, streams, halves, rests, seed))
        words = [sys.executable, "-m", "tests.support.hungry_guests", *numbers, source]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
        )

    def leave(self) -> Counter[str]:
        """Let them go, and return what they met with."""
        out, _ = self._process.communicate("", timeout=PATIENCE_S)
        return Counter(json.loads(out))

    def kill(self) -> None:
        """End them in any case; harmless if they have gone."""
        self._process.kill()
        self._process.wait()


async def _crowd(port: int, streams: int, halves: int, rests: int, seed: int, source: str) -> Counter[str]:
    met: Counter[str] = Counter()
    rng, sources = random.Random(seed), SOURCES[source]
    come_back_s = COME_BACK_S if source in {"home", "away"} else AT_ONCE_S
    guests = [
        asyncio.ensure_future(
            _stay(kind, port, sources[number % len(sources)], met, random.Random(rng.random()), come_back_s)
        )
        for number, kind in enumerate([_follow] * streams + [_dribble] * halves + [_rest] * rests)
    ]
    await asyncio.to_thread(sys.stdin.read)
    for guest in guests:
        guest.cancel()
    await asyncio.gather(*guests, return_exceptions=True)
    return met


async def _stay(
    kind: Guest, port: int, source: str, met: Counter[str], rng: random.Random, come_back_s: tuple[float, float]
) -> None:
    """Come again whenever the connection ends."""
    await asyncio.sleep(rng.uniform(0, 1))
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
        except OSError:
            met["could not connect"] += 1
        else:
            try:
                met[await kind(reader, writer, met, rng)] += 1
            except OSError:
                met["cut off"] += 1
            finally:
                writer.close()
        await asyncio.sleep(rng.uniform(*come_back_s))


async def _follow(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, met: Counter[str], rng: random.Random
) -> str:
    """Follow the table by an event stream until it ends; return how it did."""
    writer.write(f"GET {rng.choice(PATHS)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    head = await reader.readline()
    if b" 200 " not in head:
        rest = (await reader.read(4096)).lower()
        return "stream turned away" if b" 503 " in head and b"retry-after: " in rest else f"stream {head!r}"
    met["stream served"] += 1
    while await reader.read(65_536):
        pass
    return "stream ended"


async def _dribble(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, met: Counter[str], rng: random.Random
) -> str:
    """Send half a request, and then a letter a second, until it is closed; return how."""
    met["half a request"] += 1
    answer = asyncio.ensure_future(reader.read(4096))
    try:
        writer.write(HALF[: rng.randrange(1, len(HALF) + 1)])
        while not answer.done():
            await asyncio.wait({answer}, timeout=DRIBBLE_S)
            writer.write(b"x")
        said = answer.result()
    finally:
        answer.cancel()
    for status in (b"503", b"408", b"400"):
        if said.startswith(b"HTTP/1.1 " + status):
            return f"half a request answered {status.decode()}"
    return "half a request closed" if not said else f"half a request {said[:20]!r}"


async def _rest(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, met: Counter[str], rng: random.Random
) -> str:
    """Ask something or nothing, and then rest until the connection is closed; return how the answer began."""
    if rng.random() < 0.5:
        writer.write(WHOLE)
    met["rested"] += 1
    said = await reader.read(4096)
    while await reader.read(65_536):
        pass
    return f"rested after {said[9:12].decode()}" if said else "rested after nothing"


# --- the player and the kiosk -----------------------------------------------------------------------------------------


class Kiosk:
    """Follows the table as the screen at it does."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._events: list[float] = []
        self.breaks = 0
        self._gone = False
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def shown_since(self, began: float) -> float:
        """Wait for the first event after a moment; return how many seconds after it it came."""
        while time.monotonic() < began + PATIENCE_S:
            found = next((at for at in self._events[-50:] if at >= began), None)
            if found is not None:
                return found - began
            time.sleep(0.0005)
        raise AssertionError("the kiosk was never shown what was done")

    def leave(self) -> None:
        """Follow no more."""
        self._gone = True

    def _follow(self) -> None:
        while not self._gone:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
            try:
                connection.request("GET", "/events?page=display")
                answer = connection.getresponse()
                assert answer.status == 200, answer.status
                while line := answer.readline():
                    if line.startswith(b"data: "):
                        self._events.append(time.monotonic())
            except (OSError, http.client.HTTPException):
                pass
            finally:
                connection.close()
            self.breaks += not self._gone


class Insistent(Caller):
    """Asks again where a connection is cut, as somebody does whose own machine is full of others' calls."""

    def get(self, path: str) -> httpx.Response:
        return self._again(lambda: super(Insistent, self).get(path))

    def post(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        answer = self._again(lambda: super(Insistent, self).post(path, body, **headers))
        if answer.status_code == HTTPStatus.CONFLICT and self.cut:  # it was taken before the cut
            return httpx.Response(HTTPStatus.NO_CONTENT)
        return answer

    def _again(self, ask: Callable[[], httpx.Response]) -> httpx.Response:
        self.cut = 0
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                return ask()
            except httpx.TransportError:
                self.cut += 1
                if time.monotonic() > until:
                    raise


class Player:
    """Plays a game of dice by requests, anything that is asked, and remembers what the table took."""

    def __init__(self, table: TableProcess, kiosk: Kiosk, rng: random.Random, *, at_home: bool) -> None:
        self._caller = (Insistent if at_home else Caller)(table.origin, table.token)
        self._caller._client.headers["Connection"] = "close"  # one that rests may be closed just when it is used again
        self._kiosk = kiosk
        self._rng = rng
        self._matches = 1
        self.picks: list[str] = []
        self.action_s: list[float] = []
        self.shown_s: list[float] = []

    def step(self) -> None:
        """Throw the dice or answer what is asked; where the match is over, begin another."""
        if self._caller.get("/health").json()["phase"] == "over":
            self._post("/new", {"game": "swashbuckle", "name1": "Anne", "name2": "Bart", "order": "seated"})
            self._matches += 1
        offers = self._caller.offers()
        began = time.monotonic()
        if not offers:
            self._post("/button/roll/press")
            self._post("/button/roll/release")
        else:
            id_ = self._rng.choice(offers)
            revision = self._caller.revision()
            began = time.monotonic()
            self._post("/answer", {"revision": revision, "action": {"type": "pick", "id": id_}})
            self.picks.append(id_)
            self.action_s.append(time.monotonic() - began)
        self.shown_s.append(self._kiosk.shown_since(began))

    def journalled(self) -> list[str]:
        """Return the picks that the table's journal has."""
        matches = [self._caller.get(f"/export/{number}.json").json() for number in range(1, self._matches + 1)]
        actions = [entry.get("action", {}) for match in matches for entry in match["entries"]]
        return [action["id"] for action in actions if action.get("type") == "pick"]

    def leave(self) -> None:
        """Close the connection."""
        self._caller.close()

    def _post(self, path: str, body: object = None) -> None:
        answer = self._caller.post(path, body)
        assert answer.status_code == 204, answer.text


def besieged(  # noqa: PLR0913 - a siege has many measures, each with its default
    folder: Path,
    *,
    streams: int = 1000,
    halves: int = 320,
    answers: int = 300,
    settle_s: float = 15.0,
    seed: int = 7,
    at_home: bool = False,
    limits: Sequence[str] = (),
) -> Report:
    """Let somebody play at a table with 256 descriptors among hungry guests, and return how it went.

    Args:
        folder: for the table's state and what it writes; it must be empty.
        streams: how many guests want to follow the table.
        halves: how many send half requests.
        answers: how many answers are given meanwhile.
        settle_s: how long the guests are there before the first.
        seed: of what guests and player do.
        at_home: whether the guests call from the table's own machine.
        limits: lines of the table's configuration under [web].
    """
    match = ("[match]", 'game = "swashbuckle"', 'players = ["Anne", "Bart"]', 'options = { order = "seated" }')
    config = write_config(folder, *match, web=('host = "0.0.0.0"', "port = 0", *limits))
    shell = ("sh", "-c", f'ulimit -n {DESCRIPTORS}; exec "$0" "$@"', COMMAND)
    table = TableProcess("run", config, logs=folder / "logs", program=shell)
    crowd = Crowd(table.port, streams=streams, halves=halves, seed=seed, source="home" if at_home else "away")
    kiosk = Kiosk(table.port)
    player = Player(table, kiosk, random.Random(seed), at_home=at_home)
    try:
        arrived = _Clock(table)
        time.sleep(settle_s)
        waiting, played, open_files = arrived.share(), _Clock(table), 0
        while len(player.picks) < answers:
            player.step()
            open_files = max(open_files, len(list(Path(f"/proc/{table.process.pid}/fd").iterdir())))
        playing = played.share()
        journalled = player.journalled()
        met = crowd.leave()
        kiosk.leave()
        breaks = kiosk.breaks
        table.stop()
    finally:
        crowd.kill()
        player.leave()
        table.kill()
    return Report(
        picks=len(player.picks),
        journalled=sum(done == kept for done, kept in zip(player.picks, journalled, strict=False)),
        action_s=player.action_s,
        shown_s=player.shown_s,
        breaks=breaks,
        crowd=met,
        waiting=waiting,
        playing=playing,
        open_files=open_files,
        complaints=table.complaints,
    )


class _Clock:
    """Measures which share of a core a table takes from now on."""

    def __init__(self, table: TableProcess) -> None:
        self._pid = table.process.pid
        self._began, self._busy_s = time.monotonic(), self._busy()

    def share(self) -> float:
        """Return the share so far."""
        return (self._busy() - self._busy_s) / (time.monotonic() - self._began)

    def _busy(self) -> float:
        """Return how many seconds of a core the process has taken; source: proc_pid_stat(5)."""
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(words: Sequence[str]) -> None:
    """Hold a siege in full; or be the guests until the standard input is closed."""
    if not words:
        for at_home in (False, True):
            print("From the table's own machine:" if at_home else "From outside:")
            with tempfile.TemporaryDirectory() as folder:
                print("\n".join(f"  {line}" for line in besieged(Path(folder), at_home=at_home).lines()))
        return
    *numbers, source = words
    port, streams, halves, rests, seed = map(int, numbers)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(json.dumps(asyncio.run(_crowd(port, streams, halves, rests, seed, source))))


if __name__ == "__main__":
    main(sys.argv[1:])
