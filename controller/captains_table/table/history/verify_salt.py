"""That nobody could choose his dice by what went into the salt, or have a throw again.

Source: docs/architecture.md Contract 5.
"""

from collections.abc import Sequence

from captains_table.games.contract import IllegalAction, Rolled
from captains_table.table.history.not_proven import NotProven, actor
from captains_table.table.model.entries import Acted, Entry, MatchStarted, Salted, TakenBack, Words
from captains_table.table.model.salt import Salt, check_words


def check_salt(started: MatchStarted, entries: Sequence[Entry]) -> None:
    """Check who stirred the dice and when, and that every throw stands; raises NotProven.

    Each human stirs once before he throws; with own words, given before the first throw, nobody presses. Computers
    stir nothing. A throw that is taken back could be had again until it pleases.
    """
    salt, thrown = Salt(), list[int]()
    for place, entry in enumerate(entries):
        match entry:
            case Salted():
                _check_press(started, salt, place, entry)
            case Words():
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
    if started.is_computer(pressed.seat):
        words = f"entry {place}: seat {pressed.seat} is declared a computer: expected no press of it"
        raise NotProven(words, expected="no press", found="salted", entry=place)


def _check_words(started: MatchStarted, salt: Salt, place: int, given: Words) -> None:
    late = "the first throw" if salt.has_thrown else "a press" if salt.pressed else ""
    if late:
        words = f"entry {place}: {actor(given.seat)} gave own words after {late}: expected them before, or none"
        raise NotProven(words, expected=f"before {late}", found="words", entry=place)
    if started.is_computer(given.seat):
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
        words = f"entry {place}: {actor(thrown.seat)} threw before it stirred the dice: expected its press first"
        raise NotProven(words, thrown.seq, expected="salted", found="rolled", entry=place)
