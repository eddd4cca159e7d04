"""Exports a match of a game like chess as PGN, with the moves in standard algebraic notation."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any, Final, NamedTuple

from captains_table.games.common.chesslike.match import AnyState, ending, result_of
from captains_table.games.common.time_control import pgn_time_tags
from captains_table.games.contract import Action, Game, Pick

COLUMNS: Final = 80
DATE_LENGTH: Final = len("2026-01-31")


class PgnStart(NamedTuple):
    """How a match began: the variant's name in PGN and the position's FEN, both empty for what is usual."""

    variant: str = ""
    fen: str = ""


class _Ply(NamedTuple):
    """A move that stands in the movetext: the position before it, and its id."""

    position: Any
    id: str


def write_pgn(
    game: Game[Any],
    names: Sequence[str],
    options: Mapping[str, str],
    actions: Iterable[Action],
    began: str = "",
    remarks: Mapping[int, Sequence[str]] | None = None,
    *,
    start_of: Callable[[AnyState], PgnStart],
) -> str:
    """Return a match as PGN; moves that were taken back by consent are left out.

    Args:
        game: the rules.
        names: the players in seat order.
        options: the match's options.
        actions: the actions, without those that were taken back.
        began: the time of the start, ISO 8601, for the tag Date; may be empty.
        remarks: comments, keyed by the index (from 0) of the action that they precede.
        start_of: returns the variant and the position with which a match began, given the state before its first move.

    Raises:
        BadOption: a match cannot start with these names or options.
        IllegalAction: the actions do not replay.
    """
    state = first = game.start(names, options)
    played, comments = list(actions), remarks or {}
    line: list[_Ply | str] = []
    for place, action in enumerate(played):
        line += _comment(comments.get(place, ()))
        after = game.apply(state, action)
        if after.takebacks != state.takebacks:
            _cut(line)
            line += _comment([event.words for event in game.game_events(state, after)])
        elif after.position is not state.position and isinstance(action, Pick):
            line.append(_Ply(state.position, action.id))
        if after.before is None:
            first = after  # dice before the first move may have decided colours and array
        state = after
    line += _comment(comments.get(len(played), ()))
    tags = _tags(game, first, state, began, start_of(first))
    text = wrap(" ".join([*_movetext(line), result_of(state)]), COLUMNS, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*(f'[{name} "{tag_value(value)}"]' for name, value in tags.items()), "", *text, "", ""])


def _cut(line: list[_Ply | str]) -> None:
    """Remove the last move of each player, with the comments after it."""
    plies = [place for place, each in enumerate(line) if isinstance(each, _Ply)]
    del line[plies[-2] :]


def _movetext(line: Iterable[_Ply | str]) -> list[str]:
    """Return the moves with their numbers, and the comments; a move by Black after a comment has its number too."""
    words: list[str] = []
    for each in line:
        if isinstance(each, str):
            words.append(each)
            continue
        position, id_ = each
        is_first = not words or words[-1].endswith("}")
        number = f"{position.number}. " if position.white else f"{position.number}... " if is_first else ""
        words.append(f"{number}{position.san(position.moves[id_])}")
    return words


def _comment(words: Sequence[str]) -> list[str]:
    return [f"{{{'; '.join(words).replace('}', ')')}}}"] if words else []


def _tags(game: Game[Any], first: AnyState, last: AnyState, began: str, start: PgnStart) -> dict[str, str]:
    end = ending(last)
    return {
        "Event": game.title,
        "Site": "Captain's Table",
        "Date": began[:DATE_LENGTH].replace("-", ".") if began else "????.??.??",
        "Round": "?",
        "White": first.seats[first.white_seat],
        "Black": first.seats[1 - first.white_seat],
        "Result": result_of(last),
        **({"Variant": start.variant} if start.variant else {}),
        **pgn_time_tags(first.options.clock, first.white_seat),
        **({"SetUp": "1", "FEN": start.fen} if start.fen else {}),
        **({} if end is None else {"Termination": end.words}),
    }


def tag_value(value: str) -> str:
    """Return a text as a tag's value: without the characters that PGN would have to escape."""
    return " ".join(value.replace("\\", "/").replace('"', "'").split())
