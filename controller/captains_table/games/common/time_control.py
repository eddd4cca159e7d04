"""The options `clock` and `clock_start` of games that may be played on time: their grammar, and controls in words.

A game does not measure time. The table runs the clocks (table/model/player_clocks.py), and sends the action `TimeUp`
when the time of a player is up.

Rules: docs/rules/clocks.md.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

from captains_table.games.contract import BadOption, Choice, GameOption, Meaning, Stage, TimeAddition, TimeControl
from captains_table.phrases import Phrase, message, say, several

NO_CLOCK = "none"
FROM_PRESS = "press"
MOST_MINUTES = 600
MOST_SECONDS = 600
MOST_BASE_SECONDS = 36_000
MOST_MOVES = 200
MOST_STAGES = 6
_SECOND_MS = 1000
_MINUTE_MS = 60 * _SECOND_MS
_STAGE: Final = re.compile(
    r"(?:(?P<moves>[^/]*)/)?(?P<base>[0-9]*)(?P<unit>s?)(?:(?P<way>[+db])(?P<extra>.*)|(?P<glass>h))?"
)
_WAYS: Final = {"+": TimeAddition.FISCHER, "d": TimeAddition.DELAY, "b": TimeAddition.BRONSTEIN}
_WAY_LETTERS: Final = {way: letter for letter, way in _WAYS.items()}
_EXPECTED: Final = say(
    "expected minutes (90) or seconds (30s), for a number of moves if 40/ stands before them, "
    "and then at most one of +3, d3, b3 (seconds a move) and h (hourglass)"
)


def parse_clock(text: str, seats: int = 2) -> TimeControl | None:
    """Return the time control that a value of the option `clock` describes; `None` for the value `none`.

    Args:
        text: the value (docs/rules/clocks.md Z2), such as `10`, `5+3`, `40/90+30,30+30` or `10|5`.
        seats: the number of players.

    Raises:
        BadOption: the value has another form, or is out of range.
    """
    if text == NO_CLOCK:
        return None
    parts = text.split("|")
    if len(parts) not in {1, seats}:
        words = say(
            "clock={text}: {count} players: expected one control for all, or {seats} with | between",
            text,
            len(parts),
            seats,
        )
        raise BadOption(words)
    of_seats = [_parse_stages(text, part) for part in parts]
    if any(stages != of_seats[0] for stages in of_seats):
        return time_control(*of_seats)
    return time_control(of_seats[0])


def time_control(*stages: tuple[Stage, ...]) -> TimeControl:
    """Return the time control with the stages of each seat, or of all seats.

    One stage for all that does not end, and adds nothing or by Fischer, gives the plain form without `stages`.
    """
    first = stages[0][0]
    is_plain = len(stages) == len(stages[0]) == 1 and first.moves is None
    if is_plain and first.kind in {TimeAddition.NONE, TimeAddition.FISCHER}:
        return TimeControl(first.base_ms, first.extra_ms)
    base_ms, extra_ms = (min(ms) for ms in zip(*((each[0].base_ms, each[0].extra_ms) for each in stages), strict=True))
    return TimeControl(base_ms, extra_ms, stages=stages)


def _parse_stages(text: str, part: str) -> tuple[Stage, ...]:
    """Return the stages of one player's part of a value of `clock`; raises BadOption."""
    pieces = part.split(",")
    if len(pieces) > MOST_STAGES:
        words = say("clock={text}: {count} stages: expected at most {most}", text, len(pieces), MOST_STAGES)
        raise BadOption(words)
    stages = tuple(_parse_stage(f"clock={text}", piece) for piece in pieces)
    endless = next((piece for piece, stage in zip(pieces[:-1], stages, strict=False) if stage.moves is None), None)
    if endless is not None:
        words = say(
            "clock={text}: {stage} never ends: expected a number of moves before it, such as 40/", text, repr(endless)
        )
        raise BadOption(words)
    return stages


def _parse_stage(where: str, piece: str) -> Stage:
    """Return one stage; raises BadOption.

    Args:
        where: the whole option, for the error.
        piece: the stage's text.
    """
    found = _STAGE.fullmatch(piece)
    if found is None or not found["base"]:
        words = say("{where}: {stage} is no stage: {expected}, or none", where, repr(piece), _EXPECTED)
        raise BadOption(words)
    place = f"{where}: {piece!r}"
    moves = None if found["moves"] is None else _number(found["moves"], place, say("moves before /"), 1, MOST_MOVES)
    unit, most = (say("seconds"), MOST_BASE_SECONDS) if found["unit"] else (say("minutes"), MOST_MINUTES)
    base = _number(found["base"], place, unit, 1, most)
    way, kind = found["way"], TimeAddition.HOURGLASS if found["glass"] else TimeAddition.NONE
    extra = 0 if way is None else _number(found["extra"], place, say("seconds after {way}", way), 0, MOST_SECONDS)
    base_ms = base * (_SECOND_MS if found["unit"] else _MINUTE_MS)
    return Stage(base_ms, moves, _WAYS[way] if way and extra else kind, extra * _SECOND_MS)


def _number(text: str, place: str, what: str, lo: int, hi: int) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(hi))
    if not is_number or not lo <= int(text) <= hi:
        expected = say("expected a whole number from {lo} to {hi}, found {text}", lo, hi, repr(text[:20]))
        raise BadOption(say("{stage}: {what}: {expected}", place, what, expected))
    return int(text)


def read_time_control(options: Mapping[str, str], seats: int = 2) -> TimeControl | None:
    """Return the time control given by the options `clock` and `clock_start`; `None` if the clock is `none`.

    Raises:
        BadOption: the value of `clock` is invalid for this number of players.
    """
    control = parse_clock(options["clock"], seats)
    return None if control is None else replace(control, from_press=options["clock_start"] == FROM_PRESS)


# --- as PGN and in words ----------------------------------------------------------------------------------------------


def pgn_time_tags(control: TimeControl | None, white_seat: int = 0) -> dict[str, str]:
    """Return the PGN tags that tell of the time control of two players (docs/rules/clocks.md Z15); none for `None`."""
    if control is None:
        return {}
    if len(control.stages) <= 1:
        return {"TimeControl": _pgn_stages(control.stages_of(white_seat))}
    seats = {"WhiteTimeControl": white_seat, "BlackTimeControl": 1 - white_seat}
    return {tag: _pgn_stages(control.stages_of(seat)) for tag, seat in seats.items()}


def _pgn_stages(stages: Sequence[Stage]) -> str:
    [first, *others] = stages
    if not others and first.moves is None and first.kind is TimeAddition.NONE:
        first = replace(first, kind=TimeAddition.FISCHER)  # 300+0, as always
    return ":".join(map(_pgn_stage, [first, *others]))


def _pgn_stage(stage: Stage) -> str:
    moves = "" if stage.moves is None else f"{stage.moves}/"
    glass = "*" if stage.kind is TimeAddition.HOURGLASS else ""
    letter = _WAY_LETTERS.get(stage.kind)
    return f"{moves}{glass}{stage.base_ms // _SECOND_MS}{f'{letter}{stage.extra_ms // _SECOND_MS}' if letter else ''}"


def control_words(control: TimeControl) -> str:
    """Return a time control in words, such as "40 moves in 90 minutes, 30 seconds a move; then 30 minutes"."""
    of_seats = (map(stage_words, control.stages_of(seat)) for seat in range(max(1, len(control.stages))))
    each = (reduce(lambda one, other: say("{stage}; then {next}", one, other), words) for words in of_seats)
    return reduce(lambda one, other: say("{control} against {other}", one, other), each)


def stage_words(stage: Stage) -> str:
    """Return a stage in words, such as "3 minutes, a delay of 2 seconds a move"."""
    minutes, seconds = divmod(stage.base_ms // _SECOND_MS, 60)
    time = _seconds(minutes * 60 + seconds) if seconds else several(minutes, "{n} minute", "{n} minutes")
    if stage.moves is not None:
        time = say("{moves} in {time}", several(stage.moves, "{n} move", "{n} moves"), time)
    if stage.kind is TimeAddition.HOURGLASS:
        return say("{time}, an hourglass", time)
    return (
        say(_ADDED[stage.kind], time=time, seconds=_seconds(stage.extra_ms // _SECOND_MS)) if stage.extra_ms else time
    )


def _seconds(number: int) -> Phrase:
    return several(number, "{n} second", "{n} seconds")


_ADDED: Final = {
    TimeAddition.NONE: "{time}",
    TimeAddition.FISCHER: message("{time}, {seconds} a move"),
    TimeAddition.DELAY: message("{time}, a delay of {seconds} a move"),
    TimeAddition.BRONSTEIN: message("{time}, up to {seconds} back a move"),
}


def _choice(text: str) -> Choice:
    control = parse_clock(text)
    return Choice(text, say("none") if control is None else control_words(control))


CLOCK: Final = GameOption(
    "clock",
    say("Clock"),
    NO_CLOCK,
    (
        _choice(NO_CLOCK),
        *(Choice(usual, say("{time} minutes", usual)) for usual in ("5", "10", "5+3", "15+10", "30")),
        *map(_choice, ("3d2", "40/90+30,30+30")),
    ),
    is_free=True,
    hint=say(
        "10 for ten minutes each, 5+3 for five and three seconds a move, 5d3 with a delay, 2h for an hourglass, "
        "40/90,30 for 40 moves in 90 minutes and then 30, 10|5 for different times. It is pressed after a move."
    ),
)
CLOCK_START: Final = GameOption(
    "clock_start",
    say("Clock starts"),
    "set-up",
    (Choice(FROM_PRESS, say("with its first press")), Choice("set-up", say("when the pieces stand"))),
    proposed=FROM_PRESS,
    detail_of="clock",
    hint=say("With its first press nobody loses time before everybody is ready."),
)

CLOCK_MEANINGS: Final[Mapping[str, Meaning]] = {
    "clock": Meaning(say("The time that a player has left; whoever has none left loses at once."), "Z11"),
    "stage": Meaning(say("The stage of the time control, and the moves until the next stage adds its time."), "Z10"),
    "delay": Meaning(say("The delay: seconds of this move that are not counted."), "Z7"),
}
"""What the parts of a clock mean, for the meanings of games that may be played on time."""
