"""The page's hand: no clicks spoil the position, and clicks make the game's own moves and no others."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from captains_table.games.contract import (
    Bell,
    Bid,
    Decide,
    IllegalAction,
    Over,
    Pick,
    PickAsk,
    Roll,
    Rolled,
    Square,
    parse_square,
)
from captains_table.phrases import Phrase
from captains_table.runtime.session import Session
from captains_table.simulation.page_hand import Handled, HandRefusal, PageHand
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from captains_table.table.model.settings import Settings
from tests.support.effort import effort
from tests.support.played_table import SimulatedTable
from tests.support.random_play import random_action
from tests.support.seeded_dice import SeededDice

ENDS = [Pick(id_) for id_ in ("resign", "abandon", "offer-draw")]
PAUSES_MS = (60, 150, 400, 9000)  # no two clicks follow sooner
CLICKS = effort(20, 400)
MOST_MOVES = effort(8, 99)  # of a position
SHARP = "fen=r3k2r/pPp2p1p/8/3Pp3/3pP3/8/PpP2P1P/R3K2R w KQkq e6 0 1"
GAMES = {
    "legend": ({"rounds": "1"}, {"rounds": "1", "fen": SHARP.removeprefix("fen=")}),
    "chess": ({}, {"fen": SHARP.removeprefix("fen=")}, {"fen": "rk5r/p7/8/8/8/8/P7/RK5R w HAha - 0 1"}),
    "captains-chess": ({}, {"fen": "r3k3r/4p4/9/9/9/9/4P4/R3K3R w KQkq - 0 1"}),
}


class Clicker(SimulatedTable):
    """Somebody who plays a match up to some position, and then clicks."""

    def __init__(self, game: str, options: dict[str, str], seed: int) -> None:
        self.rng = random.Random(seed)
        self.journal = MemoryJournal(MatchStarted(game, ("Anne", "Bart"), options))
        self.start(Session(Settings()), SeededDice(seed))

    def step(self) -> None:
        """Throw, or answer at random what the game asks; do nothing if the pieces are on the move, or asked about."""
        turn, board = self.match.turn, self.session.referee.board_snapshot()
        if self.table.board.hand or board.asked or board.rivals:
            return
        with suppress(IllegalAction):
            if isinstance(turn, Roll):
                self.press()
            elif isinstance(turn, Decide) and (action := random_action(turn, self.rng)) not in ENDS:
                self.answer(action)

    def do(self, square: Square) -> None:
        self.wait(self.rng.choice(PAUSES_MS))
        dropped = self.rng.random() < 0.2
        self.table.handle(lambda hand: hand.click(square, dropped=dropped), self.now_ms)

    def squares(self) -> list[Square]:
        """Return some squares, of which half are where something may happen."""
        shape = self.match.game.shape
        assert shape is not None
        named = [id_ for id_ in offered(self.match) if len(id_) >= len("e2e4")]
        lively = [parse_square(id_[at : at + 2]) for id_ in named for at in (0, 2) if id_[at + 1].isdecimal()]
        return [self.rng.choice(lively if lively and i % 2 else shape.squares()) for i in range(4)]


def offered(match: Match, state: Any = None) -> list[str]:  # noqa: ANN401 - each game has its own state
    """Return the ids of the moves on the board that a state of the game offers."""
    turn = match.game.turn(match.state if state is None else state)
    asks = isinstance(turn, Decide) and isinstance(turn.ask, PickAsk)
    return [option.id for option in turn.ask.options if option.on_board] if asks else []  # type: ignore[union-attr]


def after(match: Match, id_: str) -> dict[Square, str]:
    return dict(match.game.pieces(match.game.apply(match.state, Pick(id_))))


def may_show(match: Match) -> Iterator[frozenset[Square]]:
    """Yield the squares of every position that the board may show now, judged by the rules alone."""
    last, game = match.provisional, match.game
    for state in (match.state, *([] if last is None else [last.before])):
        yield frozenset(game.pieces(state))
        yield from (frozenset(game.pieces(game.apply(state, Pick(id_)))) for id_ in offered(match, state))


def is_in_order(board: SimulatedBoard, match: Match) -> bool:
    """Return whether the board shows such a position, or does but for one piece in the hand."""
    return len(board.hand) <= 1 and any(
        board.occupied <= shown and len(shown) - len(board.occupied) <= len(board.hand) for shown in may_show(match)
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(effort(1, 40)))
def test_no_sequence_of_clicks_spoils_the_board(game: str, seed: int) -> None:
    table = Clicker(game, GAMES[game][seed % 2], seed)
    for _ in range(table.rng.randrange(24)):
        table.step()
    clicks = 0
    while clicks < CLICKS and not isinstance(table.match.turn, Over):
        for square in table.squares():
            table.do(square)
            clicks += 1
            assert is_in_order(table.table.board, table.match), (square, table.table.board.pieces)
        table.wait(20_000)
        assert is_in_order(table.table.board, table.match)
        assert not table.view.wrong or table.table.board.hand
        if not table.table.board.hand and not table.view.asks_about_board:
            assert table.table.board.pieces == table.match.pieces()
        if table.rng.random() < 0.5:
            table.step()
    table.table.handle(PageHand.put_back, table.now_ms)
    table.wait(20_000)
    assert table.view.asks_about_board or table.table.board.pieces == table.match.pieces()


def clicked(match: Match, *names: str) -> tuple[SimulatedBoard, list[Handled]]:
    """Return the board after clicks, and what the hand did at each."""
    board = SimulatedBoard()
    board.arrange(match.pieces())
    handled = [PageHand(board, match, puts_right=False).click(parse_square(name)) for name in names]
    assert all(isinstance(each.refusal.why, Phrase) for each in handled if each.refusal)
    return board, handled


def positions(game: str, seed: int) -> Iterator[Match]:
    """Yield some positions of a random match in which moves may be made on the board."""
    table = Clicker(game, GAMES[game][seed % 2], seed)
    for _ in range(60):
        table.step()
        if offered(table.match) and table.match.provisional is None:
            yield table.match


@pytest.mark.parametrize("game", GAMES)
def test_two_clicks_make_the_moves_that_the_game_offers_and_no_others(game: str) -> None:
    rng, judged = random.Random(7), 0
    for seed in range(effort(1, 40)):
        for match in list(positions(game, seed))[:: effort(24, 1)]:
            ids = {id_[:4]: id_ for id_ in offered(match) if id_[1].isdecimal() and id_[3].isdecimal()}
            assert match.game.shape is not None
            names = [str(square) for square in match.game.shape.squares()]
            pairs = [rng.choice(names) + rng.choice(names) for _ in range(10)] + [pair[:2] * 2 for pair in ids]
            for pair in {*rng.sample(sorted(ids), min(len(ids), MOST_MOVES)), *pairs[: 2 * MOST_MOVES]}:
                board, _ = clicked(match, pair[:2], pair[2:])
                if pair in ids:
                    assert board.occupied == after(match, ids[pair]).keys(), pair
                elif not board.hand:
                    assert board.pieces == match.pieces(), pair
                judged += 1
    assert judged > 2 * MOST_MOVES


def chess(fen: str) -> Match:
    return Match(MatchStarted("captains-chess", ("Anne", "Bart"), {"fen": fen}))


def test_another_own_piece_is_lifted_in_place_of_the_first_unless_it_may_be_taken_or_castles() -> None:
    match = chess("r3k3r/9/9/9/9/9/P7P/R3K3R w KQkq - 0 1")
    board, _ = clicked(match, "a2", "i2")
    assert (board.hand, board.pieces[parse_square("a2")]) == (["P"], "P")
    assert parse_square("i2") not in board.pieces
    for rook, king_to, rook_to in (("i1", "h1", "g1"), ("a1", "b1", "c1")):
        for target in (rook, king_to):
            board, _ = clicked(match, "e1", target)
            assert (board.pieces[parse_square(king_to)], board.pieces[parse_square(rook_to)]) == ("K", "R"), target
            assert board.hand == []
    board, _ = clicked(match, "i1", "e1")
    assert board.hand == ["K"]  # the rook first: the king is meant


@pytest.mark.parametrize(
    ("back_rank", "king", "rook", "king_to", "rook_to"),
    [
        ("RK6", "b1", "a1", "c1", "d1"),
        ("5K1R", "f1", "h1", "g1", "f1"),
        ("5KR1", "f1", "g1", "g1", "f1"),
        ("6KR", "g1", "h1", "g1", "f1"),
        ("3RK3", "e1", "d1", "c1", "d1"),
        ("R3K3", "e1", "a1", "c1", "d1"),
    ],
    ids=["both leave", "the king's square is taken", "they change places", "the king stays", "the rook stays", "usual"],
)
def test_a_king_set_on_its_rook_castles_wherever_they_stand(
    back_rank: str, king: str, rook: str, king_to: str, rook_to: str
) -> None:
    rights = rook[0].upper()
    options = {"fen": f"4k3/8/8/8/8/8/8/{back_rank} w {rights} - 0 1"}
    match = Match(MatchStarted("chess", ("Anne", "Bart"), options))
    board, _ = clicked(match, king, rook)
    assert board.pieces == {parse_square("e8"): "k", parse_square(king_to): "K", parse_square(rook_to): "R"}
    assert board.hand == board.beside == []


def test_a_piece_that_nobody_can_mean_stays_and_the_reason_is_told() -> None:
    match = chess("4k4/9/9/9/3p5/4P4/9/4K4 w - - 0 1")
    for name, why in (("e8", "That king is Bart's"), ("a5", None)):
        board, [handled] = clicked(match, name)
        assert (board.hand, handled.moves) == ([], [])
        assert handled.refusal == (None if why is None else HandRefusal(why, parse_square(name)))
    board, _ = clicked(match, "d4")  # may be taken
    assert board.hand == ["p"]
    board, (_, handled) = clicked(match, "e3", "e8")
    assert (board.pieces, handled.refusal) == (
        match.pieces(),
        HandRefusal("The white pawn cannot go to e8 now", parse_square("e8")),
    )
    board, _ = clicked(match, "e3", "d4")
    assert (board.pieces[parse_square("d4")], board.beside) == ("P", ["p"])
    board, (_, back) = clicked(match, "e3", "e3")
    assert (board.pieces, back.refusal) == (match.pieces(), None)


def test_where_one_piece_alone_may_move_a_click_on_its_target_moves_it() -> None:
    for pawns, goes in (("P7", True), ("PP6", False)):
        match = Match(MatchStarted("legend", ("Anne", "Bart"), {"fen": f"4k3/8/8/8/8/8/{pawns}/4K3 w - - 0 1"}))
        match.act(Pick("roll"), 0)
        match.act(Rolled((1, 1, 1, 1, 1, 1)), 0)
        board, [handled] = clicked(match, "a4")
        assert (handled.made, "a4" in map(str, board.pieces), "a2" in map(str, board.pieces)) == (goes, goes, not goes)
        board, [handled] = clicked(match, "h5")
        assert (handled.moves, board.pieces) == ([], match.pieces()), "no target"
        match.act(Pick("a2a3"), 0)
        board, [handled] = clicked(match, "a4")
        assert (handled.moves, board.pieces) == ([], match.pieces()), "what was moved stays"


def test_a_click_where_no_token_may_enter_is_answered() -> None:
    match = Match(MatchStarted("crowns", ("Anne", "Bart"), {}))
    for action in (Bid(0, 1), Bell()):
        match.act(action, 0)
    _, [handled] = clicked(match, "d4")
    assert handled.refusal == HandRefusal("No piece comes to d4 now", parse_square("d4"))


def test_before_the_throw_no_piece_comes_up_and_while_the_board_is_put_right_any_does() -> None:
    match = Match(MatchStarted("legend", ("Anne", "Bart"), {"rounds": "1"}))
    _, [handled] = clicked(match, "e2")
    assert handled.refusal == HandRefusal("Throw the Legend die before you move", parse_square("e2"))
    board = SimulatedBoard()
    for start, end in (("a1", "e5"), ("h1", "e4")):
        board.pieces = board.pieces or dict(match.pieces())
        board.pieces[parse_square(end)] = board.pieces.pop(parse_square(start))
    told = []
    for name, hand in (
        ("e7", ["p"]),
        ("e2", ["p"]),
        ("e7", []),
        ("e5", ["R"]),
        ("a2", ["R"]),
        ("a1", []),
        ("e4", ["R"]),
    ):
        told.append(PageHand(board, match, puts_right=True).click(parse_square(name)).refusal)
        assert board.hand == list(hand), name
    assert [refusal.square for refusal in told if refusal] == [parse_square("e2"), parse_square("a2")]
    PageHand(board, match, puts_right=True).put_back()
    assert board.pieces == match.pieces()
