"""Berths and cargo by themselves (docs/rules/ship-captain-crew.md S2 to S4)."""

from itertools import product

from captains_table.games.ship_captain_crew.state import Berths, cargo_of, fill_berths


def test_a_five_without_a_ship_and_a_four_without_both_find_no_berth() -> None:
    assert fill_berths(Berths(), (5, 4, 3, 2, 1)) == Berths()
    assert fill_berths(Berths(), (6, 4, 3, 2, 1)) == Berths((1,))
    assert fill_berths(Berths((1,)), (6, 4, 4, 2, 5)) == Berths((1, 5, 2))


def test_several_may_be_found_in_one_throw_in_any_place() -> None:
    berths = fill_berths(Berths(), (4, 1, 5, 6, 6))
    assert berths == Berths((4, 3, 1))
    assert cargo_of(berths, (4, 1, 5, 6, 6)) == 7


def test_what_is_aside_stays_whatever_else_lies_there() -> None:
    for faces in product(range(1, 7), repeat=2):
        berths = Berths((1, 2, 3))
        assert fill_berths(berths, (6, 5, 4, *faces)) == berths
        assert cargo_of(berths, (6, 5, 4, *faces)) == sum(faces)


def test_without_a_crew_there_is_no_cargo() -> None:
    assert cargo_of(Berths((1, 2)), (6, 5, 3, 3, 3)) == 0


def test_an_empty_berth_has_no_die() -> None:
    assert [Berths((3, 1)).die_in(berth) for berth in (0, 1, 2)] == [3, 1, None]
