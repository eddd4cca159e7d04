"""What players earned stands before their names while they play (docs/rules/swashbuckle.md W10)."""

from pathlib import Path

from captains_table.games.common.records import NO_HONOURS, Honours
from captains_table.runtime.table import Table
from captains_table.storage.journal_file import JournalFile
from captains_table.table.model.entries import MatchEnded, MatchStarted
from tests.support.service_at_work import at_a_table

SWASHBUCKLER = Honours("Swashbuckler", "Swashbuckler")


def earned(state: Path) -> None:
    """Write a finished match in which Sunnyseas had 255."""
    file = JournalFile(state / "journal.sqlite3")
    match = file.start(MatchStarted("swashbuckle", ("Sunnyseas", "Bart"), {}), None)
    match.append(MatchEnded(0, (255, 200)))
    file.close()


def test_sunnyseas_is_a_swashbuckler_on_every_display_and_sunnyseas_in_the_journal(tmp_path: Path) -> None:
    earned(tmp_path)

    def do(table: Table) -> None:
        table.matches.new_match("swashbuckle", ("Bart", "Sunnyseas"), {"order": "seated"})
        assert [seat.honours for seat in table.view().seats] == [NO_HONOURS, SWASHBUCKLER]
        assert [(seat.name, seat.called) for seat in table.view().seats][1] == ("Sunnyseas", "Sunnyseas")
        table.matches.new_match("ship-captain-crew", ("Sunnyseas", "Bart"), {})
        assert [seat.honours for seat in table.view().seats] == [NO_HONOURS, NO_HONOURS]
        table.matches.resume(2)
        assert [seat.honours for seat in table.view().seats] == [NO_HONOURS, SWASHBUCKLER]

    at_a_table(tmp_path, do)
    file = JournalFile(tmp_path / "journal.sqlite3")
    started = file.open(2).entries()[0]
    file.close()
    assert isinstance(started, MatchStarted)
    assert (started.seats, "Swashbuckler" in str(started)) == (("Bart", "Sunnyseas"), False)
