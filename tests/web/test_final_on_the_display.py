"""The display for a room on any screen: the end of a match, and play on one that stands upright, are seen whole."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from playwright.sync_api import Browser

from captains_table.games.contract import EventKind, GameEvent, Result
from captains_table.games.registry import GAMES
from captains_table.table.model.view import Phase, View
from tests.support.dice_views import played
from tests.support.effort import LONG_RUN
from tests.support.room_display import RoomDisplay, room_display

LARGE, MANY = 48, 8
LEGIBLE, OF_MANY = 28 * 0.9, 20
SCREENS = {"landscape": (1920, 1080), "portrait": (1080, 1920), "4K": (3840, 2160)}
LENGTHS = (3, 12, 40)
SOME = {
    "legend": (2,),
    "captains-chess": (2,),
    "ship-captain-crew": (1, 8, 32),
    "swashbuckle": (3, 8),
    "crowns": (8, 14),
}
FEW = {
    "portrait": {"legend": (2,), "ship-captain-crew": (32,), "swashbuckle": (8,), "crowns": (14,)},
    "4K": {"legend": (2,), "ship-captain-crew": (32,)},
}
EVENTS = (
    GameEvent(EventKind.SETTLEMENT, None, 0, "Sailor pays 24 to Aether for the cargo of the third round"),
    GameEvent(EventKind.SETTLEMENT, None, 0, "Aether strikes: 10 legend"),
    GameEvent(EventKind.SETTLEMENT, None, 0, "Sailor keeps three of the treasure and wins by 80 to 33"),
)


def begun(game: str, players: int, length: int) -> View:
    """Return the first turn of players whose names have so many characters."""
    names = [
        f"{chr(65 + seat % 26)}{seat} Bartholomew Roberts of the Seven Seven Seas"[:length] for seat in range(players)
    ]
    order = " order=seated" if any(option.name == "order" for option in GAMES[game].options) else ""
    seats = " ".join(f'"{name.strip():s<{length}}"' for name in names)
    return played([f"game {game} {seats}{order}"])


def ended(view: View) -> View:
    """Return the end of a match as the display is sent it, with all that its card may hold."""
    return replace(
        view,
        phase=Phase.OVER,
        ask=None,
        heading="After round 3",
        prompt=(f"{view.seats[0].name} wins the match", "80 to 33, by plunder"),
        result=Result(0, tuple(300 - seat for seat in range(len(view.seats)))),
        seats=tuple(replace(seat, on_turn=False) for seat in view.seats),
        auction_since=None,
        bell_seconds=None,
        latest_events=EVENTS,
        digest="0123456789abcdef" * 4,
    )


def cases(screen: str) -> Iterator[tuple[str, int, int]]:
    """Yield a game, how many play and how long their names are: all there are at length, some every day."""
    for key, some in (SOME if LONG_RUN or screen == "landscape" else FEW[screen]).items():
        yield from product((key,), GAMES[key].seats if LONG_RUN else some, LENGTHS if LONG_RUN else LENGTHS[-1:])


@pytest.fixture(scope="module")
def display(browser: Browser) -> Iterator[RoomDisplay]:
    with room_display(browser) as display:
        yield display


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.parametrize("screen", SCREENS)
def test_the_end_of_a_match_is_read_whole_by_however_many_it_was_played(display: RoomDisplay, screen: str) -> None:
    """Nothing is cut or scrolls; names and totals of up to eight have 48 px at 1080p, and as much on other screens."""
    scale = min(SCREENS[screen]) / 1080
    for game, players, length in cases(screen):
        display.show(ended(begun(game, players, length)), SCREENS[screen])
        assert display.misfits() == [], (game, players, length)
        sizes = [display.smallest(f"#tallies {of}") for of in ("tbody th", ".main", ".clock")]
        if players <= MANY:
            assert min(size for size in sizes if size) >= LARGE * scale, (game, players, length)
            assert display.smallest("#card p, #card code") >= LEGIBLE * scale, (game, players, length)


@pytest.mark.browser
@pytest.mark.parametrize("screen", ["landscape", "portrait"])
def test_the_board_gives_way_to_who_won_where_names_are_wide(display: RoomDisplay, screen: str) -> None:
    """A name without a space to break it at leaves the card no room beside a board."""
    for game, players in (("captains-chess", 2), ("ship-captain-crew", 3)):
        view = begun(game, players, 3)
        seats = tuple(replace(seat, name=f"{'W' * 39}{number}") for number, seat in enumerate(view.seats))
        display.show(ended(replace(view, seats=seats)), SCREENS[screen])
        assert display.misfits() == [], game
        assert min(display.smallest("#tallies tbody th"), display.smallest("#tallies .main") or LARGE) >= LARGE
        assert display.smallest("#card p, #card code") >= LEGIBLE, game
        assert not display.page.locator(".board").is_visible(), game


@pytest.mark.browser
def test_many_computers_are_listed_whole_with_their_levels(display: RoomDisplay) -> None:
    view = begun("ship-captain-crew", 32, 24)
    view = replace(view, seats=tuple(replace(seat, computer="Zephyr, level 2") for seat in view.seats))
    for shown in (view, ended(view)):
        display.show(shown)
        assert display.misfits() == []
        assert display.smallest("#tallies tbody th") >= OF_MANY


@pytest.mark.browser
@pytest.mark.parametrize(("screen", "players"), [("landscape", 4), ("landscape", 8), ("portrait", 8)])
def test_the_way_to_the_match_covers_no_prompt(display: RoomDisplay, screen: str, players: int) -> None:
    display.show(begun("crowns", players, 40), SCREENS[screen])
    join, prompt = (display.page.locator(each).bounding_box() for each in (".join", ".live-prompt"))
    assert join
    assert prompt
    assert join["y"] + 1 >= prompt["y"] + prompt["height"] or join["x"] >= prompt["x"] + prompt["width"]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("game", "players"), [("swashbuckle", 5), ("crowns", 14), ("legend", 2), ("ship-captain-crew", 8)]
)
def test_a_screen_that_stands_upright_shows_board_players_prompt_and_dice_without_scrolling(
    display: RoomDisplay, game: str, players: int
) -> None:
    display.show(begun(game, players, 12), SCREENS["portrait"])
    assert display.misfits() == []
    assert min(display.smallest("#tallies tbody th"), display.smallest("#tallies .main")) >= LARGE
    assert display.smallest("#prompt p") >= LARGE
