"""The table's questions with their possible answers: questions of the game, and questions about the board."""

from collections.abc import Sequence
from dataclasses import replace

from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Ask, Auction, Decide, Option, PickAsk, Square
from captains_table.phrases import capitalized, say
from captains_table.table.model.match import Match
from captains_table.table.recognition.candidates import TAKE_BACK, Candidate

MASK = "mask-"
PUT_RIGHT = Option("put-right", say("I will put it right"))
STILL_MOVING = Option("still-moving", say("Still moving"))
TURN_BOARD = Option(
    "turn-board",
    say("The board lies the other way round"),
    then=say("The pieces are then read from its other side"),
    under=say("board"),
)


def ask_now(match: Match | None) -> Ask | Auction | None:
    """Return the question that the game asks; `None` if it asks nothing, or if a player not at the table decides."""
    turn = match.turn if match is not None and not match.absent_decides else None
    if isinstance(turn, Auction):
        return turn
    return turn.ask if isinstance(turn, Decide) else None


def suspect_question(suspects: Sequence[Square], ask: Ask | Auction | None) -> PickAsk:
    """Return the question whether the board is right or a switch is broken.

    The answers come first. If the game itself asks for a choice (`ask`), the options of that choice follow.
    """
    masks = tuple(
        Option(f"{MASK}{square}", say("Ignore the switch of {square}", square=str(square))) for square in suspects
    )
    others = ask.options if isinstance(ask, PickAsk) else ()
    return PickAsk(say("Is the board right?"), (PUT_RIGHT, *masks, *others), PUT_RIGHT.id)


def offered_rivals(rivals: Sequence[Candidate], ask: Ask | Auction | None) -> list[Candidate]:
    """Return the rivals that can be added to the game's ask: the rivals with an id that the ask does not use.

    Args:
        rivals: the candidates that explain the board as well as the last move does.
        ask: the game's ask; `None` if it asks nothing.
    """
    taken = {option.id for option in ask.options} if isinstance(ask, PickAsk) else set()
    return [rival for rival in rivals if rival.id not in taken]


def with_rivals(ask: Ask | Auction | None, rivals: Sequence[Candidate]) -> Ask | Auction | None:
    """Return the game's question to the players with more options: the rivals, and `STILL_MOVING`.

    The rivals are the moves that explain the board as well as the last move does. The ask is unchanged if no rival can
    be added (`offered_rivals`), or if the ask is not a `PickAsk`.
    """
    offered = offered_rivals(rivals, ask)
    if not offered or not isinstance(ask, PickAsk):
        return ask
    others = tuple(Option(rival.id, _rival_words(rival)) for rival in offered)
    return replace(ask, options=(*ask.options, *others, STILL_MOVING))


def _rival_words(rival: Candidate) -> str:
    return say("Nothing was played") if rival.id == TAKE_BACK else say("It was {move}", move=rival.label)


def board_question(asked: Sequence[Candidate], *, sure: bool) -> PickAsk | None:
    """Return the question which of several candidates was played; `None` if there are no candidates.

    Args:
        asked: the candidates.
        sure: whether the move is complete on the board, so that only the players' choice is missing (as in promotion).
    """
    if not asked:
        return None
    options = tuple(Option(candidate.id, candidate.label) for candidate in asked)
    if sure and len({candidate.footprint for candidate in asked}) == 1:
        if len({candidate.becomes for candidate in asked}) == 1:  # they look the same on the board and differ off it
            then = next((candidate.then for candidate in asked if candidate.then), "")
            return PickAsk(say("Which move is it?"), options, options[0].id, then)
        pieces = tuple(Option(candidate.id, _piece_words(candidate)) for candidate in asked)
        return PickAsk(say("Which piece does it become?"), pieces, pieces[0].id)
    further = () if sure else (STILL_MOVING,)
    then = say("Choose what was played, or put the pieces right")
    return PickAsk(say("What happened on the board?"), options + further, options[0].id, then)


def _piece_words(candidate: Candidate) -> str:
    """Return the name of the piece that a candidate promotes to, without its colour, or else the candidate's label."""
    if candidate.becomes is None:
        return candidate.label
    return capitalized(kind_name(candidate.becomes))
