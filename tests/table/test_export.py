import json
import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.devices.dice_sources import HonestDice, commitment
from captains_table.games.contract import (
    Action,
    Auction,
    Decide,
    Over,
    Pick,
    Roll,
    Rolled,
    offered_option,
)
from captains_table.games.registry import game_by_key
from captains_table.table.history import export
from captains_table.table.history.export import export_json
from captains_table.table.history.not_proven import NotProven
from captains_table.table.history.verify import prove, verify_export
from captains_table.table.model.entries import (
    Acted,
    Advised,
    Entry,
    Masked,
    MatchEnded,
    MatchStarted,
    Salted,
    TakenBack,
)
from captains_table.table.model.match import BadHistory
from captains_table.table.model.steps import Step, open_menu, open_move
from tests.support.effort import effort
from tests.support.random_play import random_action

SEED = bytes(range(32))
BEGAN = "2026-01-31T20:15:00+01:00"


def play_honestly(options: Mapping[str, str], luck: int, cheat: str = "") -> list[Entry]:
    """Return the journal of a random match under honest dice, now and then with a take-back.

    Args:
        options: of Legend.
        luck: seed of what is played.
        cheat: what whoever owns the table does about the dice, if he does not play honestly after all.
    """
    rng, dice, game = random.Random(luck), HonestDice(SEED), game_by_key("legend")
    entries: list[Entry] = [MatchStarted("legend", ("Anne", "Bart"), options, commitment(SEED))]
    first = game.start(("Anne", "Bart"), options)
    history: list[Step] = []
    salted: set[int] = set()
    seq = 0
    while not isinstance(turn := game.turn(state := history[-1].after if history else first), Over | Auction):
        waits = cheat == "stirs after the first throw" and not any(
            isinstance(step.acted.action, Rolled) for step in history
        )
        if turn.seat not in salted and not waits and not (cheat == "never stirs" and turn.seat == 1):
            salted.add(turn.seat)
            entries.append(Salted(turn.seat, held := rng.randint(40, 3000)))
            dice.add_salt(held)
        if isinstance(turn, Decide) and rng.random() < 0.1:
            entries.append(Advised(turn.seat, seq, "Keep 6 5 4"))
        seq += 1
        back = open_move(history, turn) or open_menu(history, turn)
        if cheat == "takes throws back":
            back = next((step for step in history[-1:] if isinstance(step.acted.action, Rolled)), None)
        if back is not None and rng.random() < 0.1:
            entries.append(TakenBack(seq, back.acted.seat, 1000 * seq, back.acted.seq))
            del history[history.index(back) :]
            continue
        action: Action = Rolled(dice.throw(len(turn.dice))) if isinstance(turn, Roll) else random_action(turn, rng)
        acted = Acted(seq, turn.seat, 1000 * seq, action)
        option = offered_option(turn, action.id) if isinstance(action, Pick) else None
        history.append(Step(acted, state, game.apply(state, action), option))
        entries.append(acted)
    assert isinstance(turn, Over)
    return [*entries, MatchEnded(turn.result.winner, turn.result.scores), Masked("e4")]


@cache
def match_text(*, short: bool) -> str:
    options = {"rounds": "1", "turn_limit": "2"} if short else {"rounds": "2", "turn_limit": "30"}
    return json.dumps(export_json(play_honestly(options, luck=5), SEED, BEGAN), separators=(",", ":"))


def exported(*, short: bool = False) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(match_text(short=short))
    return value


def sealed(value: dict[str, Any]) -> dict[str, Any]:
    """Compute the digest again, as a forger would."""
    return {**value, "digest": export.digest(value)}


@pytest.mark.parametrize("luck", range(6))
def test_an_honest_match_verifies_take_backs_and_all(luck: int) -> None:
    entries = play_honestly({"rounds": "2", "turn_limit": "40"}, luck)
    verdict = verify_export(json.loads(json.dumps(export_json(entries, SEED, BEGAN))))
    throws = sum(isinstance(entry, Acted) and isinstance(entry.action, Rolled) for entry in entries)
    words = f"The seed is the one committed to, and all {throws} throws are the seed's"
    assert (verdict.proven, verdict.words) == (True, words)
    assert any(isinstance(entry, TakenBack) for entry in entries)


@pytest.mark.parametrize(
    ("cheat", "words"),
    [
        ("takes throws back", "expected it to stand"),
        ("never stirs", "seat 1 threw before it stirred the dice: expected its press first"),
        ("stirs after the first throw", "seat 0 threw before it stirred the dice: expected its press first"),
    ],
)
@pytest.mark.parametrize("luck", range(3))
def test_chosen_dice_do_not_verify_and_the_entry_is_named(cheat: str, words: str, luck: int) -> None:
    entries = play_honestly({"rounds": "2", "turn_limit": "40"}, luck, cheat)
    verdict = verify_export(export_json(entries, SEED, BEGAN))
    assert not verdict.proven
    assert words in verdict.words
    accused = entries[int(verdict.words.partition(":")[0].removeprefix("entry "))]
    assert isinstance(accused, TakenBack if cheat == "takes throws back" else Acted)


def test_the_seed_is_told_only_when_the_match_is_over() -> None:
    entries = play_honestly({"rounds": "1", "turn_limit": "2"}, luck=5)
    for length in range(1, len(entries) + 1):
        is_over = any(isinstance(entry, MatchEnded) for entry in entries[:length])
        value = export_json(entries[:length], SEED, BEGAN)
        assert ("seed" in value) == is_over
        assert (SEED.hex() in json.dumps(value)) == is_over
        assert verify_export(value).proven == is_over


def test_an_unfinished_match_says_that_its_seed_is_not_told_yet() -> None:
    entries = play_honestly({"rounds": "1", "turn_limit": "2"}, luck=5)[:8]
    assert verify_export(export_json(entries, SEED, BEGAN)).words == "the match is not over: its seed is not told yet"


def test_a_dictated_match_says_so_and_does_not_verify() -> None:
    entries: list[Entry] = [MatchStarted("legend", ("Anne", "Bart"), {}), MatchEnded(None, (0, 0))]
    value = export_json(entries, None, BEGAN)
    assert value["dice"] == "dictated"
    assert "seed" not in value
    verdict = verify_export(value)
    assert not verdict.proven
    assert "dictated" in verdict.words


def test_no_changed_byte_verifies() -> None:
    text = match_text(short=True)
    assert verify_export(json.loads(text)).proven
    for position, letter in enumerate(text):
        changed = text[:position] + chr(ord(letter) ^ 1) + text[position + 1 :]
        try:
            value = json.loads(changed)
        except json.JSONDecodeError:
            continue
        assert not verify_export(value).proven, changed[max(0, position - 40) : position + 40]


@settings(max_examples=effort(60, 5000))
@given(st.data())
def test_no_other_letter_anywhere_verifies(data: st.DataObject) -> None:
    text = match_text(short=True)
    position = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.characters(codec="ascii", exclude_characters=text[position]))
    try:
        value = json.loads(text[:position] + letter + text[position + 1 :])
    except json.JSONDecodeError:
        return
    if canonically_differs(value, json.loads(text)):
        assert not verify_export(value).proven


def canonically_differs(value: object, other: object) -> bool:
    return export.canonical(value) != export.canonical(other)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_whatever_json_it_is_given_it_answers(value: object) -> None:
    assert not verify_export(value).proven
    assert not verify_export({**exported(short=True), "entries": value}).proven
    assert not verify_export({**exported(short=True), "entries": [value]}).proven


# --- forgeries whose digest was computed again ----------------------------------------------------------------------


def first(value: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        entry for entry in value["entries"] if entry["entry"] == "acted" and entry["action"]["type"] == kind
    )
    return found


def test_a_die_changed_by_hand_is_named() -> None:
    value = exported()
    entry = first(value, "rolled")
    honest = tuple(entry["action"]["faces"])
    entry["action"]["faces"][0] = honest[0] % 6 + 1
    verdict = verify_export(sealed(value))
    assert not verdict.proven
    assert (verdict.seq, verdict.expected, verdict.found) == (entry["seq"], honest, tuple(entry["action"]["faces"]))
    assert "the seed gives" in verdict.words


def an_action(value: dict[str, Any]) -> None:
    first(value, "pick")["action"]["id"] = "e2e9"


def a_seat(value: dict[str, Any]) -> None:
    first(value, "pick")["seat"] = 1


def a_press(value: dict[str, Any]) -> None:
    next(entry for entry in value["entries"] if entry["entry"] == "salted")["held_ms"] += 1


def a_second_press(value: dict[str, Any]) -> None:
    value["entries"].insert(-2, {"entry": "salted", "seat": 0, "held_ms": 1})


def a_strangers_press(value: dict[str, Any]) -> None:
    value["entries"].insert(-2, {"entry": "salted", "seat": 2, "held_ms": 1})


def a_press_before_time(value: dict[str, Any]) -> None:
    next(entry for entry in value["entries"] if entry["entry"] == "salted")["held_ms"] = -1


def a_score(value: dict[str, Any]) -> None:
    ended = next(entry for entry in value["entries"] if entry["entry"] == "ended")
    ended["scores"][0] += 1
    value["result"]["scores"][0] += 1


def only_the_headings_score(value: dict[str, Any]) -> None:
    value["result"]["scores"][0] += 1


def a_name(value: dict[str, Any]) -> None:
    value["seats"][0] = "Mary"


def the_seed(value: dict[str, Any]) -> None:
    value["seed"] = "00" * 32


def no_seed(value: dict[str, Any]) -> None:
    del value["seed"]


def loud_seed(value: dict[str, Any]) -> None:
    value["seed"] = value["seed"].upper()


def a_missing_action(value: dict[str, Any]) -> None:
    value["entries"].remove(first(value, "keep"))


def a_strange_key(value: dict[str, Any]) -> None:
    value["remark"] = "all was well"


def an_early_end(value: dict[str, Any]) -> None:
    value["entries"] = [*value["entries"][:9], value["entries"][-2]]


def a_late_action(value: dict[str, Any]) -> None:
    value["entries"].append({**value["entries"][-3], "seq": value["entries"][-3]["seq"] + 1})


def a_second_start(value: dict[str, Any]) -> None:
    value["entries"].insert(4, value["entries"][0])


def an_empty_take_back(value: dict[str, Any]) -> None:
    next(entry for entry in value["entries"] if entry["entry"] == "taken-back")["of_seq"] = 9999


def an_unknown_game(value: dict[str, Any]) -> None:
    value["game"] = value["entries"][0]["game"] = "ludo"


def an_unknown_option(value: dict[str, Any]) -> None:
    value["options"]["luck"] = value["entries"][0]["options"]["luck"] = "much"


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (an_action, "'e2e9' is not offered"),
        (a_seat, "had to act, found seat 1"),
        (a_press, "the seed gives"),
        (a_second_press, "stirred the dice twice"),
        (a_strangers_press, "did not play"),
        (a_press_before_time, "cannot be held for -1 ms"),
        (a_score, "result: the game's is"),
        (only_the_headings_score, "result: expected"),
        (a_name, "seats: expected"),
        (the_seed, "not the one committed to"),
        (no_seed, "seed: expected 64 hexadecimal digits"),
        (loud_seed, "seed: expected 64 hexadecimal digits"),
        (a_missing_action, "expected number"),
        (a_strange_key, "remark: not expected"),
        (an_early_end, "before its game was over"),
        (a_late_action, "after the match was over"),
        (a_second_start, "a match starts once"),
        (an_empty_take_back, "which does not stand"),
        (an_unknown_game, "unknown game 'ludo'"),
        (an_unknown_option, "unknown option 'luck'"),
    ],
)
def test_a_forged_export_is_found_out(forge: Callable[[dict[str, Any]], None], words: str) -> None:
    value = exported()
    forge(value)
    verdict = verify_export(sealed(value))
    assert not verdict.proven
    assert words in verdict.words


def test_prove_raises_what_verify_says() -> None:
    with pytest.raises(NotProven, match="not an exported match"):
        prove({})


def test_a_journal_without_a_beginning_is_no_match() -> None:
    with pytest.raises(BadHistory, match="must begin"):
        export_json([Acted(1, 0, 0, Pick("roll"))])
