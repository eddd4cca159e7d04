"""A journal that lives as long as the object: for tapes and tests."""

from captains_table.table.model.entries import Entry, MatchStarted


class MemoryJournal:
    """One match's history in a list."""

    def __init__(self, started: MatchStarted, began: str = "") -> None:
        self.began = began
        self._entries: list[Entry] = [started]

    def append(self, entry: Entry) -> None:
        """Keep an entry."""
        self._entries.append(entry)

    def entries(self) -> list[Entry]:
        """Return the history in the order it was written."""
        return list(self._entries)
