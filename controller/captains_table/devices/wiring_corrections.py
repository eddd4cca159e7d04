"""Corrections for lights and buttons that are wired in another order than the profile's wiring plan."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import Square
from captains_table.hardware.profiles.profile import ButtonName, Profile
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased


@dataclass(frozen=True, slots=True)
class WiringCorrections:
    """The lights and buttons that are wired in another order than planned.

    Attributes:
        lights: maps the square for which a light was planned to the square that this light really lights; correctly
            wired lights are left out.
        buttons: maps a button of the wiring plan to the button that is really connected in its place; correctly wired
            buttons are left out.
    """

    lights: Mapping[Square, Square] = field(default_factory=dict)
    buttons: Mapping[ButtonName, ButtonName] = field(default_factory=dict)

    def event(self, event: BoardEvent) -> BoardEvent:
        """Return a board event with its button corrected; an event without a button is returned unchanged."""
        if isinstance(event, ButtonPressed | ButtonReleased):
            return type(event)(self._button(event.button))
        return event

    def _button(self, button: Button) -> Button:
        real = next((real for wired, real in self.buttons.items() if wired == button.value), None)
        return button if real is None else Button(real)


NO_CORRECTIONS: Final = WiringCorrections()


def wiring_corrections(profile: Profile) -> WiringCorrections:
    """Return the corrections that a profile contains."""
    return WiringCorrections({} if profile.lights is None else profile.lights.corrections, profile.buttons.corrections)
