"""Records over matches: derived from the journal whenever they are wanted, so that they are never out of step."""

from collections.abc import Mapping, Sequence

from captains_table.games.common.records import FinishedMatch, solitaire_bests, tallies
from captains_table.games.registry import GAMES
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.games.swashbuckle import Swashbuckle
from captains_table.games.swashbuckle.ranks import Pirate, captain_among, pirates_of
from captains_table.storage.journal_file import JournalFile, MatchRecord
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import BadHistory, Match
from captains_table.web.port import Standings

NOT_THE_COURSE = frozenset(
    {"order", "captain", "stake", "finish_round", "captain_pillage", "pillage"}
)  # alone, no matter


class Records:
    """What the finished matches of a journal add up to."""

    def __init__(self, journal: JournalFile) -> None:
        self._journal = journal
        self._turns: dict[int, int | None] = {}  # a finished match never changes: each is replayed once

    def standings(self) -> Standings:
        """Return ranks, wins and solitaire bests; raises JournalUnreadable."""
        finished = [self._finished(record) for record in self._journal.finished() if record.started.game in GAMES]
        pirates = sorted(self._pirates().values(), key=lambda pirate: (-(pirate.best or 0), pirate.name))
        return Standings(pirates, tallies(finished), solitaire_bests(finished))

    def agreed(self, game: str, names: Sequence[str], options: Mapping[str, str]) -> dict[str, str]:
        """Return a new match's options with what past matches decide (docs/rules/swashbuckle.md W1)."""
        captain = captain_among(self._pirates(), names) if game == Swashbuckle.key else None
        return dict(options) if captain is None else {"captain": captain, **options}

    def _pirates(self) -> dict[str, Pirate]:
        return pirates_of(
            (record.started.seats, record.ended.scores)
            for record in self._journal.finished()
            if record.started.game == Swashbuckle.key and record.ended is not None
        )

    def _finished(self, record: MatchRecord) -> FinishedMatch:
        started, ended = record.started, record.ended
        game = GAMES[started.game]
        names = tuple(game.names(game.start(started.seats, started.options)))
        course = " ".join(
            f"{key}={value}" for key, value in sorted(started.options.items()) if key not in NOT_THE_COURSE
        )
        return FinishedMatch(
            started.game,
            names,
            winner=None if ended is None else ended.winner,
            scores=() if ended is None else ended.scores,
            course=course,
            turns=self._turns_of(record) if len(names) == 1 and _counts_turns(started) else None,
        )

    def _turns_of(self, record: MatchRecord) -> int | None:
        """Return how many turns a player alone needed for the target; none if the match does not replay."""
        if record.number not in self._turns:
            try:
                match = Match.resumed(self._journal.open(record.number).entries())
            except BadHistory:  # written by other rules than today's: its scores stand, its turns are not known
                self._turns[record.number] = None
            else:
                self._turns[record.number] = match.game.tallies(match.state)[0]["turns"]
        return self._turns[record.number]


def _counts_turns(started: MatchStarted) -> bool:
    """Return whether a player alone counts the turns to a target (docs/rules/ship-captain-crew.md S5)."""
    return started.game == ShipCaptainCrew.key and started.options.get("mode", "target") == "target"
