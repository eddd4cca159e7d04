"""The other signs of the page, for the key to the marks: dots and pins of dice, and whose a line of the log is."""

from typing import Final

from captains_table.games.contract import Die
from captains_table.web.svg.dice_svg import die_svg

_LOG = '<svg class="key-sign" viewBox="0 0 24 24" aria-hidden="true">{}</svg>'

SIGNS: Final = (
    {"svg": die_svg(Die(5, throws_left=2)), "words": "a dot below a die: a throw that is left to it"},
    {"svg": die_svg(Die(6, held=True)), "words": "pinned: the die stayed, or has done its work"},
    {"svg": die_svg(Die(None)), "words": "not thrown yet"},
    {"svg": die_svg(Die(4, "roman")), "words": "the Legend die, in Roman numerals"},
    {"svg": _LOG.format('<rect class="log-0" x="5" y="5" width="14" height="14"/>'), "words": "log: the first player"},
    {"svg": _LOG.format('<circle class="log-1" cx="12" cy="12" r="7"/>'), "words": "log: the second player"},
    {"svg": _LOG.format('<rect class="log-2" x="5" y="5" width="14" height="14"/>'), "words": "log: others, or nobody"},
)
"""Each sign as a drawing, and what it says."""
