"""Whose word a result is, in the words of every page, and what is proven by it."""

from collections.abc import Mapping
from typing import Final

from captains_table.club.pages.port import ClubPort, NoSuchTable
from captains_table.club.season.told import SeasonMatch, Word

BRIEF: Final[Mapping[Word, str]] = {
    Word.ARBITER: "the arbiter's word",
    Word.PROVEN: "proven",
    Word.TOLD: "told without an export",
    Word.PENDING: "being verified",
    Word.FAILED: "not counted: its export proves nothing",
}
MEANING: Final[Mapping[Word, str]] = {
    Word.PROVEN: (
        "The club's server played the match again from what its table exported: nothing in it is damaged, every action "
        "keeps the rules and leads to the result, and the dice are those of the seal. Who sat there is the table's "
        "word; whom the dice convince is said on the match's own page."
    ),
    Word.TOLD: (
        "The table said so, and nothing more is known: it keeps its players' names to itself, and sends no exports."
    ),
    Word.ARBITER: "The arbiter set right how the match ended; his reason is kept beside what the table told.",
    Word.PENDING: "The export has come and is not verified yet: until then the match counts in no record.",
    Word.FAILED: (
        "The export is damaged, breaks the rules or tells of another match: the match counts in no record until the "
        "arbiter says how it ended."
    ),
}


class Tellers:
    """The tables, as pages name them.

    Args:
        club: whose tables they are.
    """

    def __init__(self, club: ClubPort) -> None:
        self._club = club

    def called(self, user: str) -> str:
        """Return what a table is called: its board, else its title; its user where it is not known any more."""
        try:
            table = self._club.table(user)
        except NoSuchTable:
            return user
        return f"Board {table.board}" if table.board else table.title

    def board(self, user: str) -> int:
        """Return a table's number, 0 where it has none or is not known any more."""
        try:
            return self._club.table(user).board
        except NoSuchTable:
            return 0

    def words(self, match: SeasonMatch) -> str:
        """Return whose word a match is, and which table told it."""
        return f"{self.called(match.user)}, {BRIEF[match.word]}"


def counted_words(words: Mapping[Word, int]) -> str:
    """Return how many matches rest on whose word."""
    return ", ".join(
        f"{words[word]} {BRIEF[word]}" for word in (Word.PROVEN, Word.TOLD, Word.ARBITER) if words.get(word)
    )
