"""The network comes late, changes and goes under a table that has been started without one."""

import io
import random
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import zxingcpp
from PIL import Image

from captains_table.runtime.config import TableConfig
from captains_table.runtime.running_page import find_running_page
from tests.siege.attack import Fault, Found, Trial
from tests.support.own_namespaces import cable, ip
from tests.support.patience import PATIENCE_S
from tests.support.table_process import TableProcess

HOTSPOT: Final = "10.42.0.1"
NOTHING: Final = "No network yet"
TAG: Final = re.compile("<[^>]*>")
JOIN: Final = re.compile(r'class="join\\?".*?</aside>')
SEAT: Final = re.compile(r'href="(http://[^"/]*)/seat\?')
MENU_S: Final = 5.5  # how long a push opens the table's own menu, and a little more
STEPS: Final = 3


class Network:
    """What a machine is on: a cable, perhaps with a way out, and a hotspot of its own."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._address = ""
        self._has_way_out = self._is_hotspot = False
        cable("eth0")
        cable("wlan0")
        ip("addr flush dev eth0")

    def change(self) -> str:
        open_changes = ["hotspot", "another address"]
        if self._address:
            open_changes += ["the address gone"] if self._has_way_out else ["a way out", "the address gone"]
        match change := self._rng.choice(open_changes):
            case "hotspot":
                self._is_hotspot = not self._is_hotspot
                ip(f"addr {'add' if self._is_hotspot else 'del'} {HOTSPOT}/24 dev wlan0")
            case "a way out":
                self._has_way_out = True
                ip(f"route add default via {self._address.rpartition('.')[0]}.1")
            case _:
                self._address, self._has_way_out = "", False
                ip("addr flush dev eth0")
        if change == "another address":
            self._address = f"192.168.{self._rng.randrange(256)}.{self._rng.randrange(2, 255)}"
            ip(f"addr add {self._address}/24 dev eth0")
        return f"{change} {'on' if self._is_hotspot else 'off'}" if change == "hotspot" else change

    def expected(self) -> set[str]:
        """Return the addresses of which one must be shown first; none: there is no network."""
        if self._has_way_out:
            return {self._address}
        return {self._address} - {""} | ({HOTSPOT} if self._is_hotspot else set())


class Watcher:
    """Everything that tells where the table is."""

    def __init__(self, table: TableProcess, state: Path) -> None:
        self._client = httpx.Client(base_url=table.origin, timeout=PATIENCE_S)
        self._owner = {"X-Table-Token": (state / "token").read_text().strip()}
        self._config = TableConfig(host="0.0.0.0", port=table.port, state_dir=state)  # noqa: S104 - in a network of its own
        self._streamed = ""
        threading.Thread(target=self._follow, daemon=True).start()
        self._open_address()

    def _follow(self) -> None:
        try:
            with self._client.stream("GET", "/events?page=display") as answer:
                for line in answer.iter_lines():
                    if '"join":' in line:
                        self._streamed = line
        except httpx.HTTPError:
            return

    def _open_address(self) -> None:
        """Let the glass show the page's address."""
        self._post("/button/choose/press")
        time.sleep(MENU_S)
        self._post("/button/choose/release")
        revision = self._client.get("/health").json()["revision"]
        self._post("/answer", {"revision": revision, "action": {"type": "pick", "id": "table-address"}})

    def _post(self, path: str, body: object = None) -> None:
        answer = self._client.post(path, json=body or {}, headers=self._owner)
        if answer.is_error:
            raise Found(Fault.WRONG, f"{path}: {answer.status_code} {answer.text[:300]}")

    def told(self) -> Iterator[tuple[str, str]]:
        """Yield who tells an address, and which: `192.0.2.7:8377`, empty where it is told that there is none."""
        yield "display", _joining(self._client.get("/").text)
        yield "stream", _joining(self._streamed.replace("\\n", "\n").replace('\\"', '"'))
        page = self._client.get("/seats", headers=self._owner).text
        seats = {link.partition("//")[2] for link in SEAT.findall(page)}
        yield "seats", "" if NOTHING in page and not seats else " ".join(sorted(seats))
        yield "glass", self._glass()
        others = find_running_page(self._config).others
        yield "command", others[0].partition("//")[2].rstrip("/") if others else ""

    def _glass(self) -> str:
        picture = Image.open(io.BytesIO(self._client.get("/glass.png").content)).convert("L")
        read = zxingcpp.read_barcodes(picture.resize((picture.width * 4, picture.height * 4), Image.Resampling.NEAREST))
        return read[0].text.partition("//")[2].removesuffix("/table") if read else ""


def _joining(html: str) -> str:
    found = JOIN.search(html.replace("\n", " "))
    words = " ".join(TAG.sub(" ", found[0].partition(">")[2]).split()) if found else "nothing"
    return words.removeprefix("On your phone").replace(NOTHING, "").strip().removesuffix("/table")


def run(trial: Trial) -> None:
    """Start a table without a network, and let that come, change and go."""
    network, state = Network(trial.rng), trial.place / "state"
    where = ("--host", "0.0.0.0", "--port", "0", "--state", state)  # noqa: S104 - in a network of its own
    with trial.daemon("play", "legend", "--players", "Anne", "Bart", *where) as table:
        watcher = Watcher(table, state)
        _expect(watcher, set(), table.port, "at the start")
        for _ in range(STEPS):
            change = network.change()
            _expect(watcher, network.expected(), table.port, change)
            trial.counts[change] += 1


def _expect(watcher: Watcher, hosts: set[str], port: int, change: str) -> None:
    """Wait until everything tells an address at which the table answers; raises Found."""
    until = time.monotonic() + PATIENCE_S
    expected = {f"{host}:{port}" for host in hosts} or {""}
    while wrong := [f"{who}: {where!r}" for who, where in watcher.told() if where not in expected]:
        if time.monotonic() > until:
            raise Found(Fault.WRONG, f"{change}: expected {sorted(expected)}; {', '.join(wrong)}")
        time.sleep(0.2)
    for address in expected - {""}:
        if httpx.get(f"http://{address}/health", timeout=PATIENCE_S).is_error:
            raise Found(Fault.WRONG, f"{change}: the table does not answer at {address}")
