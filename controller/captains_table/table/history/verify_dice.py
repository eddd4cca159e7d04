"""Checks that the dice of an exported match follow from the committed seed and the players' salt.

It also checks who contributed to the salt and when, and that no throw was taken back.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from captains_table.games.contract import IllegalAction, Rolled
from captains_table.table.history.dice_stream import SEED_BYTES, BadSalt, DiceMismatch, FaceStream, commitment
from captains_table.table.history.export import end_entry
from captains_table.table.history.not_proven import NotProven, actor_words
from captains_table.table.model.entries import Acted, Entry, MatchStarted, Salted, SaltText, TakenBack
from captains_table.table.model.salt import Salt, check_words

_SEED: Final = re.compile(f"[0-9a-f]{{{2 * SEED_BYTES}}}")


def seed_of(value: Mapping[str, Any], started: MatchStarted, entries: Sequence[Entry]) -> bytes:
    """Return an export's seed; raises NotProven unless the match has ended and the seed fits the commitment."""
    if not started.commitment:
        raise NotProven("the dice of this match were dictated: there is nothing to verify")
    if end_entry(entries) is None:
        raise NotProven("the match is not over: its seed is not told yet")
    text = value.get("seed")
    if not isinstance(text, str) or not _SEED.fullmatch(text):
        raise NotProven(f"seed: expected {2 * SEED_BYTES} hexadecimal digits, found {text!r}", found=text)
    seed = bytes.fromhex(text)
    found = commitment(seed)
    if found != started.commitment:
        words = f"the seed is not the one committed to: its SHA-256 is {found}, promised was {started.commitment}"
        raise NotProven(words, expected=started.commitment, found=found, entry=0)
    return seed


def check_dice(seed: bytes, entries: Sequence[Entry]) -> int:
    """Check all throws against the seed and the salt, and return the number of throws; raises NotProven."""
    try:
        return FaceStream(seed).consume(entries)
    except DiceMismatch as error:
        raise NotProven(str(error), error.seq, error.expected, error.found, error.entry) from error
    except BadSalt as error:
        raise NotProven(f"salt: {error}") from error


def check_salt(started: MatchStarted, entries: Sequence[Entry]) -> None:
    """Check who contributed to the salt and when, and that no throw was taken back; raises NotProven.

    Each person presses the button once before the first throw of their seat, unless a person gave a text. A text may be
    given only before any press and before the match's first throw. After a text nobody presses. Computers give nothing.
    A throw must not be taken back, because it could be repeated until the result pleases.
    """
    salt, thrown = Salt(), list[int]()
    for place, entry in enumerate(entries):
        match entry:
            case Salted():
                _check_press(started, salt, place, entry)
            case SaltText():
                _check_words(started, salt, place, entry)
            case Acted(action=Rolled()):
                _check_throw(started, salt, place, entry)
                thrown.append(entry.seq)
            case TakenBack(seq=seq, of_seq=of_seq) if thrown and thrown[-1] >= of_seq:
                words = f"entry {place}: throw {thrown[-1]} is taken back with action {of_seq}: expected it to stand"
                raise NotProven(words, seq, f"an action after {thrown[-1]}", of_seq, place)
        salt.note(entry)


def _check_press(started: MatchStarted, salt: Salt, place: int, pressed: Salted) -> None:
    if pressed.seat in salt.pressed:
        words = f"entry {place}: seat {pressed.seat} stirred the dice twice: expected one press"
        raise NotProven(words, expected="no further press", found="salted", entry=place)
    if salt.words:
        words = f"entry {place}: seat {pressed.seat} pressed after own words were given: expected no press any more"
        raise NotProven(words, expected="no press", found="salted", entry=place)
    if started.is_program(pressed.seat):
        words = f"entry {place}: seat {pressed.seat} is declared a computer: expected no press of it"
        raise NotProven(words, expected="no press", found="salted", entry=place)


def _check_words(started: MatchStarted, salt: Salt, place: int, given: SaltText) -> None:
    late = "the first throw" if salt.has_thrown else "a press" if salt.pressed else ""
    if late:
        words = f"entry {place}: {actor_words(given.seat)} gave own words after {late}: expected them before, or none"
        raise NotProven(words, expected=f"before {late}", found="words", entry=place)
    if started.is_program(given.seat):
        words = f"entry {place}: seat {given.seat} is declared a computer: expected no words of it"
        raise NotProven(words, expected="no words", found="words", entry=place)
    try:
        in_normal_form = check_words(given.text)
    except IllegalAction as error:
        raise NotProven(f"entry {place}: {error}", found=given.text, entry=place) from error
    if in_normal_form != given.text:
        words = f"entry {place}: own words are not in normal form NFC: expected {in_normal_form!r}"
        raise NotProven(words, expected=in_normal_form, found=given.text, entry=place)


def _check_throw(started: MatchStarted, salt: Salt, place: int, thrown: Acted) -> None:
    if thrown.seat is None or salt.wants_press(thrown.seat, started):
        words = f"entry {place}: {actor_words(thrown.seat)} threw before it stirred the dice: expected its press first"
        raise NotProven(words, thrown.seq, expected="salted", found="rolled", entry=place)


def check_seats_of_salt(entries: Sequence[Entry]) -> None:
    """Check that every contribution to the salt is from a seat that played; raises NotProven if one is not.

    Nothing is checked in a match that has not ended, because only the entry of its end tells the number of seats.
    """
    ended = end_entry(entries)
    for place, entry in enumerate(entries):
        if ended is not None and isinstance(entry, Salted | SaltText) and entry.seat not in range(len(ended.scores)):
            words = f"entry {place}: seat {entry.seat} stirred the dice and did not play"
            raise NotProven(words, expected=f"a seat below {len(ended.scores)}", found=entry.seat, entry=place)
