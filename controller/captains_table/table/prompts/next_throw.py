"""The next sensible throw: which dice the roll button throws, and what has to be answered for them to fall.

Source: docs/architecture.md Contract 4.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from captains_table.games.contract import (
    ROLL,
    THROW_AGAIN,
    Action,
    Decide,
    IllegalAction,
    Keep,
    KeepAsk,
    Option,
    Pick,
    PickAsk,
    Roll,
)
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.prompts.menu import MenuState


@dataclass(frozen=True, slots=True)
class NextThrow:
    """A throw that may be made now.

    Attributes:
        dice: the dice (1-based) that fall.
        answers: what is answered first, in order; nothing where the throw is due anyway.
        option: the option that is picked, `None` where none is.
    """

    dice: tuple[int, ...]
    answers: tuple[Action, ...] = ()
    option: Option | None = None


def next_throw(match: Match, menu: MenuState, settings: Settings) -> NextThrow | None:
    """Return what pressing the roll button throws; `None` where no throw is due, and none is offered.

    While dice are chosen, a single button walks through them, as through whatever else may be chosen; beside an
    encoder it throws those that are not held.
    """
    turn = match.turn
    if match.computer_decides:
        return None
    if isinstance(turn, Roll):
        return NextThrow(turn.dice)
    if not isinstance(turn, Decide):
        return None
    one_button = settings.buttons == "one"
    if isinstance(turn.ask, KeepAsk):
        return None if one_button else _not_held(turn.ask, menu)
    if not isinstance(turn.ask, PickAsk):
        return None
    walks = one_button and len(menu.entries) > 1
    options = list(_throwing_options(turn.ask, again=settings.throws_again and not walks))
    return next((thrown for option in options if (thrown := _throw_of(match, option)) is not None), None)


def _not_held(ask: KeepAsk, menu: MenuState) -> NextThrow | None:
    """Return the throw of all dice that are not held; with all of them held there is none."""
    held = menu.held_dice()
    dice = tuple(die for die in ask.dice if die not in held)
    return NextThrow(dice, (Keep(held),)) if dice else None


def _throwing_options(ask: PickAsk, *, again: bool) -> Iterator[Option]:
    """Yield the options that may be a throw, the most sensible first; none that costs something or is grave."""
    yield from (option for option in ask.options if option.id == ROLL.id)
    if again:
        yield from (option for option in ask.options if option.id == ask.default and _is_plain(option))
        yield from (option for option in ask.options if option.id == THROW_AGAIN.id)


def _is_plain(option: Option) -> bool:
    return not (option.on_board or option.confirm or option.secret or option.opens_menu)


def _throw_of(match: Match, option: Option) -> NextThrow | None:
    """Return the throw an option leads to by itself, or with the dice kept that a sensible player keeps."""
    pick = Pick(option.id)
    try:
        picked = match.game.apply(match.state, pick)
        turn = match.game.turn(picked)
        if isinstance(turn, Roll) and turn.seat == match.seat and (turn.at_once or option.id == ROLL.id):
            return NextThrow(turn.dice, (pick,), option)
        if option.id != THROW_AGAIN.id or not isinstance(turn, Decide) or not isinstance(turn.ask, KeepAsk):
            return None
        keep = Keep(turn.ask.default)
        turn = match.game.turn(match.game.apply(picked, keep))
    except IllegalAction:  # a sensible player keeps all of them, or the option is refused
        return None
    return NextThrow(turn.dice, (pick, keep), option) if isinstance(turn, Roll) else None


def kept_after(match: Match, pick: Pick) -> KeepAsk | None:
    """Return which dice may stay once something is picked; `None` where it is not offered, or leads elsewhere."""
    if match.offered(pick) is None:
        return None
    turn = match.game.turn(match.game.apply(match.state, pick))
    return turn.ask if isinstance(turn, Decide) and isinstance(turn.ask, KeepAsk) else None
