"""Lights and buttons that are wired otherwise than their profile says, as it corrects them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from captains_table.devices.ports import BoardEvent
from captains_table.games.contract import Square
from captains_table.hardware.profiles.profile import ButtonName, Profile
from captains_table.table.model.events import Button, ButtonPressed, ButtonReleased


@dataclass(frozen=True, slots=True)
class Rewired:
    """What is wired otherwise.

    Attributes:
        lights: square whose light it is by wiring -> square it really lights.
        buttons: button by wiring -> button it really is.
    """

    lights: Mapping[Square, Square] = field(default_factory=dict)
    buttons: Mapping[ButtonName, ButtonName] = field(default_factory=dict)

    def event(self, event: BoardEvent) -> BoardEvent:
        """Return what happened at a board with its buttons put right."""
        match event:
            case ButtonPressed(button):
                return ButtonPressed(self._button(button))
            case ButtonReleased(button):
                return ButtonReleased(self._button(button))
        return event

    def _button(self, button: Button) -> Button:
        real = next((real for wired, real in self.buttons.items() if wired == button.value), None)
        return button if real is None else Button(real)


AS_WIRED: Final = Rewired()


def rewired(profile: Profile) -> Rewired:
    """Return what a profile corrects."""
    return Rewired({} if profile.lights is None else profile.lights.corrections, profile.buttons.corrections)
