"""The keys of the seat links, kept beside the journal: a power cut in the middle of a match costs nobody his seat.

They are in a file of their own and no part of the journal, so that no backup carries them, and they are bound to the
match they were drawn for: to its number and to the commitment to its dice, which no other match has. A journal that is
restored over that match brings none of them back.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from captains_table.storage.copies import sync
from captains_table.storage.whole_files import write_whole

SEATS: Final = "seats"


class KeysUnreadable(OSError):
    """The file that keeps the keys of the seats cannot be read."""


@dataclass(frozen=True, slots=True)
class MatchKeys:
    """The keys of a match's seats, in seat order; None for a seat without one."""

    match: int
    commitment: str
    keys: tuple[str | None, ...]

    def fits(self, number: int, commitment: str, seats: int) -> bool:
        """Return whether these are the keys of a match."""
        return (self.match, self.commitment, len(self.keys)) == (number, commitment, seats)


class SeatKeyFile:
    """The file; it is its owner's alone, and what is written in it is there whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> MatchKeys | None:
        """Return the keys, None where there are none; raises KeysUnreadable."""
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise KeysUnreadable(f"{self.path} cannot be read ({error})") from error
        match kept:
            case {"match": int(number), "commitment": str(commitment), "keys": list(keys)} if all(
                key is None or isinstance(key, str) for key in keys
            ):
                return MatchKeys(number, commitment, tuple(keys))
            case _:
                raise KeysUnreadable(f"{self.path} is not as this program writes it")

    def write(self, kept: MatchKeys) -> None:
        """Keep these keys and no others; raises OSError, and then those that were there are kept."""
        value = {"match": kept.match, "commitment": kept.commitment, "keys": list(kept.keys)}
        write_whole(self.path, f"{json.dumps(value)}\n")

    def remove(self) -> None:
        """Keep none; raises OSError."""
        if self.path.exists():
            self.path.unlink()
            sync(self.path.parent)
