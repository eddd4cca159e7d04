"""The throw that a press of the roll button makes: its dice, the answers that the press gives first, and its name.

If no throw is possible, the module says why, or what a table's only button does instead.
Source: docs/contracts.md Contract 4.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from captains_table.games.contract import (
    AGREE,
    ROLL,
    THROW_AGAIN,
    Action,
    AmountAsk,
    Auction,
    Decide,
    IllegalAction,
    Keep,
    KeepAsk,
    Option,
    Over,
    Pick,
    PickAsk,
    Roll,
)
from captains_table.phrases import say, several
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import RollOffer
from captains_table.table.prompts.menu import MenuState

COUNTS: Final = (
    *(say("two"), say("three"), say("four"), say("five"), say("six")),
    *(say("seven"), say("eight"), say("nine"), say("ten")),
)
"""The numbers from two on in words."""


@dataclass(frozen=True, slots=True)
class NextThrow:
    """A throw that can be made now.

    Attributes:
        dice: the dice that are thrown, numbered from 1.
        answers: the actions that a press of the roll button carries out before the throw, in order; empty if the throw
            is due anyway.
        option: the option that the press picks; `None` if it picks none.
    """

    dice: tuple[int, ...]
    answers: tuple[Action, ...] = ()
    option: Option | None = None


def next_throw(
    match: Match, menu: MenuState, settings: Settings, advised: tuple[int, ...] | None = None
) -> NextThrow | None:
    """Return the throw that the roll button makes now; `None` if it makes no throw.

    If a player asked for advice, `advised` are the dice that it keeps.

    When a player chooses which dice to keep, the roll button throws the dice that are not held. It throws none if it is
    the table's only button, because this button is then needed to move through the menu. In any other menu with several
    lines, a table's only button throws only for the option *roll*. The button makes no throw for a seat whose decisions
    are not made at this table.
    """
    turn = match.turn
    if match.absent_decides:
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
    return next((thrown for option in options if (thrown := _throw_of(match, option, advised)) is not None), None)


def _not_held(ask: KeepAsk, menu: MenuState) -> NextThrow | None:
    """Return the throw of all dice that are not held; `None` if all are held."""
    held = menu.held_dice()
    dice = tuple(die for die in ask.dice if die not in held)
    return NextThrow(dice, (Keep(held),)) if dice else None


def _throwing_options(ask: PickAsk, *, again: bool) -> Iterator[Option]:
    """Yield the options that may lead to a throw, in order of preference: *roll*, the default, and *throw again*.

    The default is left out if it is a move on the board, must be confirmed, is secret or opens a menu.

    Args:
        ask: the game's ask.
        again: whether to include the default and *throw again*.
    """
    yield from (option for option in ask.options if option.id == ROLL.id)
    if again:
        yield from (option for option in ask.options if option.id == ask.default and _is_plain(option))
        yield from (option for option in ask.options if option.id == THROW_AGAIN.id)


def _is_plain(option: Option) -> bool:
    return not (option.on_board or option.confirm or option.secret or option.opens_menu)


def _throw_of(match: Match, option: Option, advised: tuple[int, ...] | None) -> NextThrow | None:
    """Return the throw to which an option leads; `None` if no throw follows the option.

    If *throw again* leads to the question which dice to keep, the advice or else the default answer is assumed.
    """
    pick = Pick(option.id)
    try:
        picked = match.game.apply(match.state, pick)
        turn = match.game.turn(picked)
        if isinstance(turn, Roll) and turn.seat == match.seat and (turn.at_once or option.id == ROLL.id):
            return NextThrow(turn.dice, (pick,), option)
        if option.id != THROW_AGAIN.id or not isinstance(turn, Decide) or not isinstance(turn.ask, KeepAsk):
            return None
        keep = Keep(turn.ask.default if advised is None else advised)
        turn = match.game.turn(match.game.apply(picked, keep))
    except IllegalAction:  # the default keeps all dice, or the option is refused
        return None
    return NextThrow(turn.dice, (pick, keep), option) if isinstance(turn, Roll) else None


def offer_of(match: Match, throw: NextThrow) -> RollOffer:
    """Return what displays show about a throw.

    Displays show the throw's name, its dice, the dice among which the player can choose, and whether the game's default
    answer is not to throw.
    """
    ask, kept = match.turn.ask if isinstance(match.turn, Decide) else None, kept_after_throw_again(match)
    return RollOffer(
        _throw_words(match, throw),
        possible=True,
        dice=throw.dice,
        choice=() if kept is None else kept.dice,
        aside=isinstance(ask, PickAsk)
        and not ask.throw_may_gain
        and throw.option is not None
        and throw.option.id != ask.default,
        option="" if throw.option is None else throw.option.id,
    )


def kept_after_throw_again(match: Match) -> KeepAsk | None:
    """Return the question that follows the choice *throw again*: which dice to keep.

    The result is `None` if *throw again* is not offered, or if a different step follows.
    """
    pick = Pick(THROW_AGAIN.id)
    if match.offered(pick) is None:
        return None
    turn = match.game.turn(match.game.apply(match.state, pick))
    return turn.ask if isinstance(turn, Decide) and isinstance(turn.ask, KeepAsk) else None


def _throw_words(match: Match, throw: NextThrow) -> str:  # noqa: PLR0911 - one message each
    """Return the name of a throw, such as "Throw all six" or "Throw the Legend die again"."""
    if throw.option is not None and throw.option.id not in (ROLL.id, THROW_AGAIN.id):
        return throw.option.label
    dice, count = match.game.dice(match.state), len(throw.dice)
    if count == sum(not die.extra for die in dice) and count > 1:
        return say("Throw all {count}", (*COUNTS, count)[min(count - 2, len(COUNTS))])
    if all(die > len(dice) or dice[die - 1].face is None for die in throw.dice):
        return several(count, "Throw the die", "Throw {n} dice")
    romans, kinds = sum(dice[die - 1].kind == "roman" for die in throw.dice), {die.kind for die in dice}
    if romans == count:
        return say("Throw the Legend die again")
    if romans:
        return several(count - romans, "Throw again: {n} cargo die + Legend", "Throw again: {n} cargo dice + Legend")
    if len(kinds) > 1:
        return several(count, "Throw again: {n} cargo die", "Throw again: {n} cargo dice")
    return several(count, "Throw again: {n} die", "Throw again: {n} dice")


def no_throw_reason(match: Match) -> str:
    """Return in words why no throw is possible, e.g. what a player must do first; empty if a throw is due."""
    turn = match.turn
    if match.absent_decides and match.seat is not None:
        return say("It is {name}'s turn", match.called(match.state)[match.seat])
    match turn:
        case Over():
            return say("The match is over")
        case Auction():
            return say("Bids are made: hold it to ring the bell")
        case Roll():
            return ""
        case Decide(seat, ask):
            return _what_to_do(match.called(match.state)[seat], ask)


def _what_to_do(name: str, ask: PickAsk | KeepAsk | AmountAsk) -> str:
    match ask:
        case KeepAsk():
            return say("{name} is to let a die go: all are held", name)
        case AmountAsk():
            return say("{name} is to name an amount", name)
        case PickAsk(options=options) if any(option.id == AGREE.id for option in options):
            return say("{name} is to agree or refuse", name)
        case PickAsk(options=options) if any(option.on_board for option in options):
            return say("{name} is to move on the board", name)
        case PickAsk():
            return say("{name} is to choose an answer", name)


def single_button_offer(settings: Settings, menu: MenuState) -> RollOffer | None:
    """Return what a table's only button offers when it throws no dice; `None` without a menu.

    A short press moves through the menu, and a long press chooses. The result is also `None` if the table has several
    buttons.
    """
    if settings.buttons != "one" or not menu.entries:
        return None
    return RollOffer(
        say("Next; hold to choose") if len(menu.entries) > 1 or menu.chosen is None else say("Hold to choose"),
        possible=True,
    )
