"""Runs the one file for a Pico on an emulated RP2040 and prints what it costs: `make emulate`, a quarter of an hour."""

import argparse
import re
from itertools import pairwise
from pathlib import Path
from statistics import median

from captains_table.hardware.profiles.profile import Profile
from captains_table.link.from_board import FIRMWARE
from captains_table.link.from_host import colour_code
from captains_table.link.link_events import LightsShown, SwitchesRead, SwitchReported
from captains_table.storage.profile_files import load_profile
from tests.emulated.pico import CYCLES_A_SECOND, EmulatedPico, EmulatedTalk

REST_S = 0.3
SWITCH = 12
AT_PROMPT = b">>> "
HEAP_SAID = re.compile(rb"heap (\d+) (\d+)\r")
PREPARED = (  # what is typed, and what it prints, which its own echo does not hold
    (b"import gc,sys;m=sys.modules['firmware.main'];print('step',1)", b"step 1"),
    (b"l=m.BoardLoop(m.parts(),m.board_end(),m.stdio(),8);l.begin();l.step(0);l.step(9);print('step',2)", b"step 2"),
)
HEAP = b"gc.collect();print('heap',gc.mem_alloc(),gc.mem_free())"


def main() -> None:
    """Run all of it; an AssertionError says what is not as it must be."""
    parser = argparse.ArgumentParser(prog="make emulate")
    parser.add_argument("uf2", type=Path)
    parser.add_argument("--profile", default="pico-8x8", help="the build that the file is for")
    arguments = parser.parse_args()
    plays_its_part(arguments.uf2, arguments.profile)
    measure_heap(arguments.uf2, arguments.profile)


def plays_its_part(uf2: Path, name: str) -> None:
    """Have the board found, a piece put on it and its lights lit; print how long its loop takes meanwhile."""
    profile = load_profile(name)
    pico = EmulatedPico(uf2, profile)
    pico.start()
    talk = EmulatedTalk(pico)
    read = talk.until_told(SwitchesRead)
    assert isinstance(read, SwitchesRead)
    assert not read.closed
    hello = talk.host.hello
    assert hello is not None
    assert (hello.firmware, hello.files, hello.ranks) == (FIRMWARE, profile.shape.files, profile.shape.ranks)
    print(f"power to whole state known: {pico.now_s * 1000:.0f} ms", flush=True)
    loops("with an empty board", pico, talk)

    closed_s = pico.now_s
    pico.close(SWITCH)
    reported = talk.until_told(SwitchReported)
    assert isinstance(reported, SwitchReported)
    assert (reported.index, reported.closed) == (SWITCH, True)
    print(f"switch closed to frame at the host: {(pico.now_s - closed_s) * 1000:.1f} ms (8 ms of debounce)", flush=True)

    pico.close(*range(profile.shape.files * 2), *range(profile.shape.files * 6, profile.shape.files * 8))
    talk.for_s(REST_S)
    loops("with the pieces of chess", pico, talk)

    before = len(pico.scans)
    colours = [colour_code(light % 4, (light + 1) % 4, (light + 2) % 4) for light in range(hello.lights)]
    talk.host.show("".join(colours))
    talk.until_told(LightsShown)
    pico.until(lambda: len(pico.frames) > 0)
    talk.for_s(0.02)
    report("while a whole frame of lights comes and is sent", pico.scans[before:])
    assert profile.lights is not None
    chain = [profile.light_of(square) for square in profile.shape.squares()]
    assert all(map(any, (pico.frames[-1][place] for place in chain)))


def loops(what: str, pico: EmulatedPico, talk: EmulatedTalk) -> None:
    """Print how long the loop takes for a while."""
    before = len(pico.scans)
    talk.for_s(REST_S)
    report(what, pico.scans[before:])


def report(what: str, scans: list[float]) -> None:
    """Print what lies between the starts of these scans."""
    gaps = [after - before for before, after in pairwise(scans)]
    middle, longest = median(gaps), max(gaps)
    print(
        f"loop {what}: median {middle * 1000:.2f} ms = {middle * CYCLES_A_SECOND:,.0f} cycles, {1 / middle:.0f}/s; "
        f"longest {longest * 1000:.2f} ms = {longest * CYCLES_A_SECOND:,.0f} cycles (of {len(gaps)})",
        flush=True,
    )


def buttons(profile: Profile) -> list[int]:
    """Return the pins of all buttons, the encoder's push among them."""
    encoder = profile.buttons.encoder
    pins = [profile.buttons.roll, None if encoder is None else encoder.push]
    return [pin for pin in pins if pin is not None]


def measure_heap(uf2: Path, name: str) -> None:
    """Print what the firmware leaves of the heap, asked at the prompt that all buttons held lead to."""
    profile = load_profile(name)
    pico = EmulatedPico(uf2, profile)
    pico.press(*buttons(profile))
    pico.start()
    pico.send(b"\r")
    pico.until_said(AT_PROMPT)
    for line, answer in PREPARED:  # the next line only after this answer: prompts may be more, and the loop reads too
        pico.send(line + b"\r")
        pico.until_said(answer + b"\r\n" + AT_PROMPT)
    pico.send(HEAP + b"\r")
    pico.until(lambda: HEAP_SAID.search(pico.said) is not None)
    used, free = map(int, HEAP_SAID.findall(pico.said)[0])
    print(f"heap: {used:,} bytes in use after a collection, {free:,} free")


if __name__ == "__main__":
    main()
