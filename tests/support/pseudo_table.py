"""A table that also knows the pseudo-language `qps`, in which all messages stand in brackets; its dice are told."""

from captains_table.catalog import languages
from tests.languages.pseudo import PSEUDO
from tests.support import told_dice


def serve(faces: str, arguments: list[str]) -> int:
    """Run the command with dice that fall as they are told."""
    languages._read[PSEUDO.code] = PSEUDO
    return told_dice.serve(faces, arguments)
