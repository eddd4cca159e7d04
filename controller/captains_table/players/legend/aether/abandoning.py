"""Whether Aether gives a round up together with its opponent.

Source: docs/rules/legend.md L3, L4.
"""

from typing import Final

from captains_table.games.contract import AGREE, REFUSE
from captains_table.games.legend.state import State
from captains_table.players.legend.aether.outlook import EVEN, is_last_round, outlook
from captains_table.players.legend.aether.reading import lead, standing
from captains_table.players.legend.aether.thinking import Thinker

PARTS: Final = 4  # of a search
DRAGGING: Final = 160  # turns in a round, after which it proposes to give it up,
OFFER_EVERY: Final = 20  # again after so many,
HOPELESS: Final = 300  # and after so many agrees to whatever ends it


def would_abandon(state: State) -> bool:
    """Return whether it proposes to abandon a round that drags on: at the beginning of a turn, now and then.

    A refusal leaves no events behind, the end of the turn before does: so a turn sees one proposal.
    """
    if not state.latest_events:
        return False
    is_due = state.turns >= DRAGGING and state.turns // 2 % (OFFER_EVERY // 2) == 0
    return is_due and (state.turns >= HOPELESS or not _loses_by_it(state, state.seat))


def answer_to_abandoning(thinker: Thinker, state: State) -> str:
    """Return whether the seat that is not on turn agrees: if it is to expect less by playing on."""
    seat = state.opponent
    if state.turns >= HOPELESS:
        return AGREE.id
    if is_last_round(state):
        return AGREE.id if standing(state, seat) > EVEN else REFUSE.id
    gains_nothing = state.turns >= DRAGGING or outlook(thinker, state, seat, PARTS) <= lead(state, seat)
    return AGREE.id if gains_nothing else REFUSE.id


def _loses_by_it(state: State, seat: int) -> bool:
    return is_last_round(state) and standing(state, seat) < EVEN
