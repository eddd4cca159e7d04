"""Chess against the Laws: cases made by hand, and random games beside the tests' law book (docs/rules/chess.md)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain

import pytest

import captains_table.catalog  # noqa: F401 - fills the registry
from captains_table.games.contract import Action, Decide, IllegalAction, Over, Pick, PickAsk, TimeUp
from captains_table.games.registry import game_by_key
from tests.games.chess.law_cases import CASES, LawCase
from tests.games.chess.laws_of_chess import LawBook, LawfulPosition, read_fen
from tests.games.chess.random_games import ALL_KINDS, EVERY_KIND, ROOKS, kind_of, quiet_game, random_game
from tests.support.effort import effort

GAME = game_by_key("chess")
CLOCK = {"clock": "5+3"}
SEAT = {True: 0, False: 1, None: None}
WINNERS = {"white": 0, "black": 1, "draw": None}
KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")
FLAGS = {"white wins": 0, "black wins": 1, "draw": None}


class Played:
    """A match of the game, played by the inputs of the law book.

    Attributes:
        state: the state; with a clock, that after the press that follows each move.
        unpressed: the state before that press; `None` before the first move, and without a clock.
        turn: what the state asks for.
        options: the ids that are offered; empty after the end.
        on_board: the ids of the moves among them.
    """

    def __init__(self, start: str, clock: Mapping[str, str]) -> None:
        self.unpressed: object = None
        self._stand(GAME.start(("Anne", "Bart"), {"start" if start.isdigit() else "fen": start, **clock}))

    def _stand(self, state: object) -> None:
        self.state, self.turn = state, GAME.turn(state)
        options = self.turn.ask.options if isinstance(self.turn, Decide) and isinstance(self.turn.ask, PickAsk) else ()
        self.options = {option.id for option in options}
        self.on_board = {option.id for option in options if option.on_board}

    def do(self, what: str) -> None:
        self._stand(self.after(TimeUp() if what == "time-up" else Pick(what)))
        if "press-clock" in self.options:
            self.unpressed = self.state
            self._stand(self.after(Pick("press-clock")))

    def after(self, *actions: Action) -> object:
        state = self.state
        for action in actions:
            state = GAME.apply(state, action)
        return state

    def position(self) -> LawfulPosition:
        return read_fen(str(GAME.details(self.state)["fen"]))

    def claims_with(self) -> set[str]:
        """Return the moves with which a draw may be claimed; nobody moves while that is asked."""
        if "claim-with" not in self.options:
            return set()
        asking = self.after(Pick("claim-with"))
        asked = GAME.turn(asking)
        assert isinstance(asked, Decide)
        assert isinstance(self.turn, Decide)
        assert asked.seat == self.turn.seat
        assert GAME.details(asking) == GAME.details(self.state)
        assert isinstance(asked.ask, PickAsk)
        return {option.id for option in asked.ask.options}


def winner(state: object) -> int | None:
    """Return the seat that has won; fails if the match goes on."""
    turn = GAME.turn(state)
    assert isinstance(turn, Over), turn
    return turn.result.winner


def agree(played: Played, book: LawBook) -> None:
    """Compare a match with the law book: who moves, which moves, position, claims, agreement, and the end."""
    there, here = played.position(), book.position
    assert replace(there, passed=None) == replace(here, passed=None)
    assert there.sameness() == here.sameness()
    if book.ended is not None:
        assert isinstance(played.turn, Over)
        assert played.turn.result.winner == SEAT[book.ended.winner]
        return
    assert isinstance(played.turn, Decide)
    assert played.turn.seat == SEAT[book.white]
    assert played.on_board == book.moves.keys()
    assert ("claim-draw" in played.options) == bool(book.claims())
    assert played.claims_with() == book.claims_with().keys()
    assert ("offer-draw" in played.options) == book.may_agree()


def agree_on_the_end(played: Played, book: LawBook) -> None:
    """Compare what ends a match that goes on: a player resigns, claims, or has no time left."""
    assert winner(played.after(Pick("resign"))) == SEAT[not book.white]
    assert not book.claims() or winner(played.after(Pick("claim-draw"))) is None
    for uci in [*book.claims_with()][:1]:
        claimed = played.after(Pick("claim-with"), Pick(uci))
        assert winner(claimed) is None
        assert GAME.details(claimed) == GAME.details(played.state)
    if GAME.time_control(played.state) is not None:
        assert winner(played.after(TimeUp())) == SEAT[book.flag_falls(white=book.white).winner]
    if played.unpressed is not None:
        late = GAME.apply(played.unpressed, TimeUp())
        assert winner(late) == SEAT[book.flag_falls(white=not book.white).winner]


# --- the cases --------------------------------------------------------------------------------------------------------

NOT_OFFERED = [case for case in CASES if "offer-draw" in case.play and "agree" in case.refused and case.law == "5.2.3"]
"""The cases in which an offer is lawful and agreement is not: the game does not let a player offer a draw in them."""


def says(case: LawCase) -> str:
    return case.says


@pytest.mark.parametrize("case", [case for case in CASES if case not in NOT_OFFERED], ids=says)
def test_the_game_keeps_the_laws(case: LawCase) -> None:
    played = Played(case.start, CLOCK if case.law == "6.9" else {})
    for what in case.play:
        played.do(what)
    assert isinstance(played.turn, Over) == bool(case.end)
    assert not case.end or winner(played.state) == WINNERS[case.end.split(": ")[1]]
    assert ("claim-draw" in played.options) == bool(case.claims)
    assert played.claims_with() == set(case.claims_with)
    assert set(case.legal) <= played.on_board
    assert not set(case.illegal) & played.on_board
    assert not case.only or played.on_board == set(case.only)
    position = played.position()
    assert case.check in (None, position.in_check(white=position.white))
    assert case.stands in ("", str(GAME.details(played.state)["fen"]).split()[0])
    assert not case.flag or winner(played.after(TimeUp())) == FLAGS[case.flag]
    for what in (*case.refused, *case.illegal):
        with pytest.raises(IllegalAction):
            played.after(Pick(what))


@pytest.mark.parametrize("case", NOT_OFFERED, ids=says)
def test_where_no_draw_can_be_agreed_on_none_is_offered(case: LawCase) -> None:
    *before, offer = case.play
    played = Played(case.start, {})
    for what in before:
        played.do(what)
    assert offer not in played.options
    for what in (offer, *case.refused):
        with pytest.raises(IllegalAction):
            played.after(Pick(what))


def test_three_cases_are_about_an_offer_that_comes_too_early() -> None:
    assert len(NOT_OFFERED) == 3


# --- games ------------------------------------------------------------------------------------------------------------


def play_along(moves: Iterable[tuple[LawBook, str]], **options: str) -> list[str]:
    """Play a game of the law book, compare every position, and return what each was about."""
    played, kinds = None, list[str]()
    for book, uci in moves:
        played = played or Played(book.start, options)
        agree(played, book)
        if book.ended is None and len(kinds) % 7 == 0:
            agree_on_the_end(played, book)
        kinds.append(kind_of(book, uci))
        if uci:
            played.do(uci)
    return kinds


@pytest.mark.slow
@pytest.mark.long
def test_random_games_are_what_the_laws_say_in_every_position() -> None:
    kinds = Counter[str]()
    for seed in chain(EVERY_KIND, range(200, 200 + effort(16, 1_000))):
        kinds.update(play_along(random_game(seed), clock="5+3" if seed % 2 else "none"))
    assert kinds.keys() >= ALL_KINDS


def test_after_150_quiet_moves_a_match_is_drawn_and_after_100_it_may_be_claimed() -> None:
    played, may_claim, may_claim_with = Played(ROOKS, {}), list[int](), list[int]()
    for ply, uci in enumerate(quiet_game(), 1):
        played.do(uci)
        may_claim += [ply] * ("claim-draw" in played.options)
        may_claim_with += [ply] * ("claim-with" in played.options)
    assert (may_claim, may_claim_with) == (list(range(100, 150)), list(range(99, 150)))
    assert winner(played.state) is None


def test_after_a_takeback_positions_are_counted_in_the_line_that_stands() -> None:
    book, played = LawBook(), Played("518", {})
    for uci in [*KNIGHTS, *KNIGHTS]:
        book.do(uci)
        played.do(uci)
    for _ in range(4):  # if moves taken back counted, the position would be there for the fifth time
        agree(played, book)
        for what in ("offer-takeback", "agree", *KNIGHTS[2:]):
            played.do(what)
    played.do("offer-takeback")
    played.do("agree")
    assert "claim-draw" not in played.options
    assert played.claims_with() == set()


def test_the_first_player_may_have_black() -> None:
    played = Played("518", {"white": "second"})
    assert isinstance(played.turn, Decide)
    assert played.turn.seat == 1
    for uci in ("f2f3", "e7e5", "g2g4"):
        played.do(uci)
    assert winner(played.after(Pick("resign"))) == 1
    assert winner(played.after(Pick("d8h4"))) == 0
