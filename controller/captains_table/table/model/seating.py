"""Who plays each seat of a match: the players' names, the computers, and changes of player during the match.

A seat that a computer plays from the start is declared with the computer's key and level, such as `aether:3`. The seat
is named *Aether*, or *Aether 2* if that name is taken. During the match a computer may take over any seat, and a person
may take over a computer's seat. The seat then keeps its name. The first press of a seat's button is added to the seed
of the dice only if the seat was declared as a person's. Later changes of player do not matter.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from captains_table.games.common.computer_seat import ComputerSeat, NoSuchOpponent, free_name
from captains_table.games.registry import level_words
from captains_table.phrases import say
from captains_table.table.model.entries import Acted, Entry, MatchStarted, SeatChanged, TakenBack

HUMAN: Final = ""  # the player of a seat without a computer


def declared_names(started: MatchStarted) -> tuple[str, ...]:
    """Return the names of the seats as declared at the start; a computer's seat has its title, such as *Aether*.

    A title that is taken already is followed by a number: *Aether 2*.
    """
    return tuple(name for name, _ in _named(started))


def persons_of(started: MatchStarted) -> tuple[str, ...]:
    """Return the names of the declared human players, in seat order."""
    return tuple(words for seat, words in enumerate(started.seats) if not started.is_program(seat))


def records_of(started: MatchStarted, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names under which a match's players are entered in the records; a computer's name includes its level.

    Args:
        started: how the match began.
        names: the players' names in seat order, including players who were not declared at the start.
    """
    computers = {seat: sitter for seat, (_, sitter) in enumerate(_named(started)) if sitter is not None}
    return tuple(computers[seat].words if seat in computers else name for seat, name in enumerate(names))


def _named(started: MatchStarted) -> Iterator[tuple[str, ComputerSeat | None]]:
    """Yield each seat's name and the computer that plays the seat from the start.

    The computer is `None` for a person, and for a program that is declared without a level.
    """
    taken = {words for seat, words in enumerate(started.seats) if not started.is_program(seat)}
    for seat, words in enumerate(started.seats):
        if not started.is_program(seat):
            yield words, None
            continue
        sitter = _computer(words)
        name = free_name(words if sitter is None else sitter.title, taken)
        taken.add(name)
        yield name, sitter


def _computer(words: str) -> ComputerSeat | None:
    """Return the computer that a declaration such as `aether:3` names; `None` for any other declaration."""
    try:
        return ComputerSeat.parsed(words)
    except NoSuchOpponent:
        return None


class Seating:
    """The current players of all seats.

    Args:
        started: how the match began.

    Attributes:
        acted: maps the `seq` of each action of a computer to the computer, such as `aether:3`.
    """

    def __init__(self, started: MatchStarted) -> None:
        self._game = started.game
        self._sitters = {seat: words for seat, words in enumerate(started.seats) if started.is_program(seat)}
        self.acted: dict[int, str] = {}

    def note(self, entry: Entry) -> None:
        """Update the seats from a journal entry."""
        match entry:
            case SeatChanged(seat, player):
                self._sitters[seat] = player
            case Acted(seq, int(seat)) if self.sitter(seat):
                self.acted[seq] = self.sitter(seat)
            case TakenBack(of_seq=of_seq):
                self.acted = {seq: sitter for seq, sitter in self.acted.items() if seq < of_seq}

    def computer(self, seat: int) -> tuple[str, str]:
        """Return the computer that plays a seat and its level in words, such as "Aether" and "casual".

        Both are empty for a person. A program that is declared without a level has none.
        """
        sitter = self.sitter(seat)
        computer = _computer(sitter)
        return (sitter, "") if computer is None else (computer.title, level_words(computer, self._game))

    def words(self, seat: int) -> str:
        """Return the name of the computer that plays a seat with its level, "Aether (casual)"; empty for a person."""
        computer, level = self.computer(seat)
        return say("{computer} ({level})", computer, level) if level else computer

    def sitter(self, seat: int | None) -> str:
        """Return the computer that plays a seat, such as `aether:3`; empty for a person."""
        return HUMAN if seat is None else self._sitters.get(seat, HUMAN)

    def is_program(self, seat: int | None) -> bool:
        return self.sitter(seat) != HUMAN
