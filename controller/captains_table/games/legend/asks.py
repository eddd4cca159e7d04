"""The questions of Legend: which options each step of a turn offers, and which of them is the default.

Functions list what the rules permit: dice to throw again, moves on the board, the Genie's squares, pieces to buy back
and squares to enter on. A function lists the moves that only the Legend die forbids.

Rules: docs/rules/legend.md L3, L5, L7, L8, L14 to L19 and "At the table".
"""

from dataclasses import replace

import chess

from captains_table.games.common.dice import crew_in_order, has_crew, worth_keeping
from captains_table.games.contract import (
    ABANDON,
    DONE,
    ROLL,
    THROW_AGAIN,
    AmountAsk,
    Decide,
    KeepAsk,
    Option,
    Over,
    PickAsk,
    Roll,
    Square,
    Turn,
    consent,
)
from captains_table.games.legend import effects, prompts, steps
from captains_table.games.legend.effects import KINDS, LETTERS, PRICE_A_POINT
from captains_table.games.legend.position import PIECE_VALUES, TOP_DIE
from captains_table.games.legend.prompts import KIND_NAMES, name_with_colour
from captains_table.games.legend.state import CARGO_DICE, EXTRA_DICE, LEGEND_DIE, LEGEND_THROWS, MAX_OFFERS, State
from captains_table.phrases import listed, message, say

ALL_SIX = ROLL.called(say("Throw all six dice"))
ROLL_CARGO = Option("roll-cargo", say("Throw the cargo dice"))
ROLL_LEGEND = Option("roll-legend", say("Throw the Legend die"), then=prompts.FACES)
RARE_THROWS = tuple(replace(option, under=say("Throw only some of the dice")) for option in (ROLL_CARGO, ROLL_LEGEND))
GENIE = Option(
    "genie",
    say("Summon the Genie"),
    confirm=True,
    then=say("Once a round: two dice name squares, and your king is carried to a free one of them as your move"),
)
BUY_BACK = Option(
    "buy-back",
    say("Buy a piece back"),
    opens_menu=True,
    then=say("Offered while the Legend die is worth a lost piece, and a start square of it is free"),
)


def legend_turn(state: State) -> Turn:  # noqa: C901, PLR0911, PLR0912 - one table, one line each
    """Return what must happen next in a match."""
    seat, opponent = state.seat, state.opponent
    own, other = state.seats[seat], state.seats[opponent]
    name, mine = name_with_colour(state, seat), state.cargo[seat]
    match state.turn.step:
        case steps.LegendMain():
            return Decide(seat, main_ask(state))
        case steps.LegendThrowStep(dice):
            return Roll(seat, dice, at_once=True, prompt=say("The dice fall"))
        case steps.LegendHoldStep():
            return Decide(seat, _keep_ask(state))
        case steps.Treasure():
            then = say("{name}: two dice are added to your cargo", name)
            return Roll(seat, EXTRA_DICE, at_once=False, prompt=say("Hidden treasure! Throw for it"), then=then)
        case steps.GenieDice():
            if state.colour == chess.WHITE:
                then = say("{name}: 1 to 6 are the files b to g and the ranks 2 to 7", name)
            else:
                then = say("{name}: 1 to 6 are the files g to b and the ranks 7 to 2", name)
            return Roll(
                seat, EXTRA_DICE, at_once=False, prompt=say("The Genie comes: throw for his squares"), then=then
            )
        case steps.GenieHop(squares):
            return Decide(seat, _hop_ask(squares, state.turn.extra_faces))
        case steps.BuyPiece():
            return Decide(seat, _piece_ask(state))
        case steps.BuyOffer(kind):
            return Decide(seat, _offer_ask(state, kind))
        case steps.BuyPrice(kind):
            words = message("Usually {usual}; you have {cargo}. {name} agrees or refuses")
            return Decide(seat, _price_ask(state, kind, words, other))
        case steps.BuyConsent(kind, price):
            piece = KIND_NAMES[kind]
            prompt = say("{name} offers {price} for a {piece}", own, price, piece)
            then = say("Agree: you get {price} cargo, {name} the {piece}. Or refuse", price, own, piece)
            return Decide(opponent, _sale_ask(state, prompt, then))
        case steps.BarterConsent(kind, given):
            parts = {"name": own, "given": KIND_NAMES[given], "piece": KIND_NAMES[kind]}
            prompt = say("{name} offers a {given} for a {piece}", **parts)
            then = say("Agree: your {given} goes back to your box, {name} gets the {piece}. Or refuse", **parts)
            return Decide(opponent, _sale_ask(state, prompt, then))
        case steps.AskPrice(kind):
            words = message("Usually {usual}; {name} has {cargo}, and agrees or refuses")
            return Decide(opponent, _price_ask(state, kind, words, own))
        case steps.PriceConsent(kind, price):
            prompt = say("{name} asks {price} for a {piece}", other, price, KIND_NAMES[kind])
            then = say("Agree: you pay {price} of your {cargo} cargo. Or refuse", price, mine)
            return Decide(seat, consent(prompt, then))
        case steps.Entering(kind, given):
            return Decide(seat, _entry_ask(state, kind, given))
        case steps.AbandonConsent():
            then = say("Agree: it ends unsettled. Refuse: play goes on")
            return Decide(opponent, consent(say("{name} would abandon the round", own), then))
        case Over() as over:
            return over


# --- dice -----------------------------------------------------------------------------------------------------------


def throwable(state: State) -> tuple[int, ...]:
    """Return the dice (1-based) that were thrown and may be thrown again (L5, L7)."""
    turn = state.turn
    if isinstance(turn.step, Over):
        return ()
    cargo = CARGO_DICE if 0 < turn.cargo_throws < LEGEND_THROWS else ()
    legend = (LEGEND_DIE,) if 0 < turn.legend_throws < LEGEND_THROWS and not turn.legend_final else ()
    return (*cargo, *legend)


def sensible_keep(state: State) -> tuple[int, ...]:
    """Return the numbers, from 1, of the dice that a sensible player keeps although they may be thrown again.

    The player keeps the dice for ship, captain and crew, and a Legend die that permits a move. Once ship, captain and
    crew are complete, the player also keeps high cargo dice. At least one die is always left to be thrown.
    """
    open_dice = throwable(state)
    keep = crew_in_order(state.turn.cargo_faces)
    if LEGEND_DIE in open_dice and permitted_moves(state) and len(open_dice) > len(keep) + 1:
        keep = (*keep, LEGEND_DIE)
    if has_crew(state.turn.cargo_faces):
        keep = (*keep, *_high_cargo(state, keep)[: len(open_dice) - len(keep) - 1])
    return tuple(die for die in sorted(keep) if die in open_dice)


def _high_cargo(state: State, keep: tuple[int, ...]) -> list[int]:
    """Return the cargo dice outside `keep` that are worth keeping (see `worth_keeping`), the highest first."""
    faces = {die: face or 0 for die, face in zip(CARGO_DICE, state.turn.cargo_faces, strict=True)}
    least = worth_keeping(LEGEND_THROWS - state.turn.cargo_throws)
    return sorted((die for die in CARGO_DICE if die not in keep and faces[die] >= least), key=lambda die: -faces[die])


def _keep_ask(state: State) -> KeepAsk:
    open_dice = throwable(state)
    return KeepAsk(say("Which dice stay?"), open_dice, sensible_keep(state), prompts.keep_then(state, open_dice))


# --- the main question ----------------------------------------------------------------------------------------------


def permitted_moves(state: State) -> dict[str, chess.Move]:
    """Return the moves on the board that the Legend die permits now, keyed by id (L8).

    Empty while the Legend die has not been thrown, and after the turn's move.
    """
    turn = state.turn
    if turn.die is None or turn.moved:
        return {}
    return state.position.moves(turn.die)


def main_ask(state: State) -> PickAsk:
    """Return the question of a turn's main step."""
    if state.turn.cargo_throws == state.turn.legend_throws == 0:
        begin = say("{name}: throw the dice¦{name}: throw", name_with_colour(state, state.seat))
        return PickAsk(begin, (ALL_SIX, *RARE_THROWS, _abandon(state)), ROLL.id, prompts.before_the_throw(state))
    options = (*_board_options(state), *_dice_options(state), *_special_options(state), *_closing_options(state))
    may_move = bool(permitted_moves(state))
    then = prompts.main_then(state, throwable(state), may_move=may_move)
    prompt, default = prompts.main_prompt(state, may_move=may_move), _sensible_choice(state, options)
    return PickAsk(prompt, options, default, then, throw_may_gain=_cargo_may_gain(state))


def _board_options(state: State) -> list[Option]:
    position = state.position
    return [Option(id_, position.label(move), on_board=True) for id_, move in permitted_moves(state).items()]


def _dice_options(state: State) -> list[Option]:
    turn = state.turn
    options = [_throw_again(throwable(state))] if throwable(state) else []
    if turn.cargo_throws == 0:
        options.append(ROLL_CARGO)
    if turn.legend_throws == 0:
        options.append(ROLL_LEGEND)
    return options


def _throw_again(dice: tuple[int, ...]) -> Option:
    """Return the option to throw again, with a label that names the dice that may be thrown."""
    if LEGEND_DIE not in dice:
        return THROW_AGAIN.called(say("Throw the cargo again"))
    return THROW_AGAIN.called(say("Throw Legend die again")) if dice == (LEGEND_DIE,) else THROW_AGAIN


def _special_options(state: State) -> list[Option]:
    turn = state.turn
    if turn.die is None or turn.moved:
        return []
    options = [] if state.genie_spent[state.seat] else [GENIE]
    if turn.offers < MAX_OFFERS and buyable_kinds(state):
        may_pay = state.cargo[state.seat] > 0 or bool(effects.kinds_to_give(state))
        options.append(BUY_BACK if may_pay else replace(BUY_BACK, in_vain=True))
    return options


def _closing_options(state: State) -> list[Option]:
    turn = state.turn
    options = []
    if turn.cargo_throws > 0 and (turn.moved or may_forfeit(state)):
        options.append(DONE)
    if not turn.king_taken:
        options.append(_abandon(state))
    return options


def _abandon(state: State) -> Option:
    name = state.seats[state.opponent]
    return replace(ABANDON, then=say("{name} may agree: the round then ends, and nobody wins it", name))


def may_forfeit(state: State) -> bool:
    """Return whether the move may be forfeited (L8).

    The move must not have been made yet, and the Legend die must show a face that permits no move on the board.
    """
    return state.turn.die is not None and not state.turn.moved and not permitted_moves(state)


def _sensible_choice(state: State, options: tuple[Option, ...]) -> str | None:
    """Return the id of the default option; `None` if there is none.

    The default is the first of these options that is offered:

    1. throw the Legend die for the first time
    2. throw the cargo dice for the first time
    3. end the turn, if ship, captain and crew are complete; not if the player has no permitted move and may still throw
       the Legend die again
    4. throw again, unless the dice are better left as they are (`_dice_lie_well`)
    5. end the turn
    """
    open_ids = [option.id for option in options]
    crew = has_crew(state.turn.cargo_faces)
    stuck = may_forfeit(state) and LEGEND_DIE in throwable(state)
    again = () if _dice_lie_well(state) else (THROW_AGAIN.id,)
    wishes = (ROLL_LEGEND.id, ROLL_CARGO.id, *((DONE.id,) if crew and not stuck else ()), *again, DONE.id)
    return next((wish for wish in wishes if wish in open_ids), None)


def _cargo_may_gain(state: State) -> bool:
    """Return whether a cargo die that may be thrown again is better thrown again."""
    crew = crew_in_order(state.turn.cargo_faces)
    return bool({*throwable(state)} - {*crew, *_high_cargo(state, crew), LEGEND_DIE})


def _dice_lie_well(state: State) -> bool:
    """Return whether the dice are better left as they are than thrown again.

    This is so if only the Legend die may be thrown again, and the die already permits a move and shows at least 4.
    """
    may_move = throwable(state) == (LEGEND_DIE,) and bool(permitted_moves(state))
    return may_move and (state.turn.die or 0) >= worth_keeping(1)


# --- the Genie, and buying pieces back ------------------------------------------------------------------------------


def genie_squares(state: State, faces: tuple[int, ...]) -> tuple[Square, ...]:
    """Return the vacant squares that the faces of the Genie's two dice name for the player on turn (L18, L19)."""
    first, second = faces
    squares = []
    for file, rank in ((first, second), (second, first)):
        square = Square(file, rank) if state.colour == chess.WHITE else Square(7 - file, 7 - rank)
        if square not in squares and state.position.vacant(square):
            squares.append(square)
    return tuple(squares)


def _hop_ask(squares: tuple[Square, ...], faces: tuple[int, ...]) -> PickAsk:
    options = tuple(
        Option(f"genie-{square}", say("King to {square}", str(square)), on_board=True) for square in squares
    )
    where = listed([str(square) for square in squares], "or")
    named = [say("file {file}, rank {rank}", str(square)[0], square.rank + 1) for square in squares]
    fallen, places = listed([str(face) for face in faces]), listed(named, "or")
    then = say("{faces}: {places}. Set the king on a lit square", fallen, places)
    return PickAsk(say("The Genie carries your king to {squares}", where), options, options[0].id, then)


def _price_ask(state: State, kind: int, then: str, other: str) -> AmountAsk:
    """Return the question for the buyer's offer or the seller's price, from 0 to the buyer's cargo (L16).

    The default is 5 times the value of the piece, or the whole of the buyer's cargo if the cargo is less.

    Args:
        state: the match.
        kind: the kind of the piece.
        then: the message of the second line.
        other: the player who agrees or refuses, for the second line.
    """
    cargo, usual = state.cargo[state.seat], PRICE_A_POINT * PIECE_VALUES[kind]
    prompt = say("Your price for the {piece}", KIND_NAMES[kind])
    return AmountAsk(prompt, 0, cargo, min(usual, cargo), say(then, usual=usual, cargo=cargo, name=other))


def _sale_ask(state: State, prompt: str, then: str) -> PickAsk:
    """Return the question of whether the seller accepts an offer.

    If barter is allowed and fewer than three offers were made in this turn, the seller may ask a price instead.
    """
    ask = consent(prompt, then)
    if not state.options.barters or state.turn.offers >= MAX_OFFERS:
        return ask
    own = effects.ASK_PRICE if state.cargo[state.seat] > 0 else replace(effects.ASK_PRICE, in_vain=True)
    return replace(ask, options=(*ask.options, own))


def _offer_ask(state: State, kind: int) -> PickAsk:
    """Return the question of what the player on turn offers to buy a piece back: the price, or a captured piece.

    `kind` is the kind of the piece to buy back.
    """
    price = effects.OFFER_PRICE if state.cargo[state.seat] > 0 else replace(effects.OFFER_PRICE, in_vain=True)
    kinds = effects.kinds_to_give(state)
    pieces = tuple(
        Option(f"{effects.OFFER_PIECE}{LETTERS[given]}", say("Offer a {piece}", KIND_NAMES[given])) for given in kinds
    )
    default = effects.OFFER_PRICE.id if state.cargo[state.seat] > 0 else pieces[-1].id
    name = state.seats[state.opponent]
    then = say("A piece of {name}'s goes back to his box for good. {name} agrees or refuses", name)
    prompt = say("What do you offer for the {piece}?", KIND_NAMES[kind])
    return PickAsk(prompt, (price, *pieces), default, then)


def buyable_kinds(state: State) -> list[int]:
    """Return the kinds of captured pieces that the player on turn may buy back, the most valuable first (L15, L17).

    The value of a kind may not exceed the Legend die, and a square on which the piece may enter must be vacant.
    """
    die = state.turn.die or 0
    held = {captured.bought_as for captured in state.captures[state.opponent]}
    return [
        kind for kind in KINDS.values() if kind in held and PIECE_VALUES[kind] <= die and entry_squares(state, kind)
    ]


def _piece_ask(state: State) -> PickAsk:
    kinds = buyable_kinds(state)
    prices = {kind: PRICE_A_POINT * PIECE_VALUES[kind] for kind in kinds}
    options = tuple(
        Option(LETTERS[kind], say("{piece} ({price})", KIND_NAMES[kind], price), opens_menu=True)
        for kind, price in prices.items()
    )
    cargo, name = state.cargo[state.seat], state.seats[state.opponent]
    if state.options.barters:
        then = say("You have {cargo} cargo; {name} must agree to the bargain", cargo, name)
    else:
        then = say("You have {cargo} cargo; {name} must agree to the price", cargo, name)
    return PickAsk(say("Which piece do you buy back?¦Buy back which piece?"), options, options[0].id, then)


def entry_squares(state: State, kind: int) -> list[Square]:
    """Return the vacant start squares on which a captured piece of a kind can enter for the player on turn (L15)."""
    files = {chess.QUEEN: (3,), chess.ROOK: (0, 7), chess.BISHOP: (2, 5), chess.KNIGHT: (1, 6), chess.PAWN: range(8)}
    home = 1 if kind == chess.PAWN else 0
    rank = home if state.colour == chess.WHITE else 7 - home
    held = [captured for captured in state.captures[state.opponent] if captured.bought_as == kind]
    return [
        square
        for file in files[kind]
        if state.position.vacant(square := Square(file, rank))
        and any(captured.may_enter_on(square) for captured in held)
    ]


def _entry_ask(state: State, kind: int, given: int | None) -> PickAsk:
    squares = entry_squares(state, kind)
    piece = KIND_NAMES[kind]
    options = tuple(
        Option(f"{LETTERS[kind]}@{square}", say("{piece} on {square}", piece, str(square)), on_board=True)
        for square in squares
    )
    words = message("{name}: take the {piece} from beside the board and set it on a lit square")
    lit = listed([str(square) for square in squares], ",")
    if given is None:
        then = say("Lit: {squares}", lit)
    else:
        parts = {"squares": lit, "piece": KIND_NAMES[given], "name": state.seats[state.opponent]}
        then = say("Lit: {squares}; the {piece} goes back to {name}'s box", **parts)
    prompt = say(words, name=name_with_colour(state, state.seat), piece=piece)
    return PickAsk(prompt, options, options[0].id, then)


def forbidden_moves(state: State) -> dict[str, chess.Move]:
    """Return the moves that only the Legend die forbids, keyed by id.

    Before the Legend die is thrown, it forbids all moves. The result is empty after the turn's move. It is also empty
    outside the main step and the choice of dice to keep.
    """
    if state.turn.moved or not isinstance(state.turn.step, steps.LegendMain | steps.LegendHoldStep):
        return {}
    permitted = permitted_moves(state)
    return {id_: move for id_, move in state.position.moves(TOP_DIE).items() if id_ not in permitted}
