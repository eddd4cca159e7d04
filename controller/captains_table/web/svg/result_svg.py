"""Draws a result: the bars of the players' scores, and the picture of a result card that players keep."""

from collections.abc import Sequence
from typing import Final

_LEAST_LABELLED: Final = 9  # per cent of the bar: a narrower part has no room for its number


def bar_svg(parts: Sequence[int], longest: int) -> str:
    """Return a bar that is divided into the parts of a score, as SVG.

    Args:
        parts: the parts; negative ones are left out.
        longest: the score whose bar fills the whole width.
    """
    drawn, left = [], 0.0
    for number, part in enumerate(parts):
        width = 100 * max(part, 0) / max(longest, 1)
        drawn.append(f'<rect class="part-{number % 4}" x="{left:.2f}%" width="{width:.2f}%" height="100%"/>')
        if len(parts) > 1 and width >= _LEAST_LABELLED:
            drawn.append(f'<text x="{left:.2f}%" y="50%" dx="0.5em" dy="0.35em">{part}</text>')
        left += width
    return f'<svg class="score-bar" aria-hidden="true">{"".join(drawn)}</svg>'
