"""The firmware under a real MicroPython: its own main.py, talked to by pyserial over a pty."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from serial import Serial

from captains_table.link.board import MOST_KEPT
from captains_table.link.frames import frame
from captains_table.link.from_board import FIRMWARE
from captains_table.link.from_host import Update, colour_code
from captains_table.link.host import HostEnd
from captains_table.link.link_events import (
    BoardReset,
    ButtonReported,
    Connected,
    EncoderReported,
    LightsShown,
    LinkEvent,
    SwitchesRead,
    SwitchReported,
)
from tests.support.effort import effort
from tests.support.micropython_bridge import SimulatedPico, run_program
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
SUPPORT = ROOT / "tests" / "support"
MOST_HEAP_BYTES = 100_000
CORPUS = effort(2_000, 10_000)


class Talk:
    """The host's end of the link on a real serial port with a real clock."""

    def __init__(self, pico: SimulatedPico) -> None:
        self.serial = Serial(pico.path, timeout=0.002)
        self.host = HostEnd()
        self.host.opened(self.now_ms())
        self.told: list[LinkEvent] = []

    @staticmethod
    def now_ms() -> int:
        """Return monotonic milliseconds."""
        return time.monotonic_ns() // 1_000_000

    def until(self, done: Callable[[list[LinkEvent]], bool]) -> list[LinkEvent]:
        """Talk until what was told since now satisfies this; return it."""
        told: list[LinkEvent] = []
        deadline = time.monotonic() + PATIENCE_S
        while not done(told):
            assert time.monotonic() < deadline, f"told only {told}"
            if wanted := self.host.tick(self.now_ms()):
                self.serial.write(wanted)
            told += self.host.receive(self.serial.read(4096), self.now_ms())
        self.told += told
        return told

    def until_told(self, kind: type, times: int = 1) -> list[LinkEvent]:
        """Talk until this was told so often."""
        return self.until(lambda told: sum(isinstance(one, kind) for one in told) >= times)


@pytest.fixture
def pico() -> Iterator[SimulatedPico]:
    with SimulatedPico() as pico:
        yield pico


@pytest.fixture
def talk(pico: SimulatedPico) -> Iterator[Talk]:
    talk = Talk(pico)
    talk.until_told(SwitchesRead)
    yield talk
    talk.serial.close()


def test_the_board_presents_itself_and_tells_what_is_done_at_it(pico: SimulatedPico, talk: Talk) -> None:
    hello = talk.host.hello
    assert hello is not None
    assert (hello.firmware, hello.files, hello.ranks, hello.lights) == (FIRMWARE, 8, 8, 65)
    pico.switch(12, closed=True)
    talk.until_told(SwitchReported)
    pico.button("choose", down=True)
    talk.until_told(ButtonReported)
    pico.turn(-2)
    talk.until_told(EncoderReported, times=2)
    pico.switch(12, closed=False)
    talk.until_told(SwitchReported)
    switch, button, left, left_again, lifted = (
        one for one in talk.told if isinstance(one, SwitchReported | ButtonReported | EncoderReported)
    )
    assert isinstance(switch, SwitchReported)
    assert isinstance(lifted, SwitchReported)
    assert (switch.index, switch.closed, lifted.closed) == (12, True, False)
    assert isinstance(button, ButtonReported)
    assert (button.button, button.down) == ("choose", True)
    assert [one.steps for one in (left, left_again) if isinstance(one, EncoderReported)] == [-1, -1]


def test_lights_and_tones_reach_the_board(pico: SimulatedPico, talk: Talk) -> None:
    """The chain runs to and fro: b2 is its tenth from the end of the second row."""
    colours = ["0"] * 65
    colours[9] = colours[64] = colour_code(0, 3, 0)
    talk.host.show("".join(colours))
    talk.host.buzz([(440, 10), (0, 10)], talk.now_ms())
    talk.until_told(LightsShown)
    deadline = time.monotonic() + PATIENCE_S
    while sum(any(light) for light in pico.lights()) != 2:
        assert time.monotonic() < deadline
    lights = pico.lights()
    assert [i for i, light in enumerate(lights) if any(light)] == [14, 64]
    assert lights[14][0] == lights[14][2] == 0
    while pico.ask("tones") != "0,440,0,0":
        assert time.monotonic() < deadline


def closed_in(told: list[LinkEvent]) -> frozenset[int]:
    """Return which switches were closed when the board was read."""
    (read,) = (one for one in told if isinstance(one, SwitchesRead))
    return read.closed


def test_a_silent_reset_lost_power_and_a_loop_that_stands_still_are_noticed(pico: SimulatedPico, talk: Talk) -> None:
    pico.switch(5, closed=True)
    talk.until_told(SwitchReported)
    pico.reset()
    told = talk.until_told(SwitchesRead)
    assert [type(one) for one in told] == [BoardReset, Connected, SwitchesRead]
    assert closed_in(told) == {5}
    pico.kill()
    pico.switch(6, closed=True)
    pico.start()
    told = talk.until_told(SwitchesRead)
    assert BoardReset() in told
    assert closed_in(told) == {5, 6}
    before = int(pico.ask("feeds"))
    while int(pico.ask("feeds")) < before + 3:
        pass
    pico.hang()  # until its watchdog resets it
    assert BoardReset() in talk.until_told(SwitchesRead)


def test_a_reader_that_stalls_stops_no_scan(pico: SimulatedPico, talk: Talk) -> None:
    """Nobody reads for a while; the loop goes on, and what was done meanwhile is told once, in order."""
    for i in range(40):
        pico.switch(i, closed=True)
        scans = int(pico.ask("scans"))
        while int(pico.ask("scans")) < scans + 6:
            pass
    told = talk.until_told(SwitchReported, times=40)
    assert [one.index for one in told if isinstance(one, SwitchReported)] == list(range(40))


def test_noise_on_the_line_is_nothing_to_the_board_not_even_ctrl_c(pico: SimulatedPico, talk: Talk) -> None:
    talk.serial.write(b"\x03\x04\x01" * 100 + bytes(range(256)) + b"\n")
    pico.switch(1, closed=True)
    talk.until_told(SwitchReported)
    assert BoardReset() not in talk.told


def test_an_update_leaves_the_board_at_its_prompt_once(pico: SimulatedPico, talk: Talk) -> None:
    talk.serial.write(frame(Update().line()))
    pico.wait_for_reset()
    pico.wait_for_prompt()
    pico.reset()
    talk.until_told(Connected)


def test_all_buttons_held_at_power_on_leave_the_board_at_its_prompt_but_not_after_a_reset() -> None:
    pico = SimulatedPico()
    pico.button("roll", down=True)
    pico.button("choose", down=True)
    with pico:
        pico.wait_for_prompt()
        pico.reset()
        talk = Talk(pico)
        talk.until_told(SwitchesRead)
        talk.serial.close()


# --- without a board around it


def test_the_golden_conversation_holds_under_micropython() -> None:
    files = [(SUPPORT / "link_golden.py", "golden.py"), (ROOT / "firmware" / "README.md", "README.md")]
    said = run_program(
        "import golden\n"
        "from captains_table.link.board import BoardEnd\n"
        "from captains_table.link.from_board import FIRMWARE, Abilities, Hello\n"
        "able = Abilities(65, ('roll', 'choose'), True, True)\n"
        "board = BoardEnd(Hello(FIRMWARE, 8, 8, golden.NONCE, able), 50, 8)\n"
        "board.begin(golden.OCCUPIED, [])\n"
        "conversation = golden.parse_conversation(open('README.md').read())\n"
        "print(len(conversation), golden.board_disagreements(board, conversation))\n",
        files=files,
    )
    lines, _, disagreements = said.strip().partition(" ")
    assert int(lines) > 30
    assert disagreements == "[]"


@pytest.mark.long
def test_the_decoder_is_right_again_at_the_next_line_under_micropython_too() -> None:
    said = run_program(
        f"import corpus\nprint(corpus.count_resynchronised(1, {CORPUS}))\n",
        files=[(SUPPORT / "link_corpus.py", "corpus.py")],
    )
    assert said.strip() == str(CORPUS)


def test_the_firmware_imports_and_runs_within_100_kb_of_heap() -> None:
    """A board of 8 x 8 with all its parts; the objects that stand for hardware are not counted, being C on a Pico."""
    said = run_program("import heap", again="heap.go_on()")
    figures = [int(figure) for figure in re.findall(r"heap (\d+)", said)]
    print(f"heap of the firmware: {figures[0]} bytes after the import, at most {max(figures)} while it runs")
    assert len(figures) > 20
    assert max(figures) <= MOST_HEAP_BYTES
    assert f"kept {MOST_KEPT}" in said  # its log was full


SMALLEST = """
FILE_PINS = (0, 1, 2, 3, 4, 5, 6, 7, 8)
RANK_PINS = (9, 10, 11, 12, 13, 14, 15, 16, 17)
BUTTON_PINS = {"roll": 18}
ENCODER_PINS = LIGHTS_PIN = BUZZER_PIN = None
LIGHT_CHAIN = ()
MOST_MILLIAMPERES = 0
BRIGHTNESS = 50
"""


def test_a_board_of_nine_by_nine_with_one_button_and_nothing_else(tmp_path: Path) -> None:
    settings = tmp_path / "settings.py"
    settings.write_text(SMALLEST)
    pico = SimulatedPico(settings=settings)
    pico.switch(0, closed=True)
    pico.switch(80, closed=True)
    with pico:
        talk = Talk(pico)
        assert closed_in(talk.until_told(SwitchesRead)) == {0, 80}
        hello = talk.host.hello
        assert hello is not None
        assert (hello.files, hello.ranks, hello.lights, hello.buttons) == (9, 9, 0, ("roll",))
        assert (hello.encoder, hello.buzzer) == (False, False)
        pico.switch(80, closed=False)
        pico.button("roll", down=True)
        told = talk.until_told(ButtonReported)
        assert [one.index for one in told if isinstance(one, SwitchReported)] == [80]
        talk.serial.close()
