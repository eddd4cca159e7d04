"""The table's own menu: the address of its page, the way to the lobby, and switching it off."""

from dataclasses import dataclass
from typing import Final

from captains_table.games.contract import Action, Option, PickAsk
from captains_table.table.lobby.match_setup import (
    CallArbiter,
    ClubState,
    GiveUp,
    Leave,
    Request,
    ShowAddress,
    SwitchOff,
)
from captains_table.table.lobby.question import WAY_BACK, Go, Question, pick_of
from captains_table.table.prompts.menu import BACK

TABLE: Final = "table-"
"""What all ids of these screens begin with, as they are for the table's owner alone."""
TITLE: Final = "This table"
OPEN: Final = Option(f"{TABLE}menu", TITLE)
GO_ON: Final = Option(BACK, "Go on playing")
ADDRESS: Final = Option(f"{TABLE}address", "The page's address")
LOBBY: Final = Option(f"{TABLE}lobby", "Leave the match", then="It can be resumed from the lobby.")
CALL: Final = Option(f"{TABLE}arbiter", "Call the arbiter")
CALLED: Final = Option(CALL.id, "No arbiter any more")
GIVE_UP: Final = Option(
    f"{TABLE}give-up", "Give the match up", confirm=True, then="The club hears that it was left: the arbiter decides."
)
OFF: Final = Option(
    f"{TABLE}off", "Switch off", confirm=True, then="Everything is kept; the match goes on at the next start."
)
OFF_HERE: Final = Option(OFF.id, OFF.label)  # where it only says what to do instead
UNPLUG: Final = "All is kept. Unplug when the green light is out"
AFTERWARDS: Final = "It is the Pi's own light"


@dataclass(frozen=True, slots=True)
class ThisTable:
    """What concerns the table itself.

    Attributes:
        no_power_off: what to do instead where the table may not switch the machine off; empty where it may.
        in_match: whether a match is played behind it.
        club: what is to be known of the club; `None` where the table belongs to none.
    """

    no_power_off: str = ""
    in_match: bool = False
    club: ClubState | None = None

    def question(self) -> Question:
        """Ask what is to be done."""
        off = OFF_HERE if self.no_power_off else OFF
        arbiter = () if self.club is None else (CALLED,) if self.club.calls_arbiter else (CALL,)
        give_up = (GIVE_UP,) if self.club is not None and self.club.is_paired else ()
        options = (
            (GO_ON, *arbiter, ADDRESS, LOBBY, *give_up, off) if self.in_match else (*arbiter, ADDRESS, off, WAY_BACK)
        )
        hints = {GIVE_UP.id: "The arbiter decides. Choose it twice"} if give_up else {}
        hints |= {} if self.no_power_off else {OFF.id: "All matches are kept. Choose it twice"}
        return Question(TITLE, PickAsk("What is to be done?", options), hints=hints)

    def answered(self, action: Action) -> Go | Request:
        """Show the address, leave the match, or switch off."""
        match pick_of(action, self.question().ask):
            case ADDRESS.id:
                return ShowAddress()
            case LOBBY.id:
                return Leave()
            case CALL.id if self.club is not None:
                return CallArbiter(wanted=not self.club.calls_arbiter)
            case GIVE_UP.id:
                return GiveUp()
            case OFF.id if self.no_power_off:
                return Go(Said(OFF.label, self.no_power_off))
            case _:
                return SwitchOff()


@dataclass(frozen=True, slots=True)
class Said:
    """Something to be read, and nothing to be chosen but the way back.

    Attributes:
        title: what it is about.
        words: what is said.
        address: of the page, where that is shown for a phone's camera too.
    """

    title: str
    words: str
    address: str = ""

    def question(self) -> Question:
        """Say it."""
        return Question(self.title, PickAsk(self.words, (WAY_BACK,)), address=self.address)

    def answered(self, action: Action) -> Go | Request:
        """Refuse whatever is not offered; the way back is the lobby's."""
        raise AssertionError(f"{action}: the lobby itself goes back")


@dataclass(frozen=True, slots=True)
class Farewell:
    """The machine is being switched off: nothing is asked any more."""

    def question(self) -> Question:
        """Say when the plug may be pulled."""
        return Question("Switching off", PickAsk(AFTERWARDS, ()))

    def answered(self, action: Action) -> Go | Request:
        """Raise IllegalAction, whatever is answered."""
        pick_of(action, self.question().ask)
        raise AssertionError("nothing is offered")
