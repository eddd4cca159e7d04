"""A club without a broker whose evenings are in a real file, with results that were recorded at tables."""

import zlib
from collections.abc import Iterable
from pathlib import Path

from captains_table.club.proof_worker import proof_of
from captains_table.club.store.store import Proof
from captains_table.reporting.messages import MatchReport
from tests.club.recorded_matches import PLAYED, export_of, recorded
from tests.support.fake_club import FakeClub, store_for_any_thread

DAY_S = 86_400.0


class SeasonClub(FakeClub):
    """A club whose evenings are in a real file of a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(store=store_for_any_thread(folder))

    def tell(
        self, outcome: MatchReport, user: str = "table-1", *, export: bytes | None = None, proves: bool = True
    ) -> None:
        """Let a result arrive with its own export, or another deflated one; it is verified at once if it `proves`."""
        packed = export if export is not None else zlib.compress(export_of(outcome)) if outcome.export else b""
        self.store.add_result(user, outcome, packed, self.at_s)
        while proves and (waiting := self.store.to_prove()) is not None:
            found = proof_of(*waiting[1:])
            self.store.note_proof(waiting[0], found.words, found.match)
        self._changed(results=True)

    def tell_recorded(self, names: Iterable[str] = PLAYED) -> None:
        """Let recorded matches arrive, each of another table."""
        for number, name in enumerate(names, 1):
            self.tell(recorded(name), f"table-{number}")
            self.at_s += 60

    def proofs(self) -> list[Proof]:
        """Return what the exports of all results were found to be."""
        return [result.proof for result in self.store.results()]
