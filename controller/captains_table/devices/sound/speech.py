"""Speech output: an espeak-ng process speaks the sentences of the view.

A worker thread starts the process and polls it. A new sentence waits up to PATIENCE_S for the current one to end, and
then replaces it. Of several waiting sentences only the latest is spoken. After a failure, the fault is reported and no
sentence is tried for RETRY_S.
"""

import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import IO, Final

from captains_table.devices.worker_device import FaultMessages, WorkerDevice
from captains_table.phrases import ENGLISH, message_of, say
from captains_table.table.model.view import View

PROGRAM: Final = "espeak-ng"
NICENESS: Final = 10  # a low priority, so that speech does not slow the table down
LATEST_S: Final = 2.0  # a sentence that is older than this is dropped
PATIENCE_S: Final = 1.5  # how long a new sentence waits for the current one to end
LONGEST_S: Final = 30.0  # a sentence that takes longer counts as a hanging process
RETRY_S: Final = 30.0  # no sentence is tried for so long after a failure
LOOK_S: Final = 0.05  # between two polls of the process


@dataclass(frozen=True, slots=True)
class Voice:
    """The settings of the speech output.

    Attributes:
        speech: whether the table speaks.
        voice: the name of an espeak-ng voice, such as `en-gb` or `en-us+f3`.
        rate: words per minute.
    """

    speech: bool = False
    voice: str = "en"
    rate: int = 160

    def speaking(self, language: str) -> "Voice":
        """Return this voice if it speaks the language with this code, else espeak-ng's own voice of the language.

        English is spoken by this voice in any case, as it is configured for it.
        """
        return self if language in {ENGLISH.code, self.voice.partition("-")[0]} else replace(self, voice=language)


class SpeechFailed(OSError):
    """Raised when espeak-ng cannot speak; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence to speak, its voice, and the time of its arrival (`time.monotonic`).

    Empty words stop the current sentence.
    """

    words: str
    voice: Voice
    at_s: float


class Speech(WorkerDevice["_Sentence"]):
    """The speech output, as a `DisplayDevice`.

    All methods may be called from any thread and return at once, except `close` and the `wait_` methods.

    Args:
        voice: the initial settings.
        on_fault: called by the worker thread when speech begins to fail or works again.
    """

    name = "speech"
    words = FaultMessages(say("Speech fails"), say("Speech could not be stopped"), say("Speech stopped working."))

    def __init__(self, voice: Voice, on_fault: Callable[[], None] | None = None) -> None:
        self._voice = voice
        self._last_words = ""
        self._talking = _Talking()
        self._failed: str | None = None
        self._silent_until_s = 0.0
        super().__init__(on_fault=on_fault)

    @property
    def fault(self) -> str | None:
        """Return a sentence about why speech fails, `None` while it works or is switched off."""
        return (self._failed or super().fault) if self._voice.speech else None

    def show(self, view: View) -> None:
        """Speak the view's sentence if speech is switched on and the previous view had another sentence."""
        if view.told == self._last_words:
            return
        self._last_words = view.told
        if self._voice.speech and view.told:
            self._put(_Sentence(view.told, self._voice.speaking(view.language.code), time.monotonic()))

    def change(self, voice: Voice) -> None:
        """Apply new settings from the next sentence on; if they switch speech off, fall silent at once.

        A known failure is forgotten. Settings that are already in force change nothing.
        """
        if voice == self._voice:
            return
        self._voice = voice
        self._silent_until_s, self._failed = 0.0, None
        if not voice.speech:
            self._put(_Sentence("", voice, time.monotonic()))

    # --- called by the worker thread only ---------------------------------------------------------------------------

    def _handle(self, value: _Sentence, is_new: bool) -> float | None:  # noqa: FBT001 - as in every device
        """Speak a sentence, or poll the process that speaks.

        Return the seconds until the next poll; `None` if no process speaks.
        """
        try:
            return self._go_on(value, is_new=is_new)
        except SpeechFailed as failure:
            self._silent_until_s = time.monotonic() + RETRY_S
            self._note(say("The table cannot speak: {error}", message_of(failure)))
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
    """The espeak-ng process, if one runs, and the sentence that waits for the process to end."""

    def __init__(self) -> None:
        self.waiting: _Sentence | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None
        self._since_s = 0.0

    def is_going_on(self) -> bool:
        """Return whether the process still speaks; if it hangs, kill it and raise SpeechFailed."""
        if self._process is None or self._process.poll() is not None:
            return False
        if time.monotonic() - self._since_s <= LONGEST_S:
            return True
        self.stop()
        raise SpeechFailed(say("{program} hangs.", PROGRAM))

    def must_give_way(self) -> bool:
        """Return whether the current sentence must stop: another has waited PATIENCE_S, or speech was switched off."""
        waiting = self.waiting
        return waiting is not None and (not waiting.words or time.monotonic() - waiting.at_s >= PATIENCE_S)

    def has_ended_well(self) -> bool:
        """Return whether a sentence has just been spoken to its end; raises SpeechFailed if the process failed.

        espeak-ng exits with 0 even without a sound device and reports that on its standard error only.
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
            raise SpeechFailed(
                errors[-1] if errors else say("{program} ended with {status}.", PROGRAM, process.returncode)
            )
        if errors:
            raise SpeechFailed(
                say("no sound device answers ({error}). Expected one that {program} can use.", errors[-1], PROGRAM)
            )
        return True

    def take_waiting(self) -> _Sentence | None:
        """Remove and return the waiting sentence; `None` if there is none, or if it is empty or older than LATEST_S."""
        waiting, self.waiting = self.waiting, None
        if waiting is None or not waiting.words or time.monotonic() - waiting.at_s > LATEST_S:
            return None
        return waiting

    def start(self, sentence: _Sentence) -> None:
        """Start the process for a sentence; raises SpeechFailed."""
        program = shutil.which(PROGRAM)
        if program is None:
            raise SpeechFailed(say("{program} is not installed (sudo apt install {program}).", PROGRAM))
        voice = sentence.voice
        command = ["nice", "-n", str(NICENESS), program, "-v", voice.voice, "-s", str(voice.rate), "--stdin"]
        complaints = tempfile.TemporaryFile()  # noqa: SIM115 - it is read when the process has ended
        try:
            process = subprocess.Popen(  # noqa: S603 - a program of the system's path, and words on its standard input
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints
            )
        except OSError as error:
            complaints.close()
            raise SpeechFailed(say("{program} cannot be started: {error}.", PROGRAM, str(error))) from error
        self._process, self._complaints, self._since_s = process, complaints, time.monotonic()
        if process.stdin is not None:
            with contextlib.suppress(BrokenPipeError), process.stdin as words:
                words.write(sentence.words.replace("[[", "[ [").encode())  # espeak-ng reads phonemes after "[["

    def stop(self) -> None:
        """Kill the process at once, even in the middle of a sentence."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._complaints is not None:
            self._complaints.close()
            self._complaints = None
