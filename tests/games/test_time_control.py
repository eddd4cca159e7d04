"""The option `clock` is read as docs/rules/clocks.md Z2 says, written as PGN (Z15) and told in words."""

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.captains_chess import CaptainsChess
from captains_table.games.captains_chess.exports import captains_pgn
from captains_table.games.common.time_control import (
    CLOCK,
    control_words,
    parse_clock,
    pgn_time_tags,
    read_time_control,
    time_control,
)
from captains_table.games.contract import BadOption, Stage, TimeAddition, TimeControl

FISCHER, DELAY, BRONSTEIN = TimeAddition.FISCHER, TimeAddition.DELAY, TimeAddition.BRONSTEIN


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("10", TimeControl(600_000)),
        ("5+3", TimeControl(300_000, 3000)),
        ("10+0", TimeControl(600_000)),
        ("05", TimeControl(300_000)),
        ("30s+1", TimeControl(30_000, 1000)),
        ("600+600", TimeControl(36_000_000, 600_000)),
        ("10|10", TimeControl(600_000)),
        ("none", None),
    ],
)
def test_a_plain_control_is_a_base_and_an_increment(text: str, control: TimeControl | None) -> None:
    assert parse_clock(text) == control


@pytest.mark.parametrize(
    ("text", "stages"),
    [
        ("3d2", [[Stage(180_000, None, DELAY, 2000)]]),
        ("3b2", [[Stage(180_000, None, BRONSTEIN, 2000)]]),
        ("2h", [[Stage(120_000, None, TimeAddition.HOURGLASS)]]),
        ("40/90+30,30+30", [[Stage(5_400_000, 40, FISCHER, 30_000), Stage(1_800_000, None, FISCHER, 30_000)]]),
        ("40/90", [[Stage(5_400_000, 40)]]),
        ("10|5", [[Stage(600_000)], [Stage(300_000)]]),
        ("200/36000s,1d600|1", [[Stage(36_000_000, 200), Stage(60_000, None, DELAY, 600_000)], [Stage(60_000)]]),
        ("1/1,1/1,1/1,1/1,1/1,1", [[*[Stage(60_000, 1)] * 5, Stage(60_000)]]),
    ],
)
def test_a_control_with_stages_says_whose_they_are(text: str, stages: list[list[Stage]]) -> None:
    control = parse_clock(text)
    assert control is not None
    assert control.stages == tuple(map(tuple, stages))
    assert [list(control.stages_of(seat)) for seat in (0, 1)] == (stages if len(stages) > 1 else stages * 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is no stage: expected minutes (90) or seconds (30s)"),
        ("soon", "'soon' is no stage"),
        ("0", "minutes: expected a whole number from 1 to 600, found '0'"),
        ("601", "from 1 to 600, found '601'"),
        ("36001s", "seconds: expected a whole number from 1 to 36000"),
        ("5+", "seconds after +: expected a whole number from 0 to 600, found ''"),
        ("5d601", "seconds after d: expected a whole number from 0 to 600"),
        ("5b3+2", "seconds after b: expected a whole number from 0 to 600, found '3+2'"),
        ("5h3", "'5h3' is no stage"),
        ("0/5", "'0/5': moves before /: expected a whole number from 1 to 200"),
        ("201/5", "moves before /: expected a whole number from 1 to 200"),
        ("/5", "moves before /: expected a whole number from 1 to 200, found ''"),
        ("40/", "'40/' is no stage"),
        ("40/90,30,10", "'30' never ends: expected a number of moves before it, such as 40/"),
        ("1/1,1/1,1/1,1/1,1/1,1/1,1", "7 stages: expected at most 6"),
        ("40/90,", "'' is no stage"),
        ("1|2|3", "3 players: expected one control for all, or 2 with | between"),
        ("1|none", "'none' is no stage"),
        ("5 ", "'5 ' is no stage"),
        ("\u0665", "is no stage"),
        ("5+\u0663", "seconds after +"),
        ("-5", "is no stage"),
    ],
)
def test_what_is_no_control_is_refused_with_what_was_expected(text: str, words: str) -> None:
    with pytest.raises(BadOption) as caught:
        parse_clock(text)
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"clock={text}: ")


def test_each_of_more_players_may_have_stages_of_their_own() -> None:
    control = read_time_control({"clock": "1|2|3d1", "clock_start": "press"}, seats=3)
    assert control is not None
    assert [control.stages_of(seat)[0].base_ms for seat in range(3)] == [60_000, 120_000, 180_000]
    assert control.from_press


def test_those_who_plan_with_base_and_increment_plan_with_the_least_of_the_first_stages() -> None:
    control = parse_clock("40/90+30,30|5d3")
    assert control is not None
    assert (control.base_ms, control.increment_ms) == (300_000, 3000)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("none", {}),
        ("5+3", {"TimeControl": "300+3"}),
        ("10", {"TimeControl": "600+0"}),
        ("40/90+30,30+30", {"TimeControl": "40/5400+30:1800+30"}),
        ("40/120,60", {"TimeControl": "40/7200:3600"}),
        ("1h", {"TimeControl": "*60"}),
        ("40/1h", {"TimeControl": "40/*60"}),
        ("3d2", {"TimeControl": "180d2"}),
        ("3b2", {"TimeControl": "180b2"}),
        ("10|5", {"WhiteTimeControl": "600+0", "BlackTimeControl": "300+0"}),
        ("40/10,5|3d2", {"WhiteTimeControl": "40/600:300", "BlackTimeControl": "180d2"}),
    ],
)
def test_a_control_is_written_as_pgn_has_it(text: str, tags: dict[str, str]) -> None:  # Z15
    assert pgn_time_tags(parse_clock(text)) == tags
    pgn = captains_pgn(["Anne", "Bart"], {"clock": text}, [])
    assert [line for line in pgn.splitlines() if "TimeControl" in line] == [
        f'[{tag} "{value}"]' for tag, value in tags.items()
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10", "10 minutes"),
        ("5+3", "5 minutes, 3 seconds a move"),
        ("1+1", "1 minute, 1 second a move"),
        ("90s", "90 seconds"),
        ("120s", "2 minutes"),
        ("40/90+30,30+30", "40 moves in 90 minutes, 30 seconds a move; then 30 minutes, 30 seconds a move"),
        ("3d2", "3 minutes, a delay of 2 seconds a move"),
        ("3b2", "3 minutes, up to 2 seconds back a move"),
        ("2h|1", "2 minutes, an hourglass against 1 minute"),
    ],
)
def test_a_control_is_told_in_words(text: str, words: str) -> None:
    control = parse_clock(text)
    assert control is not None
    assert control_words(control) == words


PARTS = st.builds(
    lambda *stages: ",".join(stages),
    *[st.sampled_from(["40/90+30", "1/30s", "7/5d2", "20/3b1", "9/2h"])] * 2,
    st.sampled_from(["30+30", "15s", "1d1", "6/2b2", "1h", "5+0"]),
)


@settings(deadline=None)  # a loaded machine may take its time
@given(parts=st.lists(PARTS, min_size=1, max_size=2))
def test_every_control_has_the_stages_that_are_written_and_each_its_words(parts: list[str]) -> None:
    control = parse_clock("|".join(parts))
    assert control is not None
    assert control == time_control(*control.stages)
    for seat, part in enumerate(parts):
        stages = control.stages_of(seat)
        assert [stage.moves is not None for stage in stages] == ["/" in each for each in part.split(",")]
        assert len(control_words(time_control(stages)).split("; then ")) == len(stages)


def test_every_usual_value_of_the_option_can_be_played() -> None:
    for choice in CLOCK.choices:
        CaptainsChess().start(["Anne", "Bart"], {"clock": choice.value})
