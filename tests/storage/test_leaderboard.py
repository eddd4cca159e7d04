"""Records are what the finished matches of a journal say, and decide who begins."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Decide, Pick, PickAsk
from captains_table.runtime.session import Session
from captains_table.storage.exports import joined_names
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.match_index import JournalRecords, Standings
from captains_table.table.model.entries import MatchEnded, MatchStarted
from captains_table.table.model.events import Answered, Button, ButtonPressed, ButtonReleased
from captains_table.table.model.settings import Settings


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[JournalFile]:
    file = JournalFile(tmp_path / "journal.sqlite")
    yield file
    file.close()


def play_alone(journal: JournalFile, faces: list[tuple[int, ...]], **options: str) -> None:
    """Play Ship, Captain and Crew alone to its end, standing as soon as there is a choice."""
    started = MatchStarted("ship-captain-crew", ("Anne",), options)
    session, dice = Session(Settings()), DictatedDice()
    session.load(journal.start(started, None), dice, 0, resumed=False)
    for now_ms, thrown in enumerate(faces, start=1):
        dice.queue(thrown)
        session.handle(ButtonPressed(Button.ROLL), now_ms)
        session.handle(ButtonReleased(Button.ROLL), now_ms)
        match = session.match
        assert match is not None
        if isinstance(match.turn, Decide) and isinstance(match.turn.ask, PickAsk):
            session.handle(Answered(Pick("stand")), now_ms)


def finish(journal: JournalFile, names: tuple[str, ...], totals: tuple[int, ...], **options: str) -> None:
    """Write a finished match of Swashbuckle."""
    match = journal.start(MatchStarted("swashbuckle", names, options), None)
    match.append(MatchEnded(totals.index(max(totals)), totals))


def test_alone_the_fewest_turns_to_the_target_are_kept(journal: JournalFile) -> None:
    play_alone(journal, [(6, 5, 4, 1, 1), (6, 5, 4, 5, 5), (6, 5, 4, 6, 6)], target="20")
    play_alone(journal, [(6, 5, 4, 6, 6), (6, 5, 4, 6, 5)], target="20")
    play_alone(journal, [(6, 5, 4, 6, 6)], target="20")  # not finished
    (best,) = JournalRecords(journal).standings().solitaire
    assert (best.name, best.turns, best.score, best.played, best.course) == ("Anne", 2, 23, 2, "target=20")


def test_a_single_turn_alone_is_measured_by_its_cargo(journal: JournalFile) -> None:
    play_alone(journal, [(6, 5, 4, 6, 3)], mode="single")
    play_alone(journal, [(6, 5, 4, 1, 1)], mode="single")
    (best,) = JournalRecords(journal).standings().solitaire
    assert (best.score, best.turns, best.played) == (9, None, 2)


def test_names_are_listed_as_in_a_sentence() -> None:
    assert [joined_names(["Anne", "Bart", "Cora"][:count]) for count in (1, 2, 3)] == [
        "Anne",
        "Anne and Bart",
        "Anne, Bart and Cora",
    ]


def test_whoever_is_captain_begins_the_next_match(journal: JournalFile) -> None:
    finish(journal, ("Anne", "Bart"), (200, 345))
    records = JournalRecords(journal)
    assert records.agreed("swashbuckle", ("Anne", "Bart"), {"pillage": "add"}) == {"captain": "Bart", "pillage": "add"}
    assert records.agreed("swashbuckle", ("Anne", "Cora"), {}) == {}
    assert records.agreed("ship-captain-crew", ("Anne", "Bart"), {}) == {}


def test_w10_who_sits_down_is_honoured_for_the_matches_that_are_finished(journal: JournalFile) -> None:
    """docs/rules/swashbuckle.md W10: a computer by its own name and level; in other games nobody."""
    finish(journal, ("Anne", "Bart"), (255, 345))
    journal.start(MatchStarted("swashbuckle", ("Anne",), {}), None)  # not finished
    level_two = MatchStarted("swashbuckle", ("Cora", "eurus:2"), {}, kinds=("human", "computer"))
    journal.start(level_two, None).append(MatchEnded(1, (130, 301)))
    records = JournalRecords(journal)
    started = MatchStarted("swashbuckle", ("eurus:1", "eurus:2", "Anne", "Dirk"), {}, kinds=("computer", "computer"))
    assert [honours.words for honours in records.honours(started)] == ["", "First mate", "Swashbuckler", ""]
    assert records.honours(MatchStarted("ship-captain-crew", ("Anne", "Bart"), {})) == ()


def test_ranks_follow_the_order_in_which_matches_ended(journal: JournalFile) -> None:
    late = journal.start(MatchStarted("swashbuckle", ("Bart",), {}), None)
    finish(journal, ("Anne",), (350,))
    late.append(MatchEnded(0, (350,)))
    (ranking,) = JournalRecords(journal).standings().rankings
    titles = [player.title for player in ranking.players]
    assert titles == ["Captain Anne", "First mate Bart"]


def test_a_match_with_several_columns_gives_nobody_a_rank(journal: JournalFile) -> None:
    finish(journal, ("Anne", "Bart"), (700, 650), columns="2")
    assert JournalRecords(journal).agreed("swashbuckle", ("Anne", "Bart"), {}) == {}
    assert JournalRecords(journal).standings().rankings == []
    finish(journal, ("Anne", "Bart"), (200, 345))
    (ranking,) = JournalRecords(journal).standings().rankings
    assert [(player.title, player.best) for player in ranking.players] == [("Captain Bart", 345), ("Anne", 200)]
    assert JournalRecords(journal).agreed("swashbuckle", ("Anne", "Bart"), {"columns": "2"}) == {
        "columns": "2",
        "captain": "Bart",
    }


def test_an_unfinished_match_leaves_no_record(journal: JournalFile) -> None:
    journal.start(MatchStarted("swashbuckle", ("Anne", "Bart"), {}), None)
    assert JournalRecords(journal).standings() == Standings([], [], [])
