"""Stories of a position for tests: what settles is written as on a tape, and the judge is asked which of them fit."""

from collections.abc import Iterable

from captains_table.games.contract import Pick, Rolled, parse_square
from captains_table.games.registry import game_by_key
from tests.prove.offers import ends_of
from tests.prove.stories import Change, History, Verdict, verdict

GAP_MS = 1000


def told(
    fen: str,
    lines: str,
    *,
    key: str = "legend",
    masked: Iterable[str] = (),
    die: int = 6,
    forgets: bool = False,
    said: tuple[int, str] | None = None,
) -> Verdict:
    """Return which stories explain what settles.

    Args:
        fen: the position.
        lines: lifts and set-downs such as `-e2 +e4`, each a second after the one before, or so many ms: `+e4:20`.
        key: the game.
        masked: the switches that say nothing.
        die: what Legend's die shows.
        said: which move somebody said was made, by how many lifts and set-downs there had been then.
        forgets: whether a story begins afresh where its pieces stand as before.
    """
    game = game_by_key(key)
    state = game.start(("Anne", "Bart"), {"fen": fen} if fen else {})
    if key == "legend":
        state = game.apply(game.apply(state, Pick("roll")), Rolled((1, 1, 1, 1, 1, die)))
    before = game.pieces(state)
    silent = frozenset(map(parse_square, masked))
    ends = ends_of(game, state)
    known = None if said is None else (said[0], next(end.pieces for end in ends if end.id == said[1]))
    history = History(_changes(lines), before.keys(), silent, known)
    return verdict(before, history, ends, forgets=forgets)


def _changes(lines: str) -> list[Change]:
    changes, now_ms = [], 0
    for word in lines.split():
        square, _, after_ms = word[1:].partition(":")
        now_ms += int(after_ms or GAP_MS)
        changes.append(Change(now_ms, parse_square(square), closed=word[0] == "+"))
    return changes


def costs(found: Verdict) -> dict[str, float]:
    """Return the stories that fit, each by its moves, and what it costs; `nothing` where none was played."""
    return {"-".join(path) or "nothing": found.costs[path] for path in found.fitting()}
