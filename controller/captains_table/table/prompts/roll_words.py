"""What the roll button says: what pressing it does, or who is to do what before it does anything."""

from collections.abc import Sequence
from typing import Final

from captains_table.games.contract import (
    AGREE,
    ROLL,
    THROW_AGAIN,
    AmountAsk,
    Auction,
    Decide,
    Die,
    KeepAsk,
    Over,
    PickAsk,
    Roll,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import RollOffer
from captains_table.table.prompts.menu import MenuState
from captains_table.table.prompts.next_throw import NextThrow

COUNTS: Final = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def throw_words(match: Match, throw: NextThrow) -> str:
    """Return what a throw is called: "Throw all six", "Throw again: 2 dice"."""
    if throw.option is not None and throw.option.id not in (ROLL.id, THROW_AGAIN.id):
        return throw.option.label
    dice = match.game.dice(match.state)
    count = _dice_words(len(throw.dice))
    if len(throw.dice) == sum(not die.extra for die in dice) and len(throw.dice) > 1:
        return f"Throw all {_count_word(len(throw.dice))}"
    return f"Throw again: {count}" if _lies(throw, dice) else f"Throw {'the die' if len(throw.dice) == 1 else count}"


def is_aside(match: Match, throw: NextThrow) -> bool:
    """Return whether a throw may be made, but a sensible player chooses something else."""
    match match.turn:
        case Decide(ask=PickAsk(default=default)):
            return throw.option is not None and throw.option.id != default
        case _:
            return False


def _lies(throw: NextThrow, dice: Sequence[Die]) -> bool:
    return any(die <= len(dice) and dice[die - 1].face is not None for die in throw.dice)


def _dice_words(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _count_word(count: int) -> str:
    return COUNTS[count] if count < len(COUNTS) else str(count)


def why_none(match: Match) -> str:
    """Return who is to do what, where no throw is due and none is offered."""
    turn = match.turn
    if match.computer_decides and match.seat is not None:
        return f"It is {match.called(match.state)[match.seat]}'s turn"
    match turn:
        case Over():
            return "The match is over"
        case Auction():
            return "Bids are made: hold it to ring the bell"
        case Roll():
            return ""
        case Decide(seat, ask):
            return f"{match.called(match.state)[seat]} is to {_deed_words(ask)}"


def _deed_words(ask: PickAsk | KeepAsk | AmountAsk) -> str:
    match ask:
        case KeepAsk():
            return "let a die go: all are held"
        case AmountAsk():
            return "name an amount"
        case PickAsk(options=options) if any(option.id == AGREE.id for option in options):
            return "agree or refuse"
        case PickAsk(options=options) if any(option.on_board for option in options):
            return "move on the board"
        case PickAsk():
            return "choose an answer"


def walking(settings: Settings, menu: MenuState) -> RollOffer | None:
    """Return what a single button does where it throws nothing: it walks through the menu, if there is one."""
    if settings.buttons != "one" or not menu.entries:
        return None
    return RollOffer(
        "Next; hold to choose" if len(menu.entries) > 1 or menu.chosen is None else "Hold to choose", possible=True
    )
