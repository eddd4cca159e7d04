"""What Legend asks: which options are open in each step of a turn (docs/rules/legend.md, "At the table")."""

import chess

from captains_table.games.common.dice import crew_in_order, has_crew, roman
from captains_table.games.common.steps import Finished
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
from captains_table.games.legend.position import TOP_DIE, VALUES, Position
from captains_table.games.legend.state import (
    CARGO_DICE,
    EXTRA_DICE,
    LEGEND_DIE,
    MAX_OFFERS,
    MAX_THROWS,
    AbandonConsent,
    BuyConsent,
    BuyPiece,
    BuyPrice,
    Entering,
    GenieDice,
    GenieHop,
    HoldDecision,
    Main,
    State,
    Throwing,
    Treasure,
)

PRICE_A_POINT = 5
KINDS = {"q": chess.QUEEN, "r": chess.ROOK, "b": chess.BISHOP, "n": chess.KNIGHT, "p": chess.PAWN}
LETTERS = {kind: letter for letter, kind in KINDS.items()}
KIND_NAMES = {kind: chess.piece_name(kind) for kind in VALUES}

ALL_SIX = ROLL.called("Throw all six dice")
ROLL_CARGO = Option("roll-cargo", "Throw the cargo dice")
ROLL_LEGEND = Option("roll-legend", "Throw the Legend die")
GENIE = Option("genie", "Summon the Genie", confirm=True)  # he comes once a round
BUY_BACK = Option("buy-back", "Buy a piece back", opens_menu=True)


def turn_of(state: State) -> Turn:  # noqa: C901, PLR0911 - one table, one line each
    """Return what must happen next in a match."""
    seat, opponent = state.seat, state.opponent
    match state.turn.step:
        case Main():
            return Decide(seat, main_ask(state))
        case Throwing(dice):
            return Roll(seat, dice, at_once=True, prompt="The dice fall")
        case HoldDecision():
            return Decide(seat, KeepAsk("Which dice stay?", throwable(state), sensible_keep(state)))
        case Treasure():
            return Roll(seat, EXTRA_DICE, at_once=False, prompt="Hidden treasure! Throw for it")
        case GenieDice():
            return Roll(seat, EXTRA_DICE, at_once=False, prompt="The Genie comes: throw for his squares")
        case GenieHop(squares):
            return Decide(seat, _hop_ask(squares))
        case BuyPiece():
            return Decide(seat, _piece_ask(state))
        case BuyPrice(kind):
            return Decide(seat, price_ask(state, kind))
        case BuyConsent(kind, price):
            return Decide(opponent, consent(f"{state.seats[seat]} offers {price} for a {KIND_NAMES[kind]}"))
        case Entering(kind):
            return Decide(seat, _entry_ask(state, kind))
        case AbandonConsent():
            return Decide(opponent, consent(f"{state.seats[seat]} would abandon the round"))
        case Finished(result):
            return Over(result)


# --- dice -----------------------------------------------------------------------------------------------------------


def throwable(state: State) -> tuple[int, ...]:
    """Return the dice that may be thrown again (L5, L7)."""
    turn = state.turn
    if isinstance(turn.step, Finished):
        return ()
    cargo = CARGO_DICE if 0 < turn.cargo_throws < MAX_THROWS else ()
    legend = (LEGEND_DIE,) if 0 < turn.legend_throws < MAX_THROWS and not turn.legend_final else ()
    return (*cargo, *legend)


def sensible_keep(state: State) -> tuple[int, ...]:
    """Return the dice a sensible player keeps: ship, captain and crew, and a Legend die that lets a piece move."""
    keep = crew_in_order(state.turn.cargo_faces)
    if LEGEND_DIE in throwable(state) and permitted_moves(state) and len(throwable(state)) > len(keep) + 1:
        keep = (*keep, LEGEND_DIE)
    return tuple(die for die in keep if die in throwable(state))


# --- the main ask ---------------------------------------------------------------------------------------------------


def permitted_moves(state: State) -> dict[str, chess.Move]:
    """Return the board moves open to the player now, by id (L8)."""
    turn = state.turn
    if turn.die is None or turn.moved:
        return {}
    return state.position.moves(turn.die)


def main_ask(state: State) -> PickAsk:
    """Return the ask of a turn's main step."""
    if state.turn.cargo_throws == state.turn.legend_throws == 0:
        return PickAsk(f"{_name_on_turn(state)}: throw the dice", (ALL_SIX, ROLL_CARGO, ROLL_LEGEND, ABANDON), ROLL.id)
    options = (*_board_options(state), *_dice_options(state), *_special_options(state), *_closing_options(state))
    return PickAsk(_main_prompt(state), options, _sensible_choice(state, options))


def _board_options(state: State) -> list[Option]:
    position = state.position
    return [Option(id_, position.label(move), on_board=True) for id_, move in permitted_moves(state).items()]


def _dice_options(state: State) -> list[Option]:
    turn = state.turn
    options = [THROW_AGAIN] if throwable(state) else []
    if turn.cargo_throws == 0:
        options.append(ROLL_CARGO)
    if turn.legend_throws == 0:
        options.append(ROLL_LEGEND)
    return options


def _special_options(state: State) -> list[Option]:
    turn = state.turn
    if turn.die is None or turn.moved:
        return []
    options = [] if state.genie_spent[state.seat] else [GENIE]
    if turn.offers < MAX_OFFERS and buyable_kinds(state):
        options.append(BUY_BACK)
    return options


def _closing_options(state: State) -> list[Option]:
    turn = state.turn
    options = []
    if turn.cargo_throws > 0 and (turn.moved or may_forfeit(state)):
        options.append(DONE)
    if not turn.king_taken:
        options.append(ABANDON)
    return options


def may_forfeit(state: State) -> bool:
    """Return whether the move may be forfeited: the die fell and permits no move on the board (L8)."""
    return state.turn.die is not None and not state.turn.moved and not permitted_moves(state)


def _main_prompt(state: State) -> str:
    turn = state.turn
    if turn.king_taken:
        return "The king is taken! Finish your dice"
    if turn.moved:
        return f"{_name_on_turn(state)}: your move is made"
    if turn.die is None:
        return f"{_name_on_turn(state)}: throw the Legend die"
    if not permitted_moves(state):
        return f"{_name_on_turn(state)}: a {roman(turn.die)} moves no piece of yours"
    return f"{_name_on_turn(state)}: move a piece worth up to {roman(turn.die)}"


def _name_on_turn(state: State) -> str:
    return f"{state.seats[state.seat]} ({'White' if state.colour == chess.WHITE else 'Black'})"


def _sensible_choice(state: State, options: tuple[Option, ...]) -> str | None:
    """Return where the cursor starts: what is missing first, then the crew, then the end of the turn."""
    open_ids = [option.id for option in options]
    crew = has_crew(state.turn.cargo_faces)
    stuck = may_forfeit(state) and LEGEND_DIE in throwable(state)
    wishes = (ROLL_LEGEND.id, ROLL_CARGO.id, *((DONE.id,) if crew and not stuck else ()), THROW_AGAIN.id, DONE.id)
    return next((wish for wish in wishes if wish in open_ids), open_ids[0] if open_ids else None)


# --- the Genie, buying back -----------------------------------------------------------------------------------------


def genie_squares(state: State, faces: tuple[int, ...]) -> tuple[Square, ...]:
    """Return the vacant squares two Genie dice give the player on turn (L18, L19)."""
    first, second = faces
    squares = []
    for file, rank in ((first, second), (second, first)):
        square = Square(file, rank) if state.colour == chess.WHITE else Square(7 - file, 7 - rank)
        if square not in squares and state.position.vacant(square):
            squares.append(square)
    return tuple(squares)


def _hop_ask(squares: tuple[Square, ...]) -> PickAsk:
    options = tuple(Option(f"genie-{square}", f"King to {square}", on_board=True) for square in squares)
    where = " or ".join(str(square) for square in squares)
    return PickAsk(f"The Genie carries your king to {where}", options, options[0].id)


def price_ask(state: State, kind: int) -> AmountAsk:
    """Return the ask for a price: offered at five times the value or the whole cargo (L16)."""
    cargo = state.cargo[state.seat]
    offered = min(PRICE_A_POINT * VALUES[kind], cargo)
    return AmountAsk(f"Your price for the {KIND_NAMES[kind]}", 0, cargo, offered)


def buyable_kinds(state: State) -> list[int]:
    """Return the kinds of captured pieces the player may ask for, dearest first (L15, L17)."""
    die = state.turn.die or 0
    held = {captured.bought_as for captured in state.captures[state.opponent]}
    return [kind for kind in KINDS.values() if kind in held and VALUES[kind] <= die and entry_squares(state, kind)]


def _piece_ask(state: State) -> PickAsk:
    kinds = buyable_kinds(state)
    options = tuple(
        Option(LETTERS[kind], f"{KIND_NAMES[kind]} ({PRICE_A_POINT * VALUES[kind]})", opens_menu=True) for kind in kinds
    )
    return PickAsk("Which piece do you buy back?", options, options[0].id)


def entry_squares(state: State, kind: int) -> list[Square]:
    """Return the vacant start squares of a kind of captured piece of the player on turn (L15)."""
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


def _entry_ask(state: State, kind: int) -> PickAsk:
    squares = entry_squares(state, kind)
    options = tuple(
        Option(f"{LETTERS[kind]}@{square}", f"{KIND_NAMES[kind]} on {square}", on_board=True) for square in squares
    )
    where = " or ".join(str(square) for square in squares)
    return PickAsk(f"Put the {KIND_NAMES[kind]} on {where}", options, options[0].id)


# --- moves the die forbids ------------------------------------------------------------------------------------------


def forbidden_moves(state: State) -> dict[str, chess.Move]:
    """Return the moves that chess allows and only the dice forbid, by id."""
    if state.turn.moved or not isinstance(state.turn.step, Main | HoldDecision):
        return {}
    permitted = permitted_moves(state)
    return {id_: move for id_, move in state.position.moves(TOP_DIE).items() if id_ not in permitted}


def reason_forbidden(state: State, position: Position, move: chess.Move) -> str:
    """Return in words why the dice forbid a move."""
    die = state.turn.die
    if die is None:
        return "Throw the Legend die before you move"
    value = 5 if position.is_castling(move) else position.value_of(move)
    name = "Castling" if position.is_castling(move) else f"A {KIND_NAMES[_kind_of(value)]}"
    return f"{name} needs a {roman(value)}; the Legend die shows {roman(die)}"


def _kind_of(value: int) -> int:
    return next(kind for kind, points in VALUES.items() if points == value)
