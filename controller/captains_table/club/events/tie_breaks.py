"""Computes tie-breaks by FIDE's regulations (Handbook C.07), edition of 2024 or of 2026.

Buchholz values are in half points, and Sonneborn-Berger values in quarter points (half points times half points); the
other values are whole numbers. Except in a round robin, a round that the player did not play counts as a round against
a dummy opponent, which has the player's own points; the edition of 2026 caps the dummy's points. Some rules are not
applied to groups and to old events (see `Comparison.is_corrected`).

The module also has the name and the code of each tie-break.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from typing import Final, NamedTuple

from captains_table.club.events.entries import DRAW, WIN, Edition, TieBreak
from captains_table.club.events.player_rounds import How, PlayerRound, PlayerRounds, total_halves
from captains_table.phrases import say


@dataclass(frozen=True, slots=True)
class Form:
    """The name of a tie-break, and its parameters.

    Attributes:
        code: its code in FIDE's list for reports (MTB26); `SCORE` is not in that list.
        words: its name.
        scale: the number by which a computed value is divided to get points.
        cuts: how many of the lowest and how many of the highest contributions a Buchholz tie-break leaves out.
    """

    code: str
    words: str
    scale: int = 2
    cuts: tuple[int, int] = (0, 0)


TIE_BREAK_FORMS: Final[Mapping[TieBreak, Form]] = {
    TieBreak.BUCHHOLZ: Form("BH", "Buchholz"),
    TieBreak.BUCHHOLZ_CUT_1: Form("BH/C1", say("Buchholz cut 1"), cuts=(1, 0)),
    TieBreak.BUCHHOLZ_CUT_2: Form("BH/C2", say("Buchholz cut 2"), cuts=(2, 0)),
    TieBreak.BUCHHOLZ_MEDIAN_1: Form("BH/M1", say("Buchholz median 1"), cuts=(1, 1)),
    TieBreak.BUCHHOLZ_MEDIAN_2: Form("BH/M2", say("Buchholz median 2"), cuts=(2, 2)),
    TieBreak.SONNEBORN_BERGER: Form("SB", "Sonneborn-Berger", scale=4),
    TieBreak.DIRECT_ENCOUNTER: Form("DE", say("Direct encounter, the place among those who are level"), scale=1),
    TieBreak.WINS: Form("WIN", say("Wins"), scale=1),
    TieBreak.SCORE: Form(say("Score"), say("Score"), scale=1),
}
REQUESTED: Final = frozenset({How.AWAY, How.SAT_OUT})
"""Requested byes: half-point and zero-point byes, and every round before entry or after a withdrawal (16.1.1)."""


class Faced(NamedTuple):
    """A player's round as tie-breaks use it.

    Attributes:
        score: the opponent's half points in the event; if the round was not played, those of a dummy opponent.
        halves: the half points that the player got in the round.
        is_vur: whether it is a VUR, a voluntarily unplayed round (16.1.2).
    """

    score: int
    halves: int
    is_vur: bool


@dataclass(frozen=True)
class Comparison:
    """The rounds of an event's players, and the rules for comparing the players by tie-breaks.

    Attributes:
        history: every player's rounds.
        rounds: the number of the event's rounds.
        edition: the edition of FIDE's regulations.
        is_round_robin: whether everybody meets everybody; a forfeited match then counts like any other (15.2).
        is_corrected: whether FIDE's regulations are followed for forfeits, round robins, direct encounters, cuts and
            dummies. False in groups, because groups have their own rules, and in events that ended before this program
            followed these regulations.
    """

    history: PlayerRounds
    rounds: int
    edition: Edition
    draw: int = DRAW
    is_round_robin: bool = False
    is_corrected: bool = True

    def value(self, tie_break: TieBreak, player: int) -> int:
        """Return a player's value of a tie-break.

        The direct encounter has no such value, as it depends on who is level; see `direct_encounter`.
        """
        match tie_break:
            case TieBreak.SONNEBORN_BERGER:
                return sum(faced.score * faced.halves for faced in self._faced(player))
            case TieBreak.WINS:
                turnouts = self.history[player]
                return sum(turnout.best or (turnout.how is How.BYE and turnout.halves == WIN) for turnout in turnouts)
            case TieBreak.SCORE:
                return sum(turnout.score for turnout in self.history[player])
        return self._buchholz(player, *TIE_BREAK_FORMS[tie_break].cuts)

    def direct_encounter(self, level: frozenset[int]) -> Mapping[int, int]:
        """Return the places of tied players, from 1, by direct encounter: the matches among them (Article 6)."""
        places: dict[int, int] = {}
        for tier in self._tiers(level):
            places |= dict.fromkeys(tier, len(places) + 1)
        return places

    def _buchholz(self, player: int, least: int, greatest: int) -> int:
        """Return the sum of the opponents' points without the cut contributions.

        Among the lowest contributions, those of voluntarily unplayed rounds (VURs) are cut first (16.5).

        Early in an event, there may be no more contributions than the number to cut. The regulations do not cover
        this case. With `is_corrected`, fewer contributions are then cut. If only the lowest are to be cut, one
        contribution is kept. If the highest are to be cut too, all contributions are kept.

        Args:
            player: the player.
            least: how many of the lowest contributions are cut.
            greatest: how many of the highest contributions are cut.
        """
        left = sorted(self._faced(player), key=lambda faced: (not faced.is_vur, faced.score))
        if self.is_corrected and least + greatest >= len(left):
            least, greatest = (0, 0) if greatest else (max(len(left) - 1, 0), 0)
        scores = sorted(faced.score for faced in left[least:])
        return sum(scores[: max(len(scores) - greatest, 0)])

    def _faced(self, player: int) -> Iterator[Faced]:
        own = total_halves(self.history[player])
        for turnout in self.history[player]:
            if turnout.how is How.PLAYED or (turnout.how is How.FORFEIT and self._plays_all):
                yield Faced(self._scores_of(turnout.opponents), turnout.halves, is_vur=False)
            elif turnout.how is not How.PENDING and not (self._plays_all and not turnout.halves):
                yield Faced(self._dummy(turnout, own), turnout.halves, self._is_vur(turnout))

    def _dummy(self, turnout: PlayerRound, own: int) -> int:
        """Return the half points of the dummy opponent for an unplayed round (16.4).

        The dummy has as many half points as the player (`own`). FIDE's edition of 2026 sets a maximum if `is_corrected`
        is true. After a forfeit, the maximum is the half points of the paired opponent. After any other unplayed round,
        the maximum is one half point for each round of the event.
        """
        if self.edition is Edition.FIDE_2024 or not self.is_corrected:
            return own
        if turnout.how is How.FORFEIT:
            return min(own, self._scores_of(turnout.opponents))
        return min(own, self.draw * self.rounds)

    @property
    def _plays_all(self) -> bool:
        return self.is_round_robin and self.is_corrected

    def _scores_of(self, opponents: Iterable[int]) -> int:
        return sum(self._adjusted[other] for other in opponents)

    @cached_property
    def _adjusted(self) -> Mapping[int, int]:
        """Each player's half points as they count for opponents.

        A requested bye that is followed only by voluntarily unplayed rounds (VURs) counts as a draw (16.3), except in a
        round robin.
        """
        found = {player: total_halves(turnouts) for player, turnouts in self.history.items()}
        for player, turnouts in self.history.items() if not self._plays_all else ():
            last = takewhile(self._is_vur, reversed(turnouts))
            found[player] += sum(self.draw - turnout.halves for turnout in last if turnout.how in REQUESTED)
        return found

    def _is_vur(self, turnout: PlayerRound) -> bool:
        lost = self.is_corrected and turnout.how is How.FORFEIT and not turnout.halves
        return lost or turnout.how in REQUESTED

    def _tiers(self, level: frozenset[int]) -> Iterator[frozenset[int]]:
        """Divide level players by their matches against each other, and yield the groups, the best one first.

        The players within a group remain level. If some matches between the players are missing, the players stay in
        one group. With `is_corrected`, a player is still placed first if no result of the missing matches could change
        this place (6.3).
        """
        met = {player: self._met(player, level) for player in level}
        scores = {player: sum(met[player].values(), Fraction()) for player in level}
        missing = {player: len(level) - 1 - len(met[player]) for player in level}
        tiers = [level]
        if not any(missing.values()):
            tiers = [frozenset(p for p in level if scores[p] == score) for score in sorted({*scores.values()})[::-1]]
        elif self.is_corrected:  # players who are first regardless of the missing matches (6.3)
            sure = {p for p in level if all(scores[p] > scores[o] + WIN * missing[o] for o in level - {p})}
            tiers = [tier for tier in (frozenset(sure), level - sure) if tier]
        for tier in tiers:
            is_settled = len(tier) in {1, len(level)} or not self.is_corrected
            yield from (tier,) if is_settled else self._tiers(tier)

    def _met(self, player: int, level: frozenset[int]) -> Mapping[int, Fraction]:
        """Return a player's mean half points against each opponent in `level`, keyed by the opponent.

        Opponents that the player has not met are left out. Forfeits count only in a round robin. If `is_corrected` is
        False, the result has sums instead of means, and all forfeits count.
        """
        counted = {How.PLAYED, How.FORFEIT} if self.is_round_robin or not self.is_corrected else {How.PLAYED}
        halves: dict[int, list[int]] = {}
        for turnout in self.history[player]:
            if turnout.how in counted and len(turnout.opponents) == 1 and turnout.opponents[0] in level:
                halves.setdefault(turnout.opponents[0], []).append(turnout.halves)
        return {other: Fraction(sum(each), len(each) if self.is_corrected else 1) for other, each in halves.items()}
