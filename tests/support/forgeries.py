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
from tests.support.honest_match import HonestTable
from tests.support.stopped_clocks import WAYS, stopped

Value = dict[str, Any]
LEGEND = {"rounds": "1", "turn_limit": "30"}


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


def throw_taken_back(value: Value) -> int:
    """Take a throw back and have it again."""
    place = place_of(value, "rolled", 2)
    entries = value["entries"]
    of_seq, seat = entries[place]["seq"], entries[place]["seat"]
    back = {"entry": "taken-back", "seq": 0, "seat": seat, "at_ms": entries[place]["at_ms"], "of_seq": of_seq}
    entries[place + 1 : place + 1] = [back, json.loads(json.dumps(entries[place]))]
    thrown_again(renumbered(value))
    return place + 1


def no_salt(value: Value) -> int:
    """Leave a press out."""
    del value["entries"][place_of(value, "salted", 1)]
    thrown_again(value)
    seat = next(entry["seat"] for entry in value["entries"] if entry["entry"] == "salted")
    throws = [place for place, entry in enumerate(value["entries"]) if entry.get("action", {}).get("type") == "rolled"]
    return next(place for place in throws if value["entries"][place]["seat"] != seat)


def late_salt(value: Value) -> int:
    """Let a press in only after the throw was seen."""
    place, throw = place_of(value, "salted"), place_of(value, "rolled")
    value["entries"].insert(throw, value["entries"].pop(place))
    thrown_again(value)
    return throw - 1


def clock_time_added(value: Value) -> int:
    """Let the clock go on once more."""
    place = place_of(value, "acted", 2)
    value["entries"].insert(place, {"entry": "clock-went-on", "at_ms": value["entries"][place]["at_ms"]})
    return place


def reordered(value: Value) -> int:
    """Swap two actions, and number them anew."""
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


def throw_dropped(value: Value) -> int:
    """Leave a throw out."""
    place = place_of(value, "rolled", 3)
    del value["entries"][place]
    thrown_again(renumbered(value))
    return next(place for place, entry in enumerate(value["entries"]) if place >= place_of(value, "acted", 0))


def another_seed(value: Value) -> int:
    """Choose another seed after the match."""
    value["seed"] = bytes(32).hex()
    return 0


def another_salt(value: Value) -> int:
    """Choose another press after the match."""
    value["entries"][place_of(value, "salted")]["held_ms"] += 1
    return place_of(value, "rolled")


def clock_stands(value: Value) -> int:
    """Leave the clock standing after an interruption."""
    entries = value["entries"]
    resumed = place_of(value, "resumed")
    place = next(  # one after which somebody acts: else a table that was cut off once more writes just the same
        at
        for at, entry in enumerate(entries[:-1])
        if at > resumed and entry["entry"] == "clock-went-on" and entries[at + 1]["entry"] == "acted"
    )
    del entries[place]
    return place


def left_while_the_clock_stood(value: Value) -> int:
    """Leave a match again whose clock stands still: what was thought in between could be left out so."""
    place = place_of(value, "clock-stopped")
    value["entries"].insert(place + 1, dict(value["entries"][place]))
    return place + 1


def words_after_a_throw(value: Value) -> int:
    """Put words where the throws before are known."""
    place = place_of(value, "rolled", 1) + 1
    value["entries"].insert(place, {"entry": "words", "seat": 0, "text": "now six"})
    thrown_again(value)
    return place


def words_beside_presses(value: Value) -> int:
    """Let words in where a player has pressed."""
    place = place_of(value, "salted") + 1
    value["entries"].insert(place, {"entry": "words", "seat": 1, "text": "now six"})
    thrown_again(value)
    return place


def a_press_beside_words(value: Value) -> int:
    """Let a press in where words were given."""
    place = place_of(value, "words", 1) + 1
    value["entries"].insert(place, {"entry": "salted", "seat": 0, "held_ms": 3})
    thrown_again(value)
    return place


def words_not_normal(value: Value) -> int:
    """Write words in another form than the salt's."""
    place = place_of(value, "words", 1)
    value["entries"][place]["text"] = "to\u0301c 7"
    thrown_again(value)
    return place


def too_many_words(value: Value) -> int:
    """Write more than anybody may give."""
    place = place_of(value, "words")
    value["entries"][place]["text"] = "a" * 201
    thrown_again(value)
    return place


def words_of_nobody(value: Value) -> int:
    """Let somebody give words who does not play."""
    place = place_of(value, "words")
    value["entries"][place]["seat"] = 2
    return place


def words_left_out(value: Value) -> int:
    """Leave all words out, as if nobody had given any."""
    value["entries"] = [entry for entry in value["entries"] if entry["entry"] != "words"]
    thrown_again(value)
    return place_of(value, "rolled")


def a_computer_that_presses(value: Value) -> int:
    """Declare a seat a computer's that has pressed."""
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


def taken_back(value: Value, place: int, seat: int | None, of_seq: int) -> Value:
    """Return an entry that takes an action back half a minute after the entry before it."""
    late = value["entries"][place - 1]["at_ms"] + 30_000
    return {"entry": "taken-back", "seq": 0, "seat": seat, "at_ms": late, "of_seq": of_seq}


def an_old_move_again(value: Value) -> int:
    """Take back a move that was sealed by the press of the clock, press and all."""
    place = place_of(value, "acted", 3) + 1
    inserted(value, place, taken_back(value, place, 0, 1))
    return place


def a_press_again(value: Value) -> int:
    """Press the clock once more, for more seconds."""
    place = place_of(value, "acted", 1) + 1
    inserted(value, place, taken_back(value, place, 0, 2))
    return place


def thought_by_nobody(value: Value) -> int:
    """Think half a minute that counts for nobody, and take the move back in nobody's name."""
    place = place_of(value, "acted", 4) + 1
    again = dict(value["entries"][place - 1])
    back = taken_back(value, place, None, 5)
    inserted(value, place, back, {**again, "at_ms": back["at_ms"]})
    return place


def thought_by_the_other(value: Value) -> int:
    """Think half a minute that counts for the opponent."""
    place = thought_by_nobody(value)
    value["entries"][place]["seat"] = 1
    return place


def a_take_back_after_the_time(value: Value) -> int:
    """Take a move back when the time is long up."""
    place = thought_by_nobody(value)
    value["entries"][place]["seat"] = 0
    for entry in value["entries"][place:]:
        if "at_ms" in entry:
            entry["at_ms"] += 10_000_000
    return place


def time_that_goes_back(value: Value) -> int:
    """Use no time by acting before the action before."""
    place = place_of(value, "acted", 2)
    value["entries"][place]["at_ms"] = 5
    return place


def negative_time(value: Value) -> int:
    """Begin before the table did."""
    value["entries"][1]["at_ms"] = -1
    return 1


def time_beyond_all_clocks(value: Value) -> int:
    """Come back at a time that no clock shows."""
    place = place_of(value, "resumed")
    value["entries"][place]["at_ms"] = 10**400
    return place


def an_action_of_a_stranger(value: Value) -> int:
    """Act from a seat that nobody has."""
    place = place_of(value, "acted", 2)
    value["entries"][place]["seat"] = 99
    return place


def a_clock_of_a_stranger(value: Value) -> int:
    """Stop a clock that nobody has."""
    place = place_of(value, "clock-stopped")
    value["entries"][place]["seat"] = 99
    return place


def a_clock_where_there_is_none(value: Value) -> int:
    """Let a clock go in a match without one."""
    value["entries"].insert(1, {"entry": "clock-went-on", "at_ms": 0})
    return 1


def too_many_kinds(value: Value) -> int:
    """Declare players who do not play."""
    value["entries"][0]["kinds"] = ["human", "human", "computer"]
    return 0


def doubt_about_another_action(value: Value) -> int:
    """Have the table doubt an action long after it was sealed."""
    place = place_of(value, "acted", 4)
    value["entries"].insert(place + 1, doubt(1))
    return place + 1


def doubt(seq: int) -> Value:
    """Return the entry that says that more than one move may have been made with an action."""
    changes = [[1500, "e2", False], [1900, "e4", True]]
    return {"entry": "unsure", "after_seq": seq, "since_seq": 0, "changes": changes, "beside": [], "asked": False}


# --- time gained while a clock stands still -------------------------------------------------------------------------


def paused(value: Value, place: int, why: str, at_ms: int | None = None) -> int:
    """Let the clock stand still for half a minute at a place, and say why."""
    before = max(entry["at_ms"] for entry in value["entries"][:place] if "at_ms" in entry)
    at_ms = before if at_ms is None else at_ms
    seat = next(entry["seat"] for entry in value["entries"][place:] if entry["entry"] == "acted")
    for entry in value["entries"][place:]:
        if "at_ms" in entry:
            entry["at_ms"] += 30_000
    stopped = {"entry": "clock-stopped", "seat": seat, "at_ms": at_ms, "why": why}
    value["entries"][place:place] = [stopped, {"entry": "clock-went-on", "at_ms": at_ms + 30_000}]
    return place


def a_hand_after_a_persons_move(value: Value) -> int:
    """Let a hand make the move of a person."""
    return paused(value, place_of(value, "acted") + 1, "hand")


def a_hand_after_a_press(value: Value) -> int:
    """Let a hand make what a computer did not do on the board."""
    return paused(value, place_of(value, "acted", 3) + 1, "hand")


def a_hand_once_more(value: Value) -> int:
    """Let a hand make a computer's move a second time."""
    return paused(value, place_of(value, "clock-went-on", 1) + 1, "hand")


def a_hand_that_comes_late(value: Value) -> int:
    """Let a computer think, and call that the time of a hand."""
    place = place_of(value, "clock-stopped")
    value["entries"][place]["at_ms"] += 5000
    return place


def a_question_nobody_asked(value: Value) -> int:
    """Let the clock stand for a question that is not in the journal."""
    return paused(value, place_of(value, "acted", 2) + 1, "asked")


def a_question_that_is_not_there(value: Value) -> int:
    """Leave out what was asked."""
    place = place_of(value, "clock-stopped")
    value["entries"][place - 1]["asked"] = False
    return place


def a_question_asked_afterwards(value: Value) -> int:
    """Let the clock stop first, and ask then."""
    place = place_of(value, "clock-stopped")
    entries = value["entries"]
    entries[place - 1], entries[place] = entries[place], entries[place - 1]
    return place - 1


def a_question_of_an_earlier_move(value: Value) -> int:
    """Let the clock stand for a question that was answered."""
    return paused(value, place_of(value, "acted", 2) + 1, "asked")


def another_why(value: Value) -> int:
    """Call a hand a question, or a question a hand."""
    place = place_of(value, "clock-stopped")
    entry = value["entries"][place]
    entry["why"] = {"hand": "asked", "asked": "hand"}[entry["why"]]
    return place


def a_pause_called_leaving(value: Value) -> int:
    """Say that the match was left, and never taken up again."""
    place = place_of(value, "clock-stopped")
    value["entries"][place]["why"] = "left"
    return place + 1


def leaving_called_a_hand(value: Value) -> int:
    """Hide that the match was taken up again."""
    place = place_of(value, "clock-stopped")
    value["entries"][place]["why"] = "hand"
    del value["entries"][place_of(value, "resumed", 1)]
    return place


def no_reason(value: Value) -> int:
    """Do not say why the clock stood."""
    place = place_of(value, "clock-stopped")
    del value["entries"][place]["why"]
    return place


def a_question_about_no_square(value: Value) -> int:
    """Ask about a switch that no board of the game has."""
    place = place_of(value, "unsure")
    value["entries"][place]["changes"][0][1] = "z9"
    return place


def doubt_since_no_action(value: Value) -> int:
    """Doubt what was done since an action that is not there."""
    place = place_of(value, "unsure")
    value["entries"][place]["since_seq"] = 77
    return place


# --- what cannot have been written ----------------------------------------------------------------------------------


def no_master(value: Value) -> int:
    """Deny that there was a game master, who did something."""
    value["entries"][0]["master"] = False
    return place_of(value, "correct")


def no_master_for_the_timers(value: Value) -> int:
    """Deny that there was a game master, who stopped the timers."""
    value["entries"][0]["master"] = False
    del value["entries"][place_of(value, "correct")]
    renumbered(value)
    for kind in ("timers-stopped", "timers-went-on"):
        value["entries"][place_of(value, kind)]["after_seq"] -= 1
    return place_of(value, "timers-stopped")


def a_master_who_had_left(value: Value) -> int:
    """Let the table be taken up again without a game master, who does something then."""
    resumed = {"entry": "resumed", "at": value["began"], "at_ms": 0, "master": False}
    value["entries"].insert(1, resumed)
    return place_of(value, "correct")


def a_mask_of_no_square(value: Value) -> int:
    """Declare a switch dead that is none."""
    value["entries"].insert(1, {"entry": "masked", "square": "zz99<script>"})
    return 1


def a_seat_played_by_nothing(value: Value) -> int:
    """Seat somebody who is neither a person nor a computer."""
    value["entries"].insert(1, {"entry": "seated", "seat": 0, "player": "nosuch"})
    return 1


def a_seat_of_a_level_without_end(value: Value) -> int:
    """Seat a computer whose level is too long to be a number."""
    value["entries"].insert(1, {"entry": "seated", "seat": 0, "player": f"aether:{'9' * 5000}"})
    return 1


def a_seat_that_writes_a_line(value: Value) -> int:
    """Seat a computer whose name would be a line of the verdict."""
    value["entries"].insert(1, {"entry": "seated", "seat": 0, "player": "x\nAll is proven:6"})
    return 1


def begun_at_no_time(value: Value) -> int:
    """Begin at a time that is none."""
    value["began"] = "1999"
    return 0


Forge = Callable[[Value], int]
FORGERIES: list[tuple[str, Forge, str]] = [
    ("presses", throw_taken_back, "is taken back with action"),
    ("presses", no_salt, "threw before it stirred the dice: expected its press first"),
    ("presses", late_salt, "threw before it stirred the dice: expected its press first"),
    ("clock", clock_time_added, "expected `resumed` before it"),
    ("presses", reordered, ""),
    ("presses", another_seed, "the seed is not the one committed to"),
    ("presses", another_salt, "the seed gives"),
    ("presses", doubt_about_another_action, "unsure after action 1, expected "),
    ("clock", clock_stands, "the clock stood still: expected `clock-went-on` before it"),
    ("clock", left_while_the_clock_stood, "the clock stopped while it stood still: expected `clock-went-on` before it"),
    ("presses", words_after_a_throw, "gave own words after the first throw: expected them before"),
    ("presses", words_beside_presses, "gave own words after a press: expected them before"),
    ("words", a_press_beside_words, "pressed after own words were given: expected no press any more"),
    ("words", words_not_normal, "not in normal form NFC: expected 'tóc 7'"),
    ("words", too_many_words, "own words of 201 characters: expected 1 to 200"),
    ("words", words_of_nobody, "seat 2 stirred the dice and did not play"),
    ("words", words_left_out, "threw before it stirred the dice: expected its press first"),
    ("presses", a_computer_that_presses, "is declared a computer: expected no press of it"),
    ("clock", an_old_move_again, "takes back 1, which was sealed"),
    ("clock", a_press_again, "takes back 2, which was sealed"),
    ("clock", thought_by_nobody, "nobody takes back what seat 0 did"),
    ("clock", thought_by_the_other, "seat 1 takes back what seat 0 did"),
    ("clock", a_take_back_after_the_time, "the time was up before"),
    ("clock", time_that_goes_back, "time 5: expected no less than 2000"),
    ("clock", negative_time, "time -1: expected no less than 0"),
    ("clock", time_beyond_all_clocks, "expected at most"),
    ("clock", an_action_of_a_stranger, "seat 99 does not play: expected one of 2, counted from 0"),
    ("clock", a_clock_of_a_stranger, "seat 99 does not play: expected one of 2, counted from 0"),
    ("presses", a_clock_where_there_is_none, "a clock is written down: expected none in this match"),
    ("presses", too_many_kinds, "3 kinds of players: expected one for each of 2"),
    ("clock", a_hand_after_a_persons_move, "the clock stopped (hand): expected a computer's move on the board"),
    ("by_hand", a_hand_after_a_press, "the clock stopped (hand): expected a computer's move on the board"),
    ("by_hand", a_hand_once_more, "the clock stopped (hand): expected a computer's move on the board"),
    ("by_hand", a_hand_that_comes_late, "the clock stopped (hand): expected a computer's move on the board"),
    ("by_hand", another_why, "the clock stopped (asked): expected `unsure` that was asked before it"),
    ("by_hand", a_pause_called_leaving, "expected `resumed` before it"),
    ("by_hand", no_reason, "it is not said why: expected left or hand or asked"),
    ("clock", a_question_nobody_asked, "the clock stopped (asked): expected `unsure` that was asked before it"),
    ("answered", a_question_that_is_not_there, "the clock stopped (asked): expected `unsure`"),
    ("answered", a_question_asked_afterwards, "the clock stopped (asked): expected `unsure` that was asked before it"),
    ("answered", a_question_of_an_earlier_move, "the clock stopped (asked): expected `unsure`"),
    ("answered", another_why, "the clock stopped (hand): expected a computer's move on the board"),
    ("answered", a_pause_called_leaving, "expected `resumed` before it"),
    ("answered", a_question_about_no_square, "expected those of the game's board"),
    ("answered", doubt_since_no_action, "unsure since action 77: expected one that stands"),
    ("clock", leaving_called_a_hand, "the clock stopped (hand): expected a computer's move on the board"),
    ("clock", no_reason, "it is not said why"),
    ("master", no_master, "a game master's, and the table had none"),
    ("master", no_master_for_the_timers, "a game master's, and the table had none"),
    ("master", a_master_who_had_left, "a game master's, and the table had none"),
    ("presses", a_mask_of_no_square, "is not a square: expected a letter and a number"),
    ("presses", a_seat_played_by_nothing, "is no computer: expected its name and level"),
    ("presses", a_seat_of_a_level_without_end, "is no computer: expected its name and level"),
    ("presses", a_seat_that_writes_a_line, "is no computer: expected its name and level"),
    ("presses", begun_at_no_time, "'1999' is no time: expected ISO 8601 with UTC offset"),
]
