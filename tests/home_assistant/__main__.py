"""Lets a real Home Assistant look on at a club of one table, and says what it shows: `tests.home_assistant HASS`.

HASS is its program, with words before it where it needs any; it may have to fetch what its integrations need.
"""

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from captains_table.reporting.messages import DISPLAY_USER, discovery_topic
from captains_table.storage.exports import outcome_in_words
from tests.clubroom.programme import Play
from tests.clubroom.room import Room
from tests.home_assistant.home import HomeAssistant, NotSoAtHome
from tests.support.documents import ROOT
from tests.support.listening_process import NotThere
from tests.support.patience import PATIENCE_S

PLAY: Final = Play("ship-captain-crew", ("Hanna", "Ivo"), "zephyr:1", {"mode": "single"})
"""A match of a few throws."""
USER: Final = "table-1"
ENTITY: Final = re.compile(r"(?:binary_)?sensor\.table_1_(?P<name>\w+)")
AUTOMATIONS: Final = re.compile(r"^```yaml\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
COMPLAINT: Final = re.compile(
    r"^.*(?:WARNING|ERROR).*(?:mqtt|MQTT|[Tt]emplate|table_1|captains-table|automation).*$", re.MULTILINE
)
AWAY: Final = re.compile(
    r"Disconnected from MQTT server|(?:connect|Error returned).* MQTT server|Error talking to MQTT"
)
"""What it says of a broker that is away, as it is for a while here."""
TAG: Final = re.compile(r"<[^>]+>")
STEP_S: Final = 0.1
UNAVAILABLE: Final = "unavailable"
ON_THE_TABLE: Final = ("match", "game", "players", "score", "on_turn", "winner", "arbiter_wanted")

Shown = Mapping[str, str]
"""State by what is seen of the table: the end of the entity's id."""


def automations() -> str:
    """Return the automations that docs/club-setup.md proposes."""
    found = AUTOMATIONS.search((ROOT / "docs" / "club-setup.md").read_text(encoding="utf-8"))
    assert found is not None
    return found["text"]


class Trial:
    """A club of one table, and a Home Assistant that looks on.

    Args:
        room: the club; its table is there.
        home: the Home Assistant.
        say: is told each thing that is as it should be, in a sentence.
    """

    def __init__(self, room: Room, home: HomeAssistant, say: Callable[[str], None]) -> None:
        self._room = room
        self._home = home
        self._say = say

    def run(self) -> None:
        """Try everything; raises NotSoAtHome at the first thing that is otherwise."""
        self._look_on()
        self._play()
        self._call_arbiter()
        self._lose_table()
        self._lose_broker()
        self._start_home_again()
        self._read_log()
        self._say("Home Assistant's log has no warning and no error about any of it")
        self._leave_for_good()
        self._read_log()

    def _look_on(self) -> None:
        club = self._room.laid_out
        self._home.add_mqtt(club.port, DISPLAY_USER, club.password(DISPLAY_USER), club.ca)
        shown = self._until(
            lambda shown: set(shown) == {"connection", *ON_THE_TABLE} and UNAVAILABLE not in shown.values()
        )
        self._say(f"the table is a device with {len(shown)} entities: {', '.join(sorted(shown))}")
        of = "{{ device_attr('sensor.table_1_match', 'NAME') }}"
        device = [self._home.told(of.replace("NAME", name)) for name in ("name", "manufacturer", "model")]
        if device != ["Table 1", "Captain's Table", "board 1"]:
            raise NotSoAtHome(f"the device is called {device}")
        self._until(connection="ready", match="idle", game="none", arbiter_wanted="off")
        self._say("it is ready, and nobody plays")

    def _play(self) -> None:
        self._until_playing()
        begun = {"game": "Ship, Captain and Crew", "players": "Hanna - Ivo", "score": "0 : 0", "winner": "none"}
        self._until(lambda shown: shown["on_turn"] in PLAY.players, **begun)
        self._say("a match that begins is shown: its game, its players, whose turn it is")
        over = self._until(lambda shown: shown["winner"] != "none", match="over")
        if over["on_turn"] != "nobody":
            raise NotSoAtHome(f"it is somebody's turn, though the match ended: {over}")
        winner = PLAY.players.index(over["winner"]) if over["winner"] in PLAY.players else None
        ending = outcome_in_words(PLAY.players, winner, [int(score) for score in over["score"].split(" : ")])
        self._wait(lambda: ending in self._evening(), lambda: f"expected {ending!r} on the page {self._evening()}")
        self._say(f"it ends {over['score']}, winner {over['winner']}: the club's server says the same")
        self._until_triggered("a_match_is_over")

    def _call_arbiter(self) -> None:
        self._room.crews[0].call_arbiter(wanted=True)
        self._until(arbiter_wanted="on")
        self._until_triggered("the_arbiter_is_wanted")
        self._room.crews[0].call_arbiter(wanted=False)
        self._until(arbiter_wanted="off")
        self._say("the arbiter is called, and sent away")

    def _lose_table(self) -> None:
        table = self._room.tables[0]
        table.kill()
        self._until(connection="lost", **dict.fromkeys(ON_THE_TABLE, UNAVAILABLE))
        self._say("a table that is killed is lost, by its last will, and all else of it unavailable")
        self._room.open_again(1)
        self._until_there()
        self._say("it is there again")
        self._room.tables[0].stop()
        self._until(connection="disconnected", **dict.fromkeys(ON_THE_TABLE, UNAVAILABLE))
        self._room.open_again(1)
        self._until_there()
        self._say("a table that is stopped in order is disconnected, until it is there again")

    def _lose_broker(self) -> None:
        self._room.broker.kill()
        self._until(**dict.fromkeys(("connection", *ON_THE_TABLE), UNAVAILABLE))
        self._room.broker.start()
        self._until_there()
        self._say("after a broker that was killed, and forgot all, everything is there again")

    def _start_home_again(self) -> None:
        self._home.stop()
        self._home.start()
        self._until_there()
        self._until_playing()
        self._say("after Home Assistant was started again too, and the next match is seen")

    def _leave_for_good(self) -> None:
        self._room.tables[0].stop()
        with self._room.laid_out.guest(USER) as guest:
            guest.say(discovery_topic(USER), b"", retain=True)
        self._until(lambda shown: not shown)
        self._say("a table whose discovery is taken back is gone from Home Assistant")

    def _read_log(self) -> None:
        complaints = [line for line in COMPLAINT.findall(self._home.log) if AWAY.search(line) is None]
        if complaints:
            raise NotSoAtHome("\n".join(["Home Assistant complains:", *complaints]))

    # --- waiting ----------------------------------------------------------------------------------------------------

    def _wait(self, holds: Callable[[], object], otherwise: Callable[[], str]) -> None:
        """Wait until something holds; raises NotSoAtHome with what is said otherwise."""
        until = time.monotonic() + PATIENCE_S
        while not holds():
            if time.monotonic() > until:
                raise NotSoAtHome(otherwise())
            time.sleep(STEP_S)

    def _until(self, holds: Callable[[Shown], bool] = lambda _: True, /, **expected: str) -> Shown:
        """Wait until what is shown has these states, and is as wanted, and return it."""
        shown: Shown = {}

        def is_so() -> bool:
            nonlocal shown
            found = ((ENTITY.fullmatch(entity), each["state"]) for entity, each in self._home.states().items())
            shown = {entity["name"]: state for entity, state in found if entity is not None}
            try:
                return expected.items() <= shown.items() and holds(shown)
            except KeyError:  # an entity is not there yet
                return False

        self._wait(is_so, lambda: f"Home Assistant shows {dict(shown)}: expected {expected or 'something else'}")
        return shown

    def _until_there(self) -> None:
        self._until(lambda shown: UNAVAILABLE not in shown.values(), connection="ready")

    def _until_playing(self) -> None:
        def holds(shown: Shown) -> bool:
            self._room.crews[0].look_after()
            return shown["match"] == "playing"

        self._until(holds)

    def _until_triggered(self, automation: str) -> None:
        entity = f"automation.{automation}"
        self._wait(
            lambda: self._home.states()[entity]["attributes"]["last_triggered"], lambda: f"{entity} was not triggered"
        )
        self._say(f"the automation {automation.replace('_', ' ')!r} of docs/club-setup.md is triggered")

    def _evening(self) -> str:
        """Return the words of the club's page of this evening, the first one."""
        return " ".join(TAG.sub("", self._room.club.pages.get("/evenings/1").text).split())


def main() -> int:
    """Try it, and return the exit code: 0 where all is as docs/club-setup.md says, 1 where it is not."""
    parser = argparse.ArgumentParser(prog="python -m tests.home_assistant", description=__doc__)
    parser.add_argument(
        "hass", nargs="+", metavar="HASS", help="the program hass of an installation, such as ha/bin/hass"
    )
    command = parser.parse_args().hass
    try:
        _try_out(command)
    except (NotSoAtHome, NotThere) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _try_out(command: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="captains-table-home-") as folder, Room(Path(folder), (PLAY,)) as room:
        room.open_tables()
        with HomeAssistant(command, Path(folder) / "home", automations()) as home:
            print(f"Home Assistant {home.version}:", flush=True)
            Trial(room, home, lambda words: print(f"- {words}", flush=True)).run()


if __name__ == "__main__":
    sys.exit(main())
