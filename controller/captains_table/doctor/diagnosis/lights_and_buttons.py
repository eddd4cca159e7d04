"""The guided test's parts for lights and buttons.

For each light, the user puts a piece on the square where the light shines. The user also presses each button. The parts
return what is wrong in sentences, and which lights or buttons are exchanged.
"""

from collections.abc import Mapping, Sequence

from captains_table.doctor.diagnosis.steps import AnswerQueue, GuidedPart, GuidedStep, squares_text
from captains_table.doctor.diagnosis.wiring_faults import wiring_words
from captains_table.games.contract import Shape, Square
from captains_table.table.model.events import Button

BUTTON_PROMPTS = {
    Button.ROLL: "Press the roll button",
    Button.NEXT: "Turn the encoder one step to the right",
    Button.PREVIOUS: "Turn the encoder one step to the left",
    Button.CHOOSE: "Push the encoder",
    Button.BACK: "Press back",
}
ALIKE = ({Button.ROLL, Button.CHOOSE}, {Button.NEXT, Button.PREVIOUS})
"""Pairs of buttons that may be exchanged by wrong wires: the two that are pressed, and the two ways of turning."""


class LightWalk(AnswerQueue[Square]):
    """Lights one square after the other; the answer is the square where the user saw the light.

    Args:
        shape: the board.
        chain: the squares in the order in which the profile chains their lights; empty without lights.
    """

    def __init__(self, shape: Shape, chain: Sequence[Square]) -> None:
        super().__init__(chain)
        self._shape = shape
        self._chain = chain

    @property
    def step(self) -> GuidedStep:
        """What the test asks now."""
        return GuidedStep(
            GuidedPart.LIGHTS, "Put the piece where a light shines", details="Enter if none does, or the square's name"
        )

    def places(self) -> Mapping[Square, Square]:
        """Return the square where the light of each square really is.

        The result is empty if every light was seen in its place, or if several lights were seen on the same square.
        Otherwise every square occurs once. A light that was not seen is assigned its own square if that square is free,
        else any free square.
        """
        moved = {lit: seen for lit, seen in self.answers.items() if lit != seen}
        if not moved or len(set(self.answers.values())) != len(self.answers):
            return {}
        places = dict(self.answers)
        others = [square for square in self._shape.squares() if square not in places]
        free = set(self._shape.squares()) - set(places.values())
        for square in sorted(others, key=lambda at: at not in free):
            places[square] = square if square in free else min(free)
            free.discard(places[square])
        return places

    def sentences(self, *, has_chain: bool = True) -> list[str]:
        """Return everything that is wrong, in sentences; with causes that can be mended only for a chain of lights."""
        if not has_chain:
            wrong = [f"The light of {lit} shines on {seen}." for lit, seen in self.answers.items() if lit != seen]
            return [*([f"Without light: {squares_text(self.silent)}."] if self.silent else []), *wrong]
        order = wiring_words(self._shape, self.answers) if self.places() else ()
        seen = list(self.answers.values())
        doubled = sorted({square for square in seen if seen.count(square) > 1})
        return [
            *self._darkness(),
            *(f"Lights: {words}" for words in order),
            *(f"Several lights were seen at {square}: was the piece put elsewhere?" for square in doubled),
        ]

    def _darkness(self) -> list[str]:
        if self.silent and not self.answers:
            return ["No light shines: look at its 5 V, its ground and the level shifter."]
        first = self._chain.index(self.silent[0]) if self.silent else 0
        if len(self.silent) > 1 and list(self._chain[first:]) == self.silent:
            before = self._chain[first - 1]
            return [f"The chain of lights ends after the light of {before}: look at what joins it to the next one."]
        return [f"The light of {square} is dark: look at its joints." for square in self.silent]


class ButtonTest(AnswerQueue[Button]):
    """Asks for one button after the other; the answer is the button that the table registered."""

    @property
    def step(self) -> GuidedStep:
        """What the test asks now."""
        button = self._waiting[0]
        return GuidedStep(GuidedPart.BUTTONS, BUTTON_PROMPTS[button], details="Enter if nothing happens", button=button)

    def places(self) -> Mapping[Button, Button]:
        """Return the exchanged buttons: the button that was really pressed, keyed by the one that was registered.

        Only the buttons of a pair in `ALIKE` can be exchanged. If the answers show anything else, the result is empty.
        """
        moved = {read: asked for asked, read in self.answers.items() if asked is not read}
        if set(moved) != set(moved.values()):
            return {}
        return moved if all({*pair} in ALIKE for pair in moved.items()) else {}

    def sentences(self) -> list[str]:
        """Return everything that is wrong, in sentences."""
        places = self.places()
        words = []
        if Button.NEXT in places:
            words.append("The encoder is turned round: its A and B are exchanged.")
        if Button.ROLL in places:
            words.append("The roll button and the encoder's push are exchanged.")
        words += [
            f"{asked.value} answers as {read.value}: are their wires exchanged?"
            for asked, read in self.answers.items()
            if asked is not read and asked not in places
        ]
        return words + [f"{button.value} does nothing: look at its wires to pin and ground." for button in self.silent]
