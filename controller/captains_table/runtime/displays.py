"""A table's outputs: displays, lights and buzzers, the subscribers to changes, and the most recent sounds."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from captains_table.devices.ports import BuzzerDevice, DisplayDevice, LightsDevice
from captains_table.games.contract import Square
from captains_table.phrases import ENGLISH, Language, say
from captains_table.storage.choice_file import CardFile
from captains_table.table.meanings import cards_due
from captains_table.table.model.events import SignalKind
from captains_table.table.model.sounds import PlayedSound
from captains_table.table.model.view import LightMeaning, Menu, MenuEntry, View, view_in


class Displays:
    """The displays, lights and buzzers of a table.

    Args:
        shown: the view that counts as shown at the beginning.
        displays: the displays that show each view.
        lights: the lights of the squares.
        buzzers: the buzzers that sound signals.

    Attributes:
        shown: the view that was shown last.
        sounds: records spoken sentences and signals; `None` if they are not recorded.
        cards: puts cards on the displays; `None` if they show none.
    """

    def __init__(
        self,
        shown: View,
        displays: Sequence[DisplayDevice],
        lights: Sequence[LightsDevice],
        buzzers: Sequence[BuzzerDevice],
    ) -> None:
        self.shown = shown
        self.sounds: RecentSounds | None = None
        self.cards: CardsOnDisplay | None = None
        self._displays = tuple(displays)
        self._lights = tuple(lights)
        self._buzzers = tuple(buzzers)

    def show(self, view: View, *, language: Language = ENGLISH, may_have_card: bool = True) -> None:
        """Show a view on every display, and record its spoken sentence if the sentence is new.

        Args:
            view: the view, in English.
            language: the language of the displays.
            may_have_card: whether a card may be put over the view.
        """
        if self.sounds is not None and view.told != self.shown.told:
            self.sounds.add(words=view.told)
        self.shown = view
        on_display = self.cards.with_card(view) if self.cards is not None and may_have_card else view
        on_display = view_in(on_display, language, keeps_short=True)
        for display in self._displays:
            display.show(on_display)

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        """Light these squares, each with its meaning, and darken all others."""
        for lights in self._lights:
            lights.light(marks)

    def signal(self, kind: SignalKind, square: Square | None) -> None:
        """Play a signal on all lights and buzzers, and record it if sounds are recorded.

        Args:
            kind: the reason for the signal; some kinds have only a sound.
            square: the square that the signal is about; `None` if it is about none.
        """
        if self.sounds is not None:
            self.sounds.add(sound=kind)
        for lights in self._lights:
            lights.signal(kind, square)
        for buzzer in self._buzzers:
            buzzer.signal(kind)


class CardsOnDisplay:
    """Shows on the small display what comes up rarely, when it is possible for the first time, until something is done.

    Args:
        file: knows which cards were shown.
    """

    def __init__(self, file: CardFile) -> None:
        self.file = file
        self._shown_for: tuple[object, ...] = ()  # what was shown with the card
        self._title = ""  # the title of the card that is shown

    def with_card(self, view: View) -> View:
        """Return the view that the small display shows in place of a view: a card, or the view itself."""
        due = cards_due(view) if self.file.is_on else {}
        at = view.revision, view.ask, view.menu, view.switches  # clocks and faults do not close a card
        keys = {title: f"{view.game}/{title}" for title in due}
        title = next((each for each, key in keys.items() if self.file.is_due(key)), "")
        if self._shown_for == at and self._title in due:
            title = self._title
        if title and title != self._title:
            self.file.add(keys[title])
        self._shown_for, self._title = at, title
        if not title:
            return view
        words = f"{due[title].words} {due[title].rule}"
        return replace(view, reading=title, prompt=(words,), menu=Menu((MenuEntry("card", say("Go on")),), 0))

    def close(self) -> bool:
        """Close the card; return whether one was shown."""
        was_shown, self._title = bool(self._title), ""
        return was_shown


class Subscribers:
    """Wakes the tasks that follow the table's changes, and ends their iteration when the table stops."""

    def __init__(self) -> None:
        self._changed: set[asyncio.Event] = set()
        self._ended = False

    async def changes(self) -> AsyncGenerator[None, None]:
        """Yield at once, and then after each change until `end` is called; changes in quick succession yield once."""
        changed = asyncio.Event()
        changed.set()
        self._changed.add(changed)
        try:
            while not self._ended:
                await changed.wait()
                changed.clear()
                if not self._ended:
                    yield
        finally:
            self._changed.discard(changed)

    def notify(self) -> None:
        """Wake all subscribers, because something changed."""
        for changed in self._changed:
            changed.set()

    def end(self) -> None:
        """End the iteration of all subscribers."""
        self._ended = True
        self.notify()


MOST_SOUNDS: Final = 16


class RecentSounds:
    """The last MOST_SOUNDS signals and spoken sentences, numbered from 1 since the table's start.

    Args:
        now_s: returns the event loop's time in seconds.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._number = 0
        self._latest = deque[PlayedSound](maxlen=MOST_SOUNDS)

    def latest(self) -> Sequence[PlayedSound]:
        """Return the recorded signals and sentences, oldest first."""
        return tuple(self._latest)

    def add(self, *, sound: str = "", words: str = "") -> None:
        """Record a signal's kind, or a spoken sentence."""
        self._number += 1
        self._latest.append(PlayedSound(self._number, self._now_s(), sound, words))
