"""Advice at the table: only when asked for, by a long push or on the page, and recorded in the match."""

import json
import random
from contextlib import closing
from pathlib import Path

import pytest

from captains_table.catalog import hint
from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.games.contract import Decide, Keep, Over, Pick
from captains_table.runtime.session import Session
from captains_table.storage.exports import export_match
from captains_table.storage.journal_file import JournalFile, MemoryJournal
from captains_table.table.history.export import export_json
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Acted, Advised, Entry, MatchStarted, TakenBack, advice_by_action
from captains_table.table.model.events import AdviceAsked, Answered, Button, ButtonPressed, ButtonReleased, DieToggled
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Hint
from tests.table.hand import Hand


@pytest.fixture
def hand() -> Hand:
    """A match of Legend whose first dice, a crew with a small cargo and a IV, have fallen."""
    hand = Hand(MatchStarted("legend", ("Anne", "Bart"), {}), random.Random(0), adviser=hint)
    hand.dice.queue([6, 5, 4, 1, 2, 4])
    hand.press(Button.ROLL)
    return hand


def advice_in(hand: Hand) -> list[Advised]:
    return [entry for entry in hand.entries() if isinstance(entry, Advised)]


def shown(hand: Hand) -> Hint | None:
    return hand.view.hint


@pytest.mark.parametrize(("held_ms", "advised"), [(0, False), (599, False), (600, True), (5000, True)])
def test_a_long_push_asks_for_advice_and_a_short_one_chooses(hand: Hand, held_ms: int, *, advised: bool) -> None:
    before = hand.match.revision
    hand.press(Button.CHOOSE, held_ms=held_ms)
    assert (shown(hand) is not None) == advised == bool(advice_in(hand))
    assert (hand.match.revision > before) != advised


def test_the_advice_says_what_to_do_and_what_it_is_worth_and_the_match_records_it_once(hand: Hand) -> None:
    for _ in range(2):
        hand.press(Button.CHOOSE, held_ms=700)
        advice = shown(hand)
        assert advice is not None
        assert (advice.words, advice.id) == ("Keep 4 5 6 IV", "throw-again")
        assert "cargo expected" in advice.why
        assert advice_in(hand) == [Advised(0, hand.match.revision, advice.words)]
        assert hand.view.log[-1].words == f"Anne asks for advice: {advice.words}"


def test_advice_goes_with_the_next_action_and_the_dice_to_keep_are_named(hand: Hand) -> None:
    hand.press(Button.CHOOSE, held_ms=700)
    hand.say(Pick("throw-again"))
    assert shown(hand) is None
    hand.press(Button.CHOOSE, held_ms=700)
    advice = shown(hand)
    assert advice is not None
    assert advice.dice == (1, 2, 3, 6)


def test_the_dice_that_fall_follow_the_advice_until_a_player_chooses_others() -> None:
    hand = Hand(MatchStarted("legend", ("Anne", "Bart"), {}), random.Random(0), adviser=hint)
    hand.dice.queue([1, 1, 3, 4, 4, 3])
    hand.press(Button.ROLL)
    usual = hand.view.roll.dice
    hand.press(Button.CHOOSE, held_ms=700)
    advice = shown(hand)
    assert advice is not None
    assert advice.dice is not None
    advised = tuple(die for die in range(1, 7) if die not in advice.dice)
    assert hand.view.roll.dice == advised != usual
    hand.session.handle(DieToggled(6), hand.now_ms)
    assert hand.view.roll.dice == advised[:-1]
    hand.press(Button.CHOOSE, held_ms=700)
    assert hand.view.roll.dice == advised


def test_where_nothing_is_known_the_table_says_so_and_records_nothing() -> None:
    hand = Hand(MatchStarted("legend", ("Anne", "Bart"), {}), random.Random(0))
    hand.press(Button.CHOOSE, held_ms=700)
    assert shown(hand) == Hint("No advice on this")
    assert advice_in(hand) == []


def test_a_push_that_was_never_released_means_nothing_in_the_next_match(hand: Hand) -> None:
    hand.session.handle(ButtonPressed(Button.CHOOSE), hand.now_ms)
    hand.cut_power()
    hand.session.handle(ButtonReleased(Button.CHOOSE), hand.now_ms + 700)
    assert shown(hand) is None


def test_advice_belongs_to_the_next_action_that_stands() -> None:
    entries: list[Entry] = [
        MatchStarted("legend", ("Anne",), {}),
        Acted(1, 0, 0, Pick("roll")),
        Advised(0, 1, "first"),
        Acted(2, 0, 0, Pick("throw-again")),
        TakenBack(3, 0, 0, 2),
        Advised(0, 3, "second"),
        Acted(4, 0, 0, Pick("e2e4")),
        Advised(0, 4, "nothing followed"),
    ]
    told = {seq: [advised.words for advised in given] for seq, given in advice_by_action(entries).items()}
    assert told == {4: ["first", "second"]}


def played_with_advice() -> tuple[MemoryJournal, bytes]:
    """Return a finished match of Ship, Captain and Crew in which every decision was advised and followed."""
    seed = bytes(range(32))
    started = MatchStarted("ship-captain-crew", ("Anne", "Bart"), {"target": "40"}, commitment(seed))
    journal = MemoryJournal(started)
    session = Session(Settings(), adviser=hint)
    session.load(journal, HonestDice(seed), 0, resumed=False)
    match, now_ms = session.match, 0
    assert match is not None
    while not isinstance(match.turn, Over):
        now_ms += 1000
        if isinstance(match.turn, Decide):
            session.handle(AdviceAsked(), now_ms)
            advice = session.view().hint
            assert advice is not None
            assert advice.id is not None or advice.dice is not None
            session.handle(Answered(Pick(advice.id) if advice.id else Keep(advice.dice or ())), now_ms)
        else:
            session.handle(ButtonPressed(Button.ROLL), now_ms)
            session.handle(ButtonReleased(Button.ROLL), now_ms + 100)
    return journal, seed


def test_an_advised_matchs_export_tells_of_it_and_verifies_unless_it_was_changed() -> None:
    journal, seed = played_with_advice()
    export = json.dumps(export_json(journal.entries(), seed))
    assert verify_export(json.loads(export)).proven
    for key, value in (("after_seq", 1), ("seat", 7), ("words", "Stand still")):
        forged = json.loads(export)
        advised = [entry for entry in forged["entries"] if entry["entry"] == "advised"]
        assert advised[-1][key] != value
        advised[-1][key] = value
        assert not verify_export(forged).proven, key


def test_a_pgn_tells_of_advice_in_a_comment(hand: Hand, tmp_path: Path) -> None:
    hand.press(Button.CHOOSE, held_ms=700)
    hand.say(Pick("e2e4"))
    hand.say(Pick("done"))
    started, *played = hand.entries()
    assert isinstance(started, MatchStarted)
    with closing(JournalFile(tmp_path / "journal.sqlite3")) as file:
        journal = file.start(started, None)
        for entry in played:
            journal.append(entry)
        text = export_match(journal, "pgn")
    assert "advice: Keep 4 5 6 IV" in " ".join(text.split())
