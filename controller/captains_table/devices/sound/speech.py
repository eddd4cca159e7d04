"""Speech at the table: espeak-ng, a process of its own and a patient one, says what the view tells.

A worker of its own starts it and looks after it. A sentence that is being said may end while the next one can wait;
then the next one takes its place, and of several that wait only the latest is said.
"""

import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Final

from captains_table.devices.latest_wins import FaultWords, WorkerDevice
from captains_table.table.model.view import View

PROGRAM: Final = "espeak-ng"
NICENESS: Final = 10  # what the table does itself comes first
LATEST_S: Final = 2.0  # nothing is said later than this after it happened
PATIENCE_S: Final = 1.5  # as long as this a new sentence waits until the one before is over
LONGEST_S: Final = 30.0  # a sentence that takes longer hangs
RETRY_S: Final = 30.0  # after a failure nothing is tried for so long
LOOK_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class Voice:
    """How the table speaks, if it does.

    Attributes:
        speech: whether it speaks.
        voice: which of espeak-ng's voices, such as `en-gb` or `en-us+f3`.
        rate: how many words a minute.
    """

    speech: bool = False
    voice: str = "en"
    rate: int = 160


class SpeechFailed(OSError):
    """espeak-ng cannot speak; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Something to be said, how, and when it happened; no words: be silent."""

    words: str
    voice: Voice
    at_s: float


class Speech(WorkerDevice["_Sentence"]):
    """A display that is listened to. Methods return at once and may be called from any thread.

    Args:
        voice: how it speaks at first.
        on_fault: is called, by a thread of its own, when it begins to fail or fails no more.
    """

    name = "speech"
    words = FaultWords("Speech fails", "Speech could not be stopped", "Speech stopped working.")

    def __init__(self, voice: Voice, on_fault: Callable[[], None] | None = None) -> None:
        self._voice = voice
        self._told = ""
        self._talking = _Talking()
        self._failed: str | None = None
        self._silent_until_s = 0.0
        super().__init__(on_fault=on_fault)

    @property
    def fault(self) -> str | None:
        """A sentence about why nothing is heard, `None` while all is well or nothing is to be said."""
        return (self._failed or super().fault) if self._voice.speech else None

    def show(self, view: View) -> None:
        """Say what a view tells, if that is new."""
        if view.told == self._told:
            return
        self._told = view.told
        if self._voice.speech and view.told:
            self._put(_Sentence(view.told, self._voice, time.monotonic()))

    def change(self, voice: Voice) -> None:
        """Speak otherwise from the next sentence on, or fall silent at once; what failed is tried again."""
        if voice == self._voice:
            return
        self._voice = voice
        self._silent_until_s, self._failed = 0.0, None
        if not voice.speech:
            self._put(_Sentence("", voice, time.monotonic()))

    # --- called by the worker alone ---------------------------------------------------------------------------------

    def _handle(self, value: _Sentence, is_new: bool) -> float | None:  # noqa: FBT001 - as of every device
        """Say a sentence, or look after the one that is being said; return after how many seconds to look again."""
        try:
            return self._go_on(value, is_new=is_new)
        except SpeechFailed as failure:
            self._silent_until_s = time.monotonic() + RETRY_S
            self._note(f"The table cannot speak: {failure}")
            return None

    def _go_on(self, sentence: _Sentence, *, is_new: bool) -> float | None:
        talking = self._talking
        if is_new:
            talking.waiting = sentence
        if talking.is_going_on():
            if not talking.must_give_way():
                return LOOK_S
            talking.stop()
        elif talking.has_ended_well():
            self._note(None)
        following = talking.take_waiting()
        if following is None or time.monotonic() < self._silent_until_s:
            return None
        talking.start(following)
        return LOOK_S

    def _note(self, failed: str | None) -> None:
        if failed != self._failed:
            self._failed = failed
            if self._on_fault is not None:
                self._on_fault()

    def _finish(self) -> None:
        self._talking.stop()


class _Talking:
    """The process that speaks, if one does, and the sentence that waits for its end."""

    def __init__(self) -> None:
        self.waiting: _Sentence | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None
        self._since_s = 0.0

    def is_going_on(self) -> bool:
        """Return whether something is being said; raises SpeechFailed where that hangs."""
        if self._process is None or self._process.poll() is not None:
            return False
        if time.monotonic() - self._since_s <= LONGEST_S:
            return True
        self.stop()
        raise SpeechFailed(f"{PROGRAM} hangs.")

    def must_give_way(self) -> bool:
        """Return whether what waits cannot wait any longer, or silence is wanted."""
        waiting = self.waiting
        return waiting is not None and (not waiting.words or time.monotonic() - waiting.at_s >= PATIENCE_S)

    def has_ended_well(self) -> bool:
        """Return whether a sentence has just been said to its end; raises SpeechFailed where it was not heard.

        Source: espeak-ng ends with 0 where no sound device answers, and says so on its standard error.
        """
        process, complaints = self._process, self._complaints
        if process is None or complaints is None:
            return False
        self._process = self._complaints = None
        with complaints:
            complaints.seek(0)
            lines = complaints.read().decode(errors="replace").splitlines()
        errors = [line.partition(":")[2].strip() for line in lines if line.lower().startswith("error:")]
        if process.returncode:
            raise SpeechFailed(errors[-1] if errors else f"{PROGRAM} ended with {process.returncode}.")
        if errors:
            raise SpeechFailed(f"no sound device answers ({errors[-1]}). Expected one that {PROGRAM} can use.")
        return True

    def take_waiting(self) -> _Sentence | None:
        """Return what is to be said now, if it is not too late; it waits no longer."""
        waiting, self.waiting = self.waiting, None
        if waiting is None or not waiting.words or time.monotonic() - waiting.at_s > LATEST_S:
            return None
        return waiting

    def start(self, sentence: _Sentence) -> None:
        """Begin to say a sentence; raises SpeechFailed."""
        program = shutil.which(PROGRAM)
        if program is None:
            raise SpeechFailed(f"{PROGRAM} is not installed (sudo apt install {PROGRAM}).")
        voice = sentence.voice
        command = ["nice", "-n", str(NICENESS), program, "-v", voice.voice, "-s", str(voice.rate), "--stdin"]
        complaints = tempfile.TemporaryFile()  # noqa: SIM115 - it is read when the process has ended
        try:
            process = subprocess.Popen(  # noqa: S603 - a program of the system's path, and words on its standard input
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints
            )
        except OSError as error:
            complaints.close()
            raise SpeechFailed(f"{PROGRAM} cannot be started: {error}.") from error
        self._process, self._complaints, self._since_s = process, complaints, time.monotonic()
        if process.stdin is not None:
            with contextlib.suppress(BrokenPipeError), process.stdin as words:
                words.write(sentence.words.replace("[[", "[ [").encode())  # between these it would read phonemes

    def stop(self) -> None:
        """Fall silent in the middle of a sentence."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._complaints is not None:
            self._complaints.close()
            self._complaints = None
