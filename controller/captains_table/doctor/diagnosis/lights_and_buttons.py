"""The guided test's parts for lights and buttons.

For each light, the user puts a piece on the square where the light shines. The user also presses each button. The parts
return what is wrong in sentences, and which lights or buttons are exchanged.
"""

from collections.abc import Mapping, Sequence

from captains_table.doctor.diagnosis.steps import GuidedPart, GuidedStep, QuestionQueue, squares_text
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


class LightWalk(QuestionQueue[Square]):
    """Lights one square after the other, and records the square where the user saw the light.

    Args:
        shape: the board.
        chain: the squares in the order in which the profile chains their lights; empty without lights.
    """

    def __init__(self, shape: Shape, chain: Sequence[Square]) -> None:
        super().__init__(chain)
        self._shape = shape
        self._chain = chain
        self.shone: dict[Square, Square] = {}  # where the light of each square was seen
        self.dark: list[Square] = []

    @property
    def step(self) -> GuidedStep:
        """What the test asks now."""
        return GuidedStep(
            GuidedPart.LIGHTS, "Put the piece where a light shines", details="Enter if none does, or the square's name"
        )

    def seen_at(self, square: Square | None) -> None:
        """Record the square where the light shines; `None` if no light shines."""
        lit = self._waiting.popleft()
        if square is None:
            self.dark.append(lit)
        else:
            self.shone[lit] = square

    def places(self) -> Mapping[Square, Square]:
        """Return the square where the light of each square really is.

        The result is empty if every light was seen in its place, or if several lights were seen on the same square.
        Otherwise every square occurs once. A light that was not seen is assigned its own square if that square is free,
        else any free square.
        """
        moved = {lit: seen for lit, seen in self.shone.items() if lit != seen}
        if not moved or len(set(self.shone.values())) != len(self.shone):
            return {}
        places = dict(self.shone)
        others = [square for square in self._shape.squares() if square not in places]
        free = set(self._shape.squares()) - set(places.values())
        for square in sorted(others, key=lambda at: at not in free):
            places[square] = square if square in free else min(free)
            free.discard(places[square])
        return places

    def sentences(self, *, has_chain: bool = True) -> list[str]:
        """Return everything that is wrong, in sentences; with causes that can be mended only for a chain of lights."""
        if not has_chain:
            wrong = [f"The light of {lit} shines on {seen}." for lit, seen in self.shone.items() if lit != seen]
            return [*([f"Without light: {squares_text(self.dark)}."] if self.dark else []), *wrong]
        order = wiring_words(self._shape, self.shone) if self.places() else ()
        seen = list(self.shone.values())
        doubled = sorted({square for square in seen if seen.count(square) > 1})
        return [
            *self._darkness(),
            *(f"Lights: {words}" for words in order),
            *(f"Several lights were seen at {square}: was the piece put elsewhere?" for square in doubled),
        ]

    def _darkness(self) -> list[str]:
        if self.dark and not self.shone:
            return ["No light shines: look at its 5 V, its ground and the level shifter."]
        first = self._chain.index(self.dark[0]) if self.dark else 0
        if len(self.dark) > 1 and list(self._chain[first:]) == self.dark:
            before = self._chain[first - 1]
            return [f"The chain of lights ends after the light of {before}: look at what joins it to the next one."]
        return [f"The light of {square} is dark: look at its joints." for square in self.dark]


class ButtonTest(QuestionQueue[Button]):
    """Asks for one button after the other, and records the button that the table registered.

    Args:
        buttons: the buttons that the build has.
    """

    def __init__(self, buttons: Sequence[Button]) -> None:
        super().__init__(buttons)
        self._answers: dict[Button, Button] = {}
        self._silent: list[Button] = []

    @property
    def step(self) -> GuidedStep:
        """What the test asks now."""
        button = self._waiting[0]
        return GuidedStep(GuidedPart.BUTTONS, BUTTON_PROMPTS[button], details="Enter if nothing happens", button=button)

    def heard(self, button: Button | None) -> None:
        """Record the button that the table registered; `None` if it registered none."""
        asked = self._waiting.popleft()
        if button is None:
            self._silent.append(asked)
        else:
            self._answers[asked] = button

    def places(self) -> Mapping[Button, Button]:
        """Return the exchanged buttons: the button that was really pressed, keyed by the one that was registered.

        Only the buttons of a pair in `ALIKE` can be exchanged. If the answers show anything else, the result is empty.
        """
        moved = {read: asked for asked, read in self._answers.items() if asked is not read}
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
            for asked, read in self._answers.items()
            if asked is not read and asked not in places
        ]
        return words + [f"{button.value} does nothing: look at its wires to pin and ground." for button in self._silent]
