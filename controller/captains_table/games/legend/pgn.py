"""Exports a match of Legend as PGN: ordinary chess moves as moves, everything else as comments.

Every turn is one move. A turn that is no chess move (the Genie's hop, an entry, a forfeited move, a move that leaves
the king under attack, the capture of a king) becomes a null move `--` with a comment. If such a turn changed the
position, the round continues in a new game that starts from a FEN. So any program that supports null moves can read
every part. The name Legend stands in the tag Rules instead of the tag Variant, since readers reject unknown variants
(python-chess's `Game.board` raises an error).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import chess
import chess.pgn

from captains_table.games.common.chesslike.pgn import tag_value
from captains_table.games.common.dice import roman
from captains_table.games.contract import ABANDON, DONE, Action, Amount, EventKind, Over, Pick, Rolled
from captains_table.games.legend import asks, prompts, steps
from captains_table.games.legend.game import Legend
from captains_table.games.legend.position import LEGEND_START, LegendPosition
from captains_table.games.legend.state import LEGEND_DIE, State

COLUMNS = 80
DATE_LENGTH = len("2026-01-31")


@dataclass
class _Turn:
    """One player's turn, as it is written in PGN."""

    start: State
    move: chess.Move | None = None  # if it is a legal chess move
    is_played: bool = False  # a move was made, on the board or otherwise, or forfeited
    is_ended: bool = False
    takes_king: bool = False
    remarks: list[str] = field(default_factory=list)


def legend_pgn(
    names: Sequence[str],
    options: Mapping[str, str],
    actions: Iterable[Action],
    began: str = "",
    remarks: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """Return a match as PGN, with one or more games for each round.

    Args:
        names: the players that were named, in seat order.
        options: the match's options.
        actions: the actions, without those that were taken back.
        began: the time of the start, ISO 8601, for the tag Date; may be empty.
        remarks: comments, keyed by the index (from 0) of the action that they precede.

    Raises:
        BadOption: a match cannot start with these names or options.
        IllegalAction: the actions do not replay.
    """
    rounds: dict[int, list[_Turn]] = {}
    for turn in _turns(names, options, actions, remarks or {}):
        rounds.setdefault(turn.start.round, []).append(turn)
    games = [game for turns in rounds.values() for game in _games(turns, began)]
    return "".join(f"{game.accept(chess.pgn.StringExporter(columns=COLUMNS))}\n\n" for game in games)


# --- reading a match ------------------------------------------------------------------------------------------------


def _turns(
    names: Sequence[str], options: Mapping[str, str], actions: Iterable[Action], remarks: Mapping[int, Sequence[str]]
) -> Iterator[_Turn]:
    legend = Legend()
    state = legend.start(names, options)
    turn = _Turn(state)
    for place, action in enumerate(actions):
        turn.remarks.extend(remarks.get(place, ()))
        after = legend.apply(state, action)
        _note(turn, state, action, after)
        state = after
        if turn.is_ended:
            yield turn
            turn = _Turn(state)
    if not isinstance(state.turn.step, Over):
        yield turn


def _note(turn: _Turn, before: State, action: Action, after: State) -> None:
    """Add an action to the turn: comments, the move, whether a king was captured, and whether the turn ended."""
    new_round = after.round != before.round
    turn.is_ended = new_round or after.turns != before.turns or isinstance(after.turn.step, Over)
    # the last event of a round only announces the next one
    latest_events = after.latest_events[:-1] if new_round else after.latest_events
    turn.remarks.extend(_dice_words(before, action))
    turn.remarks.extend(_choice_words(turn, before, action))
    turn.remarks.extend(game_event.words for game_event in latest_events)
    turn.takes_king = turn.takes_king or any(game_event.kind is EventKind.KING for game_event in latest_events)


def _dice_words(before: State, action: Action) -> Iterator[str]:
    if not isinstance(action, Rolled):
        return
    faces = " ".join(str(face) for face in action.faces)
    match before.turn.step:
        case steps.LegendThrowStep(dice):
            fallen = dict(zip(dice, action.faces, strict=True))
            legend = fallen.pop(LEGEND_DIE, None)
            if fallen:
                yield f"cargo {' '.join(str(face) for face in fallen.values())}"
            if legend is not None:
                yield f"Legend {roman(legend)}"
        case steps.Treasure():
            yield f"treasure {faces}"
        case steps.GenieDice():
            yield f"Genie {faces}"


def _choice_words(turn: _Turn, before: State, action: Action) -> Iterator[str]:
    """Yield comments on an action that is not a throw; if the action is a move, also store the move in `turn`."""
    match before.turn.step, action:
        case steps.LegendMain(), Pick(id_):
            move = asks.permitted_moves(before).get(id_)
            if move is not None:
                turn.is_played = True
                yield from _enter_move(turn, before.position, move)
            elif id_ == DONE.id and not before.turn.moved:
                turn.is_played = True
                yield "the move is forfeited"
            elif id_ == ABANDON.id:
                yield f"{before.seats[before.seat]} would abandon the round"
        case ((steps.GenieHop() | steps.Entering()), Pick()):
            turn.is_played = True
        case steps.BuyPrice(kind), Amount(price):
            yield f"{before.seats[before.seat]} offers {price} for a {prompts.KIND_NAMES[kind]}"
        case steps.AskPrice(kind), Amount(price):
            yield f"{before.seats[before.opponent]} asks {price} for a {prompts.KIND_NAMES[kind]}"


def _enter_move(turn: _Turn, position: LegendPosition, move: chess.Move) -> Iterator[str]:
    board = position.board()
    taken = position.captured(move)
    if (taken is None or taken[0] != chess.KING) and board.is_legal(move):
        turn.move = move
    else:
        yield f"{position.label(move)} against the rules of chess"


# --- writing rounds -------------------------------------------------------------------------------------------------


def _games(turns: Sequence[_Turn], began: str) -> list[chess.pgn.Game]:
    """Return the PGN games of a round.

    A new game begins after a turn that changed the position by other means than a legal chess move. If a king was
    captured, the last game has the result of the round; all other games have the result `*`.
    """
    parts = [_part(turns[0].start, began, 1)]
    node: chess.pgn.GameNode = parts[0]
    for turn in turns:
        if turn.is_played:
            if node.board().fen(en_passant="fen") != turn.start.position.fen():
                node = _part(turn.start, began, len(parts) + 1)
                parts.append(node)
            node = node.add_main_variation(turn.move or chess.Move.null())
        node.comment = "; ".join(filter(None, (node.comment, *turn.remarks)))
        if turn.takes_king and turn.is_ended:
            parts[-1].headers["Result"] = "1-0" if turn.start.colour == chess.WHITE else "0-1"
    return parts


def _part(start: State, began: str, number: int) -> chess.pgn.Game:
    game = chess.pgn.Game()
    white = start.white_seat
    headers = {
        "Event": "Legend ~ Ship, Captain, Crew",
        "Site": "Captain's Table",
        "Date": began[:DATE_LENGTH].replace("-", ".") if began else "????.??.??",
        "Round": str(start.round),
        "White": tag_value(start.seats[white]),
        "Black": tag_value(start.seats[1 - white]),
        "Result": "*",
        "Rules": "Legend",
        **({"Part": str(number)} if number > 1 else {}),
    }
    game.headers.update(headers)
    if start.position.fen() != LEGEND_START.fen():
        # set directly: `Game.setup` would drop an en passant square if check forbids the capture
        game.headers.update({"SetUp": "1", "FEN": start.position.fen()})
    return game
