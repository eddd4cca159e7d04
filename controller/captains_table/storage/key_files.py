"""Stored keys for the table's page: the tokens of the owner and the game master, and the keys of links for seats.

The seats' keys are stored next to the journal, so that the links still work after a power cut during a match. Their
file is separate from the journal, so that no backup contains the keys. The file contains the match's number and its
dice commitment. No other match has the same dice commitment. Therefore old links open no seat of another match, even if
a backup was restored and numbers are used again.
"""

import contextlib
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from captains_table.storage.files import make_private_file, sync, write_whole

TOKEN: Final = "token"  # noqa: S105 - the name of a file
MASTER_TOKEN: Final = "master-token"  # noqa: S105 - the name of a file
SEATS: Final = "seats"


class TokenUnusable(OSError):
    """The file of a token cannot be read or created, or contains characters that are not ASCII."""


def read_token(state_dir: Path, name: str = TOKEN) -> str:
    """Return the table's or the game master's token; create one if its file is missing or empty.

    The file keeps the token, so that phones stay logged in.

    Args:
        state_dir: the folder of the table's state.
        name: the name of the token's file.

    Raises:
        TokenUnusable: the file cannot be read or created, or contains more than ASCII text.
    """
    path = state_dir / name
    try:
        with contextlib.suppress(FileNotFoundError):
            token = path.read_text(encoding="ascii").strip()
            if token:
                return token
        token = secrets.token_urlsafe(16)
        with contextlib.suppress(FileExistsError):
            make_private_file(path)
        path.write_text(f"{token}\n", encoding="ascii")
    except OSError as error:
        raise TokenUnusable(_token_words(path, error.strerror or str(error))) from error
    except UnicodeDecodeError as error:
        raise TokenUnusable(_token_words(path, "it holds more than ASCII text")) from error
    return token


def _token_words(path: Path, wrong: str) -> str:
    return (
        f"the table's token {path} cannot be used ({wrong}): expected a file with one word that the table's user may "
        "read. Make it readable, or delete it: the table then makes a new one, and the addresses printed before no "
        "longer open the table"
    )


class KeysUnreadable(OSError):
    """The file of the seats' keys cannot be read, or does not contain what this program writes."""


@dataclass(frozen=True, slots=True)
class MatchKeys:
    """A match's number and dice commitment, and its seats' keys in seat order; `None` for a seat without a key."""

    match: int
    commitment: str
    keys: tuple[str | None, ...]

    def fits(self, number: int, commitment: str, seats: int) -> bool:
        """Return whether the keys belong to the match with this number, dice commitment and number of seats."""
        return (self.match, self.commitment, len(self.keys)) == (number, commitment, seats)


class SeatKeyFile:
    """Reads and writes the file of the seats' keys, which is private to its owner and is written atomically."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> MatchKeys | None:
        """Return the stored keys; `None` if there is no file; raises KeysUnreadable."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=MatchKeys)
        except FileNotFoundError:
            return None
        except msgspec.ValidationError as error:
            raise KeysUnreadable(f"{self.path} is not as this program writes it") from error
        except (OSError, msgspec.DecodeError) as error:
            raise KeysUnreadable(f"{self.path} cannot be read ({error})") from error

    def write(self, kept: MatchKeys) -> None:
        """Replace the stored keys; if that raises OSError, the old keys are unchanged."""
        write_whole(self.path, f"{msgspec.json.encode(kept).decode()}\n")

    def remove(self) -> None:
        """Delete the file of the keys if it exists; raises OSError."""
        if self.path.exists():
            self.path.unlink()
            sync(self.path.parent)
