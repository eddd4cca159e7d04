"""Random matches of Crowns agree, action by action, with a second book-keeper written from the rules alone.

It is told nothing but the actions; offers, purses, places, crowns, rings, cards, bids and the number of the turn are
compared after each, and what it says of every coin with the events and their rules.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import Final

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.devices.dice_sources import commitment
from captains_table.games.contract import (
    Action,
    Auction,
    Bell,
    Bid,
    Correct,
    Decide,
    EndMatch,
    EventKind,
    IllegalAction,
    Over,
    Pick,
    PickAsk,
    acting_seat,
    takes_bell,
)
from captains_table.games.crowns.board import CROWNS_SHAPE
from captains_table.games.crowns.state import FIRST_GOLD, State
from captains_table.table.history.export import export_json
from captains_table.table.history.verify import verify_export
from captains_table.table.model.entries import JOURNAL_ENTRIES, Acted, Entry, MatchEnded, MatchStarted
from captains_table.table.model.match import Match
from tests.games.crowns_bookkeeper import Book, Impossible
from tests.games.crowns_books import book_of, options_of, tell
from tests.games.crowns_branches import BRANCHES, any_action, branches, first_state, opening
from tests.support.crowns_play import GAME, NAMES, any_pieces
from tests.support.effort import LONG_RUN, effort
from tests.support.random_matches import check_points

SEVEN: Final = ((2, 2), (2, 5), (4, 1), (4, 4), (4, 5), (5, 8), (14, 2))
"""Players and seeds of matches that take every branch of the rules together."""
PARTS, SEEDS = effort(1, 6), 21  # in each part so many matches for each number of players do so too
CORRECTION_CHANCE, JOURNALLED_OF = 0.4, 5  # one match of so many is written down, read again and proven
SEED = bytes(range(32))


def check_offers(state: State, book: Book) -> None:
    """The same may be done."""
    turn, waits = GAME.turn(state), book.waits_for()
    assert takes_bell(turn) == waits.takes_bell
    match turn:
        case Auction(bidders=bidders):
            assert waits.bids == {bidder.seat: (bidder.least, bidder.most) for bidder in bidders}
        case Decide(seat=seat, ask=PickAsk(options=options)):
            assert waits.seat == seat
            assert waits.ids == {option.id for option in options}
        case Over():
            assert waits.kind == "over"


def check_standing(state: State, book: Book) -> None:
    """Everything that a tape's final object tells is the same."""
    final, details, turn = book.final(), GAME.details(state), GAME.turn(state)
    assert dict(zip(state.seats, GAME.tallies(state), strict=True)) == final["tallies"]
    for key in ("pieces", "places", "crowns", "barred", "turn"):
        assert details[key] == final[key]
    assert sorted(details["rings"]) == final["rings"]  # type: ignore[call-overload]
    assert details.get("bids") == final.get("bids")
    if isinstance(turn, Over):
        winner = None if turn.result.winner is None else state.seats[turn.result.winner]
        assert final["result"] == {"winner": winner, "scores": dict(zip(state.seats, turn.result.scores, strict=True))}


def check_invariants(state: State) -> None:
    """Each crown is somewhere once, nobody shares a square, no purse is below nothing."""
    places = [player.place for player in state.players if player.place in CROWNS_SHAPE]
    assert len(set(places)) == len(places)
    assert not any(state.pawn_at(place) for place in places)  # type: ignore[arg-type]
    assert all(crown in CROWNS_SHAPE or crown in range(len(state.seats)) for crown in state.crowns)
    worn = [seat for crown in state.crowns for seat in range(len(state.seats)) if crown == seat]
    assert isinstance(GAME.turn(state), Over) or all(state.players[seat].place in CROWNS_SHAPE for seat in worn)
    assert all(player.gold >= 0 and player.cards >= 0 for player in state.players)
    turn = GAME.turn(state)
    if isinstance(turn, Auction):
        assert all(bid <= player.gold for bid, player in zip(turn.bids, state.players, strict=True))
    assert state.cards_left + sum(player.cards for player in state.players) <= 14


def ledger_of(state: State, after: State) -> Counter[tuple[int, int, str]]:
    """Return the coins of one action as the second book-keeper writes them: seat, gold, rule."""
    found: Counter[tuple[int, int, str]] = Counter()
    for event in GAME.game_events(state, after):
        seats = range(len(state.seats)) if event.seat is None else (event.seat,)
        found.update((seat, event.points, event.rule) for seat in seats if event.points)
    return found


def any_correction(state: State, rng: random.Random) -> Correct:
    """Return something that a game master may try to set right; much of it is refused."""
    meant = rng.choice(GAME.corrections(state))
    numbers = ["0", "3", "40", "+1", "+7", "-1", "-6", "10000"]
    return Correct(meant.what, meant.of, rng.choice(meant.choices or numbers), rng.choice(["", "a slip of mine"]))


def try_both(state: State, book: Book, action: Action) -> State:
    """Return the state after an action: both write the same of it, or both refuse it and nothing has changed."""
    known = len(book.ledger)
    try:
        after = GAME.apply(state, action)
    except IllegalAction:
        with pytest.raises(Impossible):
            tell(book, action)
        check_standing(state, book)
        return state
    tell(book, action)
    check_standing(after, book)
    check_invariants(after)
    check_points(GAME, state, after)
    assert ledger_of(state, after) == Counter(book.ledger[known:])
    return after


def read_again(state: State, actions: Sequence[Action]) -> State:
    """Return what a journal of a match's actions leads to, written as text and read again."""
    entries: list[Entry] = [MatchStarted(GAME.key, state.seats, options_of(state))]
    for seq, action in enumerate(actions, 1):
        seat = acting_seat(GAME.turn(state), action)
        entries.append(JOURNAL_ENTRIES.from_text(JOURNAL_ENTRIES.to_text(Acted(seq, seat, seq, action))))
        state = GAME.apply(state, action)
    resumed: State = Match.resumed(entries).state
    return resumed


@settings(max_examples=effort(15, 1000))
@given(st.integers(2, 5), st.integers(0, 10**6), st.integers(0, 60))
def test_corrections_between_actions_keep_every_crown_once_and_nobody_on_anothers_square(
    players: int, seed: int, steps: int
) -> None:
    rng = random.Random(seed)
    state = first_state(players, rng)
    book = book_of(state)
    begun, done = state, list[Action]()
    for _ in range(steps):
        if isinstance(GAME.turn(state), Over):
            break
        check_offers(state, book)
        is_corrected = rng.random() < CORRECTION_CHANCE
        action = any_correction(state, rng) if is_corrected else any_action(state, rng)
        after = try_both(state, book, action)
        done += [action] if after is not state else []
        state = after
    ended = try_both(state, book, EndMatch())
    assert isinstance(GAME.turn(ended), Over)
    assert GAME.corrections(ended) == ()
    assert read_again(begun, [*done, EndMatch()] if ended is not state else done) == ended


def play_along(state: State, rng: random.Random, first: Sequence[Action]) -> tuple[list[Action], State, Counter[str]]:
    """Play a match to its end, and compare all the way.

    Returns:
        what was done, how it ended, and how often it took each branch of the rules.
    """
    book, done, taken = book_of(state), list[Action](), Counter[str]()
    for action in first:
        after = try_both(state, book, action)
        done += [action] if after is not state else []
        state = after
    while not isinstance(GAME.turn(state), Over):
        check_offers(state, book)
        action = any_action(state, rng)
        after = try_both(state, book, action)
        assert after is not state
        check_rings_and_cards(state, after)
        done.append(action)
        taken.update(branches(state, action, after))
        state = after
    return done, state, taken


def check_rings_and_cards(state: State, after: State) -> None:
    """Every ring that is gone and every card that changed hands is an event with the number of its rule."""
    events = GAME.game_events(state, after)
    taken = [event.square for event in events if event.kind is EventKind.RING and event.rule == "T7"]
    assert sorted(map(str, state.rings - after.rings)) == sorted(map(str, taken))
    told = Counter({event.seat: 1 if event.rule == "T6" else -1 for event in events if event.kind is EventKind.CARD})
    cards = enumerate(zip(state.players, after.players, strict=True))
    assert told == {seat: now.cards - then.cards for seat, (then, now) in cards if now.cards != then.cards}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_random_matches_take_every_branch_of_the_rules_as_the_second_book_keeper_has_it(part: int) -> None:
    taken = Counter[str]()
    for players, seed in product((2, 3, 4, 5, 9, 14), range(part * SEEDS, (part + 1) * SEEDS)) if LONG_RUN else SEVEN:
        rng = random.Random(f"{players} {seed}")
        begun = first_state(players, rng)
        done, ended, found = play_along(begun, rng, opening(begun, rng) if seed % 3 else ())
        assert reduce(GAME.apply, done, begun) == ended
        if seed % JOURNALLED_OF == 0:
            check_journal(begun, done, ended)
        taken += found
    assert set(taken) <= set(BRANCHES)
    assert [branch for branch in BRANCHES if not taken[branch]] == []


def check_journal(begun: State, done: Sequence[Action], ended: State) -> None:
    """A match that was written down is the same when it is read again, and can be proven."""
    entries: list[Entry] = [MatchStarted("crowns", begun.seats, options_of(begun), commitment(SEED), at_ms=0)]
    match = Match.resumed(entries)
    for at_ms, action in enumerate(done):
        entries.append(match.act(action, at_ms))
    assert Match.resumed(entries).state == match.state == ended
    turn = GAME.turn(ended)
    assert isinstance(turn, Over)
    entries.append(MatchEnded(turn.result.winner, turn.result.scores))
    verdict = verify_export(json.loads(json.dumps(export_json(entries, SEED))))
    assert verdict.proven, verdict.words


PICKS = ["pass", "pledge", "gold", "prison", "bail", "a2a3", "a2a4", "summon-a1", "level-up"]
VALUES = ["0", "+2", "-9", "9", "reserve", "prison", "d1", "d4", "a2", "h8", "Anne", ""]
corrections = st.builds(
    Correct,
    st.sampled_from(["gold", "place", "crown", "card"]),
    st.sampled_from(["Anne", "Bart", "white", "black", "Nobody"]),
    st.sampled_from(VALUES),
)
bids = st.builds(Bid, st.integers(-1, 4), st.integers(-2, 30))
any_try = st.one_of(bids, st.just(Bell()), st.builds(Pick, st.sampled_from(PICKS)), corrections)


@given(st.integers(2, 4), st.lists(any_try, max_size=30))
def test_what_is_impossible_is_refused_by_both_and_changes_nothing(players: int, tries: list[Action]) -> None:
    state = GAME.start(NAMES[:players], any_pieces(players))
    book = book_of(state)
    for action in tries:
        state = try_both(state, book, action)


def test_the_first_gold_is_what_the_second_book_keeper_gives() -> None:
    state = first_state(14, random.Random(1))
    assert book_of(state).ledger == [(seat, FIRST_GOLD + state.designs[seat].rings, "T1") for seat in range(14)]
