"""Derives a match's result, as the table publishes it to the club, from the entries of the match's journal.

The result has either the players' initials, or their names and, if the match was finished, the export of the match.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET

from captains_table.games.contract import BadOption
from captains_table.games.registry import UnknownGame
from captains_table.reporting.messages import LARGEST, FinalScore, MatchReport, encode
from captains_table.table.history.export import end_entry, export_json
from captains_table.table.model.entries import Entry, MatchStarted
from captains_table.table.model.match import BadHistory, Match
from captains_table.table.renamed_match import player_initials, renamed_start


class NoOutcome(ValueError):
    """A match's journal yields no result; the message says why, in words."""


def match_outcome(
    entries: Sequence[Entry], seed: bytes | None, began: str, ended: str, pairing: str, *, names: bool
) -> MatchReport:
    """Return a match's result as revision 1; a match without a written end counts as left unfinished.

    Args:
        entries: the entries of the match's journal.
        seed: the seed of the match's dice; `None` if they were dictated.
        began: when the match began, ISO 8601.
        ended: when the match ended, ISO 8601.
        pairing: the id of the match's pairing; empty without a pairing.
        names: whether to include the players' names; otherwise only their initials are included. With the names, the
            match's export is included if the match has a written end and the export is not too large.

    Raises:
        NoOutcome: the journal does not begin with the start of a match, or the match cannot be started from it.
    """
    started = entries[0] if entries else None
    if not isinstance(started, MatchStarted):
        raise NoOutcome("its journal does not begin with the start of a match")
    seen = started if names else renamed_start(started, player_initials(started))
    try:
        seats = Match.resumed([seen]).names
    except (BadHistory, BadOption, UnknownGame) as error:
        raise NoOutcome(str(error)) from error
    end = end_entry(entries)
    outcome = MatchReport(
        match=started.commitment,
        rev=1,
        pairing=pairing,
        game=started.game,
        options=seen.options,
        seats=seats,
        kinds=() if started.kinds is UNSET else tuple(started.kinds or ()),
        ending=None if end is None else FinalScore(winner=end.winner, scores=end.scores),
        began=began,
        ended=ended,
        export=_packed(export_json(entries, seed, began)) if names and end is not None else "",
    )
    return outcome if len(encode(outcome)) <= LARGEST else msgspec.structs.replace(outcome, export="")


def _packed(export: Mapping[str, object]) -> str:
    """Return an exported match as JSON, compressed by zlib and encoded in base64."""
    text = json.dumps(export, ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")
