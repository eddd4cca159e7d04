"""The form for a new match: names that are known, as many fields as play, a rematch; all of it without any script."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest

from captains_table.games.crowns.designs import parse_design, roster
from captains_table.games.registry import GAMES
from captains_table.runtime.match_archive import CannotRead
from captains_table.storage.design_file import DESIGNS, DesignFile
from tests.support.crowns_play import KNIGHT
from tests.support.fake_table import FakeTable
from tests.support.visiting import get, post, send


def fields(html: str) -> list[str]:
    """Return the names' fields that are seen."""
    labels = re.findall(r"<label>(?:(?!</label>).)*?name=\"(name\d+)\"", html, re.DOTALL)
    return [name for name in labels if name.startswith("name")]


@pytest.mark.parametrize(
    ("game", "query", "shown"),
    [
        *(("swashbuckle", f"players={players}", shown) for players, shown in ((1, 1), (5, 5), (32, 32), (33, 32))),
        *(("swashbuckle", f"players={players}", shown) for players, shown in ((100, 2), (0, 1), (-1, 2))),
        ("swashbuckle", "", 2),
        ("swashbuckle", "name1=Anne&name2=Bart&name3=Cora", 3),
        *(("pig", "players=1", 2), ("captains-chess", "", 2), ("legend", "players=7", 2)),
    ],
)
def test_the_form_has_fields_for_as_many_as_play(game: str, query: str, shown: int) -> None:
    html = get(FakeTable(), f"/new?game={game}&{query}").text
    assert fields(html) == [f"name{number}" for number in range(1, shown + 1)]


def test_a_player_more_or_less_keeps_what_was_filled_in_and_as_many_as_can_play_cannot_be_more() -> None:
    html = get(FakeTable(), "/new?game=swashbuckle&name1=Anne&order=seated&players=3").text
    assert 'value="Anne"' in html
    assert '<option value="seated" selected>' in html
    assert re.search(r'name="name3"[^>]* autofocus>', html)
    assert 'name="players" value="4" data-more>Add a player' in html
    assert 'name="players" value="2" data-fewer>Remove the last one' in html
    html = get(FakeTable(), "/new?game=swashbuckle&name1=Anne&name1=&name2=&name2=eurus:2&players=3").text
    assert '<option value="eurus:2" selected>' in html
    assert html.count('<option value="eurus:2"') == html.count('<option value="">a person</option>')
    assert "data-more disabled" in get(FakeTable(), "/new?game=swashbuckle&players=32").text
    assert "data-fewer disabled" in get(FakeTable(), "/new?game=swashbuckle&players=1").text
    assert "Add a player" not in get(FakeTable(), "/new?game=captains-chess").text


def test_the_fields_are_empty_and_known_names_are_proposed() -> None:
    table = FakeTable()
    assert (
        "<option"
        not in get(table, "/new?game=legend").text.partition('<datalist id="known-names">')[2].partition("</dat")[0]
    )
    table.known = ["Anne", "<Bart>"]
    html = get(table, "/new?game=legend").text
    assert '<option value="Anne"></option>\n<option value="&lt;Bart&gt;"></option>' in html
    assert html.count('list="known-names"') == 2
    assert 'name="name1" maxlength="80" autocomplete="off" list="known-names" value=""' in html


def test_the_form_is_there_though_the_journal_cannot_be_read_and_proposes_the_weakest_computer() -> None:
    class Forgetful(FakeTable):
        def known_names(self) -> list[str]:
            raise CannotRead("The journal cannot be read.")

    html = get(Forgetful(), "/new?game=legend").text
    weakest = re.search(r'value="aether:0" aria-label="Aether \(gentle\): Sees few [^"]*" checked', html)
    assert weakest is not None
    assert weakest.start() < html.index('id="form"')
    assert html.index('name="rounds" value="1"') < html.index('id="form"')


def test_a_clock_from_the_form_starts_with_its_first_press_and_without_a_clock_nothing_is_said_of_it() -> None:
    html = get(FakeTable(), "/new?game=captains-chess").text
    assert '<option value="press" selected>with its first press</option>' in html

    def options(**given: str) -> object:
        table = FakeTable()
        sent = {"game": "captains-chess", "name1": "Anne", "name2": "Bart", "fen": "", **given}
        assert post(table, "/new", sent).status_code in (204, 400)  # this table plays Legend only
        return table.calls[0][3]

    assert options(clock="none", clock_start="press") == {}
    assert options(clock="5", clock_start="press") == {"clock": "5", "clock_start": "press"}
    assert options(clock="5", clock_start="set-up") == {"clock": "5"}


def folded(html: str) -> tuple[str, str]:
    """Return what the form shows at once, and *More options* with all that is in it."""
    at_once, opening, rest = html.partition('<details class="more-options"')
    more, _, after = rest.partition("</details>")
    return at_once + after, opening + more


@pytest.mark.parametrize(
    ("game", "plain"),
    [
        ("legend", ["rounds"]),
        ("captains-chess", ["clock", "clock_start"]),
        ("ship-captain-crew", ["mode", "target"]),
        ("swashbuckle", []),
        ("crowns", ["turn_limit"]),
        ("pig", ["target", "catch", "mud"]),
    ],
)
def test_the_form_shows_at_once_what_everybody_needs_and_folds_the_rest_away(game: str, plain: list[str]) -> None:
    html = re.sub(r'<input type="hidden"[^>]*>', "", get(FakeTable(), f"/new?game={game}").text)  # of the card
    at_once, more = folded(html)
    options = [option.name for option in GAMES[game].options if not option.seat]
    assert [name for name in options if f'name="{name}"' in at_once] == plain
    assert [name for name in options if f'name="{name}"' in more] == [name for name in options if name not in plain]
    assert at_once.count(">Begin</button>") == 2  # one of them only for the key Enter, and unseen
    assert "<h1>Begin" not in at_once


@pytest.mark.parametrize(
    ("query", "is_open"),
    [
        ("game=swashbuckle", False),
        ("game=swashbuckle&columns=1&name1=Anne", False),
        ("game=swashbuckle&columns=2", True),
        ("game=legend&rounds=1", False),
        ("game=legend&turn_limit=40", True),
    ],
)
def test_more_options_are_open_where_one_of_them_is_not_as_usual(query: str, is_open: bool) -> None:  # noqa: FBT001
    more = folded(get(FakeTable(), f"/new?{query}").text)[1]
    assert more.startswith(f'<details class="more-options"{" open" if is_open else ""}>')


def test_a_form_with_an_option_chosen_offers_no_match_that_would_ignore_it() -> None:
    def offers(query: str) -> bool:
        return "Play the computer" in get(FakeTable(), f"/new?{query}").text

    assert offers("game=crowns")
    assert not offers(f"game=crowns&piece1={quote(KNIGHT)}")
    assert not offers("game=ship-captain-crew&mode=single")


def test_an_option_that_is_refused_is_in_sight_marked_and_tied_to_the_reason() -> None:
    sent = {"game": "legend", "name1": "Anne", "name2": "Bart", "fen": "not a position"}
    answer = send(FakeTable(), "/new", sent)
    assert answer.status_code == 400
    more = folded(answer.text)[1]
    assert more.startswith('<details class="more-options" open>')
    assert re.search(r'name="fen"[^>]* aria-invalid="true" aria-describedby="refused"', more)
    assert more.count("aria-invalid") == 1
    assert '<p class="wrong" role="alert" id="refused">' in answer.text


def test_what_has_no_effect_beside_another_option_is_marked_for_the_browser_to_hide() -> None:
    def marked(query: str) -> list[str]:
        html = get(FakeTable(), f"/new?{query}").text
        moot = re.findall(r'<label class="[\w-]+ moot"[^>]*data-of="(\w+)"[^>]*>(.*?)</label>', html, re.DOTALL)
        return [re.findall(r'name="(\w+)"', label)[0] for _, label in moot]

    assert marked("game=ship-captain-crew") == []
    assert marked("game=ship-captain-crew&mode=single") == ["target", "finish_round"]
    assert marked("game=captains-chess") == ["clock_start"]
    assert marked("game=captains-chess&clock=5") == []
    assert "pirate2" in marked("game=swashbuckle")
    assert marked("game=swashbuckle&penalty=1") == []
    assert 'data-of="mode" data-moot-at="single"' in get(FakeTable(), "/new?game=ship-captain-crew").text
    assert 'data-of="penalty" data-moot-at="0"' in get(FakeTable(), "/new?game=swashbuckle").text


def pieces_offered(html: str, number: int) -> str:
    return html.partition(f'<select name="piece{number}"')[2].partition("</select>")[0]


def test_a_players_piece_is_chosen_among_those_kept_here_and_the_roster(tmp_path: Path) -> None:
    table = FakeTable()
    assert "Kept here" not in get(table, "/new?game=crowns").text
    table.designs = DesignFile(tmp_path / DESIGNS)
    table.designs.save(parse_design(KNIGHT))
    offered = pieces_offered(get(table, "/new?game=crowns").text, 2)
    shelves = re.findall('<optgroup label="([^"]*)">', offered)
    assert shelves == ["Kept here", "Of the game"]
    assert f'<option value="{KNIGHT}">Ferris</option>' in offered.partition("Of the game")[0]
    assert re.findall('<option value="[^"]+">([^<]*)</option>', offered)[1:] == [design.name for design in roster()]
    assert pieces_offered(get(table, "/new?game=crowns").text, 15) == ""


@pytest.mark.parametrize("given", [KNIGHT, "Ferris", "Other: c4 / c4 c2"])
def test_a_piece_that_is_given_is_chosen_in_the_form_though_it_is_of_an_earlier_match(
    given: str, tmp_path: Path
) -> None:
    table = FakeTable()
    table.designs = DesignFile(tmp_path / DESIGNS)
    table.designs.save(parse_design(KNIGHT))
    offered = pieces_offered(get(table, f"/new?game=crowns&piece1={quote(given)}").text, 1)
    [chosen] = re.findall('<option value="([^"]*)" selected>', offered)
    assert chosen == (KNIGHT if given == "Ferris" else given)
