"""A game master's corrections and timers as they are written down: after a cut, exported, proven, on a tape."""

import json
from io import StringIO

import pytest

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.devices.display.screens.header import heading_words, split_prompt
from captains_table.games.contract import (
    Action,
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
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.runtime.tape_player import replay_lines
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.history.export import export_json
from captains_table.table.history.review import MatchReview
from captains_table.table.history.verify import ExportVerdict, verify_export
from captains_table.table.model.entries import Acted, MatchStarted, TimersStopped
from captains_table.table.model.events import (
    Answered,
    Button,
    ButtonPressed,
    ButtonReleased,
    TimePassed,
    TimersSwitched,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import BoardDifference, Phase
from captains_table.table.tapes.tape_writer import tape_of
from tests.support.crowns_play import any_pieces

RUN_ON = "Let the time run on"
SEED = bytes(range(32))


class MasterTable:
    """A match of Crowns with a minute for everything, or the one of a journal."""

    def __init__(self, journal: MemoryJournal | None = None, now_ms: int = 0, game: str = "crowns") -> None:
        options = {"timer": "60", **any_pieces(2)} if game == "crowns" else {}
        started = MatchStarted(game, ("Anne", "Bart"), options, commitment(SEED), ("human", "human"), 0)
        self.journal = journal or MemoryJournal(started)
        self.now_ms = now_ms
        self.driver = SimulatedSource(Session(Settings()), SimulatedBoard())
        dice = HonestDice.resumed(SEED, self.journal.entries())
        self.driver.session.load(self.journal, dice, now_ms, resumed=journal is not None)
        self.driver.begun(now_ms)

    @property
    def match(self) -> Match:
        """The match in hand."""
        match = self.driver.session.match
        assert match is not None
        return match

    def do(self, *actions: Action, after_ms: int = 1000) -> None:
        """Do one after the other."""
        for action in actions:
            self.wait(after_ms)
            self.driver.session.handle(Answered(action), self.now_ms)

    def wait(self, ms: int) -> None:
        """Let time pass."""
        self.now_ms += ms
        self.driver.session.handle(TimePassed(), self.now_ms)

    def stop_timers(self) -> None:
        """Let time stand still."""
        self.driver.session.handle(TimersSwitched(run=False), self.now_ms)

    def start_timers(self) -> None:
        """Let it run on."""
        self.driver.session.handle(TimersSwitched(run=True), self.now_ms)

    def lines(self) -> list[str]:
        """Return the lines of the menu."""
        return [entry.label for entry in self.driver.session.view().menu.entries]

    def press(self, *buttons: Button) -> None:
        """Press buttons one after the other."""
        for button in buttons:
            self.wait(100)
            self.driver.session.handle(ButtonPressed(button), self.now_ms)
            self.driver.session.handle(ButtonReleased(button), self.now_ms)

    def after_a_cut(self) -> "MasterTable":
        """Return the table as it comes up again."""
        return MasterTable(self.journal, self.now_ms)

    def bell_seconds(self) -> int | None:
        """Return the seconds that every display shows."""
        return self.driver.session.view().bell_seconds

    def verdict(self) -> ExportVerdict:
        """Return what `verify` says of the match's export."""
        return verify_export(json.loads(json.dumps(export_json(self.journal.entries(), SEED))))


def replayed(tape: str) -> tuple[int, list[dict[str, object]], str]:
    """Return a tape's exit code, the actions it printed, and what was wrong."""
    out, err = StringIO(), StringIO()
    code = replay_lines("tape", tape.splitlines(), out, err)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    return code, [line["action"] for line in lines[:-1]], err.getvalue()


def corrected_match() -> MasterTable:
    """Return a table after an auction, a move, corrections of everything, timers stopped and started, and the end."""
    table = MasterTable()
    table.do(Bid(0, 2), Correct("gold", "Anne", "+3", "a ring was forgotten"), Bell(), Pick("summon-a1"))
    table.stop_timers()
    table.do(Correct("place", "Anne", "d4"))
    table.driver.set_up(table.now_ms)
    table.start_timers()
    table.do(Correct("crown", "black", "Anne"), Bid(1, 1), EndMatch())
    return table


def test_a_match_with_corrections_verifies_and_replays_to_the_same_state() -> None:
    table = corrected_match()
    verdict = table.verdict()
    assert verdict.proven, verdict.words
    again = Match.resumed(table.journal.entries())
    assert again.state == table.match.state
    assert again.timers.are_stopped == table.match.timers.are_stopped


@pytest.mark.parametrize("forged", [{"to": "-99"}, {"of": "Nobody"}, {"what": "cards"}])
def test_a_correction_that_could_not_be_is_not_proven(forged: dict[str, str]) -> None:
    value = json.loads(json.dumps(export_json(corrected_match().journal.entries(), SEED)))
    entry = next(entry for entry in value["entries"] if entry.get("action", {}).get("type") == "correct")
    entry["action"] |= forged
    verdict = verify_export(value)
    assert not verdict.proven
    assert verdict.seq == entry["seq"]


def test_timers_stopped_twice_are_not_proven() -> None:
    entries = list(corrected_match().journal.entries())
    place = next(place for place, entry in enumerate(entries) if isinstance(entry, TimersStopped))
    forged = [*entries[: place + 1], *entries[place:]]
    verdict = verify_export(json.loads(json.dumps(export_json(forged, SEED))))
    assert (verdict.proven, verdict.entry) == (False, place + 1)
    assert "timers stood still" in verdict.words


def test_a_review_shows_corrections_as_moments_of_the_turn_they_fell_in() -> None:
    story = MatchReview(corrected_match().match)
    told = [line.words for moment in story.moments for line in moment.lines]
    assert "The game master sets the gold of Anne from 9 to 12: a ring was forgotten" in told
    assert "The game master ends the match, and nobody wins" in told


def test_a_recorded_game_master_replays_to_the_same_actions() -> None:
    tape = StringIO()
    table = MasterTable()
    recorder = Recorder(table.driver.session, tape)
    recorder.start_tape(0)
    table.do(Bid(0, 2), Correct("gold", "Anne", "1", "he said 'no'"))
    table.stop_timers()
    table.wait(600_000)
    table.start_timers()
    table.do(Correct("place", "Bart", "d4"))
    table.driver.set_up(table.now_ms)
    table.wait(60_000)
    table.do(Pick("pass"), EndMatch())
    code, actions, err = replayed(tape.getvalue())
    assert (code, err) == (0, "")
    assert "timers stop" in tape.getvalue()
    kinds = [type(entry.action).__name__ for entry in table.journal.entries() if isinstance(entry, Acted)]
    assert kinds == ["Bid", "Correct", "Correct", "Bell", "Pick", "EndMatch"]
    assert [action["type"] for action in actions] == ["bid", "correct", "correct", "bell", "pick", "end"]


def test_a_match_written_as_a_tape_comes_to_the_same_state_whatever_was_stopped_and_corrected() -> None:
    table = MasterTable()
    table.do(Bid(0, 2), after_ms=50_000)
    table.stop_timers()
    table.do(Correct("place", "Bart", "d4"), Correct("gold", "Anne", "-1"), after_ms=90_000)
    lines = tape_of(table.match)
    assert lines[-1] == "+0 timers stop"
    code, actions, err = replayed("\n".join(lines))
    assert (code, err) == (0, "")
    assert [action["type"] for action in actions] == ["bid", "correct", "correct"]


# --- the board ------------------------------------------------------------------------------------------------------


def test_a_corrected_place_is_for_hands_to_make_and_a_page_that_answers_is_not_asked_what_was_done() -> None:
    table = MasterTable()
    table.do(Bid(0, 2), Bell(), Pick("summon-a1"), Correct("place", "Anne", "d4"))
    view = table.driver.session.view()
    assert view.phase is Phase.SETUP
    assert list(map(str, (*view.wrong.missing, *view.wrong.extra))) == ["d4", "a1"]
    table.driver.set_up(table.now_ms)
    view = table.driver.session.view()
    assert (view.phase, view.wrong, view.asks_about_board) == (Phase.PLAYING, BoardDifference(), False)


def test_a_correction_beside_the_board_leaves_the_hand_at_its_move() -> None:
    table = MasterTable()
    table.do(Bid(0, 2), Bell())
    table.driver.lift(parse_square("a2"), table.now_ms)
    table.do(Correct("gold", "Bart", "3"))
    assert table.driver.session.view().wrong == BoardDifference()
    table.now_ms += 500
    table.driver.place(parse_square("a3"), table.now_ms)
    table.wait(3000)
    assert table.match.history[-1].acted.action == Pick("a2a3")


def test_a_correction_of_gold_leaves_the_guidance_to_a_place_that_was_corrected_before() -> None:
    table = MasterTable()
    table.do(Bid(0, 2), Bell(), Pick("summon-a1"), Correct("place", "Anne", "d4"), Correct("gold", "Bart", "3"))
    view = table.driver.session.view()
    assert view.phase is Phase.SETUP
    assert list(map(str, (*view.wrong.missing, *view.wrong.extra))) == ["d4", "a1"]


# --- timers ---------------------------------------------------------------------------------------------------------


def test_time_stands_still_for_everybody_until_the_master_starts_it() -> None:
    table = MasterTable()
    table.wait(20_000)
    table.stop_timers()
    table.wait(500_000)
    assert (table.bell_seconds(), table.driver.session.view().timers_stopped) == (40, True)
    assert isinstance(table.match.turn, Auction)
    table.start_timers()
    table.wait(39_000)
    assert (table.bell_seconds(), table.driver.session.view().timers_stopped) == (1, False)
    assert table.match.history == []
    table.wait(1_001)
    assert table.match.history[-1].acted.action == Bell()


def test_where_no_master_is_any_more_the_knob_lets_the_time_run_on() -> None:
    table = MasterTable()
    lines = table.lines()
    assert RUN_ON not in lines
    table.stop_timers()
    assert table.lines() == [*lines, RUN_ON], "behind everything else"
    again = table.after_a_cut()
    again.press(Button.PREVIOUS, Button.CHOOSE)
    assert (again.driver.session.view().timers_stopped, again.lines()) == (False, lines)
    again.stop_timers()
    again.do(Bid(0, 2), Bell())
    assert again.lines()[-1] == RUN_ON
    again.press(Button.PREVIOUS, Button.CHOOSE)
    assert not again.driver.session.view().timers_stopped
    assert again.match.seat == 0, "nothing else was chosen"
    again.wait(60_001)
    assert isinstance(again.match.turn, Auction)


def test_the_glass_says_so_in_its_top_line_whoever_is_asked() -> None:
    table = MasterTable()
    table.stop_timers()
    assert split_prompt(table.driver.session.view())[0] == "Stopped 1:00"
    table.do(Bid(0, 2), Bell())
    assert heading_words(table.driver.session.view()) == "Stopped"
    table.start_timers()
    assert heading_words(table.driver.session.view()) == "Turn 1"


def test_bids_go_on_while_time_stands_still_and_the_bell_may_be_rung() -> None:
    table = MasterTable()
    table.stop_timers()
    table.do(Bid(0, 2), Bell(), after_ms=100_000)
    assert isinstance(table.match.turn, Decide)
    assert table.bell_seconds() == 60, "a new time begins, and stands still too"
    table.wait(100_000)
    assert isinstance(table.match.turn, Decide)
    table.start_timers()
    table.wait(60_001)
    assert isinstance(table.match.turn, Auction)


def test_time_that_stands_still_survives_a_cut_with_what_was_left() -> None:
    table = MasterTable()
    table.do(Bid(0, 2), after_ms=15_000)
    table.wait(10_000)
    table.stop_timers()
    table.wait(7_000)
    again = table.after_a_cut()
    assert (again.bell_seconds(), again.driver.session.view().timers_stopped) == (35, True)
    again.wait(90_000)
    assert again.bell_seconds() == 35
    again.start_timers()
    again.do(Bid(1, 3), after_ms=5_000)
    assert again.after_a_cut().bell_seconds() == 30, "what was used since the start is used"


def test_a_correction_leaves_the_time_running_as_a_bid_does() -> None:
    table = MasterTable()
    table.do(Bid(0, 2), Bell())
    table.do(Correct("gold", "Bart", "3"), after_ms=20_000)
    assert table.bell_seconds() == 40
    assert table.after_a_cut().bell_seconds() == 40


@pytest.mark.parametrize("run", [True, False])
def test_what_is_so_already_is_refused(run: bool) -> None:  # noqa: FBT001 - parametrised
    table = MasterTable()
    if not run:
        table.stop_timers()
    with pytest.raises(IllegalAction, match="already"):
        table.driver.session.handle(TimersSwitched(run=run), table.now_ms)


def test_a_game_without_a_master_has_neither_corrections_nor_timers_to_stop() -> None:
    table = MasterTable(game="swashbuckle")
    before = table.journal.entries()
    with pytest.raises(IllegalAction, match="expected a match of a game that has one"):
        table.stop_timers()
    for action in (Correct("gold", "Anne", "3"), EndMatch()):
        with pytest.raises(IllegalAction, match="expected a match of a game that has one"):
            table.do(action)
    assert table.journal.entries() == before
