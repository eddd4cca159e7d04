"""Records are what the finished matches of a journal say, and decide who begins."""

import pytest

from captains_table.catalog import kinds_of
from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.contract import Decide, Pick, PickAsk
from captains_table.phrases import listed
from captains_table.records.finished import ends_with_its_players
from captains_table.runtime.session import Session
from captains_table.storage.exports import outcome_words
from captains_table.storage.journal_file import JournalFile, MatchRecord
from captains_table.storage.match_index import JournalRecords
from captains_table.table.model.entries import MatchEnded, MatchStarted
from captains_table.table.model.events import Answered, Button, ButtonPressed, ButtonReleased
from captains_table.table.model.settings import Settings


def play_alone(file: JournalFile, faces: list[tuple[int, ...]], **options: str) -> None:
    """Play Ship, Captain and Crew alone to its end, standing as soon as there is a choice."""
    started = MatchStarted("ship-captain-crew", ("Anne",), options)
    session, dice = Session(Settings()), DictatedDice()
    session.load(file.start(started, None), dice, 0, resumed=False)
    for now_ms, thrown in enumerate(faces, start=1):
        dice.queue(thrown)
        session.handle(ButtonPressed(Button.ROLL), now_ms)
        session.handle(ButtonReleased(Button.ROLL), now_ms)
        match = session.match
        assert match is not None
        if isinstance(match.turn, Decide) and isinstance(match.turn.ask, PickAsk):
            session.handle(Answered(Pick("stand")), now_ms)


def finish(file: JournalFile, names: tuple[str, ...], totals: tuple[int, ...], **options: str) -> None:
    match = file.start(MatchStarted("swashbuckle", names, options), None)
    match.append(MatchEnded(totals.index(max(totals)), totals))


def test_alone_the_fewest_turns_to_the_target_are_kept_and_of_a_single_turn_its_cargo(file: JournalFile) -> None:
    play_alone(file, [(6, 5, 4, 1, 1), (6, 5, 4, 5, 5), (6, 5, 4, 6, 6)], target="20")
    play_alone(file, [(6, 5, 4, 6, 6), (6, 5, 4, 6, 5)], target="20")
    play_alone(file, [(6, 5, 4, 6, 6)], target="20")  # not finished
    (best,) = JournalRecords(file).standings().solitaire
    assert (best.name, best.turns, best.score, best.played, best.course) == ("Anne", 2, 23, 2, "target=20")
    play_alone(file, [(6, 5, 4, 6, 3)], mode="single")
    play_alone(file, [(6, 5, 4, 1, 1)], mode="single")
    (single,) = (best for best in JournalRecords(file).standings().solitaire if best.course != "target=20")
    assert (single.score, single.turns, single.played) == (9, None, 2)


@pytest.mark.parametrize(
    ("game", "ended", "counts"),
    [
        ("swashbuckle", MatchEnded(1, (200, 345)), True),
        ("swashbuckle", MatchEnded(1, (200, 345, 12)), False),
        ("swashbuckle", MatchEnded(2, (200, 345)), False),
        ("a game that is gone", MatchEnded(2, (200, 345, 12)), True),
        ("a game that is gone", None, False),
        ("swashbuckle", None, False),
    ],
)
def test_an_end_must_fit_the_players_where_the_game_is_known(game: str, ended: MatchEnded | None, counts: bool) -> None:  # noqa: FBT001
    assert ends_with_its_players(MatchStarted(game, ("Anne", "Bart"), {}), ended) == counts


def test_names_are_listed_as_in_a_sentence() -> None:
    names = ["Anne", "Bart", "Cora"]
    assert [listed(names[:count]) for count in (1, 2, 3)] == ["Anne", "Anne and Bart", "Anne, Bart and Cora"]


def test_the_captain_begins_the_next_match(file: JournalFile) -> None:
    finish(file, ("Anne", "Bart"), (200, 345))
    records = JournalRecords(file)
    assert records.agreed("swashbuckle", ("Anne", "Bart"), {"pillage": "add"}) == {"captain": "Bart", "pillage": "add"}
    assert records.agreed("swashbuckle", ("Anne", "Cora"), {}) == {}
    assert records.agreed("ship-captain-crew", ("Anne", "Bart"), {}) == {}


def test_w10_who_sits_down_is_honoured_for_the_matches_that_are_finished(file: JournalFile) -> None:
    """docs/rules/swashbuckle.md W10: a computer by its own name and level; in other games nobody."""
    finish(file, ("Anne", "Bart"), (255, 345))
    file.start(MatchStarted("swashbuckle", ("Anne",), {}), None)  # not finished
    level_two = MatchStarted("swashbuckle", ("Cora", "eurus:2"), {}, kinds=("human", "computer"))
    file.start(level_two, None).append(MatchEnded(1, (130, 301)))
    records = JournalRecords(file)
    started = MatchStarted("swashbuckle", ("eurus:1", "eurus:2", "Anne", "Dirk"), {}, kinds=("computer", "computer"))
    assert [honours.words for honours in records.honours(started)] == ["", "First mate", "Swashbuckler", ""]
    assert records.honours(MatchStarted("ship-captain-crew", ("Anne", "Bart"), {})) == ()


def test_wins_are_counted_apart_by_what_makes_scores_comparable_and_computers_are_named(file: JournalFile) -> None:
    def crew(names: tuple[str, ...], scores: tuple[int, ...], **options: str) -> None:
        started = MatchStarted("ship-captain-crew", names, options, kinds=kinds_of("ship-captain-crew", names))
        file.start(started, None).append(MatchEnded(scores.index(max(scores)), scores))

    crew(("Anne", "zephyr:2"), (52, 40))
    crew(("Anne", "Bart"), (20, 23), target="20", stake="5", order="seated")
    crew(("Anne", "Bart"), (25, 3), target="20")
    standings = JournalRecords(file).standings()
    found = [(tally.course, tally.name, tally.won, tally.best) for tally in standings.tallies]
    assert found == [
        ("", "Anne", 1, 52),
        ("", "Zephyr (level 2)", 0, 40),
        ("target=20", "Anne", 1, 25),
        ("target=20", "Bart", 1, 23),
    ]
    assert standings.computers == {"Zephyr (level 2)"}


def test_ranks_follow_the_order_in_which_matches_ended(file: JournalFile) -> None:
    late = file.start(MatchStarted("swashbuckle", ("Bart",), {}), None)
    finish(file, ("Anne",), (350,))
    late.append(MatchEnded(0, (350,)))
    (ranking,) = JournalRecords(file).standings().rankings
    titles = [player.title for player in ranking.players]
    assert titles == ["Captain Anne", "First mate Bart"]


def test_a_match_with_several_columns_gives_nobody_a_rank(file: JournalFile) -> None:
    finish(file, ("Anne", "Bart"), (700, 650), columns="2")
    assert JournalRecords(file).agreed("swashbuckle", ("Anne", "Bart"), {}) == {}
    assert JournalRecords(file).standings().rankings == []
    finish(file, ("Anne", "Bart"), (200, 345))
    (ranking,) = JournalRecords(file).standings().rankings
    assert [(player.title, player.best) for player in ranking.players] == [("Captain Bart", 345), ("Anne", 200)]
    agreed = JournalRecords(file).agreed("swashbuckle", ("Anne", "Bart"), {"columns": "2"})
    assert agreed == {"columns": "2", "captain": "Bart"}


NAMES = ("Anne", "Bart", "Cora", "Dirk", "Ed", "Finn", "Greta")


@pytest.mark.parametrize(
    ("winner", "scores", "words"),
    [
        (1, (2, 6), "Bart won 6 : 2"),
        (None, (5, 5), "draw 5 : 5"),
        (None, (0, 0), "draw \u00bd : \u00bd"),
        (1, (0, 1), "Bart won 1 : 0"),
        (0, (300,), "Anne ended with 300"),
        (2, (4, 9, 25), "Cora won with 25; Bart 9, Anne 4"),
        (0, (4, 9), "Anne won with 4; Bart 9"),  # not by who has most
        (1, (30, 9, 12), "Bart won with 9; Anne 30, Cora 12"),
        (None, (7, 2, 7), "shared by Anne and Cora with 7; Bart 2"),
        (None, (8, 5), "nobody won; Anne 8, Bart 5"),
        (0, (9, 1, 2, 3, 4, 5, 6), "Anne won with 9; Greta 6, Finn 5, Ed 4, Dirk 3 and 2 more"),
    ],
)
def test_how_a_match_ended_names_winners_and_scores(winner: int | None, scores: tuple[int, ...], words: str) -> None:
    started = MatchStarted("toss", NAMES[: len(scores)], {})  # a game that is installed nowhere
    record = MatchRecord(1, "2026-11-21T23:04:03+00:00", started, 8, MatchEnded(winner, scores))
    assert outcome_words(record) == words


def test_a_match_that_is_not_over_ended_in_no_way() -> None:
    assert outcome_words(MatchRecord(1, "", MatchStarted("toss", NAMES, {}), 8, None)) is None
