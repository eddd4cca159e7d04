"""Matches among computer players: repeatable, fair in their seats, and means with true standard errors."""

import statistics
from pathlib import Path

import pytest

from captains_table.cli.main import main
from captains_table.games.contract import BadOption
from captains_table.games.crowns.designs import parse_design, roster
from captains_table.games.registry import UnknownGame
from captains_table.runtime.simulated_matches import (
    BadSimulation,
    SimulationPlan,
    mean_of,
    play_match,
    play_matches,
    result_lines,
)
from captains_table.storage.design_file import DESIGNS, DesignFile

CREW = SimulationPlan("ship-captain-crew", ("best", "greedy", "random"), {"target": "20"}, matches=12, seed=4)


def test_the_same_seed_plays_the_same_matches_however_many_processes_there_are() -> None:
    alone = [play_match(CREW, number) for number in range(CREW.matches)]
    shares: list[float] = []
    assert play_matches(CREW, shares.append, processes=2) == alone
    assert shares[-1] == 1
    assert shares == sorted(shares)


def test_a_mean_comes_with_its_standard_error() -> None:
    values = [3.0, 5.0, 9.0, 1.0]
    mean = mean_of(values)
    assert mean.value == statistics.mean(values)
    assert mean.error == pytest.approx(statistics.stdev(values) / 2)
    assert mean_of([7.0]).error is None


@pytest.mark.slow
def test_who_plays_best_scores_more_than_who_plays_at_random() -> None:
    plan = SimulationPlan("swashbuckle", ("best", "random"), {}, matches=2, seed=1)
    best, random = play_match(plan, 0)
    assert best.tallies["total"] > random.tallies["total"]
    assert (best.won, random.won) == (1, 0)


def test_the_same_player_twice_gets_two_names() -> None:
    plan = SimulationPlan("ship-captain-crew", ("best", "random", "best"), {}, 1)
    assert plan.names() == ["best 1", "random", "best 2"]


def test_the_result_is_a_table_with_a_line_for_each_player() -> None:
    lines = result_lines(CREW, [play_match(CREW, number) for number in range(3)])
    assert [line.split()[0] for line in lines] == ["player", "best", "greedy", "random"]
    assert lines[0].split() == ["player", "cargo", "total", "won"]
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize(
    ("plan", "error"),
    [
        (SimulationPlan("ship-captain-crew", ("cheating",), {}, 1), BadSimulation),
        (SimulationPlan("ship-captain-crew", ("best",), {}, 0), BadSimulation),
        (SimulationPlan("ship-captain-crew", ("best",), {"targett": "1"}, 1), BadOption),
        (SimulationPlan("poker", ("best",), {}, 1), UnknownGame),
        (SimulationPlan("ship-captain-crew", ("zephyr:9",), {}, 1), BadSimulation),
        (SimulationPlan("ship-captain-crew", ("zephyr",), {}, 1), BadSimulation),
        (SimulationPlan("ship-captain-crew", ("eurus:5",), {}, 1), BadSimulation),
    ],
)
def test_what_cannot_be_played_is_refused_with_what_was_expected(plan: SimulationPlan, error: type[Exception]) -> None:
    with pytest.raises(error, match="expected"):
        plan.check()


@pytest.mark.slow
def test_opponents_may_be_seated_at_their_levels_next_to_others() -> None:
    players = ("zephyr:1", "best", "zephyr:4", "zephyr:4")
    plan = SimulationPlan("ship-captain-crew", players, {"target": "15"}, matches=2)
    plan.check()
    assert plan.names() == ["zephyr:1", "best", "zephyr:4 1", "zephyr:4 2"]
    played = [play_match(plan, number) for number in range(plan.matches)]
    assert played == [play_match(plan, number) for number in range(plan.matches)]
    assert sum(score.won for match in played for score in match) == pytest.approx(plan.matches)


def test_the_command_prints_means_next_to_the_optimum(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "swashbuckle", "--matches", "2", "--players", "best", "--processes", "1"]) == 0
    out = capsys.readouterr().out
    assert "2 matches of swashbuckle" in out
    assert "exact optimum 300.5576" in out


FERRIS = "Ferris: b4 d4 b2 d2 / b5 d5 a4 e4 a2 e2 b1 d1"  # of value 3
CROWNS = ("simulate", "crowns", "turn_limit=2", "--matches", "2", "--processes", "1", "--players", "greedy,random")


def test_a_piece_goes_with_its_player_from_seat_to_seat() -> None:
    plan = SimulationPlan("crowns", ("random", "random"), {"turn_limit": "2", "piece2": FERRIS}, 2)
    assert [play_match(plan, number)[1].tallies["value"] for number in range(2)] == [3, 3]


def test_pieces_are_given_by_the_names_of_the_roster_and_of_what_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    DesignFile(tmp_path / DESIGNS).save(parse_design(FERRIS))
    assert main([*CROWNS, "piece1=Rigger", "piece2=Ferris", "--state", str(tmp_path)]) == 0
    rigger = next(design for design in roster() if design.name == "Rigger")
    values = [line.split()[1] for line in capsys.readouterr().out.splitlines()[2:]]
    assert values == [f"{rigger.value}.00", "3.00"]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("piece1=Riger", "'Riger' is no piece: expected NAME: STANDARD / LEVELLED"),
        ("piece1=Riger", "or the name of one that is kept or of the roster (did you mean 'Rigger'?)"),
        ("piece3=Rigger", "piece3 is nobody's: expected pieces of 2 players"),
        ("piece1=Ferris: c4 c4 / c3", "Ferris: "),
        ("rounds=3", "unknown option 'rounds'"),
    ],
)
def test_a_piece_that_cannot_be_played_with_is_refused_before_a_match_is(
    option: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*CROWNS, option, "--state", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err


def test_what_is_no_option_is_refused_wherever_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("rounds", "--rounds=3"):
        with pytest.raises(SystemExit):
            main([*CROWNS, word])
        assert f"unrecognized arguments: {word}" in capsys.readouterr().err


CARGO_TO_THROW = [  # a die is kept if it shows more than another throw is worth: 3.5 with one left, 4.25 with two
    "2 left: stand on 5-5, 5-6, 6-6\n",
    "2 left: throw one of 1-5, 1-6, 2-5, 2-6, 3-5, 3-6, 4-5, 4-6\n",
    "1 left: throw both of 1-1, 1-2, 1-3, 2-2, 2-3, 3-3\n",
]


@pytest.mark.parametrize(
    ("game", "figures"),
    [
        ("legend", ["5.320470850  = 7721004643/1451188224", "0.667253220", "stop on IV, V, VI", *CARGO_TO_THROW]),
        ("ship-captain-crew", ["205/1296", "1995847/10077696", "3.483727796", "4.084579617", "4.316351145"]),
        ("swashbuckle", ["300.5576", "306.8019", "347897/7558272"]),
    ],
)
def test_the_odds_of_every_game_with_dice_are_printed_and_of_no_other(
    game: str, figures: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", game]) == 0
    out = capsys.readouterr().out
    assert [figure for figure in figures if figure not in out] == []
    assert main(["odds", "chess"]) == 2
    assert "expected one of legend" in capsys.readouterr().err
