"""The display for a room: read from five metres, with any players, and on any screen."""

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, expect

from captains_table.games.contract import Die, EventKind, GameEvent, Result, Square
from captains_table.games.registry import GAMES
from captains_table.table.model.view import LastThrow, LogLine, Phase, RollOffer, View
from tests.support.dice_views import DICE_VIEWS, EIGHT, FULL_BOAT, played
from tests.support.display_views import VIEWS
from tests.support.effort import LONG_RUN
from tests.support.lobby_views import LOBBY_VIEWS
from tests.support.party import crowded
from tests.support.room_display import SCREEN, RoomDisplay, crowd, long_name, room_display

pytestmark = pytest.mark.browser
LARGE, LEGIBLE = 48, 28
PORTRAIT, FOUR_K = (1080, 1920), (3840, 2160)
TURN = replace(
    VIEWS["after-a-throw"],
    log=tuple(LogLine(seat % 2, f"{('Anne', 'Bart')[seat % 2]}: throws 6 5 4 3 2 IV") for seat in range(9)),
)
EIGHT_AND_A_THROW = played(f"game swashbuckle {EIGHT} order=seated; {FULL_BOAT}")
CLOCK = VIEWS["chess-with-a-clock"]
LOBBIES = ("lobby", "lobby-over", "lobby-long-name", "lobby-ready", "lobby-refused", "lobby-resume", "switching-off")


def with_long_names(view: View) -> View:
    """Return a view whose players have names of 24 characters."""
    return replace(view, seats=tuple(replace(seat, name=long_name(i), title="") for i, seat in enumerate(view.seats)))


EVENTS = (
    GameEvent(EventKind.SETTLEMENT, None, 0, "Sailor pays 24 to Aether for the cargo of the third round"),
    GameEvent(EventKind.SETTLEMENT, None, 0, "Aether strikes: 10 legend"),
    GameEvent(EventKind.SETTLEMENT, None, 0, "Sailor keeps three of the treasure and wins by 80 to 33"),
)


def begun(game: str, players: int, length: int) -> View:
    """Return the first turn of players whose names have so many characters."""
    order = " order=seated" if any(option.name == "order" for option in GAMES[game].options) else ""
    seats = " ".join(f'"{long_name(seat, length)}"' for seat in range(players))
    return played(f"game {game} {seats}{order}")


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


COMPUTERS = begun("ship-captain-crew", 32, 24)
COMPUTERS = replace(COMPUTERS, seats=tuple(replace(seat, computer="Zephyr", level="fair") for seat in COMPUTERS.seats))


@pytest.fixture(scope="module")
def display(browser: Browser) -> Iterator[RoomDisplay]:
    with room_display(browser) as display:
        yield display


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(with_long_names(CLOCK), id="clocks and long names"),
        pytest.param(VIEWS["guidance-in-three-steps"], id="a long prompt"),
        pytest.param(with_long_names(TURN), id="Legend, long names"),
        pytest.param(DICE_VIEWS["boxes-best-first"], id="two at Swashbuckle"),
        pytest.param(DICE_VIEWS["cursed"], id="a curse on the sheet"),
        pytest.param(with_long_names(EIGHT_AND_A_THROW), id="eight at Swashbuckle, long names, a throw to be scored"),
        pytest.param(with_long_names(DICE_VIEWS["eight-and-over"]), id="eight at dice, long names"),
        pytest.param(DICE_VIEWS["berths-in-order"], id="two at dice"),
        pytest.param(VIEWS["honoured-at-length"], id="a scourge who is a kraken"),
        pytest.param(crowd(8, board=True), id="eight and a board, five tallies, long names"),
    ],
)
def test_all_that_matters_is_read_from_five_metres(display: RoomDisplay, view: View) -> None:
    """Names, totals, clocks and what is asked in 48 px, the log in 28 px, and nothing of it cut off."""
    display.show(view)
    assert display.misfits() == []
    assert display.smallest("#tallies tbody th") >= LARGE
    assert display.smallest("#tallies .main, #tallies .clock") >= LARGE
    assert display.smallest("#prompt p:not(.fault), #card h2") >= LARGE
    seen = [size for text in ("#log li", "#news li", ".score-sheet td", ".join p") if (size := display.smallest(text))]
    assert min(seen) >= LEGIBLE


def test_a_name_is_broken_between_its_words_only(display: RoomDisplay) -> None:
    """In any game, on a laptop's screen, on one that stands upright, and on a phone."""
    lines_of_words = """() => {
      const texts = document.createTreeWalker(document.getElementById("tallies"), NodeFilter.SHOW_TEXT);
      const found = [];
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const word of text.data.matchAll(/Annabelle|Bonny|Bartholomew|Roberts/g)) {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          found.push([word[0], range.getClientRects().length]);
        }
      }
      return found;
    }"""
    for game, screen in product(GAMES, (SCREEN, (1366, 768), PORTRAIT, (390, 844))):
        view = begun(game, 2, 3)
        seats = tuple(
            replace(seat, name=name)
            for seat, name in zip(view.seats, ("Annabelle Bonny", "Bartholomew Roberts"), strict=True)
        )
        display.show(replace(view, seats=seats), screen)
        words = display.page.evaluate(lines_of_words)
        assert [word for word, lines in words if lines != 1] == [], (game, screen)
        assert len(words) == 4, (game, screen)
        assert [each for each in display.misfits() if "window" not in each] == [], "a phone may scroll"


def test_a_smaller_or_larger_screen_shows_the_same_picture(display: RoomDisplay) -> None:
    texts = ("#tallies tbody th", "#prompt p", "#heading h1")
    for view, size in ((TURN, FOUR_K), (DICE_VIEWS["eight-seats"], (1280, 720)), (CLOCK, (1280, 720))):
        display.show(view)
        sizes = [display.smallest(text) for text in texts]
        display.show(view, size)
        assert display.misfits() == []
        scaled = [display.smallest(text) for text in texts]
        assert scaled == pytest.approx([each * size[0] / SCREEN[0] for each in sizes], rel=0.01)


def test_of_several_columns_as_many_are_shown_as_can_be_read(display: RoomDisplay) -> None:
    for name, seats, columns in (("two-columns-of-two", ["1", "2"], 4), ("six-columns-of-eight", ["1"], 6)):
        display.show(DICE_VIEWS[name])
        assert display.misfits() == []
        assert display.smallest(".score-sheet td") >= LEGIBLE
        assert display.page.locator("#sheet thead .number").all_inner_texts() == seats
        expect(display.page.locator("#sheet tbody tr").first.locator("td")).to_have_count(columns)


@pytest.mark.parametrize(
    ("view", "smallest"),
    [
        pytest.param(crowd(14), 0.9, id="fourteen with long names"),
        pytest.param(crowd(14, board=True, clocks=True, bell=True), 0.9, id="fourteen, a board, clocks and the bell"),
        pytest.param(crowded(DICE_VIEWS["berths-in-order"]), 0.7, id="thirty-two"),
        pytest.param(crowded(DICE_VIEWS["boxes-best-first"]), 0.7, id="thirty-two with a sheet"),
        pytest.param(COMPUTERS, 0.7, id="thirty-two computers with their levels"),
        pytest.param(ended(COMPUTERS), 0.7, id="the end of a match of thirty-two computers"),
    ],
)
def test_a_crowd_is_listed_whole_with_the_player_on_turn(display: RoomDisplay, view: View, smallest: float) -> None:
    display.show(view)
    assert display.misfits() == []
    assert display.smallest("#tallies tbody th") >= LEGIBLE * smallest
    expect(display.page.locator("#tallies tbody tr")).to_have_count(len(view.seats))
    on_turn = display.page.locator("#tallies tbody .on-turn th")
    expect(on_turn).to_contain_text([seat.name for seat in view.seats if seat.on_turn])


def test_a_board_takes_the_whole_height(display: RoomDisplay) -> None:
    display.show(CLOCK)
    box = display.page.locator(".board").bounding_box()
    assert box is not None
    assert box["height"] > 0.95 * SCREEN[1]


def test_whose_turn_it_is_can_be_told_by_colour_mark_and_size(display: RoomDisplay) -> None:
    display.show(DICE_VIEWS["eight-seats"])
    looks = display.page.evaluate(
        """() => [...document.querySelectorAll("#tallies tbody tr")].map((row) => {
          document.adoptedStyleSheets = [];  // with all decoration
          const name = getComputedStyle(row.querySelector("th"));
          const mark = getComputedStyle(row.querySelector(".number"), "::after").content;
          return [name.backgroundImage + name.backgroundColor, parseFloat(name.fontSize), mark];
        })"""
    )
    (colour, size, mark), *others = looks
    assert all(colour != other_colour and mark != other_mark for other_colour, _, other_mark in others)
    assert len({tuple(other) for other in others}) == 1
    display.show(TURN)
    sizes = [display.smallest(f"#tallies tbody tr:nth-child({row}) th") for row in (1, 2)]
    assert sizes[0] > sizes[1]
    assert size >= LARGE


def test_a_throw_that_decided_stays_with_what_counted_lit(display: RoomDisplay) -> None:
    fallen = tuple(Die(face) for face in (6, 5, 4, 3, 6))
    view = replace(DICE_VIEWS["berths-empty"], seat=1, last_throw=LastThrow(0, fallen, (3, 4), "Cargo 9"))
    display.show(view)
    expect(display.page.locator("#dice li")).to_have_count(5)
    expect(display.page.locator("#dice .lit")).to_have_count(2)
    expect(display.page.locator("#dice")).to_contain_text("Tom · Cargo 9")
    assert display.misfits() == []
    display.show(replace(view, last_throw=None))
    expect(display.page.locator("#dice .lit")).to_have_count(0)


def test_a_press_in_vain_is_answered_for_all_to_see(display: RoomDisplay) -> None:
    for view in (TURN, DICE_VIEWS["eight-seats"]):
        display.show(replace(view, roll=RollOffer(why="Anne is to move on the board", in_vain=True)))
        expect(display.page.locator(".vain")).to_have_text("Anne is to move on the board")
        assert display.smallest(".vain") >= LARGE
        assert display.misfits() == []
        display.show(view)
        expect(display.page.locator(".vain")).to_have_count(0)


def test_dice_that_are_kept_say_so_and_nothing_can_be_pointed_at(display: RoomDisplay) -> None:
    display.show(TURN)
    expect(display.page.locator("#dice .kept")).to_have_count(3)
    expect(display.page.locator("#dice .kept").first).to_contain_text("kept")
    assert display.page.locator("a, button, input, [tabindex]:not(main)").count() == 0
    cursors = "[...document.querySelectorAll('*')].map((element) => getComputedStyle(element).cursor)"
    assert set(display.page.evaluate(cursors)) == {"none"}
    display.show(DICE_VIEWS["cargo-die-kept"])
    expect(display.page.locator("#dice .kept")).to_have_count(1)
    display.show(DICE_VIEWS["berths-filling"])
    expect(display.page.locator("#dice .kept:not(.berth)")).to_have_count(0)


def test_pieces_glide_and_dice_settle_unless_less_motion_is_asked_for(display: RoomDisplay) -> None:
    watch = """() => { window.moved = new Set(); new MutationObserver(() => {
      for (const name of ["arriving", "settling"]) if (document.querySelector(`.${name}`)) window.moved.add(name);
    }).observe(document.body, { subtree: true, childList: true, attributes: true }); }"""
    tumbling = replace(TURN, tumbling=(3, 4, 5), pieces={Square(4, 1): "P"})
    shown = {"reduce": display, "no-preference": display.another(reduced_motion="no-preference")}
    for motion, moved in (("reduce", {"settling"}), ("no-preference", {"arriving", "settling"})):
        page = shown[motion].page
        shown[motion].show(tumbling)
        expect(page.locator("#dice .tumbling")).to_have_count(3)
        page.evaluate(watch)
        shown[motion].show(replace(TURN, pieces={Square(4, 3): "P"}))
        expect(page.locator("#dice .tumbling")).to_have_count(0)
        expect(page.locator("[data-square=e4] .piece")).to_have_count(1)
        assert set(page.evaluate("[...window.moved]")) == moved
        still = page.evaluate("getComputedStyle(document.querySelector('.settling .cube')).animationName")
        assert (still == "none") == (motion == "reduce")
        shown[motion].show(View())
        shown[motion].show(ended(TURN))
        coins = page.evaluate("getComputedStyle(document.querySelector('.card.final'), '::before').animationName")
        assert (coins == "none") == (motion == "reduce"), "the winner is celebrated"
        assert shown[motion].smallest("#tallies tbody th, #tallies .main, #card h2") >= LARGE, "while the card appears"
    shown["no-preference"].page.close()


def test_rounds_and_matches_end_with_a_card(display: RoomDisplay) -> None:
    display.show(VIEWS["settlement"])
    expect(display.page.locator("#card")).to_contain_text("Bart pays 9 to Anne")
    expect(display.page.locator("#prompt")).to_contain_text("Bart (White): throw the dice")
    assert display.misfits() == []
    for name in ("winner", "chess-end-open", "long-winner", "shared"):
        display.show(VIEWS[name])
        expect(display.page.locator("#card h2")).to_contain_text("draw" if name == "shared" else "wins")
        assert display.misfits() == [], name
    expect(display.page.locator("#dice")).to_be_hidden()


def test_while_nobody_plays_it_tells_how_to_begin_and_where(display: RoomDisplay) -> None:
    for view in (View(), *(LOBBY_VIEWS[name] for name in LOBBIES)):
        display.show(view)
        assert display.misfits() == []
        if view.phase is Phase.IDLE:
            assert display.smallest("#idle .prompt, .slides :is(h2, p)") >= LARGE
    display.show(View(prompt=("Press the button to begin",)))
    expect(display.page.locator("#idle")).to_contain_text("Press the button to begin")
    expect(display.page.locator(".join")).to_contain_text("192.0.2.7:8377/table")
    display.show(TURN)
    expect(display.page.locator("#idle")).to_be_hidden()
    expect(display.page.locator(".board")).to_be_visible()


def test_the_games_are_shown_in_turn_and_a_result_gives_way_to_them_until_a_match_begins(display: RoomDisplay) -> None:
    shown = display.page.locator(".slides > .now h2")
    for size in ((1920, 1080), PORTRAIT):
        display.show(View(title="Captain's Table"), size)
        expect(shown).to_have_text("Legend")
        display.page.evaluate("() => { slide += 1; showSlide(); }")
        expect(shown).to_have_text("Chess")
        display.page.evaluate("() => { slide = 0; showSlide(); }")
        assert display.misfits() == []
        display.show(VIEWS["winner"], size)
        expect(display.page.locator("#card")).to_be_visible()
        expect(shown).to_be_hidden()
        display.page.evaluate("() => rest()")
        expect(shown).to_be_visible()
        expect(display.page.locator("#card")).to_be_hidden()
        assert display.misfits() == []
        display.show(TURN, size)
        expect(display.page.locator(".board")).to_be_visible()


def read_code(display: RoomDisplay) -> str:
    """Return what a phone reads off the corner of the screen where the way to the match is."""
    display.page.evaluate("() => { document.adoptedStyleSheets = []; }")  # a plain visitor's page is not drawn
    box = display.page.locator(".join").bounding_box()
    assert box is not None
    [code] = zxingcpp.read_barcodes(Image.open(io.BytesIO(display.page.screenshot(clip=box))))
    return str(code.text)


def test_a_phone_reads_the_way_to_the_match_off_the_screen(display: RoomDisplay) -> None:
    for view in (TURN, VIEWS["winner"], View(), crowd(14, board=True)):
        display.show(view)
        assert read_code(display) == "http://192.0.2.7:8377/table"


def test_a_display_that_is_open_follows_the_network(display: RoomDisplay, monkeypatch: pytest.MonkeyPatch) -> None:
    for now, words in (
        ("", "No network yet"),
        ("http://192.0.2.9:8377/", "192.0.2.9:8377/table"),
        ("", "No network yet"),
    ):
        monkeypatch.setattr(display.reach, "now", now)
        display.show(View())
        expect(display.page.locator(".join")).to_contain_text(words)
        if now:
            assert read_code(display) == f"{now}table"


def test_a_line_that_died_without_a_word_is_looked_for_anew(display: RoomDisplay) -> None:
    """Nothing comes for longer than the table is ever silent: then there is no line, whatever the browser believes."""
    page = display.another().page
    page.goto("about:blank")
    followed: list[str] = []
    page.on("request", lambda request: followed.append(request.url) if "/events" in request.url else None)
    page.clock.install()
    page.goto(display.served.address)
    page.wait_for_function("() => shown.size > 0")  # the first event has come
    page.clock.run_for(40_000)
    assert len(followed) == 1
    page.clock.run_for(10_000)
    display.show(replace(TURN, prompt=("It goes on",)))
    expect(page.locator("#prompt")).to_contain_text("It goes on")
    assert len(followed) == 2
    page.close()


# --- the end of a match, and play on a screen that stands upright ---------------------------------------------------

ENDS: dict[tuple[int, int], dict[str, tuple[int, ...]]] = {
    SCREEN: {
        "legend": (2,),
        "captains-chess": (2,),
        "ship-captain-crew": (8, 32),
        "swashbuckle": (8,),
        "crowns": (14,),
    },
    PORTRAIT: {"legend": (2,), "ship-captain-crew": (32,), "crowns": (14,)},
    FOUR_K: {},
}
"""By screen: each game with the numbers of its players, every day; `make long` shows all of them on each screen."""


@pytest.mark.long
@pytest.mark.parametrize("screen", [screen for screen, some in ENDS.items() if some or LONG_RUN], ids=str)
def test_the_end_of_a_match_is_read_whole_by_any_number_of_players(
    display: RoomDisplay, screen: tuple[int, int]
) -> None:
    """Nothing is cut or scrolls; names and totals of up to eight have 48 px at 1080p, and as much on other screens."""
    scale = min(screen) / 1080
    for game, some in ENDS[SCREEN if LONG_RUN else screen].items():
        for players, length in product(GAMES[game].seats if LONG_RUN else some, (3, 12, 40) if LONG_RUN else (40,)):
            display.show(ended(begun(game, players, length)), screen)
            assert display.misfits() == [], (game, players, length)
            sizes = [display.smallest(f"#tallies {of}") for of in ("tbody th", ".main", ".clock")]
            if players <= 8:
                assert min(size for size in sizes if size) >= LARGE * scale, (game, players, length)
                assert display.smallest("#card p, #card code") >= LEGIBLE * 0.9 * scale, (game, players, length)


@pytest.mark.parametrize(
    ("game", "players", "screen"), [("captains-chess", 2, SCREEN), ("ship-captain-crew", 3, PORTRAIT)]
)
def test_the_board_gives_way_to_who_won_where_names_are_wide(
    display: RoomDisplay, game: str, players: int, screen: tuple[int, int]
) -> None:
    """A name without a space to break it at leaves the card no room next to a board."""
    view = begun(game, players, 3)
    seats = tuple(replace(seat, name=f"{'W' * 39}{number}") for number, seat in enumerate(view.seats))
    display.show(ended(replace(view, seats=seats)), screen)
    assert display.misfits() == []
    assert min(display.smallest("#tallies tbody th"), display.smallest("#tallies .main") or LARGE) >= LARGE
    assert display.smallest("#card p, #card code") >= LEGIBLE * 0.9
    assert not display.page.locator(".board").is_visible()
    display.show(ended(view), screen)
    assert display.page.locator(".board").is_visible() == (GAMES[game].shape is not None), "names that are not wide"


def test_the_way_to_the_match_covers_no_prompt(display: RoomDisplay) -> None:
    for screen, players in ((SCREEN, 4), (SCREEN, 8), (PORTRAIT, 8)):
        display.show(begun("crowns", players, 40), screen)
        join, prompt = (display.page.locator(each).bounding_box() for each in (".join", ".live-prompt"))
        assert join
        assert prompt
        assert join["y"] + 1 >= prompt["y"] + prompt["height"] or join["x"] >= prompt["x"] + prompt["width"]


def test_a_screen_that_stands_upright_shows_board_players_prompt_and_dice_without_scrolling(
    display: RoomDisplay,
) -> None:
    for game, players in (("swashbuckle", 5), ("crowns", 14), ("legend", 2), ("ship-captain-crew", 8)):
        display.show(begun(game, players, 12), PORTRAIT)
        assert display.misfits() == [], game
        assert display.page.locator(".board").is_visible() == (GAMES[game].shape is not None), game
        assert min(display.smallest("#tallies tbody th"), display.smallest("#tallies .main")) >= LARGE, game
        assert display.smallest("#prompt p") >= LARGE, game
