"""The daemon itself, on mock pins and fake buses: pieces and buttons in, journal, glass and lights out."""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from captains_table import daemon
from captains_table.games.contract import Pick, parse_square
from captains_table.games.registry import game_by_key
from captains_table.runtime.config import TableConfig
from captains_table.storage.journal_file import JOURNAL, JournalFile
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.entries import Acted
from tests.support.fake_chips import FakeApa102Chain
from tests.support.fake_hardware import FakeHardware
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's, until Pillow 14
E2, E4 = parse_square("e2"), parse_square("e4")


class Hands:
    """Somebody at the table: sets it up, throws, moves a pawn, and switches the table off."""

    def __init__(self, hardware: FakeHardware, journal: Path) -> None:
        self._hardware = hardware
        self._journal = journal
        self.done: list[object] = []
        self.all_seen = False

    def play(self) -> None:
        try:
            self._throw()
            self._move()
            self._until(self._is_lit)
            self._until(self._is_shown)
            self.all_seen = True
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    def _is_lit(self) -> bool:
        chain = self._hardware.lights
        return isinstance(chain, FakeApa102Chain) and any(map(any, chain.colours))

    def _is_shown(self) -> bool:
        panel = self._hardware.panel
        return panel.is_on and panel.image().getextrema() == (0, 255)

    def _throw(self) -> None:
        roll = load_profile("gpio-8x8").buttons.roll
        assert roll is not None
        while not self._has("roll"):
            self._hardware.factory.pressed.add(roll)
            time.sleep(0.1)
            self._hardware.factory.pressed.discard(roll)
            time.sleep(0.1)

    def _move(self) -> None:
        self._hardware.factory.lift(E2)
        time.sleep(0.1)
        self._hardware.factory.place(E4)
        self._until(lambda: self._has("e2e4"))

    def _has(self, id_: str) -> bool:
        with closing(JournalFile(self._journal)) as file:
            self.done = [entry.action for entry in file.open(1).entries() if isinstance(entry, Acted)]
        return Pick(id_) in self.done

    def _until(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < end, self.done
            time.sleep(0.02)


@pytest.mark.slow
def test_a_move_on_the_pis_pins_is_journalled_lit_and_shown_and_stopping_leaves_all_dark(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hardware = FakeHardware(load_profile("gpio-8x8"))
    game = game_by_key("legend")
    hardware.factory.stand(game.pieces(game.start(("Anne", "Bart"), {})))
    monkeypatch.setattr(daemon, "PiHardware", lambda: hardware)
    hands = Hands(hardware, tmp_path / JOURNAL)
    player = threading.Thread(target=hands.play)

    def announced(words: str) -> None:
        if words.startswith("Spectators"):
            player.start()

    config = TableConfig(
        profile="gpio-8x8", state_dir=tmp_path, port=0, sound=False, game="legend", players=("Anne", "Bart")
    )
    assert daemon.run_daemon(config, daemon.StartOptions(), announced) == 0
    player.join(PATIENCE_S)
    assert Pick("e2e4") in hands.done
    assert hands.all_seen
    chain = hardware.lights
    assert isinstance(chain, FakeApa102Chain)
    assert not any(map(any, chain.colours))
    assert not hardware.panel.is_on
