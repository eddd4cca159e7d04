from captains_table.games.contract import Pick
from captains_table.table.history.export import clock_remarks
from captains_table.table.model.entries import Acted, ClockWentOn, Entry, MatchStarted, TakenBack

STARTED = MatchStarted("captains-chess", ("Anne", "Bart"), {"clock": "5+3"})


def acted(seq: int, seat: int, at_ms: int, id_: str) -> Acted:
    return Acted(seq, seat, at_ms, Pick(id_))


def test_each_press_says_what_is_left_to_whoever_pressed() -> None:
    entries: list[Entry] = [
        STARTED,
        ClockWentOn(0),
        acted(1, 0, 4_000, "e2e4"),
        acted(2, 0, 10_000, "press-clock"),
        acted(3, 1, 80_000, "e7e5"),
        acted(4, 1, 81_500, "press-clock"),
    ]
    assert clock_remarks(entries) == {2: "[%clk 0:04:53]", 4: "[%clk 0:03:52]"}


def test_a_press_that_was_taken_back_is_said_nowhere() -> None:
    entries: list[Entry] = [
        STARTED,
        ClockWentOn(0),
        acted(1, 0, 4_000, "e2e4"),
        acted(2, 0, 10_000, "press-clock"),
        TakenBack(3, 0, 11_000, 1),
        acted(4, 0, 12_000, "d2d4"),
    ]
    assert clock_remarks(entries) == {}


def test_without_a_clock_there_is_nothing_to_say() -> None:
    assert clock_remarks([MatchStarted("captains-chess", ("Anne", "Bart"), {}), acted(1, 0, 4, "e2e4")]) == {}
    assert clock_remarks([MatchStarted("swashbuckle", ("Anne", "Bart"), {})]) == {}
    assert clock_remarks([]) == {}
