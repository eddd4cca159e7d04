"""What is remembered over matches of any game."""

from captains_table.games.common.records import FinishedMatch, match_tallies, solitaire_bests


def alone(score: int, turns: int | None = None, course: str = "") -> FinishedMatch:
    return FinishedMatch("ship-captain-crew", ("Anne",), 0, (score,), course, turns)


def test_wins_and_matches_are_counted_by_game_and_name() -> None:
    kept = match_tallies(
        [
            FinishedMatch("swashbuckle", ("Anne", "Bart"), 0, (250, 200)),
            FinishedMatch("swashbuckle", ("Bart", "Anne"), None, (230, 230)),
            FinishedMatch("legend", ("Anne", "Bart"), 1, (10, 20)),
            alone(53, 9),
        ]
    )
    assert [(each.game, each.name, each.won, each.played, each.best) for each in kept] == [
        ("legend", "Bart", 1, 1, 20),
        ("legend", "Anne", 0, 1, 10),
        ("swashbuckle", "Anne", 1, 2, 250),
        ("swashbuckle", "Bart", 0, 2, 230),
    ]


def test_a_match_is_drawn_by_those_who_share_its_highest_score_and_nobody_else() -> None:
    kept = match_tallies(
        [
            FinishedMatch("swashbuckle", ("Anne", "Bart", "Cora"), None, (230, 230, 90)),
            FinishedMatch("captains-chess", ("Anne", "Bart"), None, (0, 0)),
            FinishedMatch("captains-chess", ("Anne", "Bart"), 1, (0, 1)),
        ]
    )
    assert [(each.game, each.name, each.won, each.drawn, each.played) for each in kept] == [
        ("captains-chess", "Bart", 1, 1, 2),
        ("captains-chess", "Anne", 0, 1, 2),
        ("swashbuckle", "Anne", 0, 1, 1),
        ("swashbuckle", "Bart", 0, 1, 1),
        ("swashbuckle", "Cora", 0, 0, 1),
    ]


def test_alone_the_fewest_turns_are_best_where_they_count_and_the_highest_score_elsewhere() -> None:
    (best,) = solitaire_bests([alone(60, 9), alone(50, 7), alone(70, 8)])
    assert (best.turns, best.score, best.played) == (7, 50, 3)
    (best,) = solitaire_bests([alone(200), alone(260), alone(240)])
    assert (best.score, best.turns) == (260, None)


def test_another_course_has_its_own_best() -> None:
    assert len(solitaire_bests([alone(60, 9), alone(22, 3, "target=20")])) == 2
