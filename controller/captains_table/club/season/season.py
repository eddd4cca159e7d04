"""The matches of a season in the one order that does not depend on when they arrived, and what each counts as."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from captains_table import catalog
from captains_table.catalog import GameEntry
from captains_table.club.season.told import SeasonMatch, Word
from captains_table.games.common.records import FinishedMatch
from captains_table.records.finished import counts_turns, finished_match


def season_of(
    told: Iterable[SeasonMatch], evenings: Container[int] | None = None, *, only_proven: bool = False
) -> tuple[SeasonMatch, ...]:
    """Return the matches of a season in its order, each as its highest revision tells it.

    Args:
        told: results in any order, a match's revisions too.
        evenings: the numbers of the evenings that are chosen; `None` for all.
        only_proven: whether those are left out that rest on somebody's word alone.
    """
    latest: dict[str, SeasonMatch] = {}
    for match in told:
        known = latest.get(match.seal)
        if known is None or match.rev > known.rev:
            latest[match.seal] = match
    chosen = [
        match
        for match in latest.values()
        if (evenings is None or match.evening in evenings) and (match.word is Word.PROVEN or not only_proven)
    ]
    return tuple(sorted(chosen, key=lambda match: match.place))


def games_of(season: Iterable[SeasonMatch]) -> tuple[str, ...]:
    """Return the keys of the games whose matches count, those of the house in its order, then those not installed."""
    played = {match.game for match in season if match.counts}
    known = [entry.game.key for entry in catalog.entries() if entry.game.key in played]
    return (*known, *sorted(played - set(known)))


def counted(season: Sequence[SeasonMatch], game: str) -> list[SeasonMatch]:
    """Return a game's matches that count, in the season's order."""
    return [match for match in season if match.game == game and match.counts]


def finished(entry: GameEntry | None, match: SeasonMatch) -> FinishedMatch:
    """Return a match that counts as it is remembered; of a game that is not installed its course is unknown."""
    ending = match.ending
    if ending is None:
        raise ValueError(f"match {match.seal} was left")
    if entry is None:
        return FinishedMatch(match.game, match.names, ending.winner, ending.scores)
    turns = match.proven.turns if match.proven is not None and match.word is Word.PROVEN else None
    remembered = finished_match(
        entry, match.names, match.options, winner=ending.winner, scores=ending.scores, turns=turns
    )
    if turns is None and counts_turns(entry, match.names, match.options):  # compared with nobody who was counted
        return replace(remembered, course=f"{remembered.course} (turns not told)".lstrip())
    return remembered
