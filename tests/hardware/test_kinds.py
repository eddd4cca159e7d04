"""A kind of lights, glass or board is one record and one driver: nobody else knows it by its name."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import cast
from unittest.mock import Mock

import pytest

from captains_table.cli.wiring_documents import text_documents
from captains_table.devices.bought.makes import MAKES
from captains_table.devices.build import BOARD_DRIVERS, build
from captains_table.devices.display.driver.panels import PANELS
from captains_table.devices.lights.led_driver import LED_DRIVERS
from captains_table.hardware.kinds import (
    AUTO,
    BOARD_KINDS,
    BOUGHT_KINDS,
    LIGHT_KINDS,
    PANEL_KINDS,
    BoardKind,
    LightKind,
    PanelKind,
    Part,
    Senses,
)
from captains_table.hardware.wiring.parts import parts_of
from captains_table.storage.profile_files import load_profile
from tests.support.fake_hardware import FakeHardware

ROOT = Path(__file__).parents[2]
PRODUCT = ROOT / "controller" / "captains_table"
KINDS = {**LIGHT_KINDS, **PANEL_KINDS, **BOARD_KINDS, **BOUGHT_KINDS}
ROOMS = ("hardware", "devices", "doctor", "simulation", "storage", "cli")


def compared_words(path: Path) -> Iterator[str]:
    """Yield the words a module compares something with, or matches."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        operands = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        operands += [node.value] if isinstance(node, ast.MatchValue) else []
        for operand in operands:
            yield from (str(each.value) for each in ast.walk(operand) if isinstance(each, ast.Constant))


def test_every_kind_has_its_driver() -> None:
    assert LED_DRIVERS.keys() == {kind.key for kind in LIGHT_KINDS.values() if kind.owner == "pi"}
    assert PANELS.keys() == PANEL_KINDS.keys()
    built = {kind.key for kind in BOARD_KINDS.values() if not kind.is_simulated}
    assert BOARD_DRIVERS.keys() == built | BOUGHT_KINDS.keys()
    assert MAKES.keys() == BOUGHT_KINDS.keys() - {AUTO.key}


@pytest.mark.parametrize("kind", PANEL_KINDS.values(), ids=lambda kind: kind.key)
def test_a_panels_driver_has_the_size_of_its_record(kind: PanelKind) -> None:
    assert PANELS[kind.key].size == kind.size


@pytest.mark.slow
def test_nobody_asks_for_a_kind_by_its_name() -> None:
    # "pico" is also whose pin it is, and the board that a configuration without a profile names.
    names = KINDS.keys() - {"pico"}
    modules = [path for room in ROOMS for path in (PRODUCT / room).rglob("*.py")]
    assert not [(path, word) for path in modules for word in compared_words(path) if word in names]


@pytest.mark.parametrize("kind", LIGHT_KINDS.values(), ids=lambda kind: kind.key)
def test_lights_have_the_inputs_that_their_bus_needs(kind: LightKind) -> None:
    assert len(kind.inputs) == (1 if kind.owner == "pico" else 2 + kind.has_select)


@pytest.mark.parametrize("kind", BOARD_KINDS.values(), ids=lambda kind: kind.key)
def test_a_board_that_is_simulated_needs_nothing_and_one_that_runs_our_firmware_has_pins(kind: BoardKind) -> None:
    if kind.is_simulated:
        assert (kind.owner, kind.usb, kind.parts, kind.screws) == (None, "", (), 0)
    if kind.runs_firmware:
        assert kind.owner == "pico"


def test_a_bought_board_is_a_record_and_a_driver(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    part = Part(1, "a board of eight by eight", "bought", price_eur=300)
    kind = BoardKind("bought", "Bought", Senses.PIECES, usb="10C4:EA60", parts=(part,), shows_marks=True)
    monkeypatch.setitem(cast("dict[str, BoardKind]", BOARD_KINDS), kind.key, kind)
    board = Mock(fault="The board's battery is low")
    monkeypatch.setitem(cast("dict[str, object]", BOARD_DRIVERS), kind.key, lambda _: board)
    own = tmp_path / "own.toml"
    own.write_text(
        'title = "bought"\nsource = "bought"\nfiles = 8\nranks = 8\nbuttons.kind = "one"\n'
        'glass = { chip = "ssd1306", bus = "page" }\n',
        encoding="utf-8",
    )
    profile = load_profile(str(own))
    assert (profile.usb, profile.matrix, profile.buttons.roll) == ((0x10C4, 0xEA60), None, None)
    assert "Bought USB" in text_documents(profile)["yml"]
    assert part in parts_of(profile)
    devices = build(profile, FakeHardware(profile))
    assert (devices.board, devices.lights, devices.buzzers) == (board, [board], [])
    assert devices.faults() == [board.fault]
    devices.close()
    board.close.assert_called_once_with()


def test_the_manual_names_every_kind() -> None:
    manual = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    names = [kind.name for kind in LIGHT_KINDS.values()] + [kind.chip for kind in PANEL_KINDS.values()]
    assert [name for name in names if name not in manual] == []
