"""What the matches of a season add up to, in any order of arrival."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.club.season.hall_of_fame import HallOfFame, PlayerSeason, hall_of_fame, player_season
from captains_table.club.season.season import ResultSource, SeasonMatch, games_of, season_of
from captains_table.reporting.messages import FinalScore
from tests.club.recorded_matches import NAMES, all_proven, of_outcome, proven_match, recorded, seasons
from tests.support.effort import effort

FEW = settings(max_examples=effort(25, 1000), deadline=None)


def everything(season: Sequence[SeasonMatch]) -> tuple[list[HallOfFame], list[PlayerSeason]]:
    """Return all that is made of a season."""
    return [hall_of_fame(season, game) for game in games_of(season)], [player_season(season, name) for name in NAMES]


@pytest.mark.slow
@FEW
@given(told=seasons(), evening=st.integers(1, 4))
def test_without_an_evening_there_is_what_the_others_give(told: list[SeasonMatch], evening: int) -> None:
    latest = season_of(told)
    others = [match for match in latest if match.evening != evening]
    chosen = {1, 2, 3, 4} - {evening}
    assert everything(season_of(told, chosen)) == everything(season_of(others))
    assert not [match for match in season_of(told, chosen) if match.evening == evening]


@pytest.mark.slow
@FEW
@given(told=seasons(), data=st.data())
def test_a_result_counts_once_by_its_highest_revision(told: list[SeasonMatch], data: st.DataObject) -> None:
    seals = [match.seal for match in season_of(told)]
    highest = {seal: max(match.rev for match in told if match.seal == seal) for seal in seals}
    assert len(seals) == len(set(seals)) == len({match.seal for match in told})
    assert all(match.rev == highest[match.seal] for match in season_of(told))
    again = data.draw(st.permutations([*told, *told]))
    assert everything(season_of(again)) == everything(season_of(told)), "in whatever order they arrive"


@pytest.mark.slow
@FEW
@given(told=seasons(), failed=st.sampled_from([ResultSource.FAILED, ResultSource.PENDING]))
def test_what_is_not_proven_though_it_claims_to_be_counts_in_no_record(
    told: list[SeasonMatch], failed: ResultSource
) -> None:
    season = season_of(told)
    claimed = [replace(match, word=failed) if match.word is ResultSource.TOLD else match for match in season]
    without = [match for match in season if match.word is not ResultSource.TOLD]
    assert everything(claimed)[0] == everything(without)[0]


@FEW
@given(told=seasons())
def test_every_match_that_counts_is_told_by_somebody(told: list[SeasonMatch]) -> None:
    season = season_of(told)
    for game in games_of(season):
        hall = hall_of_fame(season, game)
        assert sum(hall.words.values()) == hall.matches == sum(m.counts and m.game == game for m in season)
        assert not hall.words.keys() & {ResultSource.PENDING, ResultSource.FAILED}
        for line in hall.lines:
            assert sum(line.words.values()) == line.tally.played
        for best in hall.bests:
            assert best.match.ending is not None
            assert best.score > 0, "nothing is nobody's best"
            assert (best.name, best.score) in zip(best.match.names, best.match.ending.scores, strict=True)


def test_the_hall_of_fame_of_real_matches_is_what_was_played() -> None:
    hall = hall_of_fame(season_of(all_proven()), "swashbuckle")
    assert (hall.matches, hall.words) == (2, {ResultSource.PROVEN: 2})
    tallies = [(line.tally.name, line.tally.won, line.tally.played) for line in hall.lines]
    assert tallies == [("Bart", 1, 2), ("Anne", 1, 2), ("Cleo", 0, 1)]
    bests = [(best.name, best.score) for best in hall.bests]
    assert bests == [("Bart", 392), ("Anne", 238), ("Cleo", 111), ("Anne", 90), ("Bart", 49)]
    first = hall.ranking[0]
    assert (first.player.title, first.player.leads, first.match) == ("Captain Bart", True, hall.bests[0].match)
    assert (hall.luckiest[0].name, hall.luckiest[0].throw.luck) == ("Bart", 70.018)
    assert hall.luck[0].name == "Bart"


def test_matches_alone_are_compared_by_turns_only_where_these_are_proven() -> None:
    proven = proven_match("ship-captain-crew-alone")
    told = of_outcome(recorded("ship-captain-crew-alone"), ResultSource.TOLD)
    told = replace(told, seal="0" * 64, ending=FinalScore(winner=0, scores=(99,)))
    hall = hall_of_fame(season_of([proven, told]), "ship-captain-crew")
    assert [(alone.best.course, alone.best.turns, alone.match) for alone in hall.alone] == [
        ("target=20", 6, proven),
        ("target=20 (turns not told)", None, told),
    ]


def test_only_what_is_proven_may_be_asked_for() -> None:
    told = replace(of_outcome(recorded("legend"), ResultSource.TOLD), seal="0" * 64)
    season = season_of([told, proven_match("legend")], only_proven=True)
    assert hall_of_fame(season, "legend").words == {ResultSource.PROVEN: 1}


def test_of_a_game_without_dice_no_luck_is_told() -> None:
    hall = hall_of_fame(season_of(all_proven()), "crowns")
    assert (hall.luck, hall.luckiest, hall.unluckiest) == ((), (), ())
    assert hall.matches == 1


@pytest.mark.parametrize(
    ("name", "game", "opponents"),
    [
        ("Anne", "swashbuckle", [("Bart", 2, 1, 0, 1), ("Cleo", 1, 0, 0, 0)]),
        ("Anne", "captains-chess", [("Bart", 1, 0, 1, 0)]),
        ("Cleo", "swashbuckle", [("Anne", 1, 0, 0, 0), ("Bart", 1, 0, 0, 1)]),
    ],
)
def test_a_player_has_a_record_against_each_opponent(
    name: str, game: str, opponents: list[tuple[str, int, int, int, int]]
) -> None:
    """How often they played, and it was won, drawn and lost."""
    [found] = [each for each in player_season(season_of(all_proven()), name).games if each.game == game]
    assert [(each.name, each.played, each.won, each.drawn, each.lost) for each in found.opponents] == opponents


def test_a_player_has_luck_and_matches_of_every_game() -> None:
    anne = player_season(season_of(all_proven()), "Anne")
    assert {match.game for match in anne.matches} == {game.game for game in anne.games}
    [luck] = [game.luck for game in anne.games if game.game == "swashbuckle"]
    assert luck is not None
    assert luck.matches == 2
