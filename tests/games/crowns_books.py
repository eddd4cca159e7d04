"""How tests tell the second implementation of Crowns what is done in a match, or on a tape."""

from collections.abc import Iterable
from typing import Any

from msgspec import convert

from captains_table.games.contract import Action, Bell, Bid, Correct, EndMatch, Pick
from captains_table.games.crowns.state import State
from captains_table.table.tapes.tape_reader import Directive, StartMatch
from tests.games.crowns_bookkeeper import Book
from tests.support.crowns_play import GAME


def options_of(state: State) -> dict[str, str]:
    """Return the options of a match like this."""
    pieces = {f"piece{number}": str(design) for number, design in enumerate(state.designs, 1)}
    timeout = "pass" if state.options.passes else "master"
    return {**pieces, "timeout": timeout, "turn_limit": str(state.options.turn_limit)}


def book_of(state: State) -> Book:
    """Return the second implementation's match."""
    return Book(state.seats, options_of(state))


def tell(book: Book, action: Action) -> None:
    """Tell the second implementation what is done."""
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
    """The matches of a tape as the second implementation has them, from what starts them and what is journalled."""

    def __init__(self) -> None:
        self._done: list[dict[str, Any]] = []
        self._start: StartMatch | None = None
        self._book: Book | None = None

    def take_in(self, directive: Directive, printed: Iterable[dict[str, Any]]) -> None:
        """Follow a line of a tape and the actions that it printed."""
        if isinstance(directive, StartMatch):
            self._start, self._done = directive, []
            self._book = book_of(GAME.start(directive.names, directive.options))
        for line in printed:
            if line["action"]["type"] == "take-back":
                assert self._start is not None
                done = [each for each in self._done if each["seq"] < line["action"]["seq"]]
                self.take_in(self._start, done)
            else:
                assert self._book is not None
                self._done.append(line)
                seat = {"seat": self._book.names.index(line["seat"])} if line["action"]["type"] == "bid" else {}
                tell(self._book, convert(line["action"] | seat, Action))

    def check(self, final: dict[str, Any]) -> None:
        """Check that all that the final object has of the game is as the second implementation says."""
        if self._book is not None:
            expected = self._book.final()
            assert {key: sorted(final[key]) if key == "rings" else final[key] for key in expected} == expected
            seat = None if final["seat"] is None else list(final["tallies"]).index(final["seat"])
            assert self._book.waits_for().seat == seat
