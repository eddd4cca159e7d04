"""What is asked at the table: the game's own ask, or what the board cannot tell by itself."""

from collections.abc import Sequence
from dataclasses import replace

from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Ask, Auction, Decide, Option, PickAsk, Square
from captains_table.table.model.match import Match
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate

MASK = "mask-"
PUT_RIGHT = Option("put-right", "I will put it right")
STILL_MOVING = Option("still-moving", "Still moving")


def ask_now(match: Match | None) -> Ask | Auction | None:
    """Return what the game asks, `None` while it asks nothing, or a computer."""
    turn = match.turn if match is not None and not match.absent_decides else None
    if isinstance(turn, Auction):
        return turn
    return turn.ask if isinstance(turn, Decide) else None


def suspicion(suspects: Sequence[Square], ask: Ask | Auction | None) -> PickAsk:
    """Return the ask whether a switch is broken, with what the game asks anyway behind it."""
    masks = tuple(Option(f"{MASK}{square}", f"Ignore the switch of {square}") for square in suspects)
    others = ask.options if isinstance(ask, PickAsk) else ()
    return PickAsk("Is the board right?", (PUT_RIGHT, *masks, *others), PUT_RIGHT.id)


def on_offer(rivals: Sequence[Candidate], ask: Ask | Auction | None) -> list[Candidate]:
    """Return the other stories that can be chosen beside what the game asks: those whose id it does not use itself."""
    taken = {option.id for option in ask.options} if isinstance(ask, PickAsk) else set()
    return [rival for rival in rivals if rival.id not in taken]


def with_rivals(ask: Ask | Auction | None, rivals: Sequence[Candidate]) -> Ask | Auction | None:
    """Return what the game asks, with what else may have been done on the board behind it."""
    offered = on_offer(rivals, ask)
    if not offered or not isinstance(ask, PickAsk):
        return ask
    others = tuple(Option(rival.id, _rival_words(rival)) for rival in offered)
    return replace(ask, options=(*ask.options, *others, STILL_MOVING))


def _rival_words(rival: Candidate) -> str:
    return "Nothing was played" if rival.id == TAKE_BACK else f"It was {rival.label}"


def board_question(asked: Sequence[Candidate], *, sure: bool) -> PickAsk | None:
    """Return the ask which of several things was done on the board, `None` if nothing is unclear.

    Args:
        asked: what may have been done.
        sure: whether nothing is missing but the choice, as when a pawn is promoted.
    """
    if not asked:
        return None
    options = tuple(Option(candidate.id, candidate.label) for candidate in asked)
    if sure and len({candidate.footprint for candidate in asked}) == 1:
        if len({candidate.becomes for candidate in asked}) == 1:  # the same on the board, and more beside it
            return PickAsk("What is played?", options, options[0].id)
        pieces = tuple(Option(candidate.id, _piece_words(candidate)) for candidate in asked)
        return PickAsk("Which piece does it become?", pieces, pieces[0].id)
    further = () if sure else (STILL_MOVING,)
    then = "Choose what was played, or put the pieces right"
    return PickAsk("What happened on the board?", options + further, options[0].id, then)


def _piece_words(candidate: Candidate) -> str:
    """Return what a promoted piece is called, its colour left out."""
    if candidate.becomes is None:
        return candidate.label
    return kind_name(candidate.becomes).capitalize()
