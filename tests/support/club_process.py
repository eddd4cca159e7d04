"""The command `captains-table club` as a child process, and its arbiter, who goes there as a browser does."""

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.support.listening_process import COMMAND, AddressedProcess
from tests.support.pages import Pages

WALL: Final = re.compile(r"^The wall is at (?P<address>http://\S+)$", re.MULTILINE)
ARBITER: Final = re.compile(r"^The arbiter is at (?P<address>http://\S+token=(?P<token>\S+))$", re.MULTILINE)


def configured(folder: Path, port: int) -> Path:
    """Return the settings of a server at a broker on loopback; what it keeps, and they, are in a folder."""
    file = folder / "club.toml"
    file.write_text(f'[club]\ntitle = "Harbour"\nstate_dir = "state"\n[broker]\nport = {port}\n[web]\nport = 0\n')
    return file


def altered(code: str) -> tuple[str, ...]:
    """Return the program with some code that is run before it."""
    return sys.executable, "-c", f"{code}\nimport sys\nfrom captains_table.cli.main import main\nsys.exit(main())"


WITHOUT_WORKERS: Final = altered("""
from captains_table.club import service
from captains_table.club.events.event import event_of
from captains_table.club.events.pairing import next_round
from captains_table.club.pairing_worker import PairingWorker
from captains_table.club.proof_worker import proof_of

async def pair(_, entries, prefix):
    return next_round(event_of(entries), prefix)

async def prove(outcome, export):
    return proof_of(outcome, export)

PairingWorker.pair, service.prove_in_worker = pair, prove
""")
"""A server that pairs and verifies in its own process: a process for each round and result is most of its work."""


class ClubProcess(AddressedProcess):
    """A club's server under a configuration file; ready as soon as it is made.

    Args:
        config: that file.
        logs: where what it writes goes.
        program: what is run with it.

    Attributes:
        wall: the address of its pages, with a slash at its end.
        arbiter: the address of the arbiter's pages, with the token.
        pages: asks for the pages as a guest does.
        token: lets the arbiter in.
    """

    def __init__(self, config: Path, logs: Path, program: Sequence[str | Path] = (COMMAND,)) -> None:
        super().__init__(["club", config], logs, "club", ARBITER, program)
        self.arbiter = self.address()
        wall, arbiter = WALL.search(self.words), ARBITER.search(self.words)
        assert wall is not None
        assert arbiter is not None
        self.wall, self.token = wall["address"], arbiter["token"]
        self.pages = Pages(self.wall)

    def health(self) -> dict[str, int]:
        """Return what it says of its own health."""
        health: dict[str, int] = self.pages.get("/health").json()
        return health

    def wait_for_line(self) -> None:
        """Wait until its line to the broker stands."""
        self.wait_until(lambda: self.health()["line"], lambda: "it has no line to its broker")


class Arbiter:
    """The arbiter of a club's first event.

    Args:
        club: the server.

    Attributes:
        pages: asks for any page with the arbiter's token.
    """

    def __init__(self, club: ClubProcess) -> None:
        self.pages = Pages(club.wall, {"x-table-token": club.token})

    def post(self, path: str, **fields: str) -> None:
        """Send a form to the arbiter's pages."""
        answer = self.pages.post(f"/arbiter{path}", fields)
        assert answer.status_code == 303, answer.text

    def make_swiss(
        self, title: str, game: str, rounds: int, players: Sequence[str], options: Mapping[str, str] | None = None
    ) -> None:
        """Make the first event, and enter new players, the best rated first."""
        for place, name in enumerate(players, 1):
            self.post("/players", name=name, rating=str(2000 - 10 * place))
        chosen = {f"option-{name}": value for name, value in (options or {}).items()}
        self.post("/new", title=title, game=game, system="swiss", rounds=str(rounds), forfeit_min="0", **chosen)
        self.post("/events/1/enter", **{f"player-{number}": "yes" for number in range(1, len(players) + 1)})

    def overview(self) -> str:
        """Return the arbiter's first page."""
        return self.pages.get("/arbiter").text

    def report(self) -> str:
        """Return the event as a tournament report."""
        return self.pages.get("/arbiter/events/1/report.trf").text
