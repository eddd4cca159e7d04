"""A device that is not there, goes away or comes back is a fault in words and no error: each over fake hardware."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest
from gpiozero.exc import PinUnknownPi

from captains_table.devices import searching_board, worker_device
from captains_table.devices.build import BuildOptions, Devices, build
from captains_table.devices.display.driver.oled import Oled
from captains_table.devices.gpio.pi_hardware import PiHardware
from captains_table.devices.lights.board_lights import BoardLights
from captains_table.devices.sound.switchable_buzzer import SwitchableBuzzer
from captains_table.devices.worker_device import LONGEST_RETRY_S, backoff_s
from captains_table.games.contract import parse_square
from captains_table.hardware.kinds import MAX7219
from captains_table.hardware.profiles.profile import LightsBuild
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.events import BoardLost, BoardRead
from captains_table.table.model.view import Mark, View
from tests.devices.reports import Reports, first_event, until
from tests.support.fake_chips import FakeApa102Chain
from tests.support.fake_hardware import FakeHardware
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # luma's, until Pillow 14
E4 = parse_square("e4")
QUICKLY_S = 0.01
GPIO = load_profile("gpio-8x8")
Patient = Callable[[FakeHardware], Devices]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again at once: how long the pauses are is not what is looked at."""
    for device in (Oled, BoardLights, SwitchableBuzzer):
        monkeypatch.setattr(device, "retry_s", QUICKLY_S)
    monkeypatch.setattr(searching_board, "FIRST_PAUSE_S", QUICKLY_S)
    monkeypatch.setattr(worker_device, "LONGEST_RETRY_S", QUICKLY_S)


def absent(part: object, method: str, error: Exception) -> Mock:
    """Let a part of the hardware be missing, until the side effect of what is returned is taken away."""
    absence = Mock(wraps=getattr(part, method), side_effect=error)
    setattr(part, method, absence)
    return absence


@pytest.fixture
def patient(opened: Callable[..., Devices]) -> Patient:
    """Return what builds devices that are waited for, and shows a view."""

    def build_on(hardware: FakeHardware) -> Devices:
        devices = opened(hardware, BuildOptions(patient=True))
        devices.display.show(View())
        return devices

    return build_on


MISSING = {
    "i2c": ("The glass does not answer", OSError("/dev/i2c-1 is not there: switch I2C on")),
    "spi_lights": ("The lights do not answer", OSError("/dev/spidev0.0 may not be opened")),
    "pins": ("The buzzer does not answer", OSError("the Pi's pins cannot be used")),
}


@pytest.mark.parametrize("method", MISSING)
def test_what_is_missing_at_the_start_is_a_fault_and_does_its_work_once_it_is_there(
    method: str, patient: Patient
) -> None:
    hardware = FakeHardware(GPIO)
    words, error = MISSING[method]
    absence = absent(hardware, method, error)
    devices = patient(hardware)
    until(lambda: devices.faults() == [f"{words}: {error}."])
    absence.side_effect = None
    until(lambda: devices.faults() == [])
    until(lambda: hardware.panel.is_on and hardware.panel.image().getextrema() == (0, 255))
    devices.close()
    assert not hardware.panel.is_on


def test_a_display_that_stops_answering_is_opened_anew_and_painted_without_anything_new_to_show(
    patient: Patient,
) -> None:
    hardware = FakeHardware(GPIO)
    devices = patient(hardware)
    assert devices.display.wait_idle(PATIENCE_S)
    hardware.panel._address = 0x3D
    devices.display.show(View(title="Another"))
    until(devices.faults)
    assert devices.faults()[0].startswith("The glass does not answer")
    asked = len(hardware.asked)
    hardware.panel._address = 0x3C
    until(lambda: devices.faults() == [])
    assert len(hardware.asked) > asked  # the bus itself may have gone


def test_lights_that_fail_are_opened_anew_and_lit_as_they_were_to_be(patient: Patient) -> None:
    hardware = FakeHardware(GPIO)
    devices = patient(hardware)
    chain = hardware.lights
    assert isinstance(chain, FakeApa102Chain)
    until(lambda: devices.faults() == [])
    chain.is_broken = True
    devices.lights[0].light({E4: Mark.MAY_MOVE})
    until(devices.faults)
    assert devices.faults()[0].startswith("The lights do not answer")
    chain.is_broken = False
    until(lambda: devices.faults() == [] and any(map(any, chain.colours)))
    devices.close()
    assert not any(map(any, chain.colours))


def test_a_bus_whose_lights_cannot_be_set_up_is_let_go_of_each_time(patient: Patient) -> None:
    hardware = FakeHardware(GPIO)
    chain = hardware.lights
    assert isinstance(chain, FakeApa102Chain)
    let_go: list[bool] = []
    chain.is_broken, chain.cleanup = True, lambda: let_go.append(True)  # type: ignore[method-assign]
    devices = patient(hardware)
    until(lambda: len(let_go) > 1)
    devices.close()
    assert len(let_go) == sum(device == 0 for device in hardware.asked)


def test_what_changed_is_told_when_a_fault_comes_and_when_it_goes(opened: Callable[..., Devices]) -> None:
    told: list[list[str]] = []
    hardware = FakeHardware(GPIO)
    absence = absent(hardware, "spi_lights", OSError("not there"))
    late: list[Devices] = []
    options = BuildOptions(patient=True, on_change=lambda: told.extend(devices.faults() for devices in late))
    late.append(opened(hardware, options))
    until(late[0].faults)
    absence.side_effect = None
    until(lambda: told and told[-1] == [])


# --- packages that are not installed ----------------------------------------------------------------------------------


def test_a_pico_build_with_lights_on_spi_says_which_package_drives_them(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = replace(load_profile("pico-8x8"), lights=LightsBuild(MAX7219, device=1))
    for name in list(sys.modules):
        if name.startswith(("luma.led_matrix", "captains_table.devices.lights.led_driver")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "luma.led_matrix", None)
    devices = patient(FakeHardware(profile))
    until(devices.faults)
    assert "not installed: pip install 'captains-table[pi]'" in devices.faults()[0]


async def test_pins_without_gpiozero_or_lgpio_are_a_fault_that_says_what_to_install(patient: Patient) -> None:
    hardware = FakeHardware(GPIO)
    absent(hardware, "pins", ModuleNotFoundError("No module named 'lgpio'", name="lgpio"))
    devices = patient(hardware)
    remedy = "lgpio is not installed: sudo apt install python3-lgpio, or pip install 'captains-table[pi]'"
    assert await first_event(devices) == BoardLost(f"No board: {remedy}")
    assert f"The buzzer does not answer: {remedy}." in devices.faults()


# --- the switches -----------------------------------------------------------------------------------------------------


async def test_switches_that_fail_are_read_again_once_they_can_be(patient: Patient) -> None:
    hardware = FakeHardware(GPIO)
    hardware.factory.place(E4)
    board, pins = patient(hardware).board, GPIO.matrix
    assert board is not None
    assert pins is not None
    file = hardware.factory.pin(pins.file_pins[0])
    sound = file._pulls_low

    def broken(_: int) -> bool:
        raise OSError("the chip is gone")

    reports = Reports()
    board.open(reports)
    await reports.until_last(BoardRead)
    file._pulls_low = broken
    await reports.until_last(BoardLost)
    file._pulls_low = sound
    await reports.until_last(BoardRead)
    assert "The switches do not answer: the chip is gone" in reports.troubles
    assert reports.events[-1] == BoardRead(frozenset({E4}))


async def test_a_board_whose_pins_come_late_is_read_then_and_said_to_be_missing_once(patient: Patient) -> None:
    hardware = FakeHardware(GPIO)
    absence = absent(hardware, "pins", OSError("the Pi's pins cannot be used"))
    board, reports = patient(hardware).board, Reports()
    assert board is not None
    board.open(reports)
    await asyncio.sleep(10 * QUICKLY_S)  # several attempts
    absence.side_effect = None
    await reports.until_last(BoardRead)
    assert reports.events == [BoardLost("No board: the Pi's pins cannot be used"), BoardRead(frozenset())]


async def test_a_pin_that_somebody_else_has_is_said_with_where_to_look(patient: Patient) -> None:
    class Busy(PinUnknownPi):  # type: ignore[misc]  # gpiozero has no types
        pass

    hardware = FakeHardware(GPIO)
    absent(hardware.factory, "pin", Busy("'GPIO busy'"))
    lost = await first_event(patient(hardware))
    assert isinstance(lost, BoardLost)
    assert "GPIO busy: another program has it" in lost.words
    assert lost.words.endswith("or an old kernel (sudo apt update && sudo apt full-upgrade)")


# --- this machine -----------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")  # gpiozero's, of what it tried
def test_a_machine_that_has_nothing_of_a_build_names_each_thing_and_lets_go_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path))
    devices = build(GPIO, PiHardware(tmp_path), BuildOptions(patient=True))
    devices.display.show(View())
    until(lambda: len(devices.faults()) == 3)
    assert [fault.partition(":")[0] for fault in devices.faults()] == [
        "The glass does not answer",
        "The buzzer does not answer",
        "The lights do not answer",
    ]
    devices.close()


def test_pauses_grow_to_half_a_minute_and_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_device, "LONGEST_RETRY_S", LONGEST_RETRY_S)
    assert [backoff_s(1.0, failures) for failures in range(1, 8)] == [1, 2, 4, 8, 16, 30, 30]
    assert backoff_s(1.0, 10_000) == LONGEST_RETRY_S
