"""The content of a review page: a match's ranked result, its judged decisions, one of its moments, and its charts.

If the game evaluates its states, the content includes luck, skill and turning points.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from captains_table import catalog
from captains_table.games.common.pieces import kind_name
from captains_table.games.contract import Result
from captains_table.phrases import Phrase, listed, message, noun, say
from captains_table.records.luck import PAIR, better_choice, luck_in_words
from captains_table.runtime.reviews import Review
from captains_table.table.history.review import (
    MOST_PAWNS,
    CostTotal,
    Grade,
    JudgedDecision,
    MatchReview,
    ReviewMoment,
    TurnEnd,
    accuracy,
    cost_total,
    costliest,
    error_grade,
)
from captains_table.table.model import verdict
from captains_table.table.model.view import View, view_in
from captains_table.web.cards import with_unit
from captains_table.web.page_language import page_language
from captains_table.web.result_picture import result_svg
from captains_table.web.scene import Scene
from captains_table.web.svg.board_svg import BoardStyle, board_svg
from captains_table.web.svg.chart_svg import ChartLine, shape_svg, signed, step_chart

DIGEST_SHOWN = 16  # digits
NOTHING = 0.005
"""A difference below this many points is a rounding error and is not shown."""

WORTH_A_CHART = 2  # turns
DEAR = 0.1  # points: from this cost on, a decision is marked in the list of moments
COSTLIEST = 5  # of each player, shown in detail
EVEN = 50.0
GRADES: Final = {Grade.INACCURACY: noun("inaccuracy"), Grade.MISTAKE: noun("mistake"), Grade.BLUNDER: noun("blunder")}
MONTHS: Final = (
    *(say("January"), say("February"), say("March"), say("April"), say("May"), say("June")),
    *(say("July"), say("August"), say("September"), say("October"), say("November"), say("December")),
)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A player's row in the result.

    Attributes:
        place: the player's place from 1; players with equal results share a place.
        seat: the player's seat.
        name: the player's name.
        score: the player's score as displays show it.
        tallies: the player's other tallies at the end, in words.
        shape: the symbol of the player's line in the charts, as SVG.
    """

    place: int
    seat: int
    name: str
    score: str
    tallies: str
    shape: str


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A line of moves that could have replaced the move of a moment; one of its positions is shown.

    Attributes:
        ids: the ids of the moves.
        labels: their labels.
        view: the view after the shown move.
        ply: the number of the shown move, from 1.
    """

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    view: View
    ply: int

    def query(self, ply: int) -> str:
        """Return the part of an address that shows a move of the line."""
        return f"&line={'.'.join(self.ids)}&ply={ply}"


@dataclass
class ReviewScene:
    """A replayed match at one of its moments.

    Attributes:
        review: the review of a match that could be replayed.
        story: the match moment by moment.
        at: the number of the moment that is shown, 0 for the beginning.
        decisions: the decisions that the analysis judged, each with its cost; `None` if no analysis was requested.
        other: the other line that is shown in place of the moment; `None` if none is.
        flipped: whether the board is seen from Black's side.
    """

    review: Review
    story: MatchReview
    at: int
    decisions: Sequence[JudgedDecision] | None = None
    other: OtherLine | None = None
    flipped: bool = False

    @property
    def last(self) -> int:
        """The number of the match's last moment; moment 0 is the beginning."""
        return len(self.story.moments)

    @property
    def names(self) -> Sequence[str]:
        """The players' names in seat order."""
        return self.story.names

    @property
    def full_names(self) -> Sequence[str]:
        """The players' names in seat order, those of computers with their levels."""
        return [seat.full_name for seat in self.end.seats]

    @property
    def again(self) -> dict[str, str]:
        """The fields that fill in the form for another match with the same players and options."""
        names = {f"name{number}": name for number, name in enumerate(self.story.seats, start=1)}
        agreed = {option.name for option in self.story.game.options if not option.of_players}
        options = {name: value for name, value in self.story.options.items() if name in agreed}
        return {"game": self.review.game, **names, **options}

    # --- the result -------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.story.result is not None

    @cached_property
    def verdict(self) -> str:
        """The outcome of the match in a few words, such as who wins, or that it is not over yet."""
        result = self.story.result
        if result is None:
            return say("Not over yet")
        return verdict.headline(result, self.names)

    @cached_property
    def how(self) -> Sequence[str]:
        """The reasons why the match ended so; empty while the match is in progress."""
        result = self.story.result
        return [] if result is None else verdict.reasons(result, self.story.view(self.last).latest_events)

    @cached_property
    def ranked(self) -> list[ResultRow]:
        """All players in the order of the result: the winner first, then the others by score.

        While the match is in progress, all players are ordered by their present scores.
        """
        ranked: list[ResultRow] = []
        result = self.story.result or Result(None, self.story.scores)
        for place, seat, _, shown in verdict.ranking(result):
            score = with_unit(shown, self.end, result.scores)
            tallies = [
                say("{tally} {number}", noun(name), number)
                for name, number in self.end.seats[seat].tallies.items()
                if name != "total"
            ]
            ranked.append(ResultRow(place, seat, self.full_names[seat], score, listed(tallies, ","), shape_svg(seat)))
        return ranked

    @cached_property
    def end(self) -> View:
        """The view after the last moment."""
        return view_in(self.story.end(), page_language())

    def picture(self, result: Result) -> str:
        """Return the result of the finished match as an SVG file."""
        view = replace(self.end, latest_events=self.story.view(self.last).latest_events)
        return result_svg(view, result, day_in_words(self.review.began), self.review.digest[:DIGEST_SHOWN])

    # --- decisions --------------------------------------------------------------------------------------------------

    @property
    def may_be_judged(self) -> bool:
        """Whether the page offers an analysis of the decisions: the end is written, and none has been requested yet."""
        return self.review.is_ended and self.decisions is None

    @property
    def waits_for_end(self) -> bool:
        """Whether the match is over, but its end is not written yet, so that its last move may still be changed."""
        return self.is_over and not self.review.is_ended

    @property
    def piece_words(self) -> str:
        """The values that the chart of the material counts, in words, such as "pawn 1, knight 3"."""
        values = catalog.entry_of(self.review.game).piece_values
        return listed([say("{piece} {value}", kind_name(letter), value) for letter, value in values.items()], ",")

    @cached_property
    def costs(self) -> dict[int, JudgedDecision]:
        """The decisions that are marked, keyed by the number of the moment of the decision."""
        return {each.moment: each for each in self.decisions or () if each.moment and self.price(each)}

    def price(self, decision: JudgedDecision) -> str:
        """Return what a decision cost in words, such as "blunder, -2.3"; empty if it is not worth a word.

        Where the chance to win is known, the loss of chance is told: "blunder, -31%".
        """
        grade = error_grade(decision)
        if decision.worth is None:
            return signed(-decision.cost) if decision.cost >= DEAR else ""
        if grade is None:
            return ""
        lost = decision.lost_chance
        if lost is None:
            return say("{grade}, {points}", GRADES[grade], signed(-decision.cost))
        return say("{grade}, \N{MINUS SIGN}{percent}%", GRADES[grade], round(lost))

    @property
    def unit(self) -> str:
        """What the decisions' costs are counted in: `points` or `pawns`."""
        return catalog.entry_of(self.review.game).cost_unit

    def accuracy(self, seat: int) -> str:
        """Return how well a seat kept its chances, such as "87%"; empty if chances are not known."""
        found = accuracy(self.decisions or (), seat)
        return "" if found is None else say("{percent}%", round(found))

    def line_query(self, decision: JudgedDecision) -> str:
        """Return the part of an address that shows a decision's best line; empty if the line is not known."""
        return f"&line={'.'.join(decision.line)}&ply=1" if decision.line and decision.moment else ""

    @cached_property
    def judged(self) -> list[tuple[ResultRow, CostTotal, Sequence[JudgedDecision]]]:
        """Each player's row, total cost, and costliest decisions, in the order of the result."""
        decisions = self.decisions or ()
        return [(each, cost_total(decisions, each.seat), self._costliest(each.seat)) for each in self.ranked]

    def _costliest(self, seat: int) -> list[JudgedDecision]:
        """Return a seat's costliest decisions, costliest first: at most COSTLIEST, each worth a word."""
        found = costliest(self.decisions or (), seat, COSTLIEST)
        return sorted((each for each in found if self.price(each)), key=lambda each: -each.cost)

    # --- a moment ---------------------------------------------------------------------------------------------------

    @cached_property
    def view(self) -> View:
        """The view at this moment, or after a move of another line."""
        return view_in(self.story.view(self.at) if self.other is None else self.other.view, page_language())

    @property
    def moment(self) -> ReviewMoment | None:
        """The moment that is shown; `None` at the beginning."""
        return self.story.moments[self.at - 1] if self.at else None

    @cached_property
    def scene(self) -> Scene:
        """The moment as a scene, which the templates of live pages can draw."""
        return Scene(self.view, flipped=self.flipped)

    def board(self) -> str:
        """Return the board as SVG; empty if the game has no board."""
        view = self.view
        look = BoardStyle(flipped=self.flipped, things=view.things)
        return "" if view.shape is None else board_svg(view.shape, view.pieces, view.marks, look)

    def who(self) -> str:
        """Return the name of the player who acted; empty if no player did."""
        moment = self.moment
        return "" if moment is None or moment.seat is None else self.names[moment.seat]

    def luck(self) -> str:
        """Return the luck of the throws and the skill of the decisions since the previous moment, in words.

        Values that differ from 0 by less than NOTHING are left out. The text is empty at the beginning, and if the game
        has no evaluation of its states.
        """
        by_luck, by_skill = self._luck_and_skill[self.at - 1] if self.at and self._luck_and_skill else (0.0, 0.0)
        parts = [say("luck {points}", signed(by_luck))] if abs(by_luck) >= NOTHING else []
        if abs(by_skill) >= NOTHING:
            parts.append(self._decided(signed(by_skill)))
        return listed(parts, ",")

    def _decided(self, points: str) -> Phrase:
        """Return what decisions cost since the previous moment: the costliest, and what the adviser had advised."""
        luck, begin = self.review.luck, self.story.moments[self.at - 2].place + 1 if self.at > 1 else 0
        places = range(begin, self.story.moments[self.at - 1].place + 1)
        worst = self.story.steps[min(places, key=lambda place: luck.deeds[place].skill or 0 if luck else 0)]
        better = better_choice(catalog.entry_of(self.review.game), worst)
        if worst.option is None:
            words = message("decision {points}, better: {better}") if better else message("decision {points}")
            return say(words, points=points, better=better)
        words = (
            message("decision {points} ({choice}), better: {better}")
            if better
            else message("decision {points} ({choice})")
        )
        return say(words, points=points, choice=worst.option.label, better=better)

    @cached_property
    def _luck_and_skill(self) -> list[tuple[float, float]]:
        """For each moment, the luck of the throws and the skill of the decisions since the previous moment, in points.

        Empty if the game has no evaluation of its states.
        """
        luck = self.review.luck
        if luck is None:
            return []
        begins = [0, *(moment.place + 1 for moment in self.story.moments)]
        since = [
            luck.deeds[begin : moment.place + 1] for begin, moment in zip(begins, self.story.moments, strict=False)
        ]
        return [(sum(each.luck or 0 for each in deeds), sum(each.skill or 0 for each in deeds)) for deeds in since]

    @cached_property
    def turning_points(self) -> list[dict[str, Any]]:
        """The luckiest throw, the unluckiest throw and the costliest decision, each with its moment and value.

        Values nearer to 0 than NOTHING are left out. The list is empty if the game has no evaluation of its states.
        """
        luck = self.review.luck
        if luck is None or not self._luck_and_skill:
            return []
        by_luck = [lucky for lucky, _ in self._luck_and_skill]
        by_skill = [skill for _, skill in self._luck_and_skill]
        found = (
            (say("Luckiest throw"), by_luck, max(by_luck)),
            (say("Unluckiest throw"), by_luck, min(by_luck)),
            (say("Costliest decision"), by_skill, min(by_skill)),
        )
        return [
            {"title": title, "moment": self.story.moments[values.index(value)], "value": signed(value)}
            for title, values, value in found
            if abs(value) >= NOTHING and (values is by_luck or luck.judges_choices)
        ]

    def groups(self) -> list[tuple[str, list[ReviewMoment]]]:
        """Return the moments grouped under their headings."""
        grouped = groupby(self.story.moments, key=lambda moment: moment.heading)
        return [(heading, list(moments)) for heading, moments in grouped]

    # --- charts -----------------------------------------------------------------------------------------------------

    @cached_property
    def totals(self) -> str:
        """The chart of the scores by turn.

        Empty after fewer than WORTH_A_CHART turns, and if the review charts the material (the pieces' values) instead.
        """
        turns = self.story.turns
        if len(turns) < WORTH_A_CHART or self.review.material:
            return ""
        values = [[0, *(turn.scores[seat] for turn in turns)] for seat in range(len(self.names))]
        return self._by_turn(message("Totals turn by turn, at the end {ends}"), values, str)

    @cached_property
    def luck_chart(self) -> str:
        """The chart of the players' accumulated luck by turn; between two players, of who had the better dice.

        Empty if the game has no luck measure, or if fewer than WORTH_A_CHART turns were played.
        """
        if self.review.luck is None or len(self.story.turns) < WORTH_A_CHART:
            return ""
        values = self._luck_by_turn(self.story.turns)
        if len(values) == PAIR:
            return self._lead_chart(
                say("Better dice"), [one - other for one, other in zip(*values, strict=True)], say("turns")
            )
        return self._by_turn(message("Luck turn by turn, at the end {ends}"), values, signed, is_signed=True)

    @property
    def luck_words(self) -> str:
        """Who had the better dice and who chose better, in words; empty while the match is in progress."""
        luck, result = self.review.luck, self.story.result
        return "" if luck is None or result is None else luck_in_words(luck, result, self.names)

    def _lead_chart(self, what: str, values: Sequence[float], along: str) -> str:
        """Return a chart of by how much the first of two players is ahead in something."""
        ahead = round(values[-1])
        who = self.names[0] if ahead >= 0 else self.names[1]
        line = ChartLine(0, who if ahead else say("level"), values, f"+{abs(ahead)}" if ahead else "")
        words = (
            message("{what}, that of {first} above the line: at the end {name} {points} ahead")
            if ahead
            else message("{what}, that of {first} above the line: at the end level")
        )
        label = say(words, what=what, first=self.names[0], name=who, points=abs(ahead))
        return step_chart([line], label=label, along=along, signed=True)

    def _by_turn(
        self, words: str, values: Sequence[Sequence[float]], written: Callable[[float], str], *, is_signed: bool = False
    ) -> str:
        ends = [written(own[-1]) for own in values]
        lines = [ChartLine(seat, name, values[seat], ends[seat]) for seat, name in enumerate(self.names)]
        named = [say("{name} {points}", line.name, line.last) for line in lines]
        label = say(words, ends=listed(named, ","))
        return step_chart(lines, label=label, along=say("turns"), signed=is_signed)

    def _luck_by_turn(self, turns: Sequence[TurnEnd]) -> list[list[float]]:
        deeds = self.review.luck.deeds if self.review.luck else ()
        values = [[0.0] for _ in self.names]
        begin = 0
        for turn in turns:
            gained = [0.0 for _ in self.names]
            for step, worth in zip(self.story.steps[begin : turn.place + 1], deeds[begin:], strict=False):
                if worth.luck is not None and step.acted.seat is not None:
                    gained[step.acted.seat] += worth.luck
            for seat, gain in enumerate(gained):
                values[seat].append(values[seat][-1] + gain)
            begin = turn.place + 1
        return values

    @cached_property
    def material(self) -> str:
        """The chart of White's material lead over Black.

        Empty in games without material, and after fewer than WORTH_A_CHART turns.
        """
        material = self.review.material
        if len(material) <= WORTH_A_CHART:
            return ""
        side = -1 if self._white_seat else 1
        return self._lead_chart(say("Material"), [side * value for value in material], say("moves of either side"))

    @property
    def _white_seat(self) -> int:
        steps = self.story.steps
        return self.story.game.white_seat(steps[-1].after if steps else self.story.first)

    @property
    def evaluation_unit(self) -> str:
        """What the chart of evaluations counts, in words."""
        knows_chances = any(each.chance is not None for each in self.decisions or ())
        return say("per cent of the chance to win beyond a half") if knows_chances else say("in pawns")

    @cached_property
    def evaluation(self) -> str:
        """The chart of what the positions were worth before each judged move, from the first player's side.

        It shows pawns, at most MOST_PAWNS, or per cent of the chance to win above a half where chances are known. Empty
        without judged moves of two players.
        """
        judged = [each for each in self.decisions or () if each.worth is not None]
        if len(judged) <= WORTH_A_CHART or len(self.names) != PAIR:
            return ""
        what = say("Evaluation, {unit}", self.evaluation_unit)
        values = [_worth(each) if each.seat == 0 else -_worth(each) for each in judged]
        return self._lead_chart(what, values, say("moves of either side"))

    @cached_property
    def reckoning(self) -> list[dict[str, Any]]:
        """Each player's points, divided by origin such as luck and skill, in the order of the result.

        Empty if the game has no evaluation of states.
        """
        luck = self.review.luck
        if luck is None:
            return []
        return [{"name": each.name, "shape": each.shape, "points": luck.seats[each.seat]} for each in self.ranked]

    @property
    def has_others(self) -> bool:
        """Whether actions of players changed the expected points of other players."""
        return any(abs(row["points"].others) >= NOTHING for row in self.reckoning)

    @property
    def has_more_to_come(self) -> bool:
        """Whether an unfinished turn is still expected to change the points of a player."""
        return any(abs(row["points"].to_come) >= NOTHING for row in self.reckoning)


def _worth(decision: JudgedDecision) -> float:
    """Return what a position was worth for the seat to move: per cent of the chance above a half, or pawns."""
    if decision.chance is not None:
        return decision.chance - EVEN
    return max(-MOST_PAWNS, min(MOST_PAWNS, decision.worth or 0.0))


def day_in_words(began: str) -> str:
    """Return the day of an ISO 8601 time, such as "26 November 2026"; empty if the clock was not set."""
    try:
        day = date.fromisoformat(began[:10])
    except ValueError:
        return ""
    return say("{day} {month} {year}", day.day, MONTHS[day.month - 1], day.year)
