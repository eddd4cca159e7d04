"""A folder that comes first on the path, with an espeak-ng of a test's own making, and what was heard of it."""

import os
import wave
from array import array
from pathlib import Path

import pytest

from tests.support.tools import program

AUDIBLE = 1000  # of 32767


class Mouth:
    """A folder that comes first on the path, with an espeak-ng of the test's own making."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        self.said_in = folder / "said.txt"
        self.gate = folder / "gate"

    def is_(self, script: str) -> None:
        """Let a shell script be the program."""
        path = self.folder / "espeak-ng"
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def writes_what_it_hears(self) -> None:
        """Let the real one speak into a file for each sentence instead of into a loudspeaker."""
        file = f"{self.folder}/$$"
        self.is_(f'{program("espeak-ng")} -w "{file}.part" "$@" && mv "{file}.part" "{file}.wav"')

    def notes(self, *, gated: bool = False) -> None:
        """Let it only note the words; gated: it goes on speaking until the gate is opened."""
        wait = f'while ! [ -e "{self.gate}" ]; do sleep 0.02; done' if gated else ""
        self.is_(f'words=$(cat); echo "$words" >>"{self.said_in}"\n{wait}')  # in one go: it may be cut off at any time

    def said(self) -> list[str]:
        """Return what was noted."""
        return self.said_in.read_text(encoding="utf-8").splitlines() if self.said_in.exists() else []

    def heard(self) -> list[tuple[float, int]]:
        """Return of each file how many seconds it lasts, and how loud it gets."""
        return [heard_in(path) for path in sorted(self.folder.glob("*.wav"), key=lambda path: path.stat().st_mtime_ns)]


def heard_in(path: Path) -> tuple[float, int]:
    """Return how many seconds a WAV file lasts, and its greatest level."""
    with wave.open(str(path)) as sound:
        assert sound.getsampwidth() == 2
        levels = array("h", sound.readframes(sound.getnframes()))
        return len(levels) / sound.getframerate(), max(map(abs, levels), default=0)
