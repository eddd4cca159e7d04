"""News across the tables: each told once, in words."""

from dataclasses import replace

from captains_table.club.pages.news import KEPT, NewsFeed, NewsKind, news_sentence
from captains_table.games.contract import EventKind, GameEvent
from captains_table.reporting.messages import FinalScore
from tests.club.served_club import played
from tests.support.fake_club import EVENING_S, FakeClub

KING = GameEvent(EventKind.KING, 0, 6, "Anne captures the king")


def told(desk: NewsFeed) -> list[str]:
    return [item.words for item in desk.latest()]


def test_a_king_that_is_taken_is_told_once() -> None:
    club, desk = FakeClub(), NewsFeed()
    before = replace(played("whole-round")[3], latest_events=())
    for view in (before, replace(before, latest_events=(KING,)), replace(before, latest_events=(KING,), revision=9)):
        club.report("table-1", view)
        desk.see(club.table("table-1"), EVENING_S)
    assert told(desk) == ["Anne captures the king"]
    assert desk.latest()[0].kind is NewsKind.TAKEN
    late = NewsFeed()
    late.see(club.table("table-1"), EVENING_S)
    assert told(late) == [], "what happened before anybody looked is no news"


def test_results_are_told_in_the_order_of_receipt_and_once() -> None:
    club, desk = FakeClub(), NewsFeed()
    club.end("table-1", ("Anne", "Bart"), FinalScore(winner=0, scores=(52, 12)))
    desk.hear(club.store.results())
    club.end("table-2", ("Anne", "Bart"), None)
    desk.hear(club.store.results())
    assert told(desk) == [
        "Anne and Bart left their match of Legend",
        "Anne beats Bart 52 to 12 at Legend",
    ]


def test_the_best_score_of_an_evening_is_told_but_not_the_first() -> None:
    club, desk = FakeClub(), NewsFeed()
    for best in (30, 20, 40):
        club.end("table-1", ("Anne", "Bart"), FinalScore(winner=1, scores=(1, best)), "ship-captain-crew")
    desk.hear(club.store.results())
    records = [item.words for item in desk.latest() if item.kind is NewsKind.RECORD]
    assert records == ["Bart has the best score of the evening at Ship, Captain and Crew: 40"]


def test_how_a_match_ended_is_said_whatever_came_of_it() -> None:
    club = FakeClub()
    three = ("Anne", "Bart", "Cecilia")
    club.end("t", ("Anne",), FinalScore(winner=0, scores=(230,)), "swashbuckle")
    club.end("t", three, FinalScore(winner=None, scores=(9, 9, 1)), "ship-captain-crew")
    club.end("t", ("Anne", "Bart"), FinalScore(winner=1, scores=(0, 1)), "captains-chess")
    club.end("t", ("Anne", "Bart"), FinalScore(winner=None, scores=(5, 1)), "crowns")
    club.end("t", ("Anne", "Bart"), FinalScore(winner=0, scores=(5, 1)), "a game of others")
    assert [news_sentence(result) for result in club.store.results()] == [
        "Anne has 230 at Swashbuckle",
        "Anne, Bart and Cecilia share Ship, Captain and Crew",
        "Bart beats Anne at Captain's Chess",
        "Nobody wins Crowns between Anne and Bart",
        "Anne beats Bart 5 to 1 at a game of others",
    ]


def test_only_the_last_news_are_kept() -> None:
    club, desk = FakeClub(), NewsFeed()
    for number in range(KEPT + 5):
        club.end("t", (f"Player {number}",), FinalScore(winner=0, scores=(0,)))
    desk.hear(club.store.results())
    assert len(desk.latest()) == KEPT
    assert desk.latest()[0].words.startswith(f"Player {KEPT + 4}")


def test_what_is_forgotten_is_not_told_anew() -> None:
    club, desk = FakeClub(), NewsFeed()
    club.end("table-1", ("Anne", "Bart"), FinalScore(winner=0, scores=(52, 12)))
    desk.hear(club.store.results())
    desk.forget()
    desk.hear(club.store.results())
    assert told(desk) == []
