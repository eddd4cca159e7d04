"""Results as tables tell them: real matches of all games, played by computer players under honest dice and recorded.

`python -m tests.support.told_matches` plays and records them anew.
"""

import base64
import json
import random
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from captains_table.catalog import entry_of
from captains_table.games.common.computer_seat import SEPARATOR
from captains_table.games.contract import Auction, Decide, Over, Roll, Rolled
from captains_table.players.common.bidding import bid_at_random, next_in_auction
from captains_table.reporting.messages import FinalScore, FromTable, MatchReport, decode, encode
from captains_table.runtime.simulated_matches import GREEDY, RANDOM, strategy_of
from captains_table.table.history.dice_stream import FaceStream, commitment
from captains_table.table.history.export import export_json
from captains_table.table.model.entries import Entry, MatchEnded, MatchStarted, SaltText, SeatKind
from captains_table.table.model.match import Match

FOLDER: Final = Path(__file__).parent.parent / "club" / "season" / "told"
SECOND_MS: Final = 1000
ABOUT_TO_BE_DRAWN: Final = "4k4/2c6/9/9/9/9/2C6/4K4 w - - 93 70"

PLAYED: Final[Mapping[str, tuple[str, dict[str, str], dict[str, str]]]] = {
    "legend": ("legend", {"rounds": "1", "turn_limit": "30"}, {"Anne": GREEDY, "Bart": RANDOM}),
    "legend-against-aether": ("legend", {"rounds": "1", "turn_limit": "20"}, {"Cleo": RANDOM, "aether:3": GREEDY}),
    "captains-chess": ("captains-chess", {"fen": ABOUT_TO_BE_DRAWN}, {"Bart": RANDOM, "Anne": RANDOM}),
    "ship-captain-crew": (
        "ship-captain-crew",
        {"target": "20", "order": "seated"},
        {"Anne": GREEDY, "Bart": RANDOM, "Cleo": GREEDY},
    ),
    "ship-captain-crew-alone": ("ship-captain-crew", {"target": "20", "order": "seated"}, {"Anne": GREEDY}),
    "swashbuckle": ("swashbuckle", {"order": "seated"}, {"Anne": GREEDY, "Bart": RANDOM}),
    "swashbuckle-of-three": ("swashbuckle", {}, {"Bart": GREEDY, "Cleo": RANDOM, "Anne": RANDOM}),
    "crowns": ("crowns", {"turn_limit": "30"}, {"Anne": GREEDY, "Cleo": RANDOM}),
}
"""What was recorded: the game, its options, and by what whom is played."""


def play(game: str, options: Mapping[str, str], players: Mapping[str, str], number: int) -> dict[str, Any]:
    """Play a match under honest dice, into which everybody gave a word of his own, and return its export.

    Args:
        game: its key.
        options: what is agreed.
        players: who sits where, and the strategy that plays for him.
        number: says all chance of it; each is another match.
    """
    rng = random.Random(number)
    seed = rng.randbytes(32)
    kinds: list[SeatKind] = ["computer" if SEPARATOR in name else "human" for name in players]
    entry = entry_of(game)
    started = MatchStarted(game, tuple(players), options, commitment(seed), tuple(kinds), 0)
    filled_in = entry.game.filled_in(Match(started).state)  # as a table does, so that a match outlives what is brought
    match = Match(msgspec.structs.replace(started, options={**options, **filled_in}))
    stream, entries = FaceStream(seed), list[Entry]([match.started])
    for seat, name in enumerate(players):
        if kinds[seat] == "human":
            entries.append(SaltText(seat, f"the luck of {name}"))
            stream.add_words(f"the luck of {name}")
    strategies = [strategy_of(entry, strategy, rng) for strategy in players.values()]
    while not isinstance(turn := match.turn, Over):
        match turn:
            case Roll(dice=dice):
                action: Any = Rolled(stream.throw(len(dice)))
            case Decide(seat=seat):
                action = strategies[seat % len(strategies)](match.state, turn)
            case Auction():
                bidders = [bid_at_random(rng.randrange)] * len(players)
                action = next_in_auction(match.state, turn, bidders, rng.randrange)
        entries.append(match.act(action, SECOND_MS * len(entries)))
    entries.append(MatchEnded(turn.result.winner, tuple(turn.result.scores)))
    return export_json(entries, seed, f"2026-01-{1 + number % 28:02}T20:{number % 60:02}:00+01:00")


def told(export: Mapping[str, Any], rev: int = 1) -> MatchReport:
    """Return the result that a table tells of a match it exports."""
    kinds = tuple(export["entries"][0].get("kinds", ()))
    started = MatchStarted(export["game"], tuple(export["seats"]), export["options"], "", kinds)
    ending = export["result"]
    return MatchReport(
        match=export["commitment"],
        rev=rev,
        game=export["game"],
        options=export["options"],
        seats=Match(started).names,
        kinds=kinds,
        ending=None if ending is None else FinalScore(winner=ending["winner"], scores=tuple(ending["scores"])),
        began=export["began"],
        ended=export["began"],
        export=base64.b64encode(zlib.compress(json.dumps(export).encode(), 9)).decode(),
    )


@cache
def recorded(name: str) -> MatchReport:
    """Return a result that was recorded: one of `PLAYED`."""
    outcome = decode(FromTable.RESULT, (FOLDER / f"{name}.json").read_bytes())
    assert isinstance(outcome, MatchReport)
    return outcome


def export_of(outcome: MatchReport) -> bytes:
    """Return the export that comes with a result, as JSON."""
    return zlib.decompress(base64.b64decode(outcome.export))


def record_all() -> None:
    """Play all matches anew and write them down."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for number, (name, (game, options, players)) in enumerate(PLAYED.items(), 1):
        outcome = told(play(game, options, players, number))
        (FOLDER / f"{name}.json").write_bytes(encode(outcome) + b"\n")


if __name__ == "__main__":
    record_all()
