"""A game master's corrections and timers as they are written down: after a cut, exported, proven, on a tape."""

from io import StringIO

import pytest

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.devices.display.screens.header import heading_words, split_prompt
from captains_table.devices.ports import Journal
from captains_table.games.contract import (
    Auction,
    Bell,
    Bid,
    Correct,
    Decide,
    EndMatch,
    IllegalAction,
    Pick,
    parse_square,
)
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.history.review import MatchReview
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Acted, MatchStarted, TimersStopped
from captains_table.table.model.events import Button, TimersSwitched
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import BoardDifference, Phase
from captains_table.table.tapes.tape_writer import tape_of
from tests.support.crowns_play import any_pieces
from tests.support.honest_match import SEED, exported
from tests.support.played_table import SimulatedTable
from tests.support.playing import played

RUN_ON = "Let the time run on"


class MasterTable(SimulatedTable):
    """A match of Crowns with a minute for everything, or the one of a journal."""

    def __init__(self, journal: Journal | None = None, now_ms: int = 0, game: str = "crowns") -> None:
        options = {"timer": "60", **any_pieces(2)} if game == "crowns" else {}
        started = MatchStarted(game, ("Anne", "Bart"), options, commitment(SEED), ("human", "human"), 0)
        self.journal = journal or MemoryJournal(started)
        self.now_ms = now_ms
        self.start(Session(Settings()), HonestDice.resumed(SEED, self.entries()), resumed=journal is not None)

    def switch_timers(self, *, run: bool) -> None:
        self.session.handle(TimersSwitched(run), self.now_ms)

    def after_a_cut(self) -> "MasterTable":
        return MasterTable(self.journal, self.now_ms)


def corrected_match() -> MasterTable:
    """Return a table after an auction, a move, corrections of everything, timers stopped and started, and the end."""
    table = MasterTable()
    table.answer(Bid(0, 2), Correct("gold", "Anne", "+3", "a ring was forgotten"), Bell(), Pick("summon-a1"))
    table.switch_timers(run=False)
    table.answer(Correct("place", "Anne", "d4"))
    table.table.set_up(table.now_ms)
    table.switch_timers(run=True)
    table.answer(Correct("crown", "black", "Anne"), Bid(1, 1), EndMatch())
    return table


def test_a_match_with_corrections_verifies_replays_to_the_same_state_and_is_reviewed() -> None:
    table = corrected_match()
    verdict = verify_export(exported(table.entries()))
    assert verdict.proven, verdict.words
    again = Match.resumed(table.entries())
    assert again.state == table.match.state
    assert again.timers.are_stopped == table.match.timers.are_stopped
    told = [line.words for moment in MatchReview(table.match).moments for line in moment.lines]
    assert "The game master sets the gold of Anne from 9 to 12: a ring was forgotten" in told
    assert "The game master ends the match, and nobody wins" in told


@pytest.mark.parametrize("forged", [{"to": "-99"}, {"of": "Nobody"}, {"what": "cards"}])
def test_a_correction_that_could_not_be_is_not_proven(forged: dict[str, str]) -> None:
    value = exported(corrected_match().entries())
    entry = next(entry for entry in value["entries"] if entry.get("action", {}).get("type") == "correct")
    entry["action"] |= forged
    verdict = verify_export(value)
    assert not verdict.proven
    assert verdict.seq == entry["seq"]


def test_timers_stopped_or_started_twice_are_refused_and_not_proven() -> None:
    table = MasterTable()
    with pytest.raises(IllegalAction, match="already"):
        table.switch_timers(run=True)
    table.switch_timers(run=False)
    with pytest.raises(IllegalAction, match="already"):
        table.switch_timers(run=False)
    entries = list(corrected_match().entries())
    place = next(place for place, entry in enumerate(entries) if isinstance(entry, TimersStopped))
    forged = [*entries[: place + 1], *entries[place:]]
    verdict = verify_export(exported(forged))
    assert (verdict.proven, verdict.entry) == (False, place + 1)
    assert "timers stood still" in verdict.words


def test_a_recorded_game_master_replays_to_the_same_actions() -> None:
    tape = StringIO()
    table = MasterTable()
    recorder = Recorder(table.session, tape)
    recorder.start_tape(0)
    table.answer(Bid(0, 2), Correct("gold", "Anne", "1", "he said 'no'"))
    table.switch_timers(run=False)
    table.wait(600_000)
    table.switch_timers(run=True)
    table.answer(Correct("place", "Bart", "d4"))
    table.table.set_up(table.now_ms)
    table.wait(60_000)
    table.answer(Pick("pass"), EndMatch())
    replayed = played(tape.getvalue())
    assert (replayed.code, replayed.err) == (0, "")
    assert "timers stop" in tape.getvalue()
    kinds = [type(entry.action).__name__ for entry in table.entries() if isinstance(entry, Acted)]
    assert kinds == ["Bid", "Correct", "Correct", "Bell", "Pick", "EndMatch"]
    assert [line["action"]["type"] for line in replayed.actions] == ["bid", "correct", "correct", "bell", "pick", "end"]


def test_a_match_written_as_a_tape_comes_to_the_same_state_whatever_was_stopped_and_corrected() -> None:
    table = MasterTable()
    table.answer(Bid(0, 2), after_ms=50_000)
    table.switch_timers(run=False)
    table.answer(Correct("place", "Bart", "d4"), Correct("gold", "Anne", "-1"), after_ms=90_000)
    lines = tape_of(table.match)
    assert lines[-1] == "+0 timers stop"
    replayed = played("\n".join(lines))
    assert (replayed.code, replayed.err) == (0, "")
    assert [line["action"]["type"] for line in replayed.actions] == ["bid", "correct", "correct"]


# --- the board ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gold", [(), (Correct("gold", "Bart", "3"),)], ids=["alone", "before gold is corrected"])
def test_a_corrected_place_is_for_hands_to_make_and_a_page_that_answers_is_not_asked_what_was_done(
    gold: tuple[Correct, ...],
) -> None:
    table = MasterTable()
    table.answer(Bid(0, 2), Bell(), Pick("summon-a1"), Correct("place", "Anne", "d4"), *gold)
    view = table.view
    assert view.phase is Phase.SETUP
    assert list(map(str, (*view.wrong.missing, *view.wrong.extra))) == ["d4", "a1"]
    table.table.set_up(table.now_ms)
    view = table.view
    assert (view.phase, view.wrong, view.asks_about_board) == (Phase.PLAYING, BoardDifference(), False)


def test_a_correction_of_gold_leaves_the_hand_at_its_move() -> None:
    table = MasterTable()
    table.answer(Bid(0, 2), Bell())
    table.table.lift(parse_square("a2"), table.now_ms)
    table.answer(Correct("gold", "Bart", "3"))
    assert table.view.wrong == BoardDifference()
    table.now_ms += 500
    table.table.place(parse_square("a3"), table.now_ms)
    table.wait(3000)
    assert table.match.history[-1].acted.action == Pick("a2a3")


# --- timers ---------------------------------------------------------------------------------------------------------


def test_time_stands_still_for_everybody_until_the_master_starts_it_and_the_glass_says_so() -> None:
    table = MasterTable()
    table.wait(20_000)
    table.switch_timers(run=False)
    table.wait(500_000)
    assert (table.view.bell_seconds, table.view.timers_stopped) == (40, True)
    assert split_prompt(table.view)[0] == "Stopped 0:40"
    assert isinstance(table.match.turn, Auction)
    table.switch_timers(run=True)
    table.wait(39_000)
    assert (table.view.bell_seconds, table.view.timers_stopped) == (1, False)
    assert table.match.history == []
    table.wait(1_001)
    assert table.match.history[-1].acted.action == Bell()


def test_where_no_master_is_any_more_the_knob_lets_the_time_run_on() -> None:
    table = MasterTable()
    lines = table.labels()
    assert RUN_ON not in lines
    table.switch_timers(run=False)
    assert table.labels() == [*lines, RUN_ON], "behind everything else"
    again = table.after_a_cut()
    again.press(Button.PREVIOUS, Button.CHOOSE)
    assert (again.view.timers_stopped, again.labels()) == (False, lines)
    again.switch_timers(run=False)
    again.answer(Bid(0, 2), Bell())
    assert again.labels()[-1] == RUN_ON
    again.press(Button.PREVIOUS, Button.CHOOSE)
    assert not again.view.timers_stopped
    assert again.match.seat == 0, "nothing else was chosen"
    again.wait(60_001)
    assert isinstance(again.match.turn, Auction)


def test_bids_go_on_while_time_stands_still_and_the_bell_may_be_rung() -> None:
    table = MasterTable()
    table.switch_timers(run=False)
    table.answer(Bid(0, 2), Bell(), after_ms=100_000)
    assert isinstance(table.match.turn, Decide)
    assert table.view.bell_seconds == 60, "a new time begins, and stands still too"
    assert heading_words(table.view) == "Stopped"
    table.wait(100_000)
    assert isinstance(table.match.turn, Decide)
    table.switch_timers(run=True)
    assert heading_words(table.view) == "Turn 1"
    table.wait(60_001)
    assert isinstance(table.match.turn, Auction)


def test_time_that_stands_still_survives_a_cut_with_what_was_left() -> None:
    table = MasterTable()
    table.answer(Bid(0, 2), after_ms=15_000)
    table.wait(10_000)
    table.switch_timers(run=False)
    table.wait(7_000)
    again = table.after_a_cut()
    assert (again.view.bell_seconds, again.view.timers_stopped) == (35, True)
    again.wait(90_000)
    assert again.view.bell_seconds == 35
    again.switch_timers(run=True)
    again.answer(Bid(1, 3), after_ms=5_000)
    assert again.after_a_cut().view.bell_seconds == 30, "what was used since the start is used"


def test_a_correction_leaves_the_time_running_as_a_bid_does() -> None:
    table = MasterTable()
    table.answer(Bid(0, 2), Bell())
    table.answer(Correct("gold", "Bart", "3"), after_ms=20_000)
    assert table.view.bell_seconds == 40
    assert table.after_a_cut().view.bell_seconds == 40


def test_a_game_without_a_master_has_neither_corrections_nor_timers_to_stop() -> None:
    table = MasterTable(game="swashbuckle")
    before = table.entries()
    with pytest.raises(IllegalAction, match="expected a match of a game that has one"):
        table.switch_timers(run=False)
    for action in (Correct("gold", "Anne", "3"), EndMatch()):
        with pytest.raises(IllegalAction, match="expected a match of a game that has one"):
            table.answer(action)
    assert table.entries() == before
