"""Every button once: which answers as which."""

from collections.abc import Mapping, Sequence

from captains_table.doctor.diagnosis.steps import BUTTON_PROMPTS
from captains_table.table.model.events import Button

ALIKE = ({Button.ROLL, Button.CHOOSE}, {Button.NEXT, Button.PREVIOUS})
"""Buttons that may take each other's place: two that are pressed, and the two ways of turning."""


class ButtonTest:
    """Asks for one button after the other.

    Args:
        buttons: those the build has.
    """

    def __init__(self, buttons: Sequence[Button]) -> None:
        self._buttons = buttons
        self._at = 0
        self._answers: dict[Button, Button] = {}
        self._silent: list[Button] = []

    @property
    def asked(self) -> Button | None:
        """The button that is asked for, None when all were."""
        return self._buttons[self._at] if self._at < len(self._buttons) else None

    @property
    def prompt(self) -> str:
        """What to do."""
        return BUTTON_PROMPTS[self._buttons[self._at]]

    def pressed(self, button: Button) -> None:
        """Take in what answered."""
        self._answers[self._buttons[self._at]] = button
        self._at += 1

    def not_heard(self) -> None:
        """Take in that nothing answered."""
        self._silent.append(self._buttons[self._at])
        self._at += 1

    def skip(self) -> None:
        """Leave the rest out."""
        self._at = len(self._buttons)

    def places(self) -> Mapping[Button, Button]:
        """Return which button each one really is that takes another's place; empty if that cures nothing."""
        moved = {read: asked for asked, read in self._answers.items() if asked is not read}
        if set(moved) != set(moved.values()):
            return {}
        return moved if all({*pair} in ALIKE for pair in moved.items()) else {}

    def sentences(self) -> list[str]:
        """Return what is wrong."""
        places = self.places()
        words = []
        if Button.NEXT in places:
            words.append("The encoder is turned round: its A and B are exchanged.")
        if Button.ROLL in places:
            words.append("The roll button and the encoder's push are exchanged.")
        words += [
            f"{asked.value} answers as {read.value}: are their wires exchanged?"
            for asked, read in self._answers.items()
            if asked is not read and asked not in places
        ]
        return words + [f"{button.value} does nothing: look at its wires to pin and ground." for button in self._silent]
