"""A kind of lights, glass or board is one record and one driver: nobody else knows it by its name."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from captains_table.devices.build import BOARD_DRIVERS
from captains_table.devices.display.driver.panels import PAGE_INTERFACES, PANELS
from captains_table.devices.lights.led_driver import LED_DRIVERS
from captains_table.hardware.kinds import BOARD_KINDS, LIGHT_KINDS, PANEL_KINDS, BoardKind, LightKind, PanelKind

ROOT = Path(__file__).parents[2]
PRODUCT = ROOT / "controller" / "captains_table"
KINDS = {**LIGHT_KINDS, **PANEL_KINDS, **BOARD_KINDS}
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
    assert PANELS.keys() == PAGE_INTERFACES.keys() == PANEL_KINDS.keys()
    assert BOARD_DRIVERS.keys() == {kind.key for kind in BOARD_KINDS.values() if not kind.is_simulated}


@pytest.mark.parametrize("kind", PANEL_KINDS.values(), ids=lambda kind: kind.key)
def test_a_panels_driver_has_the_size_of_its_record(kind: PanelKind) -> None:
    assert PANELS[kind.key].size == kind.size


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


def test_the_manual_names_every_kind() -> None:
    manual = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    names = [kind.name for kind in LIGHT_KINDS.values()] + [kind.chip for kind in PANEL_KINDS.values()]
    assert [name for name in names if name not in manual] == []
