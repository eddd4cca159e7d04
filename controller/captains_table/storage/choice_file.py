"""Files next to the journal: the pace and language chosen at the table, and the cards that its small display showed.

The configuration is not changed.
"""

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from captains_table.phrases import message, say
from captains_table.storage.design_file import CannotKeep
from captains_table.storage.files import write_whole
from captains_table.table.model.settings import PACES

CARDS: Final = "cards.json"


class ChoiceFile:
    """Reads and writes a choice that was made at the table.

    The choice counts until the configuration's own value is changed: the latest decision counts.

    Args:
        path: the path of the file.
        configured: the value in the configuration.
        known: the values that can be chosen.
        forgotten: the message that a `choice` counts until the next start only, because the `path` cannot be written.
    """

    def __init__(self, path: Path, configured: str, known: Collection[str], forgotten: str) -> None:
        self._path = path
        self.configured = configured
        self._known = known
        self._forgotten = forgotten

    def read(self) -> str:
        """Return the choice, or the configured value if none was made since, or the file cannot be read."""
        try:
            chosen, instead_of = msgspec.json.decode(self._path.read_bytes(), type=tuple[str, str])
        except (OSError, msgspec.DecodeError):
            return self.configured
        return chosen if instead_of == self.configured and chosen in self._known else self.configured

    def write(self, choice: str) -> None:
        """Store a choice; raises CannotKeep."""
        try:
            write_whole(self._path, f"{msgspec.json.encode((choice, self.configured)).decode()}\n")
        except OSError as error:
            words = say(self._forgotten, choice=choice, path=str(self._path), error=str(error))
            raise CannotKeep(words) from error


def pace_file(folder: Path, configured: str) -> ChoiceFile:
    """Return the file of the chosen pace in a folder."""
    forgotten = message("The pace is {choice} until the next start only: {path} cannot be written ({error}).")
    return ChoiceFile(folder / "pace.json", configured, PACES, forgotten)


def language_file(folder: Path, configured: str, known: Collection[str]) -> ChoiceFile:
    """Return the file of the chosen language, given by its code, in a folder."""
    forgotten = message("The language is {choice} until the next start only: {path} cannot be written ({error}).")
    return ChoiceFile(folder / "language.json", configured, known, forgotten)


class ShownCards(Struct, frozen=True):
    """The keys of the cards that were shown, such as `legend/The Genie`, and whether cards are wanted at all."""

    shown: tuple[str, ...] = ()
    is_on: bool = True


class CardFile:
    """Reads and writes which cards were shown.

    Args:
        path: the path of the file. If it cannot be read or written, cards are shown again after the next start.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._cards = msgspec.json.decode(path.read_bytes(), type=ShownCards)
        except (OSError, ValueError, msgspec.DecodeError):
            self._cards = ShownCards()

    @property
    def is_on(self) -> bool:
        """Whether cards are shown."""
        return self._cards.is_on

    def is_due(self, key: str) -> bool:
        """Return whether a card is wanted and was not shown yet."""
        return self._cards.is_on and key not in self._cards.shown

    def add(self, key: str) -> None:
        """Store that a card was shown."""
        self._keep(ShownCards((*self._cards.shown, key), self._cards.is_on))

    def switch(self, *, is_on: bool) -> None:
        """Show cards from now on, or none any more; those that were shown are forgotten, to be shown again."""
        self._keep(ShownCards(is_on=is_on))

    def _keep(self, cards: ShownCards) -> None:
        self._cards = cards
        with suppress(OSError):  # then they are shown again
            write_whole(self._path, f"{msgspec.json.encode(cards).decode()}\n")
