"""Thirty-two players in place of those of any view, as at a game of dice alone."""

from dataclasses import replace
from typing import Final

from captains_table.games.contract import Result, SheetRow
from captains_table.table.model.view import Menu, MenuEntry, SeatView, View

CAPTAINS: Final = (
    "Bartholomew Roberts Esq.",
    "Anne Bonny",
    "Wilhelmina Wrathful Wood",
    "Morgan",
    "Blackbeard, Edward T.",
)
PARTY: Final = tuple(f"{CAPTAINS[number % 5]}"[:21] + f" {number + 1}" for number in range(32))
ON_TURN: Final = 20


def crowded(view: View, turn: int = ON_TURN) -> View:
    """Return a view of a match of thirty-two; who was on turn sits there now, with his column of the sheet."""
    before = view.seat or 0
    name = view.seats[before].called
    tallies = view.seats[before].tallies
    seats = tuple(
        SeatView(name, {tally: value + number * 3 % 50 for tally, value in tallies.items()}, on_turn=number == turn)
        for number, name in enumerate(PARTY)
    )
    prompt = tuple(line.replace(name, PARTY[turn]) for line in view.prompt)
    return replace(
        view, seat=turn, seats=seats, prompt=prompt, sheet=tuple(_row(row, before, turn) for row in view.sheet)
    )


def ended(view: View) -> View:
    """Return a match of thirty-two that is over: who was named last has most."""
    seats = crowded(view).seats
    scores = tuple(10 + number * 7 % 60 for number in range(31))
    return replace(view, seats=seats, result=Result(31, (*scores, 99)))


def _row(row: SheetRow, before: int, turn: int) -> SheetRow:
    cells = tuple(row.cells[before] if number == turn else str(number % 50) for number in range(len(PARTY)))
    return replace(row, cells=cells, prospects=tuple(replace(each, seat=turn) for each in row.prospects))


def with_victims(view: View) -> View:
    """Return a view in which one of thirty-one is to be named for a raid."""
    victims = enumerate(name for name in PARTY if name != PARTY[ON_TURN])
    return replace(
        view, menu=Menu(tuple(MenuEntry(f"raid-{seat}", f"Raid ({seat + 99}) {name}") for seat, name in victims), 4)
    )
