"""The file of the pace that was chosen at the table, next to the journal; the configuration is not changed."""

from pathlib import Path
from typing import Final

import msgspec

from captains_table.storage.design_file import CannotKeep
from captains_table.storage.files import write_whole
from captains_table.table.model.settings import PACES

PACE: Final = "pace.json"


class PaceFile:
    """Reads and writes the pace that was chosen at the table.

    The choice counts until the configuration's own pace is changed: the latest decision counts.

    Args:
        path: the path of the file.
        configured: the pace in the configuration.
    """

    def __init__(self, path: Path, configured: str) -> None:
        self._path = path
        self.configured = configured

    def read(self) -> str:
        """Return the chosen pace, or the configured one if none was chosen since, or the file cannot be read."""
        try:
            chosen, instead_of = msgspec.json.decode(self._path.read_bytes(), type=tuple[str, str])
        except (OSError, msgspec.DecodeError):
            return self.configured
        return chosen if instead_of == self.configured and chosen in PACES else self.configured

    def write(self, pace: str) -> None:
        """Store a chosen pace; raises CannotKeep."""
        try:
            write_whole(self._path, f"{msgspec.json.encode((pace, self.configured)).decode()}\n")
        except OSError as error:
            words = f"The pace is {pace} until the next start only: {self._path} cannot be written ({error})."
            raise CannotKeep(words) from error
