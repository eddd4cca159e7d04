"""Tokens: what people beyond this machine must show before they may play, and what a game master shows anywhere."""

import contextlib
import secrets
from pathlib import Path
from typing import Final

from captains_table.storage.private_files import make_private_file

TOKEN: Final = "token"  # noqa: S105 - the name of a file
MASTER_TOKEN: Final = "master-token"  # noqa: S105 - the name of a file


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
        raise TokenUnusable(_words(path, error.strerror or str(error))) from error
    except UnicodeDecodeError as error:
        raise TokenUnusable(_words(path, "it holds more than ASCII text")) from error
    return token


def _words(path: Path, wrong: str) -> str:
    return (
        f"the table's token {path} cannot be used ({wrong}): expected a file with one word that the table's user may "
        "read. Make it readable, or delete it: the table then makes a new one, and the addresses printed before no "
        "longer open the table"
    )
