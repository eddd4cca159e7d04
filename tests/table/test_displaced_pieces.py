"""A victim that is set elsewhere on the board is part of a move: recognised, guided and lit in every order of hands."""

import itertools
import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from captains_table.games.contract import Over, Pick, parse_square
from captains_table.games.registry import GAMES
from captains_table.link.debounce import DEBOUNCE_MS
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.match import Match
from captains_table.table.model.view import Mark
from captains_table.table.recognition.board_monitor import MonitorState
from captains_table.table.recognition.candidates import candidates_of
from captains_table.table.recognition.footprint import footprint
from tests.prove.figures import Figures
from tests.prove.games import RandomGame
from tests.support.effort import effort
from tests.support.noise_mix import REALISTIC
from tests.support.playing import Played, played
from tests.table.corners import Corners, board_of
from tests.table.hand import Hand, Touch

BATTLE = "Ra2 Rb1 rc2 rc4"  # Ra2 takes c2: its rook goes to d4
FROM_ITS_CORNER = "Rd4 Rb1 rd2 rc1"  # Rd4 takes d2: the two change places
ON_ITS_CORNER = "Rd1 Rb1 rd4 rc4"  # Rd1 takes d4: its rook leaves the board


@pytest.fixture(autouse=True)
def _known() -> Iterator[None]:
    GAMES[Corners.key] = Corners()
    yield
    del GAMES[Corners.key]


def tape(board: str, *lines: str) -> Played:
    return played("\n".join([f'game corners Anne Bart "fen={board}"', *lines]))


def picked(result: Played) -> list[str]:
    return [str(line["action"].get("id", line["action"]["type"])) for line in result.actions]


def standing(result: Played) -> list[str]:
    """Return the moves that stand, whatever was believed on the way."""
    acted: dict[int, str] = {}
    for line in result.actions:
        if line["action"]["type"] == "take-back":
            acted = {seq: id_ for seq, id_ in acted.items() if seq < line["action"]["seq"]}
        else:
            acted[line["seq"]] = str(line["action"]["id"])
    return list(acted.values())


def hands(board: str, seed: int = 0) -> Hand:
    return Hand(MatchStarted("corners", ("Anne", "Bart"), {"fen": board}), random.Random(seed))


def touch(hand: Hand, *words: str) -> None:
    """Lift (`-a2`) and place (`+a2`) pieces, each 300 ms after the one before."""
    for word in words:
        hand.touch(Touch(parse_square(word[1:]), places=word[0] == "+"), 300)
    hand.wait(20)


def marks(hand: Hand) -> dict[str, Mark]:
    return {str(square): mark for square, mark in hand.view.marks.items()}


# --- what a footprint knows -----------------------------------------------------------------------------------------


def test_each_filled_square_knows_where_its_piece_may_have_come_from() -> None:
    move = footprint(dict(board_of("Ra2 rc2 rc4")), dict(board_of("Rc2 rd4 rc4")))
    a2, c2, d4 = map(parse_square, ("a2", "c2", "d4"))
    assert move.origins == {c2: {a2}, d4: {c2}}
    assert (move.origin, move.target) == (a2, c2)
    assert move.carried == {a2, c2}


def test_a_victim_in_the_hand_goes_to_its_corner_and_the_capturer_to_its_square() -> None:
    move = footprint(dict(board_of("Ra2 rc2")), dict(board_of("Rc2 rd4")))
    a2, c2, d4 = map(parse_square, ("a2", "c2", "d4"))
    assert move.targets([a2]) == {c2}
    assert move.targets([c2]) == {d4}
    assert move.targets([a2, c2]) == {c2, d4}


def test_the_rooks_square_is_no_target_while_the_king_is_lifted_to_castle() -> None:
    e1, f1, g1, h1 = map(parse_square, ("e1", "f1", "g1", "h1"))
    castling = footprint({e1: "K", h1: "R"}, {g1: "K", f1: "R"})
    assert [castling.targets([e1]), castling.targets([h1]), castling.targets([e1, h1])] == [{g1}, {f1}, {f1, g1}]


def test_where_two_pieces_changed_places_a_move_that_both_may_make_is_the_next_players_alone() -> None:
    match = Match(MatchStarted("corners", ("Anne", "Bart"), {"fen": FROM_ITS_CORNER}))
    assert "d4c4" in [candidate.id for candidate in candidates_of(match)]
    match.act(Pick("d4d2"), 0)
    assert [candidate.takes_back for candidate in candidates_of(match) if candidate.id == "d4c4"] == [False]


# --- every order of hands -------------------------------------------------------------------------------------------

ORDERS = [
    order
    for order in itertools.permutations(("lift a2", "lift c2", "place d4", "place c2"))
    if order.index("lift c2") < order.index("place d4")
    and order.index("lift c2") < order.index("place c2")
    and order.index("lift a2") < order.index("place c2")
]


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
@pytest.mark.parametrize("pause_ms", [40, 1000])
def test_a_capture_is_accepted_whatever_was_lifted_and_put_first(order: tuple[str, ...], pause_ms: int) -> None:
    result = tape(BATTLE, *(f"+{pause_ms} {line}" for line in order))
    assert (len(ORDERS), result.code) == (5, 0)
    assert picked(result) == ["a2c2"]
    assert result.final["pieces"] == {"b1": "R", "c2": "R", "d4": "r", "c4": "r"}
    assert result.actions[0]["at_ms"] == 1000 + 4 * pause_ms + DEBOUNCE_MS


SLID = ("lift a2", "+100 place b2", "+100 lift b2", "+100 place c2")
TO_ITS_CORNER = ("lift c2", "+100 place d2", "+100 lift d2", "+100 place d3", "+100 lift d3", "+100 place d4")


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(("lift c2", "place d4", *SLID), id="the capturer is slid"),
        pytest.param(("lift c2", *SLID, "+700 place d4"), id="the capturer is slid before its victim stands"),
        pytest.param((*TO_ITS_CORNER, "lift a2", "place c2"), id="the victim is slid to its corner"),
        pytest.param(("mask d4", "lift c2", "lift a2", "place c2", "+9000 pick a2c2"), id="its corner is masked"),
    ],
)
def test_a_capture_is_made_all_the_same(lines: tuple[str, ...]) -> None:
    assert picked(tape(BATTLE, *lines)) == ["a2c2"]


def test_a_move_past_the_place_where_it_might_stop_waits_for_it() -> None:
    """Without the victim lifted the rook only goes to b2, where a rook may stop."""
    result = tape(BATTLE, "lift a2", "place b2", "+299 expect pieces.a2 R", "+10 expect pieces.b2 R")
    assert result.code == 0


def test_a_victim_on_its_own_corner_leaves_the_board() -> None:
    result = tape(ON_ITS_CORNER, "lift d4", "lift d1", "place d4")
    assert picked(result) == ["d1d4"]
    assert result.final["pieces"] == {"b1": "R", "d4": "R", "c4": "r"}


def test_where_the_same_touches_fit_two_moves_one_is_believed_and_the_other_on_offer() -> None:
    """Ra4 may have gone to the corner, another rook being adjusted; or it took that one, which went there."""
    board = "Ra4 Rb1 ra2 rc1"
    touches = ("lift a4", "lift a2", "place d4", "place a2")
    result = tape(board, *touches)
    assert standing(result) in (["a4a2"], ["a4d4"])
    rival = {"a4a2": "a4d4", "a4d4": "a4a2"}[standing(result)[0]]
    assert rival in {option["id"] for option in result.final["ask"]["options"]}
    assert standing(tape(board, *touches, f"pick {rival}")) == [rival]
    assert standing(tape(board, "lift a2", "place d4", "lift a4", "place a2")) == ["a4a2"]


def test_pieces_that_only_changed_places_are_asked_about_since_they_may_have_been_adjusted() -> None:
    exchange = ("lift d4", "lift d2", "place d4", "place d2")
    result = tape(FROM_ITS_CORNER, *exchange)
    assert result.actions == []
    assert "d4d2" in [option["id"] for option in result.final["ask"]["options"]]
    taken = tape(FROM_ITS_CORNER, *exchange, "pick d4d2")
    assert picked(taken) == ["d4d2"]
    assert taken.final["pieces"] == {"d4": "r", "b1": "R", "d2": "R", "c1": "r"}
    kept = tape(FROM_ITS_CORNER, *exchange, "pick still-moving", "+9000 lift b1", "place b2")
    assert picked(kept) == ["b1b2"]
    adjusted = tape(FROM_ITS_CORNER, "lift d4", "place d4", "lift d2", "place d2", "+9000 expect ask.kind pick")
    assert adjusted.actions == []
    assert "still-moving" not in [option["id"] for option in adjusted.final["ask"]["options"]]


def test_a_capture_may_be_taken_back_and_another_one_made_instead() -> None:
    made = ("lift c2", "place d4", "lift a2", "place c2")
    back = ("lift c2", "place a2", "lift d4", "place c2")
    result = tape(BATTLE, *made, *back, "lift b1", "place b2")
    assert picked(result) == ["a2c2", "take-back", "b1b2"]
    assert result.final["pieces"] == {"a2": "R", "b2": "R", "c2": "r", "c4": "r"}


MOVED_OUT = ("lift b1", "place b2", "lift d4", "place d1", "+1000 expect pieces.d1 r")


@pytest.mark.parametrize("pause_ms", [40, 2900])
def test_a_victim_set_back_where_it_came_from_is_no_move_taken_back_while_hands_go_on(pause_ms: int) -> None:
    """The rook came from its corner with the last move; taken, it goes there again."""
    taking = ("lift d1", "place d4", f"+{pause_ms} lift a1", "place d1")
    assert picked(tape("Ra1 Rb1 rd4 rc4", *MOVED_OUT, *taking)) == ["b1b2", "d4d1", "a1d1"]
    resting = ("lift d1", "place d2", "lift d2", "place d4", f"+{pause_ms} lift a1", "place d1")
    assert standing(tape("Ra1 Rb1 rd4 rc4", *MOVED_OUT, *resting)) == ["b1b2", "d4d1", "a1d1"]
    asked = tape("Ra1 Rb1 rd4 rc4", *MOVED_OUT, "lift d1", "place d4", "+4000 expect ask.kind pick")
    assert {"take-back", "still-moving"} <= {option["id"] for option in asked.final["ask"]["options"]}


# --- lights and words -----------------------------------------------------------------------------------------------


def test_what_may_move_and_what_is_left_of_a_move_is_lit_as_soon_as_a_piece_is_lifted() -> None:
    hand = hands(BATTLE)
    assert marks(hand) == {"a2": Mark.MAY_MOVE, "b1": Mark.MAY_MOVE}
    touch(hand, "-c2")
    assert marks(hand) == {"d4": Mark.TARGET}
    touch(hand, "-a2")
    assert {name for name, mark in marks(hand).items() if mark is Mark.TARGET} == {"c2", "d4"}
    touch(hand, "+c2")
    assert marks(hand)["d4"] is Mark.TARGET
    hand = hands(BATTLE)
    touch(hand, "-c2", "+d4")
    assert marks(hand) == {"a2": Mark.MAY_MOVE, "c2": Mark.TARGET}
    touch(hand, "-a2")
    assert marks(hand) == {"c2": Mark.TARGET}


@pytest.mark.parametrize(
    ("done", "left", "words"),
    [
        ("-a2 -c2 +c2", "+d4", "Put the black rook from c2 on d4"),
        ("-c2 +d4", "-a2 +c2", "Put the white rook from a2 on c2"),
    ],
)
def test_a_capture_left_half_made_is_guided_to_its_end_in_words(done: str, left: str, words: str) -> None:
    hand = hands(BATTLE)
    touch(hand, *done.split())
    hand.wait(7000)
    assert hand.view.prompt == ("The move is not finished", words, "or put everything back")
    touch(hand, *left.split())
    assert hand.match.pieces() == dict(board_of("Rc2 Rb1 rd4 rc4"))


def test_a_victim_put_where_nothing_goes_is_led_home() -> None:
    hand = hands(BATTLE)
    touch(hand, "-c2", "+b3")
    hand.wait(1000)
    view = hand.view
    assert view.prompt == ("This is no move now", "Put the black rook from b3 back on c2")
    assert marks(hand) == {"c2": Mark.PUT_HERE, "b3": Mark.TAKE_AWAY}
    touch(hand, "-b3", "+c2")
    assert not hand.view.wrong


# --- at random ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=effort(2, 300), suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_order_and_the_pauses_the_table_agrees_with_the_hands(seed: int) -> None:
    hand = Hand(MatchStarted("corners", ("Anne", "Bart"), {}), random.Random(seed))
    for _ in range(10):
        ids = [option.id for option in hand.options() if option.on_board]
        taking = [id_ for id_ in ids if parse_square(id_[2:]) in hand.match.pieces()]
        if isinstance(hand.match.turn, Over):
            break
        id_ = hand.rng.choice(taking or ids)
        after = hand.after(id_)
        hand.make(id_)
        assert hand.match.pieces() == after
        assert not hand.view.wrong
        assert hand.session.referee.board_snapshot().state is MonitorState.WATCHING


@pytest.mark.slow
@pytest.mark.long
def test_noisy_boards_misread_no_displaced_victim_and_leave_nobody_stuck() -> None:
    figures, findings = Figures(), list[str]()
    for seed in range(effort(1, 100)):
        game = RandomGame(MatchStarted("corners", ("Anne", "Bart"), {}), seed, REALISTIC, None)
        figures.add(game.play())
        findings += game.person.findings
    assert figures.counts["moves"] >= effort(15, 2000)
    assert (figures.counts["misreads"], figures.counts["stuck"], figures.counts["sealed"]) == (0, 0, 0), findings
    assert figures.counts["guided"] == figures.counts["ended"]
