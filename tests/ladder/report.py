"""What came of the ladder, as lines and as a table of a document."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from captains_table.players.legend.aether.opponent import LEVELS
from tests.ladder.figures import Share, share_of
from tests.ladder.game import Played
from tests.ladder.pairings import PAIRINGS, Pairing
from tests.support.marked_table import rewrite_table

BEGIN: Final = "<!-- the table of `make ladder` -->"
END: Final = "<!-- its end -->"
HEADINGS: Final = (
    *("Pairing", "Rounds", "Leads in", "To reach", "Takes the king", "By points", "Turns", "Seconds a turn"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """What came of a pairing: how many rounds, and for the first player on average what `Played` has of each."""

    pairing: Pairing
    rounds: int
    leads: Share
    kings: Share
    by: float
    turns: float
    seconds: tuple[float, float]

    @property
    def reached(self) -> bool:
        king_goal = self.pairing.king_goal
        return self.leads.value >= self.pairing.goal and (king_goal is None or self.kings.value >= king_goal)


def row_of(pairing: Pairing, pairs: Sequence[Sequence[Played]]) -> Row:
    rounds = [each for pair in pairs for each in pair]
    leads = share_of([[each.lead for each in pair] for pair in pairs])
    kings = share_of([[each.king for each in pair] for pair in pairs])
    by, turns = fmean(each.by for each in rounds), fmean(each.turns for each in rounds)
    seconds = fmean(each.seconds[0] for each in rounds), fmean(each.seconds[1] for each in rounds)
    return Row(pairing, len(rounds), leads, kings, by, turns, seconds)


def cells_of(row: Row) -> tuple[str, ...]:
    pairing = row.pairing
    king_goal = "" if pairing.king_goal is None else f", king {pairing.king_goal:.0%}"
    return (
        pairing.words,
        f"{row.rounds:,}",
        row.leads.told(),
        f"{pairing.goal:.0%}{king_goal}",
        row.kings.told(),
        f"{row.by:+.1f}",
        f"{row.turns:.0f}",
        f"{row.seconds[0]:.3f}, {row.seconds[1]:.3f}",
    )


def level_lines() -> list[str]:
    """Return the levels as rows of a document's table."""
    return [
        f"| {number} | {level.words} | {level.nodes:,} | {level.glances} % | {level.slips} % |"
        for number, level in LEVELS.items()
    ]


def line_of(row: Row) -> str:
    """Return what came of a pairing, for a terminal."""
    words, rounds, leads, goal, kings, by, turns, seconds = cells_of(row)
    verdict = "reached" if row.reached else "NOT REACHED"
    return (
        f"{words}: leads in {leads} of {rounds}, to reach {goal}: {verdict}; takes the king in {kings}, {by} points, "
        f"{turns} turns a round, {seconds} s a turn"
    )


def write_markdown(path: Path, rows: Sequence[Row]) -> None:
    """Put the table into a document, between its two marks; pairings that were not played keep their rows."""
    order = [pairing.words for pairing in PAIRINGS.values()]
    rewrite_table(path, (BEGIN, END), HEADINGS, [cells_of(row) for row in rows], order=order)
