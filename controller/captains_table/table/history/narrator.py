"""What is said of what changed: one sentence for screen readers, for the voice of a phone, and for that at the table.

It is made of views alone: of the one before and the one after an event. What happened comes first, then what is wrong,
then what is waited for.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from captains_table.table.history.event_log import ran_low, spoken
from captains_table.table.model.view import LogLine, Phase, View


class Narrator:
    """Says what changed from view to view, and nothing twice in a row."""

    def __init__(self) -> None:
        self._before: View | None = None
        self._said = ""

    def tell(self, view: View) -> View:
        """Return a view with what is said now: of what changed since the last one, or else what was said last."""
        words = sentence(self._before, view)
        self._before = view
        self._said = words or self._said
        return replace(view, told=self._said)


def sentence(before: View | None, after: View) -> str:
    """Return what is to be said of what changed, in one or a few sentences; empty where nothing did that matters.

    Args:
        before: what was to be seen, `None` where nothing was.
        after: what is to be seen now.
    """
    if before is not None and not _is_same_match(before, after):
        before = replace(View(), prompt=before.prompt if after.phase is Phase.IDLE else ())
    parts = [
        *_happened(before, after),
        *(f"{seat.called} has {seat.seconds_left} seconds left" for seat in ran_low(before, after)),
        *_new(() if before is None else before.faults, after.faults),
        *([after.roll.why] if after.roll.in_vain and (before is None or not before.roll.in_vain) else ()),
        *_opening(before, after),
        *_asked(before, after),
    ]
    return spoken(" ".join(part if part.endswith((".", "!", "?", "…")) else f"{part}." for part in parts))


def _is_same_match(before: View, after: View) -> bool:
    """Return whether two views are of one match, or both of none."""
    keys = [(view.game, view.commitment, [seat.name for seat in view.seats]) for view in (before, after)]
    return keys[0] == keys[1]


def joined(sentences: Iterable[str], names: Sequence[str]) -> str:
    """Return sentences as one; a name that begins several of them is said once."""
    whole = ""
    for each in sentences:
        name = next((name for name in names if whole.startswith(f"{name} ") and each.startswith(f"{name} ")), "")
        whole = f"{whole}, {each[len(name) :].lstrip()}" if whole else each
    return whole


def _happened(before: View | None, after: View) -> list[str]:
    """Return what the log has gained, in one sentence what one player did and what came of it.

    Nothing of a match that was just taken up.
    """
    if before is None or before.phase is Phase.IDLE:
        return []
    told: list[str] = []
    for line in _gained(before.log, after.log):
        if told and line.words == told[-1]:
            continue
        who = "" if line.seat is None else after.seats[line.seat].called
        if told and not line.aloud and line.words.startswith(f"{who} ") and told[-1].startswith(f"{who} "):
            told[-1] = joined([told[-1], line.words], [who])
        else:
            told.append(line.aloud or line.words)
    return told


def _gained(before: Sequence[LogLine], after: Sequence[LogLine]) -> Sequence[LogLine]:
    """Return the lines that are new; of a log that is full the oldest are gone."""
    for count in range(len(after) + 1):
        kept = after[: len(after) - count]
        if tuple(kept) == tuple(before[len(before) - len(kept) :]):
            return after[len(kept) :]
    return after


def _opening(before: View | None, after: View) -> list[str]:
    """Return what is played and where in it we are, where that is another match or screen than before."""
    if before is not None and before.title == after.title:
        return []
    return [after.title, after.heading] if after.heading else [after.title]


def _asked(before: View | None, after: View) -> list[str]:
    """Return what is new of the prompt, but for the move that a computer has just played, which was told."""
    gained = () if before is None else _gained(before.log, after.log)
    told = {line.words.replace(": ", " plays ", 1) for line in gained}
    new = _new(() if before is None else before.prompt, after.prompt[: _lines_said(after)])
    return [line for line in new if line not in told]


def _lines_said(view: View) -> int:
    """Return how much of the prompt is said: what is waited for; where something is wrong, or asked, what to do too."""
    is_play = view.phase is Phase.PLAYING and not view.wrong and not view.asks_about_board
    return 1 if is_play else 2


def _new(before: Sequence[str], after: Sequence[str]) -> list[str]:
    return [line for line in after if line not in before]
