"""A second program for Keizer events: values, scores and standings, and what is wrong with a proposed pairing.

It was written from the description of the system alone and shares nothing with the program that it judges. There is
no official text (Keizer is no rule of FIDE); clubs differ, and each difference that the description names is a field
of `KeizerRules`. All arithmetic is exact: values and scores are fractions.

How to call it
    players = ["Anne", "Bart", ...]               all of the event, highest rating first
    rounds = [PlayedRound(games=(Game("Bart", "Anne", "1-0"),), byes=("Carla",), absences={"Dirk": "excused"}), ...]
    values(ranking, rules)                        -> {player: value}
    scores(ranking, rounds, rules)                -> {player: score} by the values of that ranking
    standings(players, rounds, rules)             -> [(player, score), ...], the first in front
    settled_standings(players, rounds, rules)     -> [standings], or all of the cycle if they never settle
    standing_faults(shown, players, rounds, rules) -> sentences about standings that somebody else worked out
    pairing_faults(standing, present, history, rules, Proposal(games=(("white", "black"), ...), bye=None)) -> sentences
    order_faults(...the same...)                  -> sentences, by the strictest reading of "1-2, 3-4, ..."
A result is one of "1-0", "0-1", "1/2-1/2", "0-0" (played), "1-0F", "0-1F", "0-0F" (forfeited) and "*" (still running:
worth nothing yet). An absence is "excused", "unexcused" or "club" (away for the club's team).

What the description says, in other words
    Values fall by one for each place from the top; the first is worth about three times the last, which the classic
    system has with a top of one and a half times the number of players: 60 to 21 for 40.
    A player's score is the own value once (if the club wants it), and for each round: the opponent's value for a win,
    half of it for a draw, nothing (or a small share) for a loss. A win by forfeit is a win.
    Without a game, a round is worth a share of the own value: excused 1/3, without a word 0, the bye 2/3, away for
    the club 2/3. Only so many excused absences are paid.
    After each round rank anew, give values anew, and count ALL rounds anew by them, until nothing changes; or once a
    round, by the values of the round before.
    Pair those present by rank, 1-2, 3-4 and so on, without a rematch within k rounds. Of an odd number the lowest
    gets the bye, nobody twice before all (if the club wants it). White has who had fewer Whites; else the colours of
    their last game are reversed; else the lower ranked has White. The first round goes by rating.

Where the description leaves a choice, and what was chosen
     1. A ratio of first to last that is not 3: top = ratio * players / (ratio - 1), the form that gives the classic
        1.5 times for 3. (Last is then a little more than top / ratio, as 21 is for 60.) `top` overrules the ratio.
     2. Values of an odd number of players are not rounded: 61.5 to 21.5 for 41. Give `top` to have whole values.
     3. A top so low that the last value would be less than 1 is refused (ValueError).
     4. All players of the event have a place and a value, also those who came late or left.
     5. Equal scores are ordered by rating, i.e. by the order of `players`. `standing_faults` accepts any order of
        equals.
     6. "Until stable" starts from the standings of the round before (those of the first round from the ratings), not
        from the ratings again: several rankings may be stable, and then the start decides. `standing_faults`
        accepts every stable ranking (of players without a game even one against the ratings): compare with
        `standings` where the start is known.
     7. If rankings come round in a cycle, the one stands that is the first to be met a second time, with the scores by
        which it was ranked (those by the values of the ranking before it in the cycle). `standing_faults` accepts
        every ranking of the cycle.
     8. "Once a round": the standings after round n count all n rounds by the values of the standings after round
        n - 1, those after round 1 by the ratings. The scores shown are those.
     9. The loser of a forfeit has what any loser has (`loss`), as its winner has what any winner has. A club that sees
        it as an absence without a word sets `forfeit_is_loss` to False: then `unexcused` counts.
    10. The maximum of paid absences counts the excused ones, in order of rounds, those of the team and the bye not:
        the number stands with the excused share. `limited_absences` names the kinds that share the maximum.
    11. A round in which a player is not named at all (not yet entered, or gone) is worth nothing.
    12. The special share for games against a player who has left is not among the settings that the description
        demands: such games count like all others.
    13. "Within k rounds" forbids a rematch in the k rounds after a game: met in round 2 and k = 3, again in round 6.
        k = 0 forbids nothing.
    14. A forfeit was no meeting and gave no colours (`forfeits_are_games` makes it both).
    15. A rematch is a fault only if the same players, without the one who has the bye, could be paired with fewer. How
        long ago the first game was makes no difference between rematches.
    16. "Nobody twice before all" looks at those present: the bye goes to the lowest of those with the fewest byes.
        Byes are allotted before the pairs. A bye higher up is accepted only if it, and none below it, saves a rematch.
    17. "1-2, 3-4" with forbidden rematches is certain in one case only: two games whose four players could change
        opponents so that nobody's is further away in rank, somebody's is nearer, and no rematch comes up.
        `pairing_faults` tells that. `order_faults` demands more, from the top: each takes the nearest below with whom
        the rest can still be paired; unavoidable rematches as low as possible.
    18. Places for the pairing are those among the players who have a game in this round.
    19. "Their last game" is the last game of the two against each other. With `reverse_own_last_game` it is the last
        of each: who had Black in it gets White from one who had White.
    20. "Fewer Whites" is the number of Whites, not the difference to the Blacks, as it stands.
    21. A loser's share, like the winner's and the drawer's, is a share of the opponent's value.
    22. The lower ranked player has White in the first round on every board: nothing says that boards alternate.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from typing import Final

Standing = list[tuple[str, Fraction]]

HALF: Final = Fraction(1, 2)
SHARES: Final = {  # of White and Black
    "1-0": (Fraction(1), Fraction(0)),
    "1/2-1/2": (HALF, HALF),
    "0-1": (Fraction(0), Fraction(1)),
    "0-0": (Fraction(0), Fraction(0)),
}


@dataclass(frozen=True)
class KeizerRules:
    """What a club decides; the defaults are the classic Dutch ones."""

    top: Fraction | int | None = None
    ratio: Fraction | int = 3
    own_value_bonus: bool = True
    until_stable: bool = True
    loss: Fraction | int = 0
    excused: Fraction | int = Fraction(1, 3)
    unexcused: Fraction | int = 0
    club: Fraction | int = Fraction(2, 3)
    bye: Fraction | int = Fraction(2, 3)
    paid_absences: int | None = None
    limited_absences: frozenset[str] = frozenset({"excused"})
    forfeit_is_loss: bool = True
    rematch_after: int = 3
    bye_once_before_all: bool = True
    forfeits_are_games: bool = False
    reverse_own_last_game: bool = False


@dataclass(frozen=True)
class Game:
    white: str
    black: str
    result: str


@dataclass(frozen=True)
class PlayedRound:
    games: Sequence[Game] = ()
    byes: Sequence[str] = ()
    absences: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Proposal:
    games: Sequence[tuple[str, str]]
    bye: str | None = None


# Values, scores, standings


def values(ranking: Sequence[str], rules: KeizerRules) -> dict[str, Fraction]:
    """Give each place its value, one less than the place above it."""
    number = len(ranking)
    top = Fraction(rules.top) if rules.top is not None else Fraction(rules.ratio) * number / (Fraction(rules.ratio) - 1)
    if number and top - number + 1 < 1:
        raise ValueError(f"A top of {top} is too low for {number} players: the last would be worth {top - number + 1}.")
    return {player: top - place for place, player in enumerate(ranking)}


def scores(ranking: Sequence[str], rounds: Sequence[PlayedRound], rules: KeizerRules) -> dict[str, Fraction]:
    """Count all rounds by the values of one ranking."""
    value = values(ranking, rules)
    score = {player: value[player] * rules.own_value_bonus for player in ranking}
    absent: Counter[str] = Counter()
    for each in rounds:
        for game in each.games:
            score[game.white] += share_of_game(game, game.white, rules, value)
            score[game.black] += share_of_game(game, game.black, rules, value)
        for player in each.byes:
            score[player] += value[player] * Fraction(rules.bye)
        for player, kind in each.absences.items():
            absent[player] += kind in rules.limited_absences
            score[player] += value[player] * share_of_absence(kind, absent[player], rules)
    return score


def share_of_game(game: Game, player: str, rules: KeizerRules, value: Mapping[str, Fraction]) -> Fraction:
    """Return what a game is worth to one of its two players."""
    if game.result == "*":
        return Fraction(0)
    is_black = player == game.black
    opponent = game.white if is_black else game.black
    share = SHARES[game.result.removesuffix("F")][is_black]
    if share:
        return share * value[opponent]
    if game.result.endswith("F") and not rules.forfeit_is_loss:
        return Fraction(rules.unexcused) * value[player]
    return Fraction(rules.loss) * value[opponent]


def share_of_absence(kind: str, absences_so_far: int, rules: KeizerRules) -> Fraction:
    """Return the share of the own value; `absences_so_far` counts those under the maximum, this one included."""
    paid = {"excused": rules.excused, "unexcused": rules.unexcused, "club": rules.club}[kind]
    limited = kind in rules.limited_absences and rules.paid_absences is not None
    return Fraction(0) if limited and absences_so_far > (rules.paid_absences or 0) else Fraction(paid)


def standings(players: Sequence[str], rounds: Sequence[PlayedRound], rules: KeizerRules) -> Standing:
    """Rank the players after these rounds; if no ranking is stable, by rule 7 of the choices above."""
    return settled_standings(players, rounds, rules)[0]


def settled_standings(players: Sequence[str], rounds: Sequence[PlayedRound], rules: KeizerRules) -> list[Standing]:
    """Return the one stable standing, or all of the cycle, that which stands first."""
    found = [counted(players, players, rounds[:0], rules)]
    for number in range(1, len(rounds) + 1):
        before = [player for player, _ in found[0]]
        found = repeated(players, before, rounds[:number], rules)
    return found


def repeated(
    players: Sequence[str], start: Sequence[str], rounds: Sequence[PlayedRound], rules: KeizerRules
) -> list[Standing]:
    """Count by new values until a ranking comes up again."""
    seen: list[Standing] = [counted(players, start, rounds, rules)]
    rankings = [order_of(seen[0])]
    while rules.until_stable:
        following = counted(players, rankings[-1], rounds, rules)
        if order_of(following) in rankings:
            first = rankings.index(order_of(following))
            return [following, *seen[first + 1 :]]
        seen.append(following)
        rankings.append(order_of(following))
    return seen


def counted(
    players: Sequence[str], ranking: Sequence[str], rounds: Sequence[PlayedRound], rules: KeizerRules
) -> Standing:
    """Rank once by the values of a ranking; equals by the order of `players`."""
    score = scores(ranking, rounds, rules)
    return [(player, score[player]) for player in sorted(players, key=lambda player: -score[player])]


def order_of(standing: Standing) -> list[str]:
    return [player for player, _ in standing]


def standing_faults(
    shown: Standing, players: Sequence[str], rounds: Sequence[PlayedRound], rules: KeizerRules
) -> list[str]:
    """Judge standings that somebody else worked out; every stable one is right, whatever way it was found."""
    if sorted(order_of(shown)) != sorted(players):
        return ["The standings do not name each player once."]
    accepted = settled_standings(players, rounds, rules)
    if any(same_but_for_equals(shown, standing) for standing in accepted):
        return []
    score = dict(accepted[0]) if not rules.until_stable else scores(order_of(shown), rounds, rules)
    faults = [
        f"{player} has {has}, but by these places {score[player]}." for player, has in shown if has != score[player]
    ]
    faults += [
        f"{below} with {score[below]} stands below {above} with {score[above]}."
        for (above, _), (below, _) in pairwise(shown)
        if score[below] > score[above]
    ]
    return faults


def same_but_for_equals(one: Standing, other: Standing) -> bool:
    return dict(one) == dict(other) and [score for _, score in one] == [score for _, score in other]


# Pairing


def pairing_faults(
    standing: Standing, present: Sequence[str], history: Sequence[PlayedRound], rules: KeizerRules, proposal: Proposal
) -> list[str]:
    """Say in sentences what is wrong with a proposed pairing of the players who are present."""
    faults = seat_faults(standing, present, proposal)
    if faults:
        return faults
    ranked = [player for player in order_of(standing) if player in present]
    banned = recent_meetings(history, rules)
    return [
        *bye_faults(ranked, history, rules, proposal, banned),
        *rematch_faults(ranked, proposal, banned),
        *swap_faults(ranked, proposal, banned),
        *colour_faults(ranked, history, rules, proposal),
    ]


def order_faults(
    standing: Standing, present: Sequence[str], history: Sequence[PlayedRound], rules: KeizerRules, proposal: Proposal
) -> list[str]:
    """Say where the pairing first leaves the strictest order from the top; the bye and the colours are not judged."""
    faults = seat_faults(standing, present, proposal)
    if faults:
        return faults
    ranked = [player for player in order_of(standing) if player in present and player != proposal.bye]
    opponent = opponents_of(proposal)
    for upper, lower in pairs_from_the_top(tuple(ranked), recent_meetings(history, rules)):
        if opponent[upper] != lower:
            return [f"From the top, {upper} is to play {lower}, not {opponent[upper]}."]
    return []


def seat_faults(standing: Standing, present: Sequence[str], proposal: Proposal) -> list[str]:
    """Check that each player who is present has one place, and nobody else has any."""
    seated = Counter(player for game in proposal.games for player in game)
    seated.update([] if proposal.bye is None else [proposal.bye])
    known = set(order_of(standing))
    return [
        *(f"{player} is not in the standings." for player in present if player not in known),
        *(f"{player} has {times} places in this round." for player, times in seated.items() if times > 1),
        *(f"{player} is not present but has a place." for player in seated if player not in present),
        *(f"{player} is present but has neither game nor bye." for player in present if player not in seated),
    ]


Banned = frozenset[frozenset[str]]


def recent_meetings(history: Sequence[PlayedRound], rules: KeizerRules) -> Banned:
    """Return the pairs who may not meet in the next round."""
    recent = history[-rules.rematch_after :] if rules.rematch_after else []
    return frozenset(frozenset({game.white, game.black}) for each in recent for game in games_of(each, rules))


def games_of(played: PlayedRound, rules: KeizerRules) -> Iterator[Game]:
    return (game for game in played.games if rules.forfeits_are_games or not game.result.endswith("F"))


def fewest_rematches(ranked: Sequence[str], banned: Banned) -> int:
    """Return with how few rematches an even number of players can be paired."""
    possible = completion(banned)
    return next(limit for limit in range(len(ranked) // 2 + 1) if possible(tuple(ranked), limit))


def completion(banned: Banned) -> Callable[[tuple[str, ...], int], bool]:
    """Return the question whether players can be paired with at most so many rematches."""

    @cache
    def possible(ranked: tuple[str, ...], limit: int) -> bool:
        if not ranked:
            return True
        first, *others = ranked
        return any(
            possible(tuple(each for each in others if each != other), limit - met)
            for other in others
            if (met := frozenset({first, other}) in banned) <= limit
        )

    return possible


def pairs_from_the_top(ranked: tuple[str, ...], banned: Banned) -> Iterator[tuple[str, str]]:
    """Yield the pairs, each player with the nearest below who leaves the rest no more rematches than need be."""
    possible = completion(banned)
    limit = fewest_rematches(ranked, banned)
    while ranked:
        first, *others = ranked
        for other in sorted(others, key=lambda other: frozenset({first, other}) in banned):
            rest = tuple(each for each in others if each != other)
            left = limit - (frozenset({first, other}) in banned)
            if left >= 0 and possible(rest, left):
                yield first, other
                ranked, limit = rest, left
                break


def bye_faults(
    ranked: Sequence[str], history: Sequence[PlayedRound], rules: KeizerRules, proposal: Proposal, banned: Banned
) -> list[str]:
    if len(ranked) % 2 == 0:  # an odd rest without one has no place for somebody, which `seat_faults` tells
        return []
    byes = Counter(player for each in history for player in each.byes)
    fewest = min(byes[player] for player in ranked)
    candidates = [each for each in reversed(ranked) if byes[each] == fewest or not rules.bye_once_before_all]
    bye = proposal.bye or ""
    if bye not in candidates:
        return [f"{bye} has the bye for the {byes[bye] + 1}. time; {candidates[0]} has had {fewest}."]
    rematches = [
        fewest_rematches([each for each in ranked if each != candidate], banned)
        for candidate in candidates[: candidates.index(bye) + 1]
    ]
    if all(below > rematches[-1] for below in rematches[:-1]):
        return []
    return [f"{bye} has the bye; the lowest who may have it is {candidates[0]}."]


def rematch_faults(ranked: Sequence[str], proposal: Proposal, banned: Banned) -> list[str]:
    rematches = [game for game in proposal.games if frozenset(game) in banned]
    needed = fewest_rematches([player for player in ranked if player != proposal.bye], banned)
    if len(rematches) <= needed:
        return []
    return [f"{white} and {black} have met too lately; {needed} rematches would do." for white, black in rematches]


def swap_faults(ranked: Sequence[str], proposal: Proposal, banned: Banned) -> list[str]:
    """Find two games that can change opponents so that none is further away in rank, and some are nearer."""
    place = {player: at for at, player in enumerate(each for each in ranked if each != proposal.bye)}
    opponent = opponents_of(proposal)

    def better(first: tuple[str, str], second: tuple[str, str]) -> bool:
        changes = [
            abs(place[player] - place[other]) - abs(place[player] - place[opponent[player]])
            for one, another in (first, second)
            for player, other in ((one, another), (another, one))
        ]
        return max(changes) <= 0 and min(changes) < 0 and not {frozenset(first), frozenset(second)} & banned

    return [
        f"{first[0]} and {first[1]}, {second[0]} and {second[1]} are nearer in rank than {' and '.join(one)}, "
        f"{' and '.join(other)}."
        for one, other in combinations(proposal.games, 2)
        for first, second in (((one[0], other[0]), (one[1], other[1])), ((one[0], other[1]), (one[1], other[0])))
        if better(first, second)
    ]


def opponents_of(proposal: Proposal) -> dict[str, str]:
    return dict(proposal.games) | {black: white for white, black in proposal.games}


def colour_faults(
    ranked: Sequence[str], history: Sequence[PlayedRound], rules: KeizerRules, proposal: Proposal
) -> list[str]:
    faults = []
    for white, black in proposal.games:
        upper, lower = sorted((white, black), key=ranked.index)
        due, reason = white_of(upper, lower, history, rules)
        if due != white:
            faults.append(f"{due} is to have White against {white}: {reason}.")
    return faults


def white_of(upper: str, lower: str, history: Sequence[PlayedRound], rules: KeizerRules) -> tuple[str, str]:
    """Return who has White, and why."""
    games = [game for each in history for game in games_of(each, rules)]
    whites = Counter(game.white for game in games)
    if whites[upper] != whites[lower]:
        fewer = min(upper, lower, key=lambda player: whites[player])
        return fewer, f"Whites so far: {upper} {whites[upper]}, {lower} {whites[lower]}"
    before = last_white(upper, lower, games, own=rules.reverse_own_last_game)
    if before is not None:
        return (lower if before == upper else upper), f"{before} had it in the last game"
    return lower, "the lower ranked"


def last_white(one: str, other: str, games: Sequence[Game], *, own: bool) -> str | None:
    """Return which of the two had White in their last game, or in the last games of each; None if neither alone."""
    if not own:
        meetings = [game.white for game in games if {game.white, game.black} == {one, other}]
        return meetings[-1] if meetings else None
    had = [player for player in (one, other) if colour_of_last_game(player, games) == "white"]
    lacked = [player for player in (one, other) if colour_of_last_game(player, games) == "black"]
    return had[0] if had and lacked else None


def colour_of_last_game(player: str, games: Sequence[Game]) -> str | None:
    last = next((game for game in reversed(games) if player in {game.white, game.black}), None)
    return None if last is None else "white" if last.white == player else "black"
