"""Plays a sequence of tones on the buzzer without blocking."""

TYPE_CHECKING = False  # the board has no `typing`
if TYPE_CHECKING:
    from firmware.pins import Pwm

_HALF = 32768  # a square wave
_ANY_HZ = 440  # any valid pitch


class Buzzer:
    """A piezo buzzer on a PWM pin; new tones replace those still playing."""

    def __init__(self, pwm: "Pwm") -> None:
        self._pwm = pwm
        self._tones: list[tuple[int, int]] = []
        self._until_ms = 0
        self._sounding = False
        pwm.freq(_ANY_HZ)  # a Pico's PWM needs a frequency before its duty can be set to 0
        pwm.duty_u16(0)

    def play(self, tones: list[tuple[int, int]], now_ms: int) -> None:
        """Start playing these tones, (hertz, milliseconds) each; 0 Hz is silence."""
        self._tones = list(tones)
        self._sounding = True
        self._until_ms = now_ms

    def tick(self, now_ms: int) -> None:
        """Switch to the next tone if the current one has ended; called in each loop."""
        if not self._sounding or now_ms < self._until_ms:
            return
        if not self._tones:
            self._sounding = False
            self._pwm.duty_u16(0)
            return
        hertz, length_ms = self._tones.pop(0)
        self._until_ms += length_ms
        if hertz:
            self._pwm.freq(hertz)
        self._pwm.duty_u16(_HALF if hertz else 0)
