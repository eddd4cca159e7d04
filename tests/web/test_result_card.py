"""The card of a finished match on the pages: its words and bars, its buttons, and what follows after a while."""

import asyncio
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from captains_table.games.contract import EventKind, GameEvent, Option, PickAsk, Result
from captains_table.games.registry import game_by_key
from captains_table.page import live_pages
from captains_table.page.live_pages import LivePages
from captains_table.players.common.luck import MatchLuck, PointsByOrigin
from captains_table.records.luck import luck_in_words
from captains_table.table.model.view import SeatView, View
from captains_table.web.reach import PageReach
from captains_table.web.render import Renderer
from captains_table.web.serving.guests import Guests
from tests.support.display_views import VIEWS
from tests.support.fake_table import FakeTable
from tests.support.reviewed import entries_of, reviewed
from tests.support.visiting import get
from tests.web.test_playing_page import fragment

LEVEL = "Rematch \u00b7 level 1"
NEXT = (("rematch-level", LEVEL), ("rematch", "Rematch"), ("new", "New match"), ("table-menu", "This table"))
PAID = GameEvent(EventKind.SETTLEMENT, 0, 9, "Bart pays 9 to Anne")
WON = replace(
    VIEWS["winner"],
    ask=PickAsk("What is to be played?", tuple(Option(*each) for each in NEXT)),
    result=Result(0, (52, 12), "Anne captures the king"),
    latest_events=(PAID,),
    commitment="9f" * 32,
)


def shown(view: View, place: str = "result") -> str:
    """Return what stands in one place of the table's page while it shows a view."""
    table = FakeTable()
    table.show(view)
    return fragment(get(table, "/table").text, place)


def test_the_card_says_who_won_by_how_much_and_why_and_marks_the_winner() -> None:
    card = shown(WON)
    assert re.search(r"<span>Anne wins</span> <b class=\"result-score\">52 : 12</b>", card)
    assert re.findall(r'class="why">([^<]+)', card) == ["Anne captures the king", "Bart pays 9 to Anne"]
    assert re.findall(r'<li class="winner">.*?<bdi>(\w+)', card) == ["Anne"]
    assert re.findall(r'class="part-\d" x="([\d.]+)%" width="([\d.]+)%"', card)[:2] == [
        ("0.00", "65.38"),
        ("65.38", "34.62"),
    ]
    assert re.findall(r'<span class="part-\d">(\w+)', card) == ["cargo", "legend"]


def test_the_rematch_is_the_first_and_golden_button_then_review_then_another_game() -> None:
    card = shown(WON)
    ways = re.findall(r'class="button( primary)?[^"]*" (?:data-pick|href)="([^"]+)"', card)
    assert ways[:4] == [(" primary", "rematch-level"), ("", "rematch"), ("", "/matches/current"), ("", "/new")]
    assert LEVEL in card
    assert "Another game" in card
    assert "This table" not in card, "the knob has its own menu"
    assert "Another level" not in card
    assert card.index("Fingerprint") > card.index("Another game"), "what few need comes last"
    against = shown(replace(WON, seats=(WON.seats[0], replace(WON.seats[1], computer="Aether", level="casual"))))
    assert f'href="/new?game={WON.game}">Another level' in against
    assert against.count("(you)") == 2, "next to the headline and the score"
    assert "(you)" not in card
    assert "Anne wins the match" not in card, "the card's headline says it"


def test_without_a_match_there_is_no_dead_roll_bar() -> None:
    assert "knob-roll" not in shown(WON, "roll")
    assert "knob-roll" not in shown(View(), "roll")


def test_a_score_that_is_a_tally_but_no_total_has_its_name() -> None:
    seats = tuple(
        SeatView(name, {"level": 1, "gold": gold}, on_turn=False) for name, gold in (("Anne", 52), ("Bart", 12))
    )
    assert '<b class="result-score">52 : 12 gold</b>' in shown(replace(WON, seats=seats))
    won = replace(WON, seats=seats, result=Result(0, (1, 0), "Checkmate"))
    assert '<b class="result-score">1 : 0</b>' in shown(won), "the match, not the tally"


def test_scores_that_are_no_points_are_not_drawn_as_bars() -> None:
    seats = (SeatView("Anne", {}, on_turn=False), SeatView("Bart", {}, on_turn=False))
    drawn = shown(
        replace(WON, seats=seats, result=Result(None, (0, 0), "The players agree on a draw"), latest_events=())
    )
    assert "\u00bd : \u00bd" in drawn
    assert "score-bar" not in drawn


def test_the_room_display_shows_the_games_again_when_the_result_was_shown_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = FakeTable()
    table.show(WON)
    assert "Anne wins" in get(table, "/").text
    monkeypatch.setattr(live_pages, "RESULT_S", 0.0)
    resting = get(table, "/").text
    assert "Anne wins" not in resting
    assert fragment(resting, "idle")
    assert "Anne wins" in get(table, "/table").text, "those who play keep it"


def test_the_luck_of_a_match_is_added_once_it_is_measured() -> None:
    entries = entries_of("ship-captain-crew", luck=5)
    review = reviewed(entries, 7)
    assert review.story is not None
    table = FakeTable()
    table.looked_back, table.current = {7: replace(review, is_current=True)}, 7
    table.session.match = SimpleNamespace(
        game=game_by_key("ship-captain-crew"), is_ended=True, started=SimpleNamespace(options={})
    )
    table.show(replace(WON, game="ship-captain-crew"))

    async def lines() -> list[str | None]:
        pages = LivePages(table, Renderer(), Guests(), PageReach("127.0.0.1", 0))
        look = live_pages.PageVariant("table")
        before = pages.scene(look).luck
        changes = table.subscribers.changes()
        await anext(changes)
        await anext(changes)
        return [before, pages.scene(look).luck]

    before, after = asyncio.run(lines())
    assert before == "", "its room is kept"
    assert after is not None
    assert after.endswith((" better.", "both alike."))


@pytest.mark.parametrize(
    ("lucks", "result", "words"),
    [
        ((5, -4), Result(0, (80, 33)), "Anne's dice were 9 points better, and Anne won by 47."),
        ((-5, 4), Result(0, (80, 33)), "Bart's dice were 9 points better, and Anne won all the same."),
        ((30, -20), Result(0, (80, 33)), "Anne's dice were 50 points better, which decided the match."),
        ((1, 9, 2), Result(0, (9, 8, 7)), "The dice were kindest to Bart (+9 points) and hardest on Anne (+1 points)."),
        ((3,), Result(0, (42,)), "The dice were 3 points better than average. Choices cost 2 points."),
        ((-1,), Result(0, (42,)), "The dice were 1 point worse than average. Choices cost 2 points."),
        ((1, -3), Result(None, (7, 7)), "Anne's dice were 4 points better."),
        ((2, 2), Result(None, (7, 7)), "The dice treated both alike."),
        ((2, 2, 2), Result(0, (9, 8, 7)), "The dice treated all alike."),
    ],
)
def test_luck_and_skill_are_told_in_one_line(lucks: tuple[float, ...], result: Result, words: str) -> None:
    seats = tuple(PointsByOrigin(0, 0, luck, -2.0, 0, 0) for luck in lucks)
    names = ("Anne", "Bart", "Cleo")[: len(lucks)]
    assert luck_in_words(MatchLuck(seats, ()), result, names) == words
    if len(lucks) == 2:
        seats = (replace(seats[0], skill=-6.0), seats[1])
        assert luck_in_words(MatchLuck(seats, ()), result, names).endswith("Bart's choices were 4 points better.")
        assert "choices" not in luck_in_words(MatchLuck(seats, (), judges_choices=False), result, names)
