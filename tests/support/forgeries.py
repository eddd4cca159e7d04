"""Ways to forge the export of an honest match, each with what `verify` says of it."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from captains_table.table.history import export
from captains_table.table.history.fairness import FaceStream
from captains_table.table.model.entries import ENTRIES
from tests.support.honest_match import HonestTable

Value = dict[str, Any]
LEGEND = {"rounds": "1", "turn_limit": "30"}


@cache
def _played(way: str) -> str:
    table = HonestTable("captains-chess", {"clock": "10"}) if way == "clock" else HonestTable("legend", LEGEND)
    if way == "clock":
        table.pick("e2e4", "press-clock", "e7e5", "press-clock")
        table.cut(60)
        table.pick("g1f3", "press-clock")
        table.leave(60)
        table.pick("resign")
    if way == "words":
        table.table.give_words(0, "Anne's luck", 0)
        table.table.give_words(1, "tóc 7", 0)
    table.play_on(3)
    return json.dumps(table.export())


def played(way: str = "presses") -> Value:
    """Return the export of an honest match: with presses, with own words, or with clocks and interruptions."""
    value: Value = json.loads(_played(way))
    return value


def sealed(value: Value) -> Value:
    """Return a forged export with all that follows from its entries, as a forger would write it."""
    entries = [ENTRIES.from_plain(entry) for entry in value["entries"]]
    rewritten = export.export_json(entries, bytes.fromhex(value["seed"]), value["began"])
    return {**rewritten, "seed": value["seed"]}


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
    place = place_of(value, "clock-went-on", 1)
    del value["entries"][place]
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
    ("clock", left_while_the_clock_stood, "was left while the clock stood still: expected `clock-went-on` before it"),
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
]
