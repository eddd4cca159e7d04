"""Describes changes in sentences, for screen readers, for a phone's voice and for the voice at the table.

It compares only the views before and after an event. The sentences about events come first, then the
sentences about problems, then the sentences about what must be done.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from captains_table.phrases import computed, computes, say
from captains_table.table.history.event_log import name_and_words, ran_low, spoken_text
from captains_table.table.model.view import Coach, LogLine, Phase, View


class Narrator:
    """Adds to each view the sentences about what just changed, and says nothing twice."""

    def __init__(self) -> None:
        self._before: View | None = None
        self._said = ""

    def tell(self, view: View) -> View:
        """Return the view with sentences about the changes since the last view.

        If there is nothing to say, the previous sentences remain.
        """
        words = sentence(self._before, view)
        self._before = view
        self._said = words or self._said
        return replace(view, told=self._said)


def sentence(before: View | None, after: View) -> str:
    """Return sentences about the changes between two views; empty if nothing changed that should be said.

    Args:
        before: the previous view; `None` if there was none.
        after: the view now.
    """
    if before is not None and not _is_same_match(before, after):
        before = replace(View(), prompt=before.prompt if after.phase is Phase.IDLE else ())
    parts = [
        *_happened(before, after),
        *(
            say("{name} has {seconds} seconds left", seat.called, seat.seconds_left or 0)
            for seat in ran_low(before, after)
        ),
        *_new(() if before is None else before.faults, after.faults),
        *([after.roll.why] if after.roll.in_vain and (before is None or not before.roll.in_vain) else ()),
        *_opening(before, after),
        *_asked(before, after),
    ]
    return spoken_text(computed(_with_ends, *parts)) if parts else ""


@computes
def _with_ends(*sentences: str) -> str:
    return " ".join(each if each.endswith((".", "!", "?", "…")) else f"{each}." for each in sentences)


def _is_same_match(before: View, after: View) -> bool:
    """Return whether two views show the same match, or both show no match."""
    keys = [(view.game, view.commitment, [seat.name for seat in view.seats]) for view in (before, after)]
    return keys[0] == keys[1]


def joined(sentences: Iterable[str], names: Sequence[str]) -> str:
    """Join sentences; one that begins with a name as the first one does follows after a comma, without the name."""
    whole = ""
    for each in sentences:
        name = next((name for name in names if whole.startswith(f"{name} ") and each.startswith(f"{name} ")), "")
        follows = f", {each.removeprefix(name).lstrip()}" if name else f". {each}"
        whole = f"{whole}{follows}" if whole else each
    return whole


def _happened(before: View | None, after: View) -> list[str]:
    """Return the new lines of the log as sentences; consecutive lines about one player become one sentence.

    The log of a match that was just resumed is not repeated.
    """
    if before is None or before.phase is Phase.IDLE:
        return []
    reported: list[str] = []
    for line in _gained(before.log, after.log):
        if reported and line.words == reported[-1]:
            continue
        who = "" if line.seat is None else after.seats[line.seat].called
        if reported and not line.aloud and line.words.startswith(f"{who} ") and reported[-1].startswith(f"{who} "):
            reported[-1] = computed(_joined, who, reported[-1], line.words)
        else:
            reported.append(line.aloud or line.words)
    return reported


@computes
def _joined(name: str, first: str, second: str) -> str:
    return joined([first, second], [name])


def _gained(before: Sequence[LogLine], after: Sequence[LogLine]) -> Sequence[LogLine]:
    """Return the lines that were added to a log; its oldest lines may have been dropped meanwhile."""
    for count in range(len(after) + 1):
        old = after[: len(after) - count]
        if tuple(old) == tuple(before[len(before) - len(old) :]):
            return after[len(old) :]
    return after


def _opening(before: View | None, after: View) -> list[str]:
    """Return the game's title and the heading of the view; empty if the previous view had the same title."""
    if before is not None and before.title == after.title:
        return []
    return [after.title, after.heading] if after.heading else [after.title]


def _asked(before: View | None, after: View) -> list[str]:
    """Return the new lines among the first lines of the prompt (see `_lines_said`).

    A line with a computer's move is left out if the log has just reported the move.
    """
    if after.coach is not None:
        return _coached(before, after.coach)
    gained = () if before is None else _gained(before.log, after.log)
    logged = {say("{name} plays {move}", name, move) for name, move in map(name_and_words, gained) if name}
    new = _new(() if before is None else before.prompt, after.prompt[: _lines_said(after)])
    return [line for line in new if line not in logged]


def _coached(before: View | None, coach: Coach) -> list[str]:
    """Return what the coach of a lesson says that he did not say before."""
    told = None if before is None else before.coach
    if coach.slip:
        return [] if told is not None and told.slip == coach.slip else [coach.slip]
    if told is not None and told.step == coach.step:
        return []
    return [coach.heading, computed(_without_asterisks, coach.words)]


@computes
def _without_asterisks(words: str) -> str:
    return words.replace("*", "")


def _lines_said(view: View) -> int:
    """Return how many lines of the prompt to speak: 1 during normal play, else 2."""
    is_play = view.phase is Phase.PLAYING and not view.wrong and not view.asks_about_board
    return 1 if is_play else 2


def _new(before: Sequence[str], after: Sequence[str]) -> list[str]:
    return [line for line in after if line not in before]
