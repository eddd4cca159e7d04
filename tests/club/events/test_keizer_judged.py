"""Keizer events drawn by chance, compared with the second program that was written from the description alone."""

import random
from collections.abc import Mapping
from fractions import Fraction

import pytest

from captains_table.club.events.entries import (
    DRAW,
    LOSS,
    WIN,
    Absence,
    Entered,
    KeizerSettings,
    Made,
    PairedMatch,
    Returned,
    RoundPaired,
    SatOut,
    System,
    Withdrew,
)
from captains_table.club.events.event import ClubEvent
from captains_table.club.events.keizer import keizer_lines, place_values
from captains_table.club.events.keizer_pairing import pair_keizer
from captains_table.club.events.player_rounds import How, PlayerRound, player_rounds, seeding
from tests.club.events import keizer_judge as judge
from tests.support.club_event import Running
from tests.support.effort import effort

FRACTIONS = ("0", "1/6", "1/4", "1/3", "7/20", "1/2", "2/3", "1")
PLAYED = ((WIN, LOSS), (WIN, LOSS), (DRAW, DRAW), (LOSS, WIN), (LOSS, LOSS))
FORFEITED = ((WIN, LOSS), (LOSS, WIN), (LOSS, LOSS))
RESULTS: Mapping[tuple[int, int], str] = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2", (0, 0): "0-0"}


def drawn_settings(rng: random.Random, players: int) -> KeizerSettings:
    if rng.random() < 0.3:
        return KeizerSettings()
    return KeizerSettings(
        top=rng.choice([None, players, players + 3, 60]),
        ratio=rng.choice(["3", "2", "5/2", "10"]),
        own_value=rng.random() < 0.7,
        rounds_apart=rng.choice([0, 1, 2, 3, 5, 8]),
        excused=rng.choice(FRACTIONS),
        unexcused=rng.choice(FRACTIONS),
        club=rng.choice(FRACTIONS),
        bye=rng.choice(FRACTIONS),
        loss=rng.choice(["0", "0", "1/6", "1/20"]),
        most_paid=rng.choice([None, 0, 1, 2, 5]),
        spreads_byes=rng.random() < 0.7,
        until_stable=rng.random() < 0.8,
    )


def rules_of(settings: KeizerSettings, players: int) -> judge.KeizerRules:
    """Return the settings as the judge has them; it does not round the value of the first, and counts unpaid absences.

    The program also counts a match to which a player did not come as an absence: then nobody is paid for both.
    """
    paid = {name for name in ("excused", "unexcused") if Fraction(getattr(settings, name))}
    return judge.KeizerRules(
        top=place_values(settings, players)[0],
        own_value_bonus=settings.own_value,
        until_stable=settings.until_stable,
        loss=Fraction(settings.loss),
        excused=Fraction(settings.excused),
        unexcused=Fraction(settings.unexcused),
        club=Fraction(settings.club),
        bye=Fraction(settings.bye),
        paid_absences=settings.most_paid,
        limited_absences=frozenset(paid),
        forfeit_is_loss=False,
        rematch_after=settings.rounds_apart,
        bye_once_before_all=settings.spreads_byes,
    )


def rounds_of(event: ClubEvent) -> list[judge.PlayedRound]:
    """Return the rounds as the judge has them, read from the pairings and the players' absences."""
    history = player_rounds(event)
    return [
        judge.PlayedRound(
            games=[_game(history, match.seated, round_.number) for match in round_.matches],
            byes=[str(player) for player in round_.byes],
            absences={
                str(player): str(turnouts[round_.number - 1].absence)
                for player, turnouts in history.items()
                if turnouts[round_.number - 1].absence is not None
            },
        )
        for round_ in event.rounds
    ]


def _game(history: Mapping[int, tuple[PlayerRound, ...]], seated: PairedMatch, number: int) -> judge.Game:
    (one, two), (white, black) = (history[seat][number - 1] for seat in seated.seats), map(str, seated.seats)
    return judge.Game(white, black, RESULTS[one.halves, two.halves] + ("F" if one.how is How.FORFEIT else ""))


def happen(running: Running, rng: random.Random, number: int) -> None:
    """Let somebody come late, leave, come back or be absent."""
    if rng.random() < 0.15:
        new = len(running.event.entrants) + 1
        running.write(Entered(player=new, name=f"Player {new}", rating=rng.choice([None, 1500, 1900])))
    for player, entrant in running.event.entrants.items():
        if rng.random() < 0.15:
            absent = SatOut(player=player, round=number, absence=rng.choice(list(Absence)))
            running.write(Returned(player=player) if entrant.is_gone else absent)
        elif rng.random() < 0.02 and not entrant.is_gone:
            running.write(Withdrew(player=player))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(effort(10, 1500)))
@pytest.mark.long
def test_an_event_is_paired_and_ranked_as_the_second_program_does(seed: int) -> None:
    rng = random.Random(f"keizer {seed}")
    players = rng.randint(2, 13)
    settings = drawn_settings(rng, 2 * players)
    forfeits = settings.most_paid is None or not Fraction(settings.unexcused)
    made = Made(title="Keizer", game="captains-chess", system=System.KEIZER, rounds=40, keizer=settings)
    entered = [Entered(player=n, name=f"Player {n}", rating=rng.randint(1000, 2500)) for n in range(1, players + 1)]
    running = Running([made, *entered])
    for number in range(1, rng.randint(2, 12)):
        happen(running, rng, number)
        event = running.event
        if len(event.entrants) > 2 * players:
            return
        there = [player for player, entrant in event.entrants.items() if entrant.plays(number)]
        if len(there) < 2:
            running.write(RoundPaired(round=number, matches=()))
            continue
        check_pairing(event, there)
        for match in running.pair().matches:
            played = rng.random() < 0.9 or not forfeits
            running.rule(match, *rng.choice(PLAYED if played else FORFEITED), played=played)
        rules = rules_of(settings, len(running.event.entrants))
        seeded = [str(player) for player in seeding(running.event)]
        shown = [(str(line.player), line.score) for line in keizer_lines(running.event)]
        assert shown == judge.standings(seeded, rounds_of(running.event), rules)
        assert judge.standing_faults(shown, seeded, rounds_of(running.event), rules) == []


def check_pairing(event: ClubEvent, there: list[int]) -> None:
    """Let the judge look at the next round. Where none is legal, the program drops rules in an order of its own."""
    rules, history = rules_of(event.keizer, len(event.entrants)), rounds_of(event)
    standing = [(str(line.player), line.score) for line in keizer_lines(event)]
    pairs, byes = pair_keizer(event)
    proposal = judge.Proposal([(str(one), str(two)) for one, two in pairs], *map(str, byes))
    banned, present = judge.recent_meetings(history, rules), [str(player) for player in there]
    faults = judge.pairing_faults(standing, present, history, rules, proposal)
    if not any(frozenset(game) in banned for game in proposal.games):
        assert faults == []
        assert judge.order_faults(standing, present, history, rules, proposal) == []
        return
    of_its_own = ("have met too lately", "are nearer in rank than", "has the bye; the lowest")
    assert not [fault for fault in faults if not any(words in fault for words in of_its_own)]
    had = {player: sum(player in each.byes for each in history) for player in present}
    may_rest = [each for each in present if had[each] == min(had.values()) or not rules.bye_once_before_all]
    for bye in may_rest if len(present) % 2 else [""]:
        ranked = [player for player, _ in standing if player in present and player != bye]
        assert judge.fewest_rematches(ranked, banned) > 0
