"""The players' clocks count as docs/rules/clocks.md says: stages, Fischer, delays, Bronstein, hourglasses."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.common.time_control import parse_clock
from captains_table.games.contract import PRESS_CLOCK, Bid, Pick, Stage, TimeAddition, TimeControl, TimeUp
from captains_table.table.history.dice_stream import commitment
from captains_table.table.history.export import clock_remarks, export_json
from captains_table.table.history.verify import ExportVerdict, verify_export
from captains_table.table.model.entries import (
    Acted,
    ClockStopped,
    ClockWentOn,
    Entry,
    MatchEnded,
    MatchStarted,
    Resumed,
    TakenBack,
)
from captains_table.table.model.player_clocks import Clock, StageProgress, seconds_shown
from tests.support.effort import effort

PRESS, MOVE, OFFER, RESIGN = Pick(PRESS_CLOCK.id), Pick("e2e4"), Pick("offer-draw"), Pick("resign")
SEED = bytes(range(32))


class Play:
    """A match of which only the clock is watched; times are seconds."""

    def __init__(self, clock: str | TimeControl) -> None:
        control = parse_clock(clock) if isinstance(clock, str) else clock
        assert control is not None
        self.clock = Clock(control, 2)
        self.at_ms = 0
        self.clock.note(ClockWentOn(0))

    def act(self, seat: int, seconds: float, action: Pick = PRESS) -> "Play":
        """Let a seat act after so many seconds."""
        self.at_ms += round(seconds * 1000)
        self.clock.note(Acted(1, seat, self.at_ms, action))
        return self

    def note(self, entry: Entry) -> "Play":
        """Let something else be written down."""
        self.at_ms = getattr(entry, "at_ms", self.at_ms)
        self.clock.note(entry)
        return self

    def left(self, acting: int | None = None, later: float = 0) -> list[float]:
        """Return what both have left after so many seconds more of a seat's time."""
        return [self.clock.left_ms(seat, acting, self.at_ms + round(later * 1000)) / 1000 for seat in (0, 1)]


# --- what is added ----------------------------------------------------------------------------------------------------


def test_each_begins_with_the_base_of_the_first_stage_of_their_own() -> None:  # Z1, Z3
    assert Play("40/10,5|30s").left() == [600, 30]


def test_only_a_press_counts_as_a_move() -> None:  # Z4
    play = Play("2/1,1").act(0, 1, MOVE).act(0, 1, OFFER).act(1, 1, Pick("refuse"))
    assert play.clock.progress(0) == StageProgress(1, 2, 2)
    play.act(0, 1)
    assert play.clock.progress(0) == StageProgress(1, 2, 1)


def test_the_first_press_of_a_clock_that_waits_for_it_counts_as_no_move_and_adds_nothing() -> None:  # Z5
    control = parse_clock("1/1+9,1b9")
    assert control is not None
    clock = Clock(TimeControl(control.base_ms, from_press=True, stages=control.stages), 2)
    for entry in (Acted(1, 0, 5000, MOVE), ClockWentOn(8000), Acted(2, 0, 8000, PRESS)):
        assert clock.awaits_press
        clock.note(entry)
    assert clock.left_ms(0, 1, 8000) == 60_000
    assert clock.progress(0) == StageProgress(1, 2, 1)


def test_fischer_adds_at_a_press_and_not_before_the_first_move() -> None:  # Z6
    play = Play("1+5")
    assert play.left() == [60, 60]
    assert play.act(0, 10).left() == [55, 60]


def test_the_first_seconds_of_a_span_are_not_counted_and_the_delay_is_not_given_twice() -> None:  # Z7
    play = Play("1d5").act(0, 3, MOVE)
    assert play.left() == [60, 60]
    assert play.left(0, 2) == [60, 60]
    assert play.act(0, 4).left() == [58, 60]
    play.act(1, 4, MOVE).act(1, 0.5)
    assert play.left() == [58, 60]
    play.act(0, 3, OFFER).act(1, 4, Pick("refuse")).act(0, 1, MOVE).act(0, 2)
    assert play.left() == [57, 60]
    assert play.act(1, 2).left() == [57, 59]


def test_bronstein_gives_back_what_the_span_used_and_no_more_than_its_seconds() -> None:  # Z8
    play = Play("1b5").act(0, 3, MOVE)
    assert play.left() == [57, 60]
    assert play.act(0, 1).left() == [60, 60]
    assert play.act(1, 12).left() == [60, 53]


def test_with_bronstein_the_time_can_run_out_before_it_is_given_back() -> None:  # Z8, Z11
    play = Play("3s" + "b5")
    assert play.clock.up_ms(0) == 3000
    assert Play("3sd5").clock.up_ms(0) == 8000


def test_an_hourglass_gives_what_one_uses_to_the_other_at_once() -> None:  # Z9
    play = Play("2h")
    assert play.left(0, 30) == [90, 150]
    assert play.act(0, 30).act(1, 100).left() == [190, 50]


def test_the_stage_of_the_player_who_uses_the_time_decides() -> None:  # Z9
    play = Play("2h|2").act(0, 30).act(1, 20)
    assert play.left() == [90, 130]


def test_in_an_hourglass_of_three_the_next_seat_gets_the_time() -> None:  # Z9
    control = parse_clock("1h")
    assert control is not None
    clock = Clock(control, 3)
    for entry in (ClockWentOn(0), Acted(1, 2, 7000, PRESS)):
        clock.note(entry)
    assert [clock.left_ms(seat, None, 7000) for seat in range(3)] == [67_000, 60_000, 53_000]


# --- the end of a stage and of the time -------------------------------------------------------------------------------


def test_the_press_that_ends_a_stage_adds_by_the_old_one_before_the_next_base() -> None:  # Z10
    play = Play("1/1+5,30sd10").act(0, 20)
    assert play.left() == [60 - 20 + 5 + 30, 60]
    assert play.clock.progress(0) == StageProgress(2, 2, None)
    assert play.act(1, 10).act(0, 12).left() == [73, 60 - 10 + 5 + 30]


def test_a_last_stage_with_a_number_of_moves_begins_again_each_time() -> None:  # Z10
    play = Play("1/1,2/30s")
    seen = []
    for _ in range(5):
        play.act(0, 0)
        seen.append((play.left()[0], play.clock.progress(0)))
    assert seen == [
        (90, StageProgress(2, 2, 2)),
        (90, StageProgress(2, 2, 1)),
        (120, StageProgress(2, 2, 2)),
        (120, StageProgress(2, 2, 1)),
        (150, StageProgress(2, 2, 2)),
    ]


@pytest.mark.parametrize("clock", ["2/10s+30,90", "2/10sb30,90", "2/10sh,90", "2/10s,90"])
def test_the_flag_falls_in_every_stage_however_many_moves_were_made(clock: str) -> None:  # Z11
    assert Play(clock).clock.up_ms(0) == 10_000
    play = Play(clock)
    play.act(0, 10)
    assert play.clock.up_ms(0) == play.at_ms + round(play.left()[0] * 1000)


def test_what_passes_after_the_flag_has_fallen_is_added_to_nobody() -> None:  # Z9, Z11
    assert Play("1h").left(0, 100) == [0, 120]
    late = Play("1h").act(0, 50, MOVE).note(TakenBack(2, 0, 100_000, 1))  # it had ended the match, and no flag fell
    assert late.left() == [0, 120]


# --- take-backs and interruptions -------------------------------------------------------------------------------------


def test_a_take_back_gives_no_time_back_and_the_span_goes_on() -> None:  # Z12
    play = Play("1d5").act(0, 3, MOVE).note(TakenBack(2, 0, 4000, 1))
    assert play.act(0, 3).left() == [58, 60]
    play = Play("1b5").act(0, 3, MOVE).note(TakenBack(2, 0, 4000, 1))
    assert play.act(0, 3).left() == [58, 60]


def test_a_press_that_is_taken_back_keeps_what_it_added_and_a_new_one_counts_again() -> None:  # Z12
    play = Play("3/1+5,1").act(0, 1).note(TakenBack(2, 0, 1000, 1)).act(0, 0)
    assert play.left() == [69, 60]
    assert play.clock.progress(0) == StageProgress(1, 2, 1)


def test_an_interruption_stops_the_clock_and_keeps_what_was_used_of_the_span() -> None:  # Z13
    play = Play("1d5").note(ClockStopped(0, 3000, "left"))
    assert play.left(0, 50) == [60, 60]
    play.note(Resumed("2026-01-02T03:04:05+00:00", 3000)).note(ClockWentOn(90_000))
    assert play.clock.delay_ms(0, 0, 91_000) == 1000
    assert play.act(0, 4).left() == [58, 60]


def test_after_a_power_cut_the_time_since_the_last_entry_is_nobodys_and_of_no_span() -> None:  # Z13
    play = Play("1d5").act(0, 3, MOVE)
    play.note(Resumed("2026-01-02T03:04:05+00:00", 50_000)).note(ClockWentOn(50_000))
    assert play.clock.delay_ms(0, 0, 50_000) == 2000


def test_bids_use_nobodys_time_and_no_delay() -> None:  # Z3
    play = Play("1d5").note(Acted(1, 0, 9000, Bid(0, 3)))
    assert play.left() == [60, 60]
    assert play.clock.delay_ms(0, 0, 9000) == 5000


# --- displays ---------------------------------------------------------------------------------------------------------


def test_displays_show_the_delay_and_the_stage_only_where_there_are_any() -> None:  # Z14
    play = Play("5+3")
    assert (play.clock.delay_ms(0, 0, 0), play.clock.progress(0)) == (None, None)
    play = Play("40/90,30d5|10")
    assert [play.clock.delay_ms(seat, 0, 0) for seat in (0, 1)] == [0, 0]
    assert [play.clock.progress(seat) for seat in (0, 1)] == [StageProgress(1, 2, 40), StageProgress(1, 1, None)]


@pytest.mark.parametrize(
    ("stage", "words", "brief"),
    [
        (StageProgress(1, 2, 38), "stage 1 of 2, 38 moves to go", "1/2 · 38 to go"),
        (StageProgress(2, 2, None), "stage 2 of 2", "2/2"),
        (StageProgress(1, 1, 1), "1 move to go", "1 to go"),
        (StageProgress(1, 1, None), "", ""),
    ],
)
def test_a_stage_is_called_by_its_number_and_its_moves(stage: StageProgress, words: str, brief: str) -> None:
    assert (stage.words, stage.brief) == (words, brief)


CLOCKS = st.sampled_from(["1", "1+2", "1d3", "1b3", "1h", "2/20s+2,1/9sd3,15sb4", "1h|1d2", "3/20sh"])


def shown(clock: Clock, acting: int, now_ms: int) -> list[int]:
    """Return all seconds that displays show."""
    times = [(clock.left_ms(seat, acting, now_ms), clock.delay_ms(seat, acting, now_ms) or 0) for seat in (0, 1)]
    return [seconds_shown(ms) for each in times for ms in each]


@settings(deadline=None)  # a loaded machine may take its time
@given(clock=CLOCKS, first_ms=st.integers(0, 8000), ticks=st.integers(1, 30))
def test_a_tick_comes_just_when_something_shown_changes(clock: str, first_ms: int, ticks: int) -> None:  # Z14
    play = Play(clock).act(0, first_ms / 1000, MOVE)
    now_ms = play.at_ms
    for _ in range(ticks):
        tick_ms = play.clock.tick_ms(0, now_ms)
        if tick_ms is None:
            assert play.clock.left_ms(0, 0, now_ms) == 0
            return
        assert now_ms < tick_ms
        assert shown(play.clock, 0, tick_ms - 1) == shown(play.clock, 0, now_ms) != shown(play.clock, 0, tick_ms)
        now_ms = tick_ms


# --- properties of any history ----------------------------------------------------------------------------------------

STAGES = st.builds(
    Stage,
    st.integers(1, 90).map(lambda seconds: seconds * 1000),
    st.integers(1, 4),
    st.sampled_from(TimeAddition),
    st.integers(0, 9000),
)
HAPPENINGS = st.lists(
    st.tuples(st.sampled_from(["press", "move", "take back", "stop", "cut"]), st.integers(0, 1), st.integers(0, 7000)),
    max_size=30,
)


def entries_of(what: str, seat: int, at_ms: int) -> list[Entry]:
    """Return the entries of something that happens."""
    match what:
        case "press" | "move":
            return [Acted(1, seat, at_ms, PRESS if what == "press" else MOVE)]
        case "take back":
            return [TakenBack(1, seat, at_ms, 1)]
        case "stop":
            return [ClockStopped(seat, at_ms, "left"), ClockWentOn(at_ms)]
        case _:
            return [Resumed("", at_ms), ClockWentOn(at_ms)]


def total_ms(clock: Clock, at_ms: int) -> int:
    return sum(clock.left_ms(seat, None, at_ms) for seat in (0, 1))


def replayed(clock: Clock, happenings: Sequence[tuple[str, int, int]]) -> list[tuple[str, int, int, int, int]]:
    """Return of each happening until a flag falls: what, whose, its seconds, and all time before and after it."""
    at_ms, seen = 0, []
    clock.note(ClockWentOn(0))
    for what, seat, spent_ms in happenings:
        up_ms = clock.up_ms(seat)
        assert up_ms is not None
        if at_ms + spent_ms > up_ms:
            break
        before_ms = total_ms(clock, at_ms)
        at_ms += spent_ms
        for entry in entries_of(what, seat, at_ms):
            clock.note(entry)
        seen.append((what, seat, spent_ms, before_ms, total_ms(clock, at_ms)))
    return seen


@settings(deadline=None, max_examples=effort(100, 10_000))  # a loaded machine may take its time
@given(stages=st.tuples(*[st.lists(STAGES, min_size=1, max_size=3).map(tuple)] * 2), happenings=HAPPENINGS)
def test_time_is_created_by_presses_alone_and_only_as_much_as_a_stage_adds(
    stages: tuple[tuple[Stage, ...], ...], happenings: list[tuple[str, int, int]]
) -> None:  # Z6, Z8, Z10
    clock = Clock(TimeControl(1000, stages=stages), 2)
    for what, seat, spent_ms, before_ms, after_ms in replayed(clock, happenings):
        adds_ms = max(stage.extra_ms for stage in stages[seat]) + max(stage.base_ms for stage in stages[seat])
        most_ms = adds_ms if what == "press" else 0
        assert before_ms - spent_ms <= after_ms <= before_ms + most_ms


@settings(deadline=None, max_examples=effort(100, 10_000))  # a loaded machine may take its time
@given(happenings=HAPPENINGS)
def test_in_an_hourglass_no_time_is_created_or_lost(happenings: list[tuple[str, int, int]]) -> None:  # Z9
    control = parse_clock("30sh")
    assert control is not None
    for *_, before_ms, after_ms in replayed(Clock(control, 2), happenings):
        assert before_ms == after_ms == 60_000


@settings(deadline=None, max_examples=effort(100, 10_000))  # a loaded machine may take its time
@given(happenings=HAPPENINGS, seconds=st.integers(0, 9))
def test_a_bronstein_stage_and_a_delay_differ_only_within_a_move(
    happenings: list[tuple[str, int, int]], seconds: int
) -> None:  # Z7, Z8
    minutes = 10  # long enough for no flag to fall
    delay, back = Play(f"{minutes}d{seconds}"), Play(f"{minutes}b{seconds}")
    for what, seat, spent_ms in happenings:
        for play in (delay, back):
            for entry in entries_of(what, seat, play.at_ms + spent_ms):
                play.note(entry)
        if what == "press":
            assert delay.left()[seat] == back.left()[seat]


# --- the proof and PGN ------------------------------------------------------------------------------------------------


def proven(clock: str, *entries: Entry) -> ExportVerdict:
    options = {"clock": clock}
    started = MatchStarted("captains-chess", ("Anne", "Bart"), options, commitment(SEED), ("human", "human"), 0)
    return verify_export(export_json([started, *entries], SEED, "2026-01-02T03:04:00+00:00"))


def on_time(up_ms: int) -> list[Entry]:
    """Return a match in which Anne moves once in 7 seconds, Bart in 2, and Anne's time is up later."""
    return [
        ClockWentOn(0),
        Acted(1, 0, 6000, MOVE),
        Acted(2, 0, 7000, PRESS),
        Acted(3, 1, 8000, Pick("e7e5")),
        Acted(4, 1, 9000, PRESS),
        Acted(5, 0, up_ms, TimeUp()),
        MatchEnded(1, (0, 1)),
    ]


@pytest.mark.parametrize(
    ("clock", "left_ms"),
    [
        ("1/10s+3,20s", 26_000),
        ("10sd4", 7000 + 4000),
        ("10sb4", 7000),
        ("10sh", 5000),
        ("10s|5", 3000),
        ("1/10s", 13_000),
        ("2/9s,30", 2000),
    ],
)
def test_a_match_lost_on_time_is_proven_to_the_millisecond_with_every_control(clock: str, left_ms: int) -> None:
    up_ms = 9000 + left_ms
    assert proven(clock, *on_time(up_ms)).proven
    assert proven(clock, *on_time(up_ms - 1)).words == "action 5: the time was not up yet"
    late = [*on_time(up_ms)[:5], Acted(5, 0, up_ms + 1, RESIGN), MatchEnded(1, (0, 1))]
    assert proven(clock, *late).words == "action 5: the time was up before"


@pytest.mark.parametrize(
    ("clock", "faces"),
    [
        ("1/10s+3,20s", ["0:00:26", "0:00:31"]),
        ("10sd4", ["0:00:07", "0:00:10"]),
        ("10sb4", ["0:00:07", "0:00:10"]),
        ("10sh", ["0:00:03", "0:00:15"]),
    ],
)
def test_a_pgn_says_what_is_left_after_each_press_additions_included(clock: str, faces: list[str]) -> None:  # Z15
    started = MatchStarted("captains-chess", ("Anne", "Bart"), {"clock": clock})
    remarks = clock_remarks([started, *on_time(99_000)[:5]])
    assert list(remarks.values()) == [f"[%clk {face}]" for face in faces]


# --- controls that cannot be ------------------------------------------------------------------------------------------


def test_stages_that_could_not_be_played_are_refused() -> None:
    with pytest.raises(ValueError, match="a number of moves in all but the last"):
        TimeControl(1000, stages=((Stage(1000), Stage(1000)),))
    with pytest.raises(ValueError, match="at least 1 move"):
        Stage(1000, 0)
    with pytest.raises(ValueError, match="2 of 3 seats"):
        Clock(TimeControl(1000, stages=((Stage(1000),), (Stage(2000),))), 3)
