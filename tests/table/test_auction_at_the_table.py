"""Several seats bid at once at the table: by menu and page, on the clock, in the journal, after a power cut."""

import json
from collections.abc import Callable
from io import StringIO

import pytest

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.games.contract import Auction, Bell, Bid, IllegalAction, Pick, Roll, Rolled
from captains_table.games.registry import GAMES
from captains_table.runtime.recorder import Recorder
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_driver import SimulatedDriver
from captains_table.runtime.tape_player import replay_lines
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.memory_journal import MemoryJournal
from captains_table.table.history.export import export_json
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Acted, Entry, MatchEnded, MatchStarted
from captains_table.table.model.events import Button
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase
from captains_table.table.tapes.tape_writer import tape_of
from tests.support.harbour_auction import HarbourAuction

SEED = bytes(range(32))
NAMES = ("Anne", "Bart", "Cora")


@pytest.fixture(autouse=True)
def _harbour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HarbourAuction.key, HarbourAuction())


class Table:
    """A table with honest dice whose first chest is on offer, or that is resumed from a journal."""

    def __init__(self, journal: MemoryJournal | None = None, buttons: str = "encoder", **options: str) -> None:
        resumed = journal is not None
        self.journal = journal or MemoryJournal(MatchStarted("harbour-auction", NAMES, options, commitment(SEED)))
        self.now_ms = 0
        self.driver = SimulatedDriver(Session(Settings(buttons=buttons)), SimulatedBoard())
        dice = HonestDice.resumed(SEED, self.journal.entries())
        self.driver.session.load(self.journal, dice, 0, resumed=resumed)
        if not resumed:
            self.throw()

    @property
    def match(self) -> Match:
        """The match in hand."""
        match = self.driver.session.match
        assert match is not None
        return match

    def entries(self) -> list[Entry]:
        """Return what is journalled."""
        return list(self.journal.entries())

    def wait(self, ms: int) -> None:
        """Let time pass."""
        self.now_ms += ms
        self.driver.tick(self.now_ms)

    def answer(self, *actions: Bid | Bell | Pick, after_ms: int = 1000) -> None:
        """Answer as the page does."""
        for action in actions:
            self.now_ms += after_ms
            self.driver.answer(action, self.now_ms)

    def press(self, *buttons: Button, held_ms: int = 50) -> None:
        """Press buttons one after the other."""
        for button in buttons:
            self.wait(100)
            self.driver.press(button, self.now_ms)
            self.wait(held_ms)
            self.driver.release(button, self.now_ms)

    def throw(self) -> None:
        """Throw for the chest."""
        self.press(Button.ROLL)

    def bids(self) -> list[int]:
        """Return what everybody bids now."""
        return [tally["bid"] for tally in self.match.game.tallies(self.match.state)]

    def labels(self) -> list[str]:
        """Return the lines of the menu."""
        return [entry.label for entry in self.driver.view().menu.entries]


# --- who may bid ----------------------------------------------------------------------------------------------------


def test_every_seat_may_bid_and_raise_and_each_bid_is_journalled_with_its_seat() -> None:
    table = Table()
    table.answer(Bid(2, 3), Bid(0, 4), Bid(2, 6), Bid(1, 1))
    assert table.bids() == [4, 1, 6]
    acted = [entry for entry in table.entries() if isinstance(entry, Acted)][1:]
    assert [(entry.seat, entry.action) for entry in acted] == [
        (2, Bid(2, 3)),
        (0, Bid(0, 4)),
        (2, Bid(2, 6)),
        (1, Bid(1, 1)),
    ]


def test_the_bell_ends_the_auction_and_is_nobodys() -> None:
    table = Table()
    table.answer(Bid(1, 2), Bell())
    assert isinstance(table.match.turn, Roll)
    last = table.entries()[-1]
    assert isinstance(last, Acted)
    assert (last.seat, last.action) == (None, Bell())


@pytest.mark.parametrize(
    "answer", [Bid(0, 3), Bid(0, 2), Bid(1, 0), Bid(1, 10), Bid(3, 1), Bid(-1, 1), Pick("done"), Rolled((3,))]
)
def test_a_bid_too_low_too_high_or_foreign_and_any_other_answer_raises_and_changes_nothing(answer: Bid) -> None:
    table = Table()
    table.answer(Bid(0, 3))
    before, state = table.entries(), table.match.state
    with pytest.raises(IllegalAction, match=r"expected a bid of Anne from 4 to 9, a bid of Bart .* or the bell"):
        table.answer(answer)
    assert table.entries() == before
    assert table.match.state == state


@pytest.mark.parametrize("answer", [Bid(0, 3), Bell()])
def test_after_the_bell_no_bid_and_no_second_bell_is_taken(answer: Bid | Bell) -> None:
    table = Table()
    table.answer(Bid(1, 2), Bell())
    before = table.entries()
    with pytest.raises(IllegalAction, match="no auction"):
        table.answer(answer)
    assert table.entries() == before


def test_the_view_names_nobody_alone_and_marks_everybody_who_may_bid() -> None:
    table = Table()
    table.answer(Bid(1, 9))
    view = table.driver.view()
    assert view.seat is None
    assert [seat.on_turn for seat in view.seats] == [True, False, True]
    assert isinstance(view.ask, Auction)
    assert view.phase is Phase.PLAYING
    assert view.prompt[0].startswith("Bid for")


def test_the_log_tells_of_bids_and_of_the_bell() -> None:
    table = Table()
    table.answer(Bid(1, 2), Bell())
    assert [line.words for line in table.driver.view().log][-3:] == [
        "Bart: bids 2",
        "The bell rings",
        "Bart gets the chest for 2",
    ]


# --- by the buttons -------------------------------------------------------------------------------------------------


def test_the_menu_lists_every_bidder_and_the_bell() -> None:
    table = Table()
    table.answer(Bid(0, 2), Bid(1, 9))
    assert table.labels() == ["Anne bids 3…", "Cora bids 1…", "Ring the bell"]


def test_with_an_encoder_the_seat_is_chosen_and_then_the_amount() -> None:
    table = Table()
    table.press(Button.NEXT, Button.CHOOSE)
    assert table.labels() == [f"Bart bids {value}" for value in range(1, 10)]
    table.press(Button.NEXT, Button.NEXT, Button.CHOOSE)
    assert table.bids() == [0, 3, 0]
    assert table.labels() == ["Anne bids 1…", "Bart bids 4…", "Cora bids 1…", "Ring the bell"]


def test_back_leaves_the_amounts_and_nothing_was_bid() -> None:
    table = Table()
    before = table.entries()
    table.press(Button.CHOOSE, Button.BACK)
    assert table.labels()[-1] == "Ring the bell"
    assert table.entries() == before


def test_the_bell_is_chosen_twice() -> None:
    table = Table()
    table.press(Button.PREVIOUS, Button.CHOOSE)
    assert isinstance(table.match.turn, Auction)
    assert table.labels()[-1] == "Ring the bell? Once more"
    table.press(Button.CHOOSE)
    assert isinstance(table.match.turn, Roll)


def test_with_one_button_all_of_it_is_walked_through_and_a_line_leads_back() -> None:
    table = Table(buttons="one")
    long = 700
    table.press(Button.ROLL, held_ms=long)
    assert table.labels() == [*(f"Anne bids {value}" for value in range(1, 10)), "Back"]
    table.press(*[Button.ROLL] * 9)
    table.press(Button.ROLL, held_ms=long)
    assert table.labels()[0] == "Anne bids 1…"
    table.press(Button.ROLL)
    table.press(Button.ROLL, held_ms=long)
    table.press(Button.ROLL)
    table.press(Button.ROLL, held_ms=long)
    assert table.bids() == [0, 2, 0]


def test_whoever_is_choosing_an_amount_stays_there_while_others_bid() -> None:
    table = Table()
    table.press(Button.NEXT, Button.CHOOSE, *[Button.NEXT] * 4)
    table.answer(Bid(0, 2))
    menu = table.driver.view().menu
    assert menu.cursor is not None
    assert menu.entries[menu.cursor].label == "Bart bids 5"
    table.press(Button.CHOOSE)
    assert table.bids() == [2, 5, 0]


# --- the deadline ---------------------------------------------------------------------------------------------------


def test_the_bell_rings_by_itself_when_the_time_is_over_and_bids_do_not_stop_it() -> None:
    table = Table(seconds="30")
    table.answer(Bid(0, 1), after_ms=20_000)
    table.wait(9_000)
    assert isinstance(table.match.turn, Auction)
    table.wait(2_000)
    assert isinstance(table.match.turn, Roll)
    last = table.entries()[-1]
    assert isinstance(last, Acted)
    assert last.action == Bell()


def test_the_seconds_left_are_shown_and_every_second_is_waited_for() -> None:
    table = Table(seconds="30")
    assert table.driver.view().bell_seconds == 30
    due_ms = table.driver.due_ms()
    assert due_ms is not None
    assert due_ms - table.now_ms <= 1000
    table.wait(4_500)
    assert table.driver.view().bell_seconds == 26


def test_without_a_deadline_an_auction_waits_for_somebody_to_ring() -> None:
    table = Table()
    assert table.driver.view().bell_seconds is None
    assert table.driver.due_ms() is None
    table.wait(3_600_000)
    assert isinstance(table.match.turn, Auction)


def test_every_auction_has_its_whole_time() -> None:
    table = Table(seconds="30")
    table.answer(Bid(0, 1), after_ms=20_000)
    table.answer(Bell())
    table.throw()
    table.wait(29_000)
    assert isinstance(table.match.turn, Auction)
    table.wait(1_000)
    assert table.driver.view().phase is Phase.OVER


# --- power cuts, take-backs, exports --------------------------------------------------------------------------------


def test_after_a_power_cut_the_auction_goes_on_with_its_bids() -> None:
    table = Table()
    table.answer(Bid(0, 1), Bid(1, 2))
    again = Table(table.journal)
    assert again.bids() == [1, 2, 0]
    again.answer(Bid(2, 3), Bell())
    assert again.driver.view().log[-1].words == "Cora gets the chest for 3"


def test_after_a_power_cut_the_time_goes_on_with_what_the_last_bid_had_left() -> None:
    table = Table(seconds="30")
    table.answer(Bid(0, 1), after_ms=12_000)
    table.wait(10_000)  # no action is in the journal of this: it is given back
    again = Table(table.journal)
    assert again.driver.view().bell_seconds == 18
    again.wait(17_000)
    assert isinstance(again.match.turn, Auction)
    again.wait(2_000)
    assert isinstance(again.match.turn, Roll)


def test_a_bid_that_is_taken_back_is_gone_for_whoever_reads_the_journal() -> None:
    table = Table()
    table.answer(Bid(0, 1), Bid(1, 2), Bid(0, 5))
    match = Match.resumed(table.entries())
    taken_back = match.take_back(match.history[-2], 9000)
    assert (taken_back.seat, taken_back.of_seq) == (1, 3)
    table.journal.append(taken_back)
    again = Table(table.journal)
    assert again.bids() == [1, 0, 0]
    again.answer(Bid(1, 4), Bell())
    assert again.driver.view().log[-1].words == "Bart gets the chest for 4"
    assert proven(played_out(again))


def test_a_bell_that_is_taken_back_opens_the_auction_again() -> None:
    table = Table()
    table.answer(Bid(0, 1), Bell())
    match = Match.resumed(table.entries())
    taken_back = match.take_back(match.history[-1], 9000)
    assert taken_back.seat is None
    table.journal.append(taken_back)
    again = Table(table.journal)
    again.answer(Bid(1, 4), Bell())
    assert proven(played_out(again))


def played_out(table: Table) -> list[Entry]:
    """Return the journal of a match that is played to its end."""
    while table.driver.view().phase is not Phase.OVER:
        if isinstance(table.match.turn, Roll):
            table.throw()
        else:
            table.answer(Bid(1, 1), Bid(2, 3), Bell())
    assert isinstance(table.entries()[-1], MatchEnded)
    return table.entries()


def proven(entries: list[Entry]) -> bool:
    """Return whether the export of a match verifies."""
    return verify_export(json.loads(json.dumps(export_json(entries, SEED)))).proven


def test_an_export_with_bids_and_bells_verifies() -> None:
    value = json.loads(json.dumps(export_json(played_out(Table()), SEED)))
    bells = [entry for entry in value["entries"] if entry.get("action") == {"type": "bell"}]
    assert [entry["seat"] for entry in bells] == [None, None]
    assert {"type": "bid", "seat": 2, "value": 3} in [entry.get("action") for entry in value["entries"]]
    verdict = verify_export(value)
    assert verdict.proven, verdict.words


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (lambda entry: entry["action"] | {"value": 0}, "no bid"),
        (lambda entry: entry["action"] | {"value": 10}, "no bid"),
        (lambda entry: entry["action"] | {"seat": 0}, "had to act"),
    ],
)
def test_an_export_with_a_bid_that_could_not_be_does_not_verify(
    forge: Callable[[dict[str, dict[str, object]]], dict[str, object]], words: str
) -> None:
    value = json.loads(json.dumps(export_json(played_out(Table()), SEED)))
    bid = next(entry for entry in value["entries"] if entry.get("action", {}).get("type") == "bid")
    bid["action"] = forge(bid)
    verdict = verify_export(value)
    assert not verdict.proven
    assert words in verdict.words


# --- tapes ----------------------------------------------------------------------------------------------------------

TAPE = """\
game harbour-auction Anne "Black Bart" rounds=1
dice 4
press roll
bid Anne 2
bid "Black Bart" 3
expect ask.kind auction
expect ask.bidders.Anne.lo 3
expect seat null
expect "tallies.Black Bart.bid" 3
bell
expect result.winner "Black Bart"
"""


def replayed(tape: str) -> tuple[int, list[dict[str, object]], str]:
    """Return a tape's exit code, its lines of output, and what was wrong."""
    out, err = StringIO(), StringIO()
    code = replay_lines("tape", tape.splitlines(), out, err)
    return code, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


def test_a_tape_bids_by_name_and_rings_the_bell() -> None:
    code, lines, err = replayed(TAPE)
    assert (code, err) == (0, "")
    assert [(line["seat"], line["action"]) for line in lines[1:-1]] == [
        ("Anne", {"type": "bid", "value": 2}),
        ("Black Bart", {"type": "bid", "value": 3}),
        (None, {"type": "bell"}),
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bid Dirk 4", "'Dirk' plays no match here: expected Anne, Black Bart"),
        ("bid Anne 2", "expected a bid of Anne from 3 to 9"),
        ("bid Anne", "expected bid NAME N"),
        ("bid Anne much", "expected a bid, a whole number"),
        ("bell loudly", "expected bell alone"),
        ("amount 4", "an auction is held now"),
    ],
)
def test_a_bid_that_cannot_be_stops_the_tape_and_says_what_was_expected(line: str, words: str) -> None:
    lines = TAPE.splitlines()[:5]
    code, _, err = replayed("\n".join([*lines, line]))
    assert code == 2
    assert words in err
    assert err.startswith("tape:6: ")


def test_on_a_tape_the_time_of_an_auction_passes_too() -> None:
    code, lines, err = replayed(
        "game harbour-auction Anne Bart rounds=1 seconds=5\ndice 4\npress roll\nbid Anne 2\n+4000 bid Bart 3\n"
    )
    assert code == 2, "the deadline comes first at its own time"
    assert "the match is over" in err
    assert lines[-2]["action"] == {"type": "bell"}


def test_a_cut_in_the_middle_of_an_auction_changes_nothing() -> None:
    lines = TAPE.splitlines()
    cut = "\n".join([*lines[:4], "cut", *lines[4:]])
    assert replayed(cut)[0] == 0


def test_a_recorded_auction_replays_to_the_same_actions() -> None:
    tape = StringIO()
    table = Table(seconds="30", rounds="2")
    table.answer(Bid(0, 1), after_ms=12_000)
    recorder = Recorder(table.driver.session, tape)
    recorder.start_tape(table.now_ms)
    table.answer(Bid(1, 2))
    table.press(Button.CHOOSE, Button.NEXT, Button.CHOOSE)
    table.wait(17_500)
    table.throw()
    table.answer(Bid(2, 1), Bell())
    code, lines, err = replayed(tape.getvalue())
    assert (code, err) == (0, "")
    actions = [entry.action for entry in table.entries() if isinstance(entry, Acted)]
    assert [line["action"]["type"] for line in lines[:-1]] == [  # type: ignore[index]  # JSON
        {Rolled: "rolled", Bid: "bid", Bell: "bell"}[type(action)] for action in actions
    ]


def test_a_match_written_as_a_tape_comes_to_the_same_state_though_bidding_was_slow() -> None:
    table = Table(seconds="30", rounds="1")
    table.answer(Bid(0, 1), Bid(1, 2), Bid(2, 4), after_ms=9_000)
    lines = tape_of(table.match)
    assert lines[-3:] == ["+9000 bid Anne 1", "+9000 bid Bart 2", "+9000 bid Cora 4"]
    final = replayed("\n".join(lines))[1][-1]["final"]
    assert isinstance(final, dict)
    assert final["tallies"]["Cora"]["bid"] == 4


def test_bids_that_took_longer_than_the_deadline_because_of_a_cut_come_on_the_tape_before_it() -> None:
    match = Match(MatchStarted("harbour-auction", NAMES, {"seconds": "30"}))
    for action, now_ms in ((Rolled((4,)), 0), (Bid(0, 1), 50_000), (Bid(1, 2), 60_000), (Bell(), 90_000)):
        match.act(action, now_ms)
    assert tape_of(match)[-3:] == ["+29999 bid Anne 1", "+0 bid Bart 2", "+0 bell"]
    assert replayed("\n".join(tape_of(match)))[::2] == (0, "")
