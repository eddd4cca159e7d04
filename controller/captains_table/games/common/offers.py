"""Holding an answer against what is asked."""

from captains_table.games.contract import Decide, IllegalAction, PickAsk, Turn


def check_offered(turn: Turn, id_: str) -> None:
    """Raise IllegalAction unless the turn asks to pick and offers this id."""
    if isinstance(turn, Decide) and isinstance(turn.ask, PickAsk):
        offered = [option.id for option in turn.ask.options]
        if id_ in offered:
            return
        raise IllegalAction(f"{id_!r} is not offered: expected one of {', '.join(offered)}")
    raise IllegalAction(f"{id_!r}: nothing is to be picked now")
