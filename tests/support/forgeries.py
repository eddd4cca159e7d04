"""Ways to forge the export of an honest match, each with what `verify` says of it."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from captains_table.games.contract import Bell, Bid, Correct, EndMatch
from captains_table.table.history import export
from captains_table.table.history.dice_stream import FaceStream
from captains_table.table.model.entries import JOURNAL_ENTRIES
from captains_table.table.model.events import Answered, TimersSwitched, WordsGiven
from tests.support.crowns_play import any_pieces
from tests.support.honest_match import BEGAN, HonestTable
from tests.support.stopped_clocks import WAYS, stopped

Value = dict[str, Any]
Forge = Callable[[Value], int]
"""Forges an export, and returns the place of the entry at which it is to be refused."""
LEGEND = {"rounds": "1", "turn_limit": "6"}


@cache
def _played(way: str) -> str:
    if way in WAYS:
        return json.dumps(stopped(way))
    if way == "master":
        return json.dumps(_led_by_a_master())
    table = HonestTable("captains-chess", {"clock": "10"}) if way == "clock" else HonestTable("legend", LEGEND)
    if way == "clock":
        table.pick("e2e4", "press-clock", "e7e5", "press-clock")
        table.cut(60)
        table.pick("g1f3", "press-clock")
        table.leave(60)
        table.pick("resign")
    if way == "words":
        table.table.session.handle(WordsGiven(0, "Anne's luck"), 0)
        table.table.session.handle(WordsGiven(1, "tóc 7"), 0)
    table.play_on(3)
    return json.dumps(table.export())


def _led_by_a_master() -> Value:
    table = HonestTable("crowns", {"timer": "60", **any_pieces(2)}, master=True)
    for action in (Bid(0, 2), Correct("gold", "Anne", "+3"), Bell(), EndMatch()):
        table.wait(1000)
        table.table.session.handle(Answered(action), table.now_ms)
        if isinstance(action, Correct):
            table.table.session.handle(TimersSwitched(run=False), table.now_ms)
            table.table.session.handle(TimersSwitched(run=True), table.now_ms)
    table.wait(10_000)
    return table.export()


def played(way: str = "presses") -> Value:
    """Return the export of an honest match: with presses, own words, clocks and interruptions, a game master ...

    Args:
        way: which of them, or one of the ways in which a clock stood still.
    """
    value: Value = json.loads(_played(way))
    return value


def sealed(value: Value) -> Value:
    """Return a forged export with all that follows from its entries, as a forger would write it."""
    entries = [JOURNAL_ENTRIES.from_plain(entry) for entry in value["entries"]]
    rewritten = export.export_json(entries, bytes.fromhex(value["seed"]), value["began"])
    return {**rewritten, "seed": value["seed"]}


def of_second_form(value: Value) -> Value:
    """Return an export as an earlier program would have written it, which did not say why a clock stood."""
    entries = [{key: part for key, part in entry.items() if key not in ("why", "master")} for entry in value["entries"]]
    return sealed({**value, "entries": entries})


def renumbered(value: Value) -> Value:
    """Return an export whose actions count from 1 again."""
    seq = 0
    for entry in value["entries"]:
        if "seq" in entry:
            seq += 1
            entry["seq"] = seq
    return value


def thrown_again(value: Value) -> Value:
    """Return an export with the faces that its salt gives now."""
    stream = FaceStream(bytes.fromhex(value["seed"]))
    for entry in value["entries"]:
        if entry["entry"] == "salted":
            stream.add_salt(entry["held_ms"])
        elif entry["entry"] == "words":
            stream.add_words(entry["text"])
        elif entry.get("action", {}).get("type") == "rolled":
            entry["action"]["faces"] = list(stream.throw(len(entry["action"]["faces"])))
    return value


def place_of(value: Value, kind: str, nth: int = 0) -> int:
    """Return the place of the nth entry of a kind, or action of a type."""
    places = [
        place
        for place, entry in enumerate(value["entries"])
        if kind in (entry["entry"], entry.get("action", {}).get("type"))
    ]
    return places[nth]


GONE = object()
"""What a field is changed to that is left out."""

NOTHING_PUT_BACK = "the clock stopped (put-back): expected an answer that changed the pieces"
NO_HAND = "the clock stopped (hand): expected a computer's move on the board"
NOT_ASKED = "the clock stopped (asked): expected `unsure` that was asked before it"
NO_MASTER = "a game master's, and the table had none"
NO_PRESS = "threw before it stirred the dice: expected its press first"
FORGERIES: list[tuple[str, Forge, str]] = []
"""The way in which the honest match was played, how it is forged, and what `verify` says then."""


def refused(way: str, words: str) -> Callable[[Forge], Forge]:
    """List a forgery of a match that was played so, and what `verify` says of it."""

    def listed_forge(forge: Forge) -> Forge:
        FORGERIES.append((way, forge, words))
        return forge

    return listed_forge


def listed(way: str, words: str, **forgeries: Forge) -> None:
    """List forgeries by their names; `verify` says the same of each."""
    for name, forge in forgeries.items():
        forge.__name__ = name
        refused(way, words)(forge)


def changing(kind: str, nth: int = 0, *, refused_at: int | str = 0, **fields: object) -> Forge:
    """Return the forgery that changes the nth entry of a kind, and throws what the dice give then.

    Args:
        kind: of an entry, or the type of its action.
        nth: counted from 0.
        refused_at: how many entries later it is refused, or at the first entry of which kind.
        fields: the new value of each field that is changed, GONE, or the function that computes it from the old one.
    """

    def forge(value: Value) -> int:
        place = place_of(value, kind, nth)
        entry = value["entries"][place]
        for key, new in fields.items():
            entry[key] = new(entry[key]) if callable(new) else new
            if new is GONE:
                del entry[key]
        thrown_again(value)
        return place_of(value, refused_at) if isinstance(refused_at, str) else place + refused_at

    return forge


def inserting(kind: str, nth: int = 0, *, refused_at: str = "", **entry: object) -> Forge:
    """Return the forgery that writes an entry after the nth one of a kind, and throws what the dice give then."""

    def forge(value: Value) -> int:
        place = place_of(value, kind, nth) + 1
        value["entries"].insert(place, entry)
        thrown_again(value)
        return place_of(value, refused_at) if refused_at else place

    return forge


def setting(**fields: str) -> Forge:
    """Return the forgery that writes something else about the match."""

    def forge(value: Value) -> int:
        value.update(fields)
        return 0

    return forge


def pausing(why: str, kind: str, nth: int = 0) -> Forge:
    """Return the forgery that lets the clock stand still for half a minute after the nth entry of a kind."""

    def forge(value: Value) -> int:
        place = place_of(value, kind, nth) + 1
        at_ms = max(entry["at_ms"] for entry in value["entries"][:place] if "at_ms" in entry)
        seat = next(entry["seat"] for entry in value["entries"][place:] if entry["entry"] == "acted")
        for entry in value["entries"][place:]:
            if "at_ms" in entry:
                entry["at_ms"] += 30_000
        stopped = {"entry": "clock-stopped", "seat": seat, "at_ms": at_ms, "why": why}
        value["entries"][place:place] = [stopped, {"entry": "clock-went-on", "at_ms": at_ms + 30_000}]
        return place

    return forge


@refused("presses", "is taken back with action")
def throw_taken_back(value: Value) -> int:
    place = place_of(value, "rolled", 2)
    entries = value["entries"]
    of_seq, seat = entries[place]["seq"], entries[place]["seat"]
    back = {"entry": "taken-back", "seq": 0, "seat": seat, "at_ms": entries[place]["at_ms"], "of_seq": of_seq}
    entries[place + 1 : place + 1] = [back, json.loads(json.dumps(entries[place]))]
    thrown_again(renumbered(value))
    return place + 1


@refused("presses", NO_PRESS)
def no_salt(value: Value) -> int:
    del value["entries"][place_of(value, "salted", 1)]
    thrown_again(value)
    seat = next(entry["seat"] for entry in value["entries"] if entry["entry"] == "salted")
    throws = [place for place, entry in enumerate(value["entries"]) if entry.get("action", {}).get("type") == "rolled"]
    return next(place for place in throws if value["entries"][place]["seat"] != seat)


@refused("presses", NO_PRESS)
def late_salt(value: Value) -> int:
    place, throw = place_of(value, "salted"), place_of(value, "rolled")
    value["entries"].insert(throw, value["entries"].pop(place))
    thrown_again(value)
    return throw - 1


@refused("presses", "")
def reordered(value: Value) -> int:
    entries = value["entries"]
    place = next(
        place
        for place in range(1, len(entries) - 1)
        if entries[place]["entry"] == entries[place + 1]["entry"] == "acted"
        and (entries[place]["action"]["type"] == "rolled") != (entries[place + 1]["action"]["type"] == "rolled")
    )
    entries[place], entries[place + 1] = entries[place + 1], entries[place]
    renumbered(value)
    return place


def throw_dropped(value: Value) -> None:
    """Leave a throw out."""
    del value["entries"][place_of(value, "rolled", 3)]
    thrown_again(renumbered(value))


@refused("presses", "the seed gives")
def another_salt(value: Value) -> int:
    value["entries"][place_of(value, "salted")]["held_ms"] += 1
    return place_of(value, "rolled")


@refused("clock", "the clock stood still: expected `clock-went-on` before it")
def clock_stands(value: Value) -> int:
    entries = value["entries"]
    resumed = place_of(value, "resumed")
    place = next(  # one after which somebody acts: else a table that was cut off once more writes just the same
        at
        for at, entry in enumerate(entries[:-1])
        if at > resumed and entry["entry"] == "clock-went-on" and entries[at + 1]["entry"] == "acted"
    )
    del entries[place]
    return place


@refused("words", NO_PRESS)
def words_left_out(value: Value) -> int:
    value["entries"] = [entry for entry in value["entries"] if entry["entry"] != "words"]
    thrown_again(value)
    return place_of(value, "rolled")


@refused("presses", "is declared a computer: expected no press of it")
def a_computer_that_presses(value: Value) -> int:
    value["entries"][0]["kinds"] = ["computer", "human"]
    return next(
        place for place, entry in enumerate(value["entries"]) if entry["entry"] == "salted" and entry["seat"] == 0
    )


def inserted(value: Value, place: int, *entries: Value) -> Value:
    """Put entries in, and let everything after them be as late as the last one."""
    late = max((entry.get("at_ms", 0) for entry in entries), default=0)
    for entry in value["entries"][place:]:
        if "at_ms" in entry:
            entry["at_ms"] += late
    value["entries"][place:place] = list(entries)
    return renumbered(value)


def taking_back(nth: int, of_seq: int, seat: int | None = 0, *, late_ms: int = 0, is_done_again: bool = False) -> Forge:
    """Return the forgery that takes an action back, half a minute and so much after the nth one."""

    def forge(value: Value) -> int:
        place = place_of(value, "acted", nth) + 1
        last = value["entries"][place - 1]
        at_ms = last["at_ms"] + 30_000 + late_ms
        back = {"entry": "taken-back", "seq": 0, "seat": seat, "at_ms": at_ms, "of_seq": of_seq}
        inserted(value, place, back, *([{**last, "at_ms": at_ms}] if is_done_again else []))
        return place

    return forge


def doubt(seq: int) -> Value:
    """Return the entry that says that more than one move may have been made with an action."""
    changes = [[1500, "e2", False], [1900, "e4", True]]
    return {"entry": "unsure", "after_seq": seq, "since_seq": 0, "changes": changes, "beside": [], "asked": False}


# --- time gained while a clock stands still -------------------------------------------------------------------------


@refused("answered", NOT_ASKED)
def a_question_asked_afterwards(value: Value) -> int:
    place = place_of(value, "clock-stopped")
    entries = value["entries"]
    entries[place - 1], entries[place] = entries[place], entries[place - 1]
    return place - 1


@refused("clock", NO_HAND)
def leaving_called_a_hand(value: Value) -> int:
    place = place_of(value, "clock-stopped")
    value["entries"][place]["why"] = "hand"
    del value["entries"][place_of(value, "resumed", 1)]
    return place


# --- what cannot have been written ----------------------------------------------------------------------------------


@refused("master", NO_MASTER)
def no_master_for_the_timers(value: Value) -> int:
    value["entries"][0]["master"] = False
    del value["entries"][place_of(value, "correct")]
    renumbered(value)
    for kind in ("timers-stopped", "timers-went-on"):
        value["entries"][place_of(value, kind)]["after_seq"] -= 1
    return place_of(value, "timers-stopped")


# --- one entry changed or inserted ----------------------------------------------------------------------------------

AFTER_A_THROW = "gave own words after the first throw: expected them before"
AFTER_A_PRESS = "gave own words after a press: expected them before"
listed("presses", AFTER_A_THROW, words_after_a_throw=inserting("rolled", 1, entry="words", seat=0, text="now six"))
listed("presses", AFTER_A_PRESS, words_beside_presses=inserting("salted", entry="words", seat=1, text="now six"))
listed(
    "words",
    "pressed after own words were given: expected no press any more",
    a_press_beside_words=inserting("words", 1, entry="salted", seat=0, held_ms=3),
)
listed("words", "normal form NFC: expected 'tóc 7'", words_not_normal=changing("words", 1, text="to\u0301c 7"))
listed("words", "own words of 201 characters: expected 1 to 200", too_many_words=changing("words", text="a" * 201))
listed("words", "seat 2 stirred the dice and did not play", words_of_nobody=changing("words", seat=2))
listed("presses", "unsure after action 1, expected ", doubt_about_another_action=inserting("acted", 4, **doubt(1)))
listed("answered", "since action 77: expected one that stands", doubt_since_no_action=changing("unsure", since_seq=77))
listed("clock", "time -1: expected no less than 0", negative_time=changing("clock-went-on", at_ms=-1))
listed("clock", "time 5: expected no less than 2000", time_that_goes_back=changing("acted", 2, at_ms=5))
listed("clock", "expected at most", time_beyond_all_clocks=changing("resumed", at_ms=10**400))
listed(
    "clock",
    "seat 99 does not play: expected one of 2, counted from 0",
    an_action_of_a_stranger=changing("acted", 2, seat=99),
    a_clock_of_a_stranger=changing("clock-stopped", seat=99),
)
listed(
    "presses", "3 kinds of players: expected one for each of 2", too_many_kinds=changing("started", kinds=["human"] * 3)
)
listed(
    "presses",
    "a clock is written down: expected none in this match",
    a_clock_where_there_is_none=inserting("started", entry="clock-went-on", at_ms=0),
)
listed(
    "presses",
    "is not a square: expected a letter and a number",
    a_mask_of_no_square=inserting("started", entry="masked", square="zz99<script>"),
)
listed(
    "presses",
    "is no computer: expected its name and level",
    a_seat_played_by_nothing=inserting("started", entry="seated", seat=0, player="nosuch"),
    a_seat_of_a_level_without_end=inserting("started", entry="seated", seat=0, player=f"aether:{'9' * 5000}"),
    a_seat_that_writes_a_line=inserting("started", entry="seated", seat=0, player="x\nAll is proven:6"),
)
listed("clock", NO_HAND, a_hand_after_a_persons_move=pausing("hand", "acted"))
listed("clock", NOTHING_PUT_BACK, pieces_put_back_after_a_move=pausing("put-back", "acted"))
listed(
    "by_hand",
    NO_HAND,
    a_hand_after_a_press=pausing("hand", "acted", 3),
    a_hand_once_more=pausing("hand", "clock-went-on", 1),
)
listed("clock", "takes back 1, which was sealed", an_old_move_again=taking_back(3, of_seq=1))
listed("clock", "takes back 2, which was sealed", a_press_again=taking_back(1, of_seq=2))
listed(
    "clock",
    "nobody takes back what seat 0 did",
    thought_by_nobody=taking_back(4, of_seq=5, seat=None, is_done_again=True),
)
listed(
    "clock",
    "seat 1 takes back what seat 0 did",
    thought_by_the_other=taking_back(4, of_seq=5, seat=1, is_done_again=True),
)
listed(
    "clock",
    "the time was up before",
    a_take_back_after_the_time=taking_back(4, of_seq=5, late_ms=10_000_000, is_done_again=True),
)
listed(
    "clock", "expected `resumed` before it", clock_time_added=inserting("acted", 1, entry="clock-went-on", at_ms=2000)
)
listed("by_hand", NO_HAND, a_hand_that_comes_late=changing("clock-stopped", at_ms=lambda at_ms: at_ms + 5000))
listed(
    "answered",
    "the clock stopped (asked): expected `unsure`",
    a_question_that_is_not_there=changing("unsure", 1, refused_at="clock-stopped", asked=False),
)
listed("by_hand", NOT_ASKED, another_why=changing("clock-stopped", why="asked"))
listed("answered", NO_HAND, another_why=changing("clock-stopped", why="hand"))
listed("master", NO_MASTER, no_master=changing("started", refused_at="correct", master=False))
listed("presses", "the seed is not the one committed to", another_seed=setting(seed=bytes(32).hex()))
listed("presses", "'1999' is no time: expected ISO 8601 with UTC offset", begun_at_no_time=setting(began="1999"))
NO_REASON = "it is not said why: expected left or hand or asked or put-back"
listed("by_hand", NO_REASON, no_reason=changing("clock-stopped", why=GONE))
listed("clock", "it is not said why", no_reason=changing("clock-stopped", why=GONE))
for way in ("by_hand", "answered"):
    called_leaving = changing("clock-stopped", refused_at=1, why="left")
    listed(way, "expected `resumed` before it", a_pause_called_leaving=called_leaving)
listed(
    "clock",
    "the clock stopped while it stood still: expected `clock-went-on` before it",
    left_while_the_clock_stood=inserting("clock-stopped", entry="clock-stopped", seat=0, at_ms=6000, why="left"),
)
listed(
    "answered",
    "expected those of the game's board",
    a_question_about_no_square=changing("unsure", changes=[[1500, "z9", False]]),
)
listed(
    "master",
    NO_MASTER,
    a_master_who_had_left=inserting("started", refused_at="correct", entry="resumed", at=BEGAN, at_ms=0, master=False),
)
listed("clock", NOT_ASKED, a_question_nobody_asked=pausing("asked", "acted", 2))
listed("answered", NOT_ASKED, a_question_of_an_earlier_move=pausing("asked", "acted", 2))
