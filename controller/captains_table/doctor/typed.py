"""What is typed, line by line, for whoever is listening just now: an event loop, or a question that waits."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TextIO


class TypedLines:
    """Reads lines in a thread of its own, so that nobody who waits for something else as well is blocked.

    Args:
        source: where they are typed; its end counts as the line `at_end`, again and again.
        at_end: see above.
    """

    def __init__(self, source: TextIO, at_end: str = "") -> None:
        self._source = source
        self._at_end = at_end
        self._has_ended = False
        self._waiting: SimpleQueue[str] = SimpleQueue()
        self._on_line: Callable[[str], None] | None = None
        self._lock = Lock()
        Thread(target=self._read, name="typed lines", daemon=True).start()

    def ask(self) -> str:
        """Wait for a line and return it without the spaces around it, in small letters."""
        return self._at_end if self._has_ended and self._waiting.empty() else self._waiting.get()

    def listen(self, on_line: Callable[[str], None] | None) -> None:
        """Hand further lines to this listener, called by the thread; None: keep them for `ask`."""
        with self._lock:
            self._on_line = on_line
            while on_line is not None and not self._waiting.empty():
                on_line(self._waiting.get())

    def keep(self, line: str) -> None:
        """Keep a line that a listener did not need for `ask`."""
        self._waiting.put(line)

    def _read(self) -> None:
        for line in self._source:
            self._on_typed(line.strip().lower())
        self._has_ended = True
        self._on_typed(self._at_end)

    def _on_typed(self, line: str) -> None:
        with self._lock:
            (self._on_line or self._waiting.put)(line)
