"""The buzzer on a mock pin: gpiozero's real driver sounds what happened."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from gpiozero.exc import GPIOPinInUse, PinInvalidPin
from gpiozero.pins.mock import MockFactory, MockPWMPin

from captains_table.devices.sound.buzzer import GpioBuzzer
from captains_table.link.desired_state import DesiredState
from captains_table.table.model.events import SignalKind
from captains_table.table.model.sounds import SILENCE, SOUNDS
from tests.devices.reports import wait_at_rest

PIN = 14


class ListeningPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that remembers the tones it was told to make; none is silence."""

    def __init__(self, factory: MockFactory, info: object) -> None:
        self.tones: list[int | None] = []
        super().__init__(factory, info)

    def _set_frequency(self, value: float | None) -> None:
        super()._set_frequency(value)
        self.tones.append(None if value is None else round(value))


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=ListeningPin)
    yield factory
    factory.close()


def test_every_signal_of_the_table_has_a_sound_of_its_own() -> None:
    assert set(SOUNDS) == set(SignalKind)
    assert len({sound.tones for sound in SOUNDS.values()}) == len(SOUNDS)


@pytest.mark.parametrize("kind", sorted(SOUNDS))
def test_a_sound_is_short_and_within_what_a_piezo_and_the_link_can_do(kind: str) -> None:
    tones = list(SOUNDS[kind].tones)
    assert sum(ms for _, ms in tones) <= 2000
    assert all(hertz == SILENCE or 150 <= hertz <= 3500 for hertz, _ in tones)
    DesiredState().buzz(tones, 0)  # raises what the link does not carry


@pytest.mark.parametrize("kind", ["throw", "move", "capture"])
def test_what_is_heard_all_the_time_is_over_at_once(kind: str) -> None:
    assert sum(ms for _, ms in SOUNDS[kind].tones) <= 200


Sounding = tuple[GpioBuzzer, ListeningPin]


@pytest.fixture
def sounding(factory: MockFactory) -> Iterator[Sounding]:
    with closing(GpioBuzzer(PIN, factory)) as buzzer:
        pin = factory.pin(PIN)
        pin.tones.clear()
        yield buzzer, pin


@pytest.mark.parametrize(("kind", "tones"), [("strike", [880, None, 1175, None]), ("something else", [])])
def test_a_signal_sounds_its_tones_one_after_the_other_and_then_it_is_silent(
    kind: str, tones: list[int | None], sounding: Sounding
) -> None:
    buzzer, pin = sounding
    buzzer.signal(kind)
    assert wait_at_rest(buzzer)
    assert pin.tones == tones
    assert not pin.state


def test_the_latest_signal_wins(sounding: Sounding) -> None:
    buzzer, pin = sounding
    buzzer.signal("match")
    buzzer.signal("illegal")
    assert wait_at_rest(buzzer)
    assert [tone for tone in pin.tones if tone is not None][-2:] == [247, 196]
    assert 1047 not in pin.tones


def test_closing_silences_a_tune_at_once_and_lets_go_of_the_pin(factory: MockFactory) -> None:
    buzzer = GpioBuzzer(PIN, factory)
    with pytest.raises(GPIOPinInUse):
        GpioBuzzer(PIN, factory)
    buzzer.signal("match")
    buzzer.close()
    buzzer.close()
    assert not buzzer._thread.is_alive()
    GpioBuzzer(PIN, factory).close()
    with pytest.raises(PinInvalidPin):
        GpioBuzzer(99, factory)
