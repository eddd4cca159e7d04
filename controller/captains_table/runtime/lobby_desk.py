"""What is asked for in the lobby and in the table's own menu, carried out."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from captains_table.devices.display.driver.oled import Oled
from captains_table.games.contract import BadOption
from captains_table.games.registry import UnknownGame
from captains_table.runtime.match_archive import CannotResume
from captains_table.runtime.match_desk import MatchDesk
from captains_table.runtime.membership import Membership
from captains_table.runtime.session import Session
from captains_table.runtime.table_loop import TableLoop
from captains_table.table.lobby.match_setup import (
    CallArbiter,
    GiveUp,
    Leave,
    Request,
    Resume,
    ShowAddress,
    Start,
    SwitchOff,
)
from captains_table.table.model.entries import NoSuchMatch

FILE_VARIABLE: Final = "CAPTAINS_TABLE_POWER_OFF"
"""Names the file; systemd sets it where it watches for one."""
SIMULATED: Final = "It is simulated: end it where it was started (Ctrl-C). Everything is kept"
NO_RIGHT: Final = "This table may not do that: run 'sudo poweroff' on its machine"


@dataclass(frozen=True, slots=True)
class PowerOff:
    """How the machine is switched off: by a file that systemd watches, and by no right of the table's own.

    Source: systemd.path(5), PathExists; captains-table-poweroff.path starts the service whose end is the power-off.

    Attributes:
        ask: asks for it; raises OSError.
        instead: what to do where that cannot be asked for; empty where it can.
    """

    ask: Callable[[], object]
    instead: str = ""


def nothing() -> None:
    """Ask for nothing."""


def power_off_of(environment: Mapping[str, str], *, is_simulated: bool) -> PowerOff:
    """Return how the machine of a table is switched off; one that is simulated is but a program among others."""
    if is_simulated:
        return PowerOff(nothing, SIMULATED)
    file = environment.get(FILE_VARIABLE, "")
    return PowerOff(Path(file).touch) if file else PowerOff(nothing, NO_RIGHT)


SWITCHING_OFF_S = 30.0  # systemd stops the table within a second
ONLY_HERE = 'Only this machine opens it: for others, host = "0.0.0.0" under [web]'
ARBITER_COMES = "Called: the club's wall shows it"
NO_ARBITER = "Nobody is called any more"
NOT_OFF = "The machine was not switched off: run 'sudo poweroff' on it"


class LobbyDesk:
    """Does what people at the table asked for by its menus.

    Args:
        session: the table at work.
        matches: takes matches to it.
        loop: lets things happen at it.
        club: its place in its club.
        display: the little screen.
        notify: wakes everyone who watches.
    """

    def __init__(
        self,
        session: Session,
        matches: MatchDesk,
        loop: TableLoop,
        club: Membership,
        display: Oled,
        notify: Callable[[], None],
    ) -> None:
        self._session = session
        self._matches = matches
        self._loop = loop
        self._club = club
        self._display = display
        self._notify = notify
        self._power_off = PowerOff(nothing, SIMULATED)

    def may_switch_off(self, power_off: PowerOff) -> None:
        """Let the machine be switched off at the table, or say there what to do instead."""
        self._power_off = power_off
        self._session.no_power_off = self._matches.no_power_off = power_off.instead

    def attend(self) -> None:
        """Carry out what was asked for; once a match is over, offer another one."""
        try:
            self._handle(self._session.take_request())
        except (BadOption, UnknownGame, NoSuchMatch, CannotResume) as error:
            self._session.refuse(error)
        self._matches.look_whether_over()

    def _handle(self, request: Request | None) -> None:
        match request:
            case Start(game, names, options, pairing):
                self._matches.new_match(game, names, options, pairing)
            case Resume(number):
                self._matches.resume(number)
            case ShowAddress():
                self._show_address()
            case SwitchOff():
                self._switch_off()
            case CallArbiter(wanted):
                self._club.call_arbiter(wanted=wanted)
                self._session.say("The arbiter", ARBITER_COMES if wanted else NO_ARBITER)
            case Leave() | GiveUp():
                self._matches.leave(for_good=isinstance(request, GiveUp))

    def address_changed(self) -> None:
        """Show where the page is now, if that is what the table shows."""
        if self._session.view().joining:
            self._session.refresh() if self._session.greets else self._show_address()

    def _show_address(self) -> None:
        address = self._session.page_address()
        words = address.partition("//")[2] or address or ONLY_HERE
        self._session.say("The page", words, address)

    # --- switching off ----------------------------------------------------------------------------------------------

    def _switch_off(self) -> None:
        """Keep what is played, say when the plug may be pulled, and ask for the power-off."""
        self._session.unload(self._loop.now_ms())
        self._session.say_farewell()
        self._display.stay_lit()
        self._loop.rests = True
        try:
            self._power_off.ask()
        except OSError as error:
            self._stay_on(f"{NOT_OFF} ({error.strerror})")
        else:
            self._loop.later(SWITCHING_OFF_S, partial(self._stay_on, NOT_OFF))

    def _stay_on(self, why: str) -> None:
        """Go on where it was left, as the machine was not switched off."""
        if self._loop.stopped:
            return
        self._loop.rests = False
        self._display.stay_lit(stays=False)
        with contextlib.suppress(CannotResume):  # the lobby is open then, and says so
            self._matches.go_on()
        self._session.say("Still on", why)
        self._notify()
