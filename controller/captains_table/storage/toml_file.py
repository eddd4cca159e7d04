"""Reads TOML files that people write; error messages are sentences."""

import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any


class BadToml(ValueError):
    """A file cannot be read or is not TOML; the message says why."""


def read_toml(file: Path | Traversable) -> dict[str, Any]:
    """Return the content of a TOML file; raises BadToml."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadToml(f"cannot be read ({error})") from error
    return parse_toml(text)


def parse_toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML text; raises BadToml."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # tomllib names neither a number too long nor nesting too deep
        raise BadToml(f"is not TOML: {error}") from error
