"""Which signals a table gives, by light and sound, and when."""

import io
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from captains_table.games.contract import Square, parse_square
from captains_table.runtime import tape_player
from captains_table.runtime.session import Session
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Mark
from captains_table.table.referee import Adviser

TAPES = Path(__file__).parent.parent / "tapes"


class Ear:
    """Lights that only remember what they were told."""

    def __init__(self) -> None:
        self.signals: list[tuple[str, Square | None]] = []

    def light(self, marks: Mapping[Square, Mark]) -> None:
        pass

    def signal(self, kind: str, square: Square | None) -> None:
        self.signals.append((kind, square))


def on_change(monkeypatch: pytest.MonkeyPatch, tape: str) -> list[tuple[str, Square | None]]:
    """Return the signals of a scenario tape."""
    ear = Ear()

    def listening(settings: Settings, adviser: Adviser, now: Callable[[], str]) -> Session:
        return Session(settings, [], [ear], adviser=adviser, now=now)

    monkeypatch.setattr(tape_player, "Session", listening)
    err = io.StringIO()
    assert tape_player.replay_files([TAPES / f"{tape}.tape"], io.StringIO(), err) == 0, err.getvalue()
    return ear.signals


def test_a_piece_put_where_it_may_not_go_is_signalled_there_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert on_change(monkeypatch, "illegal-move") == [("illegal", parse_square("e5"))]


def test_a_move_that_the_die_forbids_is_signalled_as_illegal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "illegal" in [kind for kind, _ in on_change(monkeypatch, "not-this-die")]


def test_a_piece_that_is_only_lifted_is_no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "illegal" not in [kind for kind, _ in on_change(monkeypatch, "long-in-the-hand")]


def test_setting_the_pieces_up_is_no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "illegal" not in [kind for kind, _ in on_change(monkeypatch, "set-up-by-hand")]


def test_a_king_that_falls_and_the_round_it_wins_are_signalled(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = [kind for kind, _ in on_change(monkeypatch, "king-capture")]
    assert kinds.index("king") < kinds.index("settlement")


def test_a_strike_is_signalled_at_the_king(monkeypatch: pytest.MonkeyPatch) -> None:
    strikes = {square for kind, square in on_change(monkeypatch, "settlement-example") if kind == "strike"}
    assert strikes == {parse_square("b8")}


def test_the_end_of_a_match_is_signalled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert on_change(monkeypatch, "match-ends-at-the-board")[-1][0] == "match"
