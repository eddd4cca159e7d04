"""Who sits where: the names of a match, which of its seats computers play, and who plays on in whose place.

A seat that a computer plays from the start is written as it was asked for, `aether:3`: who, and at which level. It
sits as *Aether*, a second one as *Aether 2*. In mid-match a computer may play on for anybody, and anybody for a
computer; the seat keeps its name, and what it owes the dice.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, count
from typing import Final

from captains_table.games.common.sitter import NoSuchOpponent, Sitter
from captains_table.table.model.entries import Acted, Entry, MatchStarted, Seated, TakenBack

HUMAN: Final = ""  # who sits where no computer does


def names_of(started: MatchStarted) -> tuple[str, ...]:
    """Return the names that were given, a computer's as it sits; names in the journal of a match say who it is."""
    return tuple(name for name, _ in _named(started))


def persons_of(started: MatchStarted) -> tuple[str, ...]:
    """Return the names of those who were named and are no computers."""
    return tuple(words for seat, words in enumerate(started.seats) if not started.is_program(seat))


def records_of(started: MatchStarted, names: Sequence[str]) -> tuple[str, ...]:
    """Return what a match's players are remembered as: a computer with its level, whatever it was called.

    Args:
        started: how the match began.
        names: the players in seat order, those included that nobody named.
    """
    computers = {seat: sitter for seat, (_, sitter) in enumerate(_named(started)) if sitter is not None}
    return tuple(computers[seat].words if seat in computers else name for seat, name in enumerate(names))


def _named(started: MatchStarted) -> Iterator[tuple[str, Sitter | None]]:
    """Yield each seat's name, and the computer that sits there from the start."""
    taken = {words for seat, words in enumerate(started.seats) if not started.is_program(seat)}
    for seat, words in enumerate(started.seats):
        if not started.is_program(seat):
            yield words, None
            continue
        sitter = _computer(words)
        name = _free_name(words if sitter is None else sitter.title, taken)
        taken.add(name)
        yield name, sitter


def _computer(words: str) -> Sitter | None:
    """Return who a seat's words declare; `None` where they say no level, as of a stranger's program."""
    try:
        return Sitter.parsed(words)
    except NoSuchOpponent:
        return None


def _free_name(title: str, taken: Collection[str]) -> str:
    names = chain([title], (f"{title} {number}" for number in count(2)))
    return next(name for name in names if name not in taken)


class Seating:
    """Who plays each seat now.

    Args:
        started: how the match began.

    Attributes:
        acted: by whom each action was done that a computer did: its words, by the action's `seq`.
    """

    def __init__(self, started: MatchStarted) -> None:
        self._sitters = {seat: words for seat, words in enumerate(started.seats) if started.is_program(seat)}
        self.acted: dict[int, str] = {}

    def note(self, entry: Entry) -> None:
        """Know of an entry."""
        match entry:
            case Seated(seat, player):
                self._sitters[seat] = player
            case Acted(seq, int(seat)) if self.sitter(seat):
                self.acted[seq] = self.sitter(seat)
            case TakenBack(of_seq=of_seq):
                self.acted = {seq: sitter for seq, sitter in self.acted.items() if seq < of_seq}

    def words(self, seat: int) -> str:
        """Return which computer plays a seat in words, such as "Aether (level 3)"; empty where a person does."""
        sitter = self.sitter(seat)
        computer = _computer(sitter)
        return sitter if computer is None else computer.words

    def sitter(self, seat: int | None) -> str:
        """Return which computer plays a seat, as `aether:3`; empty where a person does."""
        return HUMAN if seat is None else self._sitters.get(seat, HUMAN)

    def is_program(self, seat: int | None) -> bool:
        """Return whether a program plays a seat now."""
        return self.sitter(seat) != HUMAN

    def is_absent(self, seat: int | None) -> bool:
        """Return whether no person at this table plays a seat now: so far that is a program's."""
        return self.is_program(seat)
