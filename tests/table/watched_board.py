"""Matches with the dice thrown, switches touched as a test says, and what the recogniser makes of them."""

from captains_table.games.contract import Keep, Pick, Rolled, Square, parse_square
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from captains_table.table.recognition.board_reports import SwitchChange
from captains_table.table.recognition.decision import BoardDecision
from captains_table.table.recognition.recognizer import BoardVerdict, Evidence, judge
from captains_table.table.recognition.stories import FITS_WITHIN
from captains_table.table.recognition.switches import SwitchStates

GAP_MS = 1000
NOTHING = "nothing"


def squares(names: str) -> frozenset[Square]:
    return frozenset(parse_square(name) for name in names.split())


def thrown(fen: str, die: int) -> Match:
    """Return a match in a position, with worthless cargo and this Legend die."""
    match = Match(MatchStarted("legend", ("Anne", "Bart"), {"fen": fen}))
    match.act(Pick("roll"), 0)
    match.act(Rolled((1, 1, 1, 1, 1, die)), 0)
    return match


def thrown_out(fen: str, die: int) -> Match:
    """Return a match in a position with no cargo throw left, so that a move passes the turn."""
    match = thrown(fen, die)
    for _ in range(2):
        match.act(Pick("throw-again"), 0)
        match.act(Keep((6,)), 0)
        match.act(Rolled((1, 1, 1, 1, 1)), 0)
    return match


class WatchedBoard:
    """One decision of a match, in which no move is ever accepted.

    Args:
        match: what is played.
        masked: the squares whose switch says nothing.
    """

    def __init__(self, match: Match, masked: str = "") -> None:
        self.now_ms = 0
        self._switches = SwitchStates(frozenset(match.pieces()))
        self._switches.masked = set(squares(masked))
        self.decision = BoardDecision(self._switches, Settings())
        self.decision.begin(match)

    def touch(self, words: str) -> "WatchedBoard":
        """Let switches open (`-e2`) and close (`+e4`), each a second after the one before, or so many ms: `+e4:20`."""
        for word in words.split():
            name, _, after_ms = word[1:].partition(":")
            square = parse_square(name)
            self.now_ms += int(after_ms or GAP_MS)
            closed = word[0] == "+"
            self._switches.change(square, closed=closed, at_ms=self.now_ms, flickers=0)
            if square not in self._switches.ignored():
                self.decision.touch(SwitchChange(self.now_ms, square, closed))
        return self

    def evidence(self) -> Evidence:
        return self.decision.evidence()

    def costs(self) -> dict[str, float]:
        """Return what each story costs; `nothing` where nothing was done since the last move."""
        evidence = self.evidence()
        found = {story.candidate.id: story.ending.cost for story in evidence.stories}
        return found if evidence.standing is None else {NOTHING: evidence.standing.cost} | found

    def fitting(self) -> dict[str, float]:
        """Return the stories that fit, and what they cost."""
        costs = self.costs()
        return {id_: cost for id_, cost in costs.items() if cost <= min(costs.values()) + FITS_WITHIN}

    def verdict(self, quiet_ms: int = 0) -> BoardVerdict:
        """Return what the table makes of it after so much rest."""
        return judge(self.evidence(), self.decision.possible(), Settings(), quiet_ms)
