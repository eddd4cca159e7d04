"""The files of the pace and the language that were chosen at the table, next to the journal.

The configuration is not changed.
"""

from collections.abc import Collection
from pathlib import Path

import msgspec

from captains_table.phrases import message, say
from captains_table.storage.design_file import CannotKeep
from captains_table.storage.files import write_whole
from captains_table.table.model.settings import PACES


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
