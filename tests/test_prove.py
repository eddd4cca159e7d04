"""A small run of what `make prove` plays at length: the promises about noisy boards hold."""

from functools import partial
from math import inf

import pytest

from captains_table.games.contract import Over, parse_square
from captains_table.games.registry import game_by_key
from captains_table.simulation.reeds import ReedChange
from captains_table.table.recognition.candidates import candidates_of
from tests.prove.bought_boards import KINDS as BOUGHT_KINDS, FicklePersonAtBoughtBoard, PersonAtBoughtBoard
from tests.prove.fickle.game import FICKLE_GAMES, GAMES_AT_BOUGHT_BOARDS, MOST_MOVES, FickleGame, Swept
from tests.prove.fickle.kinds import KINDS
from tests.prove.fickle.scene import Handling, SetDown, set_down
from tests.prove.figures import WAYS, Figures
from tests.prove.games import PgnGame, games_with_board, own_games, random_game
from tests.prove.offers import ends_of
from tests.prove.outcome import Intent
from tests.prove.stories.history import Change, History
from tests.prove.stories.judge import Path, verdict
from tests.support.effort import LONG_RUN, effort
from tests.support.gestures import PlayedGesture, Truth
from tests.support.listening import ListeningPlayer
from tests.support.noise_mix import BOUNCE_AND_SLIDES, HANDS, MIXES, QUIET, REALISTIC

FICKLE_MOVES = {"chess": effort(100, 10_000)}
"""How many moves are played in a game; in others fewer, since they have been played by the hundred thousand."""
FEW_FICKLE_MOVES = effort(20, 10_000)
SWEPT_GAMES = FICKLE_GAMES[:2]
FIRST_SEED = {"chess": 501}
"""The first seeds of games whose usual one has no move in its first twenty that fits two stories."""
SWEPT_OF = effort(2, 1)
"""One in so many kinds of hands is swept in a game, and the others in the other game."""

LATE = ("dgt-bad-line",)
"""The bought boards whose line loses so much that some moves are told of too late to be believed at once."""

SEALED_OF = effort(0, 4)
"""One in so many of the sealers at all changes of a deed is tried; 0: one alone."""

SELDOM = {
    "legend": {"two-hands": 69, "crown-first": 301},
    "captains-chess": {"crown-first": 284, "special": 284},
}
"""The seeds of games that begin with a use for hands that seldom have one."""

NEVER = {"legend": {"child-plays"}, "captains-chess": {"before-throw", "two-hands"}}
"""The hands that have no use in a game, or hardly any: only in Captain's Chess does a reply follow at once."""


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "mix", "moves"),
    [
        *((key, "realistic", effort(8 if key == "pig" else 15, 5000)) for key in games_with_board()),
        ("legend", "bounce-and-slides", effort(12, 2000)),
        ("captains-chess", "quiet", effort(10, 1000)),
    ],
)
def test_noisy_games_keep_every_promise(key: str, mix: str, moves: int) -> None:
    figures, seed = Figures(), 0
    while figures.counts["moves"] < moves:
        figures.add(random_game(key, seed, MIXES[mix]).play(moves))
        seed += 1
    assert WAYS["ordinary"].broken(mix, figures) == []
    assert figures.counts["guided"] == figures.counts["ended"]


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("board", BOUGHT_KINDS)
def test_no_move_is_misread_on_a_board_that_was_bought_and_nothing_is_asked_that_it_reads(board: str) -> None:
    figures = Figures()
    for seed in range(effort(3, 12)):
        key = ("legend", "chess", "crowns")[seed % 3]
        game = random_game(key, seed, HANDS, None, partial(PersonAtBoughtBoard, BOUGHT_KINDS[board]))
        figures.add(game.play(inf if LONG_RUN else 10))
        assert isinstance(game.person.match.turn, Over) or not LONG_RUN, "the match was played to its end"
    broken = WAYS["ordinary"].broken(board, figures)
    assert [words for words in broken if "accepted after" not in words or board not in LATE] == []
    assert figures.counts["other"] == 0


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("key", "stuck"), [("legend", "closed"), ("captains-chess", "open")])
def test_games_with_a_switch_that_sticks_are_played_on(key: str, stuck: str) -> None:
    figures = Figures()
    for seed in range(1, effort(2, 60)):
        figures.add(random_game(key, seed, QUIET, stuck).play(effort(25, 10_000)))
    assert (figures.counts["misreads"], figures.counts["stuck"]) == (0, 0)
    assert figures.counts["guided"] == figures.counts["ended"]


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("key", FICKLE_GAMES)
def test_hands_that_change_their_mind_keep_every_promise(key: str) -> None:
    figures, findings, seed = Figures(), list[str](), FIRST_SEED.get(key, 500)
    moves = FICKLE_MOVES.get(key, FEW_FICKLE_MOVES)
    while figures.counts["moves"] < moves:
        game = FickleGame(key, seed, most_moves=min(moves, MOST_MOVES))
        figures.add(game.play())
        findings += game.person.findings
        seed += 1
    assert WAYS["fickle"].broken(key, figures) == [], "\n".join(findings)
    assert figures.counts["judged"] > 0
    assert figures.counts["double"] > 0


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("board", BOUGHT_KINDS if LONG_RUN else ("dgt-slides", "certabo"))
def test_hands_that_change_their_mind_are_asked_nothing_that_a_board_that_was_bought_reads(board: str) -> None:
    figures, findings = Figures(), list[str]()
    for key in GAMES_AT_BOUGHT_BOARDS:
        sit_down = partial(FicklePersonAtBoughtBoard, BOUGHT_KINDS[board])
        for seed in range(500, 500 + effort(1, 10)):
            game = FickleGame(key, seed, most_moves=effort(5, MOST_MOVES), sit_down=sit_down)
            figures.add(game.play())
            findings += game.person.findings
    assert WAYS["fickle"].broken(board, figures) == [], "\n".join(findings)
    assert figures.counts["moves"] >= effort(15, 200)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(("place", "key"), list(enumerate(SWEPT_GAMES)))
def test_whatever_seals_at_any_change_of_a_deed_of_each_kind_keeps_every_promise(place: int, key: str) -> None:
    figures, findings = Figures(), list[str]()
    for number, kind in enumerate(KINDS):
        if kind in NEVER[key] or (number % SWEPT_OF != place % SWEPT_OF and kind not in NEVER[SWEPT_GAMES[1 - place]]):
            continue
        swept = Swept.find(key, SELDOM[key].get(kind, 0), kind)
        assert swept is not None, kind
        interruptions = list(swept.interruptions())
        for interruption in interruptions[number * 31 % len(interruptions) :: SEALED_OF or len(interruptions)]:
            found = swept.play(interruption)
            figures.add(found[0])
            findings += found[1]
    assert WAYS["fickle"].broken(key, figures) == [], "\n".join(findings)
    assert figures.counts["double"] > 0


@pytest.mark.parametrize(("touched", "is_told"), [("b4 c2", True), ("b4 d3", False)])
def test_another_move_than_the_one_made_is_a_misread_only_where_the_switches_do_not_tell_it(
    touched: str,
    is_told: bool,  # noqa: FBT001 - data
) -> None:
    """A piece that is taken within the time of a bounce leaves no trace; a neighbour that is straightened does."""
    table = ListeningPlayer(
        'game legend Anne Bart "fen=r1nq3r/1bpk4/6p1/pp5p/1np1p3/B1NPPBP1/P1Q1P2P/R3K1R1 b Q - 3 23"\n'
        "dice 1 1 1 1 1 4\npress roll"
    )
    meant = Intent(table.match, "b4d3", candidates_of(table.match))
    table.lines("pick b4c2")
    lifted, settled = map(parse_square, touched.split())
    changes = (
        ReedChange(1000, lifted, closed=False),
        ReedChange(2000, settled, closed=False),
        ReedChange(2200, settled, closed=True),
    )
    truth = Truth({}, missing=True, kinds=frozenset(), tried=(), chattering=frozenset(), end_ms=2200)
    assert meant.is_told(PlayedGesture(changes, truth), table.match) is is_told


@pytest.mark.slow
def test_real_games_end_in_their_final_position() -> None:
    games = list(own_games())
    assert len(games) >= 10
    assert not any(game.errors for game in games)
    games.sort(key=lambda game: len(list(game.mainline_moves())))
    for seed, game in enumerate(games[: effort(1, len(games))], 1):
        play = PgnGame(tuple(game.mainline_moves()), REALISTIC if seed % 2 else BOUNCE_AND_SLIDES, seed)
        figures = play.play()
        assert (figures.counts["misreads"], figures.counts["stuck"]) == (0, 0), play.person.findings


def test_a_game_is_the_same_each_time() -> None:
    first, second = (random_game("legend", 3, REALISTIC).play(5) for _ in range(2))
    assert (first.counts, first.at_once_ms) == (second.counts, second.at_once_ms)


# --- boards that read pieces ------------------------------------------------------------------------------------------

TWO_VICTIMS = "4k3/8/8/2p1p3/8/3N4/8/4K3 w - - 0 1"
BOTH_TOUCHED = "d3- c5- c5+ e5- e5+"
"""A knight is lifted, and both pieces that it may capture: either may be the knight that is set down there."""


def told_by(touches: str, fen: str, *, now: str = "", spares: str = "", every_ms: int = 1000) -> list[Path]:
    """Return the stories that fit touches such as `d3-N e4+N`, and what the board reads now.

    The move before may have captured pieces (`spares`).
    """
    game = game_by_key("chess")
    state = game.start(("Anne", "Bart"), {"fen": fen})
    before = game.pieces(state)
    changes = [
        Change(every_ms * at, parse_square(word[:2]), word[2] == "+", frozenset(word[3:]))
        for at, word in enumerate(touches.split(), 1)
    ]
    reads = {parse_square(word[:2]): frozenset(word[2:]) for word in now.split()}
    return verdict(before, History(changes, before, reads=reads), ends_of(game, state), spares=spares).fitting()


def test_the_judge_cannot_tell_which_piece_was_captured_unless_the_board_reads_it() -> None:
    assert sorted(told_by(BOTH_TOUCHED, TWO_VICTIMS)) == [("d3c5",), ("d3e5",)]
    assert told_by("d3-N c5-p c5+p e5-p e5+N", TWO_VICTIMS) == [("d3e5",)]
    assert told_by("d3-N c5-p c5+N e5-p e5+p", TWO_VICTIMS) == [("d3c5",)]


def test_the_judge_excuses_no_capture_of_a_piece_that_the_board_still_reads() -> None:
    assert {("d3e5",), ("d3c5",)} < set(told_by("d3-", TWO_VICTIMS))
    assert told_by("d3-N", TWO_VICTIMS, now="c5p e5p e1K e8k") == [()]


def test_the_judge_excuses_no_move_that_leaves_a_captured_piece_where_another_move_sets_one_like_it() -> None:
    fen = "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"
    assert ("e7e5",) in told_by("e7- e5+ e6+ e5-", fen, spares="p")
    assert told_by("e7-p e5+p e6+p e5-p", fen, now="e6p e1K e8k", spares="p") == [("e7e6",)]


def test_the_judge_tells_no_other_story_where_all_pieces_are_read_as_one_leaves_them() -> None:
    """A pawn is straightened while another one comes next to it, whose square is seen to open late."""
    fen, touches = "4k3/8/2pp4/8/8/8/8/4K3 b - - 0 1", "d6-p c5+p d6+p c6-p"
    assert set(told_by(touches, fen, every_ms=100)) == {(), ("c6c5",)}
    assert told_by(touches, fen, every_ms=100, now="c5p d6p e1K e8k") == [("c6c5",)]


def test_the_judge_knows_that_a_piece_may_be_read_on_two_squares_for_a_while() -> None:
    before = [parse_square("d3"), parse_square("e1")]
    seen = [Change(1000, parse_square("f4"), closed=True, reads=frozenset("N"))]
    for late_ms, first in ((500, "d3"), (700, "f4")):
        left = Change(1000 + late_ms, parse_square("d3"), closed=False, reads=frozenset("N"))
        assert str(History([*seen, left], before).changes[0].square) == first


def handlings(words: str) -> list[Handling]:
    return [Handling(200, parse_square(word[:2]), word[2] == "+") for word in words.split()]


def test_hands_set_down_the_pieces_that_leave_what_they_mean() -> None:
    before = {parse_square("d3"): "N", parse_square("c5"): "p", parse_square("e5"): "p"}
    for taken, stays, pieces in (("e5", "c5", "pN"), ("c5", "e5", "Np")):
        after = {parse_square(taken): "N", parse_square(stays): "p"}
        assert [each.piece for each in set_down(handlings(BOTH_TOUCHED), before, after)] == list(pieces)


def test_a_piece_across_a_border_stands_on_both_squares_until_it_is_put_right() -> None:
    before, after = {parse_square("e2"): "P"}, {parse_square("e4"): "P"}
    done = [*handlings("e2- e4+"), Handling(20, parse_square("e3"), comes=True, of=parse_square("e2"))]
    found = set_down([*done, *handlings("e3-")], before, after)
    assert found == [SetDown("P", None), SetDown("P", parse_square("e4"))]


def test_hands_set_down_no_piece_that_they_do_not_hold() -> None:
    with pytest.raises(ValueError, match="cannot have done"):
        set_down(handlings("e2- e4+"), {parse_square("e2"): "P"}, {parse_square("e4"): "Q"} | {parse_square("a1"): "R"})
