"""A small run of what `make prove` plays at length: the promises about noisy boards hold."""

import pytest

from captains_table.games.contract import parse_square
from captains_table.simulation.reeds import ReedChange
from captains_table.table.recognition.candidates import candidates_of
from tests.prove.fickle.counting import broken_fickle_promises
from tests.prove.fickle.game import FICKLE_GAMES, FickleGame
from tests.prove.fickle.kinds import KINDS
from tests.prove.fickle.sweep import Swept
from tests.prove.figures import Figures, broken_promises
from tests.prove.games import PgnGame, games_with_board, own_games, random_game
from tests.prove.intent import Intent
from tests.support.effort import effort
from tests.support.gestures import PlayedGesture, Truth
from tests.support.listening import ListeningPlayer
from tests.support.noise_mix import BOUNCE_AND_SLIDES, MIXES, QUIET, REALISTIC

FICKLE_MOVES = effort(2000, 20_000)
FICKLE_PARTS = 8
CROWNS_MATCHES, CROWNS_PARTS = effort(10, 120), effort(2, 4)
SWEPT_OF = effort(300, 4)
"""Of the sealers at all changes of a deed one in so many is tried."""


def played(key: str, mix: str, moves: int) -> Figures:
    figures, seed = Figures(), 0
    while figures.counts["moves"] < moves:
        figures.add(random_game(key, seed, MIXES[mix]).play())
        seed += 1
    return figures


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "mix", "moves"),
    [
        ("legend", "realistic", effort(150, 5000)),
        ("legend", "bounce-and-slides", effort(100, 2000)),
        ("legend", "quiet", effort(50, 1000)),
        ("captains-chess", "realistic", effort(150, 5000)),
        ("captains-chess", "bounce-and-slides", effort(60, 2000)),
    ],
)
def test_noisy_games_keep_every_promise(key: str, mix: str, moves: int) -> None:
    figures = played(key, mix, moves)
    assert broken_promises(mix, figures) == []
    assert figures.counts["guided"] == figures.counts["ended"]


@pytest.mark.long
@pytest.mark.parametrize("part", range(CROWNS_PARTS))
def test_matches_of_crowns_of_two_to_fourteen_keep_every_promise(part: int) -> None:
    figures = Figures()
    for seed in range(part, CROWNS_MATCHES, CROWNS_PARTS):
        figures.add(random_game("crowns", seed, REALISTIC).play())
    assert broken_promises("realistic", figures) == []
    assert figures.counts["guided"] == figures.counts["ended"]


@pytest.mark.long
@pytest.mark.parametrize("stuck", ["open", "closed"])
def test_games_with_a_switch_that_sticks_are_played_to_their_end(stuck: str) -> None:
    figures = Figures()
    for seed in range(effort(3, 60)):
        figures.add(random_game("legend", seed, QUIET, stuck).play())
    assert (figures.counts["misreads"], figures.counts["stuck"]) == (0, 0)
    assert figures.counts["guided"] == figures.counts["ended"]


def test_captains_chess_with_a_switch_that_sticks_is_played_to_its_end() -> None:
    figures = Figures()
    for seed, stuck in ((0, "open"), (1, "closed")):
        figures.add(random_game("captains-chess", seed, QUIET, stuck).play())
    assert (figures.counts["misreads"], figures.counts["stuck"]) == (0, 0)


@pytest.mark.long
@pytest.mark.parametrize("first_seed", range(500, 500 + FICKLE_PARTS))
@pytest.mark.parametrize("key", FICKLE_GAMES)
def test_hands_that_change_their_mind_keep_every_promise(key: str, first_seed: int) -> None:
    figures, findings, seed = Figures(), list[str](), first_seed
    while figures.counts["moves"] < FICKLE_MOVES // FICKLE_PARTS // len(FICKLE_GAMES):
        game = FickleGame(key, seed)
        figures.add(game.play())
        findings += game.person.findings
        seed += FICKLE_PARTS
    assert broken_fickle_promises(key, figures) == [], "\n".join(findings)
    assert figures.counts["judged"] > 0
    assert figures.counts["double"] > 0


@pytest.mark.long
@pytest.mark.parametrize("key", FICKLE_GAMES)
def test_whatever_seals_at_any_change_of_a_deed_keeps_every_promise(key: str) -> None:
    figures, findings = Figures(), list[str]()
    for number, kind in enumerate(KINDS):
        swept = Swept.find(key, number, kind, most_seeds=effort(20, 400))
        if swept is None:
            continue
        interruptions = list(swept.interruptions())
        for interruption in interruptions[number % SWEPT_OF :: SWEPT_OF]:
            found = swept.play(interruption)
            figures.add(found[0])
            findings += found[1]
    assert broken_fickle_promises(key, figures) == [], "\n".join(findings)
    assert figures.counts["double"] > 0


@pytest.mark.parametrize(("touched", "is_told"), [("b4 c2", True), ("b4 d3", False)])
def test_another_move_than_the_one_made_is_a_misread_only_where_the_switches_do_not_tell_it(
    touched: str,
    is_told: bool,  # noqa: FBT001 - data
) -> None:
    """A piece that is taken within the time of a bounce leaves no trace, and one set straight beside it does."""
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


def test_real_games_end_in_their_final_position() -> None:
    games = list(own_games())
    assert len(games) >= 10
    assert not any(game.errors for game in games)
    for seed, game in enumerate(games[: effort(5, len(games))]):
        play = PgnGame(game, REALISTIC if seed % 2 else BOUNCE_AND_SLIDES, seed)
        figures = play.play()
        assert (figures.counts["misreads"], figures.counts["stuck"]) == (0, 0), play.person.findings


def test_a_game_is_the_same_each_time() -> None:
    first, second = (random_game("legend", 3, REALISTIC).play() for _ in range(2))
    assert (first.counts, first.at_once_ms) == (second.counts, second.at_once_ms)


def test_every_game_with_a_board_is_played_without_a_misread() -> None:
    for key in games_with_board():
        figures = random_game(key, 1, REALISTIC).play()
        assert figures.counts["moves"] > 0
        assert figures.counts["misreads"] == 0
