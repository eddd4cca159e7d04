"""What travels of a view is drawn as the view itself is, and whatever arrives and passes can be drawn."""

import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings as given_settings, strategies as st

from captains_table.club.intake.table_state import TableState, glance_at
from captains_table.club.pages.club_pages import club_renderer
from captains_table.club.pages.tiles import Tile
from captains_table.club.pages.wall_layout import excitement
from captains_table.devices.dice_sources import DictatedDice
from captains_table.games.registry import GAMES
from captains_table.phrases import Phrase, as_english
from captains_table.phrases.translating import with_texts
from captains_table.reporting.messages import BadPayload, FromTable, ViewMessage, decode, encode
from captains_table.reporting.table_view import (
    CONVERTED_FIELDS,
    COPIED_FIELDS,
    LARGEST,
    LONGEST,
    BadView,
    TableView,
    _is_plain,
    _wrong_leaves,
    decoded_view,
    spectator_view,
)
from captains_table.storage.journal_file import MemoryJournal
from captains_table.table.model.entries import MatchStarted
from captains_table.table.model.player_clocks import StageProgress
from captains_table.table.model.view import Phase, RollOffer, SeatView, View
from captains_table.web.render import FRAGMENTS, SHARED
from captains_table.web.scene import Scene
from tests.support.effort import LONG_RUN, effort
from tests.support.fake_club import FakeClub
from tests.support.random_matches import options_for, seats_for
from tests.support.recorded_views import A_FEW, recorded_views, tapes
from tests.support.self_play import SelfPlay

MARKUP = "<b onclick='x'>&"
RENDERER = club_renderer(FakeClub())


def travelled(view: View) -> View:
    """Return a view as it arrives."""
    arrived = decode(FromTable.VIEW, encode(ViewMessage(boot="b", n=1, view=spectator_view(view))))
    assert isinstance(arrived, ViewMessage)
    return decoded_view(arrived.view)


def drawn(view: View) -> Mapping[str, str]:
    """Return what spectators see of a view: on the display for a room, on a page, on a wall."""
    scene = Scene(view, watches=True)
    room = {f"room {name}": RENDERER._fragment("display", name, scene) for name in FRAGMENTS["display"]}
    tiles = {f"large {large}": Tile(TableState("table-1"), view, large=large) for large in (True, False)}
    wall = {name: RENDERER.page("club/tile", tile=tile) for name, tile in tiles.items()}
    return room | wall | {name: RENDERER._fragment("table", name, scene) for name in SHARED}


def public(view: View) -> View:
    """Return a view, in plain English, without what is only for the players at the table."""
    shown = replace(view, roll=RollOffer(), hold=None, earlier_log=())
    return with_texts(shown, lambda text: str(text) if isinstance(text, Phrase) else text)


@pytest.mark.parametrize("tape", tapes(None if LONG_RUN else A_FEW[1::3]), ids=lambda tape: tape.stem)
@pytest.mark.long
def test_what_travelled_is_drawn_as_the_view_itself(tape: Path) -> None:
    views = list(recorded_views(tape))
    for view in views[:: len(views) // effort(4, 1000) or 1]:
        if view.phase is Phase.IDLE:
            assert travelled(view) == View(faults=view.faults, title="")
        else:
            assert drawn(travelled(view)) == drawn(public(view))


def played_views(key: str, most: int) -> Iterator[View]:
    """Yield what is seen before each of at most so many steps of a match that plays itself."""
    dice = DictatedDice()
    dice.seed(0)
    table = SelfPlay(
        MemoryJournal(MatchStarted(key, tuple(seats_for(GAMES[key], 0)), options_for(GAMES[key], 0))), dice
    )
    for _ in range(most):
        yield table.table.session.view()
        if table.over:
            return
        table.step()


@pytest.mark.parametrize("key", GAMES)
def test_what_travels_of_any_game_is_drawn_as_the_view_itself(key: str) -> None:
    for view in itertools.islice(played_views(key, effort(40, 200)), 0, None, 10):
        assert drawn(travelled(view)) == drawn(public(view))


def test_what_is_asked_of_a_player_does_not_travel() -> None:
    known = set(TableView.__struct_fields__)
    assert known.isdisjoint({"ask", "menu", "roll", "hint", "joining", "details", "calls", "switches", "hold"})


PLAYERS_ONLY_FIELDS = frozenset(
    {"ask", "asks_about_board", "boardless", "calls", "details", "digest", "earlier_log", "goes_back"}
    | {"hint", "hold", "joining", "menu", "past_throw", "roll", "switches", "takes_bell", "takes_words", "undoes"}
    | {"coach", "language", "movements", "reading", "wrong"}
)
"""The fields of a `View` that only the players at the table see, not its spectators."""


def test_of_every_field_of_a_view_it_is_said_whether_it_travels() -> None:
    """Say of a new field of `View`: `COPIED_FIELDS` (in `TableView`), `CONVERTED_FIELDS`, or `PLAYERS_ONLY_FIELDS`."""
    parts = (COPIED_FIELDS, CONVERTED_FIELDS - {"auction", "choice"}, PLAYERS_ONLY_FIELDS)
    assert sorted(name for part in parts for name in part) == sorted(each.name for each in fields(View))


# --- whatever arrives -----------------------------------------------------------------------------------------------

WORDS = ("", "a1", "z26", "K", "+B", "12", "roman", "pips", "over", "idle", "x" * 70, MARKUP, "a\nb", "\u202e")
NUMBERS = (-1, 0, 1, 2, 5, 6, 7, 8, 33, 1 << 40, 10**30)


@functools.cache
def some_views() -> tuple[Any, ...]:
    """Return some recorded views as plain values, the richest of each tape."""
    views = (view for tape in tapes(A_FEW[6::4]) for view in recorded_views(tape) if view.phase is not Phase.IDLE)
    plain = {msgspec.json.encode(spectator_view(view), enc_hook=as_english) for view in views}
    return tuple(msgspec.json.decode(each) for each in sorted(plain, key=len, reverse=True)[:: len(plain) // 60 or 1])


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401 - JSON
    """Yield the way to every value in a value."""
    yield way
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*way, key))


def changed(value: Any, way: tuple[Any, ...], to: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a value with what stands at one place replaced, or left out where nothing is to stand there."""
    if not way:
        return value if to is ... else to
    first, *rest = way
    found = dict(value) if isinstance(value, dict) else list(value)
    if not rest and to is ...:
        del found[first]
    else:
        found[first] = changed(found[first], tuple(rest), to)
    return found


@st.composite
def spoiled_views(draw: st.DrawFn) -> bytes:
    """Draw a view in which a few things are others than they were."""
    value = draw(st.sampled_from(some_views()))
    for _ in range(draw(st.integers(1, 4))):
        way = draw(st.sampled_from(list(places(value))[1:] or [()]))
        elsewhere = at(value, draw(st.sampled_from(list(places(value)))))
        anything: list[Any] = [*WORDS, *NUMBERS, None, True, [], {}, ..., elsewhere]
        value = changed(value, way, anything[draw(st.integers(0, len(anything) - 1))])
    return msgspec.json.encode({"v": 1, "boot": "b", "n": 1, "view": value}, enc_hook=as_english)


def at(value: Any, way: tuple[Any, ...]) -> Any:  # noqa: ANN401 - JSON
    for key in way:
        value = value[key]
    return value


@pytest.mark.long
@given(spoiled_views())
@given_settings(max_examples=effort(25, 20_000), deadline=None)
def test_whatever_arrives_and_passes_can_be_drawn(payload: bytes) -> None:
    try:
        arrived = decode(FromTable.VIEW, payload)
        assert isinstance(arrived, ViewMessage)
        view = decoded_view(arrived.view)
    except (BadPayload, BadView):
        return
    assert not any(MARKUP in html or "onclick='x'" in html for html in drawn(view).values())
    assert excitement(glance_at(arrived)) >= 0


def refused(**fields: Any) -> str:  # noqa: ANN401 - of a view
    """Return why a view of these fields cannot be drawn."""
    with pytest.raises(BadView) as caught:
        decoded_view(msgspec.convert(fields, TableView))
    return str(caught.value)


SEAT = {"name": "Anne", "tallies": {"gold": 3}, "on_turn": True}


def test_clocks_with_stages_travel_and_those_of_earlier_and_later_tables_are_understood() -> None:
    stage = StageProgress(1, 2, 38)
    seats = (
        SeatView("Anne", {}, on_turn=True, seconds_left=60, delay_seconds=5, stage=stage),
        SeatView("Bart", {}, on_turn=False, seconds_left=9, delay_seconds=0, stage=StageProgress(2, 2, None)),
    )
    assert travelled(View(phase=Phase.PLAYING, seats=seats)).seats == seats
    tile = Tile(TableState("table-1"), View(phase=Phase.PLAYING, seats=seats))
    assert [line.time_note for line in tile.seats] == ["delay 5", "2/2"]
    plain, unknown = SEAT | {"seconds_left": 3}, {"stage": None, "of_a_later_table": [1]}
    earlier, later = (msgspec.convert({"seats": [each]}, TableView) for each in (plain, plain | unknown))
    assert decoded_view(earlier).seats == decoded_view(later).seats
    assert decoded_view(earlier).seats[0].time_note == ""


def test_names_with_joiners_are_drawn_at_the_club() -> None:
    persian = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
    view = decoded_view(msgspec.convert({"seats": [SEAT | {"name": persian}], "prompt": [f"{persian} \\"]}, TableView))
    assert view.seats[0].name == persian


def test_what_cannot_be_drawn_is_refused_in_words() -> None:
    assert "is not on the board" in refused(shape=[8, 8], pieces={"i1": "K"})
    assert "no piece" in refused(shape=[8, 8], pieces={"a1": MARKUP})
    assert "there is no seat 2" in refused(seats=[SEAT], seat=2)
    assert "drawn as" in refused(dice=[{"face": 1, "kind": 'x" onload="'}])
    assert "9,000" not in refused(dice=[{"face": 1, "throws_left": 9000}])
    assert "only some seats" in refused(seats=[SEAT | {"seconds_left": 3}, SEAT])
    assert "less than nothing" in refused(seats=[SEAT | {"seconds_left": 3, "delay_seconds": -1}])
    assert "do not fit" in refused(seats=[SEAT, SEAT], sheet=[{"title": "a", "cells": [""] * each} for each in (4, 3)])
    assert "too long for a name" in refused(seats=[SEAT | {"name": "x" * 65}])
    assert "can be printed" in refused(prompt=["a\nb"])
    assert "too large" in refused(revision=10**12)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-LARGEST - 9, LARGEST + 9)
        | st.text(max_size=6)
        | st.sampled_from(["\u202e", "\x7f", '"', "\\", "x" * (LONGEST + 1), "y" * LONGEST, ",12345678901"]),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    )
)
def test_where_the_whole_is_plain_no_leaf_is_wrong(value: object) -> None:
    text = msgspec.json.encode([value], enc_hook=as_english).decode()
    wrong = list(_wrong_leaves([value]))
    assert not (wrong and _is_plain(text))
