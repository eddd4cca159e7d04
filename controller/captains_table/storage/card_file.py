"""The file of the cards that a table's small display has shown, so that each is shown once; next to the journal."""

from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from captains_table.storage.files import write_whole

CARDS: Final = "cards.json"


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
