"""An auction as it is written down: after a power cut, taken back, exported, and on a tape."""

from collections.abc import Callable
from io import StringIO

import pytest

from captains_table.games.contract import Auction, Bell, Bid, Roll, Rolled
from captains_table.games.registry import GAMES
from captains_table.runtime.recorder import Recorder
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import Acted, Entry, MatchEnded, MatchStarted
from captains_table.table.model.events import Button
from captains_table.table.model.match import Match
from captains_table.table.model.view import Phase
from captains_table.table.tapes.tape_writer import tape_of
from tests.support.harbour_auction import HarbourAuction
from tests.support.honest_match import exported
from tests.support.playing import played
from tests.table.auction_table import NAMES, AuctionTable


@pytest.fixture(autouse=True)
def _harbour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HarbourAuction.key, HarbourAuction())


# --- power cuts, take-backs, exports --------------------------------------------------------------------------------


def test_after_a_power_cut_the_auction_goes_on_with_its_bids_and_what_the_last_one_had_left() -> None:
    table = AuctionTable(seconds="30")
    table.answer(Bid(0, 1), Bid(1, 2), after_ms=6_000)
    table.wait(10_000)  # no action is in the journal of this: it is given back
    again = AuctionTable(table.journal)
    assert (again.bids(), again.view.bell_seconds) == ([1, 2, 0], 18)
    again.wait(17_000)
    assert isinstance(again.match.turn, Auction)
    again.answer(Bid(2, 3), after_ms=500)
    again.wait(1_500)
    assert isinstance(again.match.turn, Roll)
    assert again.view.log[-1].words == "Cora gets the chest for 3"


@pytest.mark.parametrize(
    ("answers", "of_seq", "bids"),
    [
        pytest.param((Bid(0, 1), Bid(1, 2), Bid(0, 5)), 3, [1, 0, 0], id="a bid and what followed is gone"),
        pytest.param((Bid(0, 1), Bell()), 3, [1, 0, 0], id="without the bell the auction is open again"),
    ],
)
def test_what_is_taken_back_is_gone_when_the_journal_is_read_again(
    answers: tuple[Bid | Bell, ...], of_seq: int, bids: list[int]
) -> None:
    table = AuctionTable()
    table.answer(*answers)
    match = Match.resumed(table.entries())
    taken_back = match.take_back(match.history[of_seq - 1], 9000)
    assert (taken_back.seat, taken_back.of_seq) == (1 if isinstance(answers[1], Bid) else None, of_seq)
    table.journal.append(taken_back)
    again = AuctionTable(table.journal)
    assert again.bids() == bids
    again.answer(Bid(1, 4), Bell())
    assert again.view.log[-1].words == "Bart gets the chest for 4"
    assert played_out(again)


def played_out(table: AuctionTable) -> list[Entry]:
    """Return the journal of a match that is played to its end."""
    while table.view.phase is not Phase.OVER:
        if isinstance(table.match.turn, Roll):
            table.press()
        else:
            table.answer(Bid(1, 1), Bid(2, 3), Bell())
    assert isinstance(table.entries()[-1], MatchEnded)
    return table.entries()


def test_an_export_with_bids_and_bells_verifies() -> None:
    value = exported(played_out(AuctionTable()))
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
    value = exported(played_out(AuctionTable()))
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
expect ask null
expect seat null
expect "tallies.Black Bart.bid" 3
bell
expect result.winner "Black Bart"
"""


@pytest.mark.parametrize("cut", ["", "cut"])
def test_a_tape_bids_by_name_and_rings_the_bell_though_the_power_is_cut(cut: str) -> None:
    lines = TAPE.splitlines()
    tape = played("\n".join([*lines[:4], cut, *lines[4:]]))
    assert (tape.code, tape.err) == (0, "")
    assert [(line["seat"], line["action"]) for line in tape.actions[1:]] == [
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
    tape = played("\n".join([*lines, line]))
    assert tape.code == 2
    assert words in tape.err
    assert tape.err.startswith("some.tape:6: ")


def test_on_a_tape_the_time_of_an_auction_passes_too() -> None:
    tape = played(
        "game harbour-auction Anne Bart rounds=1 seconds=5\ndice 4\npress roll\nbid Anne 2\n+4000 bid Bart 3\n"
    )
    assert tape.code == 2, "the deadline comes first at its own time"
    assert "the match is over" in tape.err
    assert tape.actions[-1]["action"] == {"type": "bell"}


def test_a_recorded_auction_replays_to_the_same_actions() -> None:
    tape = StringIO()
    table = AuctionTable(seconds="30", rounds="2")
    table.answer(Bid(0, 1), after_ms=12_000)
    recorder = Recorder(table.session, tape)
    recorder.start_tape(table.now_ms)
    table.answer(Bid(1, 2))
    table.press(Button.CHOOSE, Button.NEXT, Button.CHOOSE)
    table.wait(17_500)
    table.press()
    table.answer(Bid(2, 1), Bell())
    replayed = played(tape.getvalue())
    assert (replayed.code, replayed.err) == (0, "")
    actions = [entry.action for entry in table.entries() if isinstance(entry, Acted)]
    assert [line["action"]["type"] for line in replayed.actions] == [
        {Rolled: "rolled", Bid: "bid", Bell: "bell"}[type(action)] for action in actions
    ]


def test_bids_are_written_as_a_tape_as_slow_as_they_were_but_for_what_a_cut_took_beyond_the_deadline() -> None:
    match = Match(MatchStarted("harbour-auction", NAMES, {"seconds": "30"}))
    for action, now_ms in ((Rolled((4,)), 0), (Bid(2, 2), 9_000), (Bid(0, 3), 50_000), (Bid(1, 4), 60_000)):
        match.act(action, now_ms)
    assert tape_of(match)[-3:] == ["+9000 bid Cora 2", "+20999 bid Anne 3", "+0 bid Bart 4"]
    match.act(Bell(), 90_000)
    assert tape_of(match)[-1] == "+0 bell"
    tape = played("\n".join(tape_of(match)))
    assert (tape.code, tape.err) == (0, "")
