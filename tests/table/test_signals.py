"""Which signals a table gives, by light and sound, and when."""

import io
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from captains_table.games.contract import Square
from captains_table.runtime import tape_player
from captains_table.runtime.session import Session
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import LightMeaning
from captains_table.table.referee import AdviceFunction
from tests.support.listening import ListeningPlayer

TAPES = Path(__file__).parent.parent / "tapes"


class Ear:
    """Lights that only remember what they were told."""

    def __init__(self) -> None:
        self.signals: list[tuple[str, Square | None]] = []

    def light(self, marks: Mapping[Square, LightMeaning]) -> None:
        pass

    def signal(self, kind: str, square: Square | None) -> None:
        self.signals.append((kind, square))


def on_change(monkeypatch: pytest.MonkeyPatch, tape: str) -> list[tuple[str, Square | None]]:
    """Return the signals of a scenario tape."""
    ear = Ear()

    def listening(settings: Settings, adviser: AdviceFunction, now: Callable[[], str]) -> Session:
        return Session(settings, [], [ear], adviser=adviser, now=now)

    monkeypatch.setattr(tape_player, "Session", listening)
    err = io.StringIO()
    assert tape_player.replay_files([TAPES / f"{tape}.tape"], io.StringIO(), err) == 0, err.getvalue()
    return ear.signals


@pytest.mark.parametrize(
    ("tape", "kind", "squares"),
    [
        pytest.param("illegal-move", "illegal", ["e5"], id="a piece is put where it may not go"),
        pytest.param("not-this-die", "illegal", ["f3"], id="a move that the die forbids"),
        pytest.param("long-in-the-hand", "illegal", [], id="a piece that is only lifted"),
        pytest.param("set-up-by-hand", "illegal", [], id="setting the pieces up"),
        pytest.param("settlement-example", "strike", ["b8", "b8"], id="a strike", marks=pytest.mark.slow),
    ],
)
def test_what_is_not_legal_is_an_alarm_there_once_and_a_strike_is_at_the_king(
    tape: str, kind: str, squares: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [str(square) for signal, square in on_change(monkeypatch, tape) if signal == kind]
    assert found == squares


# --- what is only heard ---------------------------------------------------------------------------------------------


KINGS = 'game legend Anne Bart "fen=4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"\ndice 6 5 4 1 1 1\npress roll'


def test_dice_a_piece_set_down_and_a_capture_once_the_board_has_rested_are_heard_and_light_nothing() -> None:
    table = ListeningPlayer(f"{KINGS}\nlift e4\nplace e5")
    assert (table.heard, table.signals) == (["throw", "move"], [])
    table = ListeningPlayer(f"{KINGS}\nlift d5\nlift e4\nplace d5")
    table.wait(699)
    assert table.heard == ["throw"]
    table.wait(1)
    assert (table.heard, table.signals) == (["throw", "capture"], [])


def test_where_only_one_sound_can_be_heard_that_of_the_greater_thing_comes_last() -> None:
    table = ListeningPlayer(
        'game legend Anne Bart "fen=1k6/8/8/8/8/8/r7/Q3K3 w - - 0 1"\ndice 1 1 1 1 1 6\npress roll\n'
        "lift a2\nlift a1\nplace a2\n+2000 pick done\ndice 1 1 1 1 1 1\npress roll"
    )
    assert table.heard == ["throw", "capture", "throw"]
    table = ListeningPlayer(
        'game legend Anne Bart "fen=1k6/r7/8/8/8/8/8/Q3K3 w - - 0 1"\ndice 1 1 1 1 1 6\npress roll\n'
        "lift a7\nlift a1\nplace a7\n+2000 expect pieces.a7 Q"
    )
    assert table.heard == ["throw", "capture", "strike"]


def test_a_clock_that_runs_low_is_heard_at_half_a_minute_and_at_ten_seconds_once_each() -> None:
    table = ListeningPlayer("game captains-chess Anne Bart clock=1")
    table.wait(29_000)
    assert table.heard == []
    for _ in range(25):
        table.wait(1000)
    assert table.heard == ["clock-low", "clock-low"]
    table.lines("cut\n+2000 expect phase playing")
    assert table.heard == ["clock-low", "clock-low"]
