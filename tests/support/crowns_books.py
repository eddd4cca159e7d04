"""Holding matches of Crowns against the second book-keeper: what he is told, and what he says beside a tape."""

from pathlib import Path
from typing import Any

from msgspec import convert

from captains_table.games.contract import Action, Bell, Bid, Correct, EndMatch, Pick
from captains_table.games.crowns.state import State
from captains_table.table.tapes.tape_reader import StartMatch, parse_line
from tests.support.crowns_bookkeeper import Book
from tests.support.crowns_play import GAME
from tests.support.refusing_tape import Moment


def options_of(state: State) -> dict[str, str]:
    """Return the options of a match like this."""
    pieces = {f"piece{number}": str(design) for number, design in enumerate(state.designs, 1)}
    timeout = "pass" if state.options.passes else "master"
    return {**pieces, "timeout": timeout, "turn_limit": str(state.options.turn_limit)}


def book_of(state: State) -> Book:
    """Return the second book-keeper's match."""
    return Book(state.seats, options_of(state))


def tell(book: Book, action: Action) -> None:
    """Tell the second book-keeper what is done."""
    match action:
        case Bid(seat, value):
            book.bid(seat, value)
        case Bell():
            book.bell()
        case Pick(id_):
            book.pick(id_)
        case Correct(what, of, to):
            book.correct(what, of, to)
        case EndMatch():
            book.end()


class Books:
    """The matches of a tape as the second book-keeper has them, from the lines that start them and what was journalled.

    Args:
        tape: the file.
    """

    def __init__(self, tape: Path) -> None:
        lines = enumerate(tape.read_text(encoding="utf-8").splitlines(), start=1)
        read = [parse_line(number, text) for number, text in lines]
        self._starts = {
            line.number: line.directive for line in read if line is not None and isinstance(line.directive, StartMatch)
        }
        self._known = 0
        self._done: list[dict[str, Any]] = []
        self._start: StartMatch | None = None
        self._book: Book | None = None

    def check(self, moment: Moment) -> None:
        """Whatever the final object has of the game is as the second book-keeper says."""
        new = moment.actions[self._known :]
        self._known = len(moment.actions)
        start = self._starts.get(moment.number)
        if start is not None:
            self._start, self._done, self._book = start, [], _begun(start)
        for line in new:
            self._take_in(line)
        if self._book is not None:
            final = self._book.final()
            assert {key: _told(key, moment.final) for key in final} == final, moment.number
            assert self._book.waits_for().seat == _seat(moment.final), moment.number

    def _take_in(self, line: dict[str, Any]) -> None:
        if line["action"]["type"] == "take-back":
            assert self._start is not None
            self._done = [done for done in self._done if done["seq"] < line["action"]["seq"]]
            self._book = _begun(self._start)
            for done in self._done:
                _tell_line(self._book, done)
            return
        assert self._book is not None
        self._done.append(line)
        _tell_line(self._book, line)


def _begun(start: StartMatch) -> Book:
    return book_of(GAME.start(start.names, start.options))


def _told(key: str, final: dict[str, Any]) -> object:
    return sorted(final[key]) if key == "rings" else final[key]


def _seat(final: dict[str, Any]) -> int | None:
    return None if final["seat"] is None else list(final["tallies"]).index(final["seat"])


def _tell_line(book: Book, line: dict[str, Any]) -> None:
    action = dict(line["action"])
    if action["type"] == "bid":  # the output names its seat beside it
        action["seat"] = book.names.index(line["seat"])
    tell(book, convert(action, Action))
