"""The book-keeper of clocks against figures reckoned by hand from docs/rules/clocks.md."""

from itertools import pairwise

import pytest

from tests.table.clock_bookkeeper import BookControl, BookStage, ClockBook, Passage, control_of
from tests.table.clock_histories import acted, bid, power_back, pressed, stopped, taken_back, went_on

REFUSED = """
    0 601 0s 36001s 10+601 10d601 10b601 0/10 201/10 /10 40/ 10+ 10d 10b s h
    10+3d2 10h2 10hh 10m -1 1.5 10-3 10D2 ٣ 10++3 10+-3 5+3s 40/40/10
    10, ,10 10,10 40/10,10,10 10| |10 10||5 none|5 none,5 None 10;5
"""


def book(clock: str, *history: Passage, seats: int = 2, from_press: bool = False) -> ClockBook:
    control = control_of(clock, from_press=from_press)
    assert control is not None
    return ClockBook(control, seats, history)


def left(told: ClockBook, acting: int | None, now_ms: int) -> list[int]:
    return [told.left_ms(seat, acting, now_ms) for seat in range(told.seats)]


# --- Z1, Z2: the notation


@pytest.mark.parametrize(
    ("text", "stages"),
    [
        ("10", [BookStage(600_000, None, "none", 0)]),
        ("5+3", [BookStage(300_000, None, "fischer", 3_000)]),
        ("3d2", [BookStage(180_000, None, "delay", 2_000)]),
        ("3b2", [BookStage(180_000, None, "bronstein", 2_000)]),
        ("2h", [BookStage(120_000, None, "hourglass", 0)]),
        ("30s+1", [BookStage(30_000, None, "fischer", 1_000)]),
        ("36000sh", [BookStage(36_000_000, None, "hourglass", 0)]),
        ("200/600b600", [BookStage(36_000_000, 200, "bronstein", 600_000)]),
        ("1/1sd0", [BookStage(1_000, 1, "delay", 0)]),
        (
            "40/90+30,30+30",
            [BookStage(5_400_000, 40, "fischer", 30_000), BookStage(1_800_000, None, "fischer", 30_000)],
        ),
    ],
)
def test_a_control_is_read_as_it_is_written(text: str, stages: list[BookStage]) -> None:
    assert control_of(text) == BookControl((tuple(stages),))


def test_seats_may_have_stages_of_their_own() -> None:
    ten, five = BookStage(600_000, None, "none", 0), BookStage(300_000, None, "none", 0)
    assert control_of("10|5") == BookControl(((ten,), (five,)))
    assert left(book("10|5"), None, 0) == [600_000, 300_000]
    assert left(book("10"), None, 0) == [600_000, 600_000]


def test_none_is_no_clock() -> None:
    assert control_of("none") is None


@pytest.mark.parametrize("text", ["", " ", "10 + 3", " 10", "10\n", "1/1," * 6 + "1", *REFUSED.split()])
def test_what_is_no_control_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        control_of(text)


def test_six_stages_are_allowed_and_parts_must_be_as_many_as_seats() -> None:
    assert control_of("1/1," * 5 + "1") is not None
    with pytest.raises(ValueError, match="2 parts for 3 seats"):
        book("10|5", seats=3)


# --- Z3: whose time runs


def test_the_time_of_the_player_who_must_act_runs() -> None:
    told = book("10", went_on(1_000), acted(0, 4_000), pressed(0, 5_000))
    assert left(told, 1, 12_000) == [600_000 - 4_000, 600_000 - 7_000]


def test_the_time_of_a_player_who_must_answer_an_offer_runs() -> None:
    told = book("10", went_on(0), acted(0, 3_000, "offer-draw"), acted(1, 5_000, "refuse"))
    assert left(told, 0, 9_000) == [600_000 - 3_000 - 4_000, 600_000 - 2_000]


def test_nobodys_time_runs_while_nobody_or_several_must_act() -> None:
    told = book("10", went_on(0), bid(1, 4_000), acted(0, 6_000))
    assert left(told, None, 50_000) == [598_000, 600_000]
    assert told.flag_falls_ms(None) is None


def test_the_clock_stands_before_it_is_started() -> None:
    assert left(book("10"), 0, 70_000) == [600_000, 600_000]
    assert book("10").flag_falls_ms(0) is None


# --- Z4: what counts as a move


def test_only_a_press_counts_as_a_move() -> None:
    told = book("40/10+5,5", went_on(0), acted(0, 1_000), acted(0, 2_000, "offer-draw"), acted(1, 4_000, "refuse"))
    assert [told.moves_to_go(seat) for seat in (0, 1)] == [40, 40]
    assert left(told, None, 4_000) == [598_000, 598_000]


def test_each_press_is_a_move_of_its_own_player() -> None:
    told = book("40/10,5", went_on(0), pressed(0, 1_000), pressed(1, 2_000), pressed(0, 3_000))
    assert [told.moves_to_go(seat) for seat in (0, 1)] == [38, 39]


# --- Z5: the first press


def test_the_first_press_counts_no_move_adds_nothing_and_is_on_nobodys_time() -> None:
    told = book("40/10+5,5", went_on(30_000), pressed(0, 90_000), from_press=True)
    assert left(told, 1, 93_000) == [600_000, 597_000]
    assert told.moves_to_go(0) == 40


def test_the_clock_stands_until_its_first_press() -> None:
    told = book("10", went_on(0), acted(0, 20_000), from_press=True)
    assert left(told, 0, 50_000) == [600_000, 600_000]
    assert told.flag_falls_ms(0) is None


def test_the_second_press_counts_also_if_it_is_the_other_players_first() -> None:
    told = book("40/10+5,5", went_on(1_000), pressed(0, 1_000), pressed(1, 4_000), pressed(0, 6_000), from_press=True)
    assert left(told, None, 6_000) == [600_000 - 2_000 + 5_000, 600_000 - 3_000 + 5_000]
    assert [told.moves_to_go(seat) for seat in (0, 1)] == [39, 39]


# --- Z6: Fischer


def test_each_counted_press_adds_the_stages_seconds_and_none_are_there_before_the_first() -> None:
    assert left(book("5+3"), None, 0) == [300_000, 300_000]
    told = book("5+3", went_on(0), pressed(0, 10_000), pressed(1, 11_000), pressed(0, 13_500))
    assert left(told, 1, 14_000) == [300_000 - 10_000 + 3_000 - 2_500 + 3_000, 300_000 - 1_000 + 3_000 - 500]


# --- Z7: US delay


def test_the_first_seconds_of_a_delay_are_not_counted() -> None:
    told = book("3d2", went_on(0))
    assert [told.left_ms(0, 0, now) for now in (0, 1_999, 2_000, 2_001, 5_000)] == [
        180_000,
        180_000,
        180_000,
        179_999,
        177_000,
    ]
    assert [told.delay_left_ms(0, 0, now) for now in (0, 1_500, 2_000, 9_000)] == [2_000, 500, 0, 0]


def test_a_press_gives_the_delay_anew_and_adds_nothing() -> None:
    told = book("3d2", went_on(0), pressed(0, 5_000), pressed(1, 6_000))
    assert left(told, 0, 7_000) == [177_000, 180_000]
    assert left(told, 0, 9_000) == [176_000, 180_000]


def test_time_spent_on_answering_an_offer_belongs_to_the_same_delay() -> None:
    told = book("3d2", went_on(0), acted(0, 1_500, "offer-draw"), acted(1, 3_000, "refuse"), pressed(0, 4_000))
    assert left(told, None, 4_000) == [179_500, 180_000]
    assert told.delay_left_ms(1, 1, 4_200) == 300  # 1.5 s of Bart's delay were used on the answer
    assert left(told, 1, 5_000) == [179_500, 179_500]


# --- Z8: Bronstein


def test_a_press_gives_back_what_was_used_at_most_the_stages_seconds() -> None:
    told = book("3b2", went_on(0), pressed(0, 1_500), pressed(1, 6_500))
    assert left(told, None, 6_500) == [180_000, 177_000]


def test_bronstein_gives_back_only_afterwards() -> None:
    told = book("3b2", went_on(0))
    assert left(told, 0, 1_500) == [178_500, 180_000]
    assert told.flag_falls_ms(0) == 180_000


def test_bronstein_gives_back_what_was_used_on_an_answer_since_the_last_press() -> None:
    told = book(
        "3b2", went_on(0), acted(0, 100, "offer-draw"), acted(1, 900, "refuse"), pressed(0, 1_000), pressed(1, 1_700)
    )
    assert left(told, None, 1_700) == [180_000, 180_000]  # Bart used 0.8 s and 0.7 s


# --- Z9: hourglass


def test_what_a_player_uses_is_the_other_players_at_once() -> None:
    told = book("2h", went_on(0), pressed(0, 7_000))
    assert left(told, 1, 7_000) == [113_000, 127_000]
    assert left(told, 1, 17_000) == [123_000, 117_000]


def test_of_more_than_two_the_next_seat_gets_what_is_used() -> None:
    told = book("2h", went_on(0), pressed(0, 1_000), pressed(1, 3_000), pressed(2, 7_000), seats=3)
    assert left(told, None, 7_000) == [119_000 + 4_000, 121_000 - 2_000, 122_000 - 4_000]


def test_the_stage_of_the_player_who_uses_the_time_decides() -> None:
    told = book("2h|2", went_on(0), pressed(0, 5_000), pressed(1, 8_000))
    assert left(told, None, 8_000) == [115_000, 125_000 - 3_000]


# --- Z10: the end of a stage


def test_at_the_end_of_a_stage_the_next_base_is_added_to_what_is_left() -> None:
    told = book("2/1,30s", went_on(0), pressed(0, 10_000), pressed(1, 20_000), pressed(0, 25_000))
    assert left(told, None, 25_000) == [60_000 - 15_000 + 30_000, 50_000]
    assert [told.stage(seat) for seat in (0, 1)] == [1, 0]
    assert [told.moves_to_go(seat) for seat in (0, 1)] == [None, 1]


def test_the_old_stage_adds_with_the_press_that_ends_it_and_the_new_way_counts_from_then_on() -> None:
    told = book("1/1+5,30s+1", went_on(0), pressed(0, 10_000), pressed(1, 12_000), pressed(0, 15_000))
    assert left(told, None, 15_000) == [
        60_000 - 10_000 + 5_000 + 30_000 - 3_000 + 1_000,
        60_000 - 2_000 + 5_000 + 30_000,
    ]


def test_the_old_stage_gives_back_with_the_press_that_ends_it() -> None:
    told = book("1/1b5,30sd2", went_on(0), pressed(0, 8_000), pressed(1, 11_000))
    assert left(told, 0, 11_000) == [60_000 - 8_000 + 5_000 + 30_000, 60_000 + 30_000]
    assert told.delay_left_ms(0, 0, 11_500) == 1_500
    assert left(told, 0, 14_000)[0] == 87_000 - 1_000


def test_a_last_stage_with_moves_begins_again_each_time() -> None:
    presses = [pressed(number % 2, 1_000 * (number + 1)) for number in range(10)]
    told = book("2/1,2/10s+1", went_on(0), *presses)  # five presses, a second each; the last three added one
    assert left(told, None, 10_000) == [60_000 - 5_000 + 10_000 + 10_000 + 3_000] * 2
    assert [(told.stage(seat), told.moves_to_go(seat)) for seat in (0, 1)] == [(1, 1), (1, 1)]


def test_players_with_odds_are_in_stages_of_their_own() -> None:
    told = book("1/1,30s|2/1,30s", went_on(0), pressed(0, 1_000), pressed(1, 2_000))
    assert left(told, None, 2_000) == [89_000, 59_000]
    assert [(told.stage(seat), told.moves_to_go(seat)) for seat in (0, 1)] == [(1, None), (0, 1)]


# --- Z11: the flag


def test_a_flag_falls_when_the_time_reaches_nothing() -> None:
    told = book("1+9", went_on(5_000))
    assert told.flag_falls_ms(0) == 65_000
    assert [told.left_ms(0, 0, now) for now in (64_999, 65_000, 65_001)] == [1, 0, 0]


def test_a_flag_falls_when_delay_and_time_are_used_up() -> None:
    told = book("1d5", went_on(0), acted(0, 2_000, "offer-draw"), acted(1, 3_000, "refuse"))
    assert told.flag_falls_ms(0) == 3_000 + 3_000 + 60_000
    assert [told.left_ms(0, 0, now) for now in (65_999, 66_000)] == [1, 0]


def test_a_flag_falls_in_a_stage_whose_moves_are_not_all_made() -> None:
    told = book("2/1,90", went_on(0), pressed(0, 50_000), pressed(1, 51_000))
    assert told.flag_falls_ms(0) == 61_000


def test_a_flag_waits_for_what_the_hourglass_gave() -> None:
    assert book("1h", went_on(0), pressed(0, 20_000)).flag_falls_ms(1) == 20_000 + 80_000


# --- Z12: take-backs


def test_a_take_back_gives_no_time_back_and_the_span_goes_on() -> None:
    told = book("3d2", went_on(0), acted(0, 1_500), taken_back(0, 0, 2_500), acted(0, 2_500), pressed(0, 4_000))
    assert left(told, None, 4_000) == [178_000, 180_000]
    told = book("3b2", went_on(0), acted(0, 800), taken_back(0, 0, 1_000), acted(0, 1_000), pressed(0, 1_800))
    assert left(told, None, 1_800) == [180_000, 180_000]


def test_what_a_press_added_stays_if_it_is_taken_back_and_a_new_press_counts_again() -> None:
    told = book("40/10+5,5", went_on(0), pressed(0, 3_000), taken_back(1, 0, 5_000), pressed(0, 6_000))
    assert left(told, None, 6_000) == [600_000 - 3_000 + 5_000 - 1_000 + 5_000, 600_000 - 2_000]
    assert [told.moves_to_go(seat) for seat in (0, 1)] == [38, 40]


# --- Z13: interruptions and power cuts


def test_an_interruption_charges_the_time_until_then_and_stops_the_clock() -> None:
    told = book("10", went_on(0), stopped(0, 4_000), went_on(50_000))
    assert left(told, 0, 51_000) == [595_000, 600_000]
    assert book("10", went_on(0), stopped(0, 4_000)).flag_falls_ms(0) is None


def test_what_was_used_of_the_span_is_kept_over_an_interruption() -> None:
    told = book("3d2", went_on(0), stopped(0, 1_500), went_on(50_000))
    assert told.delay_left_ms(0, 0, 50_100) == 400
    assert left(told, 0, 51_000) == [179_500, 180_000]
    told = book("3b2", went_on(0), stopped(0, 1_500), went_on(50_000), pressed(0, 50_300))
    assert left(told, None, 50_300) == [180_000, 180_000]


def test_after_a_power_cut_the_time_since_the_last_thing_written_down_is_charged_to_nobody() -> None:
    told = book("3b9", went_on(0), acted(0, 3_000), power_back(9_000), went_on(20_000), pressed(0, 21_000))
    assert left(told, None, 21_000) == [180_000, 180_000]  # 4 s used, all given back
    told = book("10", went_on(0), acted(0, 3_000), power_back(9_000), went_on(20_000))
    assert left(told, 0, 21_000) == [596_000, 600_000]


def test_a_second_power_cut_charges_nothing_either() -> None:
    told = book("10", went_on(0), power_back(9_000), went_on(20_000), power_back(25_000), went_on(26_000))
    assert left(told, 0, 27_000) == [599_000, 600_000]


def test_an_hourglass_gives_each_millisecond_that_it_takes() -> None:
    told = book("1/1d2,30sh", went_on(0), pressed(0, 4_000), pressed(1, 4_500))
    lefts = [left(told, 0, 4_500 + ms) for ms in range(0, 3_000, 7)]
    assert {(then[0] - before[0], then[1] - before[1]) for before, then in pairwise(lefts)} == {(-7, 7)}
