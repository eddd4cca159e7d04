"""Keys to the table: tokens that open its page from elsewhere, and the keys of the seat links.

The keys of seats are kept beside the journal: a power cut in the middle of a match costs nobody their seat. They are
in a file of their own and no part of the journal, so that no backup carries them, and they are bound to the match they
were drawn for: to its number and to the commitment to its dice, which no other match has. A journal that is restored
over that match brings none of them back.
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
    """The file that keeps a token cannot be read or made."""


def read_token(state_dir: Path, name: str = TOKEN) -> str:
    """Return the table's token, or the game master's, made once: phones that know it stay welcome after a power cut.

    Args:
        state_dir: where it is kept.
        name: the file's name.

    Raises:
        TokenUnusable: the file cannot be read or made.
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
            return msgspec.json.decode(self.path.read_bytes(), type=MatchKeys)
        except FileNotFoundError:
            return None
        except msgspec.ValidationError as error:
            raise KeysUnreadable(f"{self.path} is not as this program writes it") from error
        except (OSError, msgspec.DecodeError) as error:
            raise KeysUnreadable(f"{self.path} cannot be read ({error})") from error

    def write(self, kept: MatchKeys) -> None:
        """Keep these keys and no others; raises OSError, and then those that were there are kept."""
        write_whole(self.path, f"{msgspec.json.encode(kept).decode()}\n")

    def remove(self) -> None:
        """Keep none; raises OSError."""
        if self.path.exists():
            self.path.unlink()
            sync(self.path.parent)
