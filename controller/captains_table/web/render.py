"""Renders pages and their fragments with Jinja, from templates of this package and of packages that callers name.

What the pages' scripts say is translated here too: a script has the English text, and its page brings the translation
(static/words.js).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, TemplateNotFound

from captains_table import catalog
from captains_table.catalog.languages import language_names
from captains_table.games.common.dice import roman
from captains_table.games.contract import is_moot
from captains_table.games.crowns.grids import parse_grid
from captains_table.games.registry import GAMES, display_names, not_installed
from captains_table.phrases import (
    ENGLISH,
    as_sentence,
    decimal,
    noun,
    short_form,
)
from captains_table.table.lessons.lesson import read_lesson
from captains_table.table.lobby.screen import short_title
from captains_table.table.model.player_clocks import clock_face
from captains_table.table.model.sounds import SOUNDS
from captains_table.table.model.verdict import counts_points
from captains_table.table.model.view import Mark
from captains_table.web import cards
from captains_table.web.first_screen import GameCard, asked_picture, knob_is_used
from captains_table.web.joining import qr_picture
from captains_table.web.match_form import computers
from captains_table.web.page_language import on_page, page_language, page_language_of, said_in_html, several_in_html
from captains_table.web.rules_drawings import drawings_of
from captains_table.web.scene import Scene, loose_piece
from captains_table.web.sheets import sheet_cells, sheet_columns, sheet_heads
from captains_table.web.static_files import STATIC
from captains_table.web.svg import marks_svg, things_svg
from captains_table.web.svg.chart_svg import signed
from captains_table.web.svg.grids_svg import grid_svg

_SCRIPT_CALL: Final = re.compile(r'\binWords\(([^,)]*"[^)]*)\)')
_SCRIPT_TEXT: Final = re.compile(r'"([^"]+)"')
SHARED = ("heading", "board", "sheet", "dice", "tallies", "prompt", "news", "log", "told")
FOLDERS = {"display": "kiosk"}
"""The folder of a page's fragments, if not `fragments`: the room display has templates of its own."""
TICKING = ("tallies", "glass", "bell")
FRAGMENTS: dict[str, tuple[str, ...]] = {
    "display": (*SHARED, "card", "idle", "join"),
    "master": (*SHARED, "result", "ask", "undo", "bell", "timers", "correcting"),
    "seat": (*SHARED, "result", "ask", "roll", "undo", "hand", "movements", "words", "calls", "players", "faults"),
    "table": (
        *(*SHARED, "result", "ask", "roll", "undo", "hand", "movements", "repair", "noise"),
        *("words", "calls", "players", "glass", "club", "leave", "faults", "first"),
    ),
}


@cache
def texts_of_scripts() -> frozenset[str]:
    """Return the English texts that scripts say: the literal arguments of `inWords`."""
    scripts = "".join(file.read_text(encoding="utf-8") for file in STATIC.glob("*.js"))
    return frozenset(text for call in _SCRIPT_CALL.findall(scripts) for text in _SCRIPT_TEXT.findall(call))


def script_texts() -> str:
    """Return the translations of all texts as JSON, keyed by the English text; what is not translated is left out."""
    found = {text: page_language().find(text) for text in sorted(texts_of_scripts())}
    return json.dumps({text: words for text, words in found.items() if words}, ensure_ascii=False)


_FUNCTIONS = (
    *(as_sentence, asked_picture, clock_face, counts_points, decimal, display_names, grid_svg, is_moot, knob_is_used),
    *(language_names, loose_piece, not_installed, noun, parse_grid, qr_picture, roman, script_texts, short_form),
    *(sheet_cells, sheet_columns, sheet_heads, short_title, signed, things_svg.game_legends),
    *(cards.card_of, cards.prompt_of, cards.standing_of, cards.in_words, cards.name_forms, cards.names_in_html),
    *(cards.lists_of, cards.visible_columns, cards.main_tally, cards.ranked_places, cards.score_bar, cards.score_parts),
)
"""The functions that templates may call."""


@cache
def _lesson_steps(game: str) -> Mapping[str, int]:
    """Return the step of a game's lesson that teaches each rule, keyed by the rule's number; empty without a lesson."""
    lesson = catalog.entry_of(game).lesson
    return {} if lesson is None else read_lesson(lesson.read()).steps_by_rule()


def _but_for_time(scene: Scene) -> Scene:
    """Return a scene without the players' clocks, the bell's remaining time, and the checksum of the display's picture.

    Only the page fragments in TICKING show these values.
    """
    seats = tuple(replace(seat, seconds_left=None, delay_seconds=None) for seat in scene.view.seats)
    return replace(scene, display="", view=replace(scene.view, seats=seats, bell_seconds=None))


class Renderer:
    """Turns scenes into HTML; names and other texts of players are always escaped.

    Args:
        rooms: the names of packages with further templates.
        known: further global variables of the templates.
    """

    def __init__(self, *rooms: str, **known: object) -> None:
        self._templates = Environment(
            loader=ChoiceLoader([PackageLoader(room) for room in ("captains_table.web", *rooms)]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=on_page,
        )
        self._templates.globals |= {each.__name__: each for each in _FUNCTIONS} | {
            "_": said_in_html,
            "several": several_in_html,
            "games": GAMES,
            "advises": catalog.advises,
            "find_entry": catalog.find_entry,
            "marks": [{"svg": marks_svg.mark_legend_svg(mark), "words": marks_svg.MARK_WORDS[mark]} for mark in Mark],
            "sounds": {kind: {"tones": sound.tones, "timbre": sound.timbre} for kind, sound in SOUNDS.items()},
            "signs": things_svg.SIGNS,
            "has_rules": self.has_rules,
            "computers_of": computers,
            "is_playing": lambda: False,
            **known,
        }
        self._templates.filters |= {
            "isolated": cards.isolated,
            "emphasised": cards.emphasised,
            "shown": lambda name: display_names((name,))[0],
        }
        self._last: dict[tuple[str, str, bool, int | None, bool], tuple[Scene, Mapping[str, str]]] = {}

    def fragments(self, page: str, scene: Scene) -> Mapping[str, str]:
        """Return the fragments of a page: map each fragment's id to its HTML.

        The last result for each variant of a page is cached, so that a scene is rendered once for any number of
        spectators. If only clocks, the bell or the display's picture have changed, only the fragments in TICKING are
        rendered.
        """
        look = scene.view.language.code, page, scene.flipped, scene.seat, scene.joining is None
        last_scene, last = self._last.get(look, (None, {}))
        if scene == last_scene:
            return last
        is_tick = last_scene is not None and _but_for_time(last_scene) == _but_for_time(scene)
        changed = [name for name in TICKING if name in last] if is_tick else FRAGMENTS[page]
        with page_language_of(scene.view.language):
            fragments = {**last, **{name: self._fragment(page, name, scene) for name in changed}}
        self._last[look] = scene, fragments
        return fragments

    def page(self, name: str, **values: Any) -> str:  # noqa: ANN401 - each template takes its own values
        """Return a complete page, rendered from a template with these values, its own name and the language."""
        template = self._templates.get_template(f"{name}.html")
        return template.render(values, template=name, language=page_language())

    def rules(self, game: str, card: GameCard | None) -> str | None:
        """Return the page with a game's rules; `None` if there is no such game or it has no rules page.

        Args:
            game: the game's key.
            card: the game's card, with which a match begins on the page; `None` if none can be played here.
        """
        if not self.has_rules(game):
            return None
        own, translated = catalog.entry_of(game).rules_page, f"rules/{page_language().code}/{game}"
        is_english = page_language() is not ENGLISH and not self._has_template(translated)
        known = {"game": GAMES[game], "card": card, "is_english": is_english}
        if own is not None:
            return self.page("rules_page", **known, body=own.read())
        name = translated if self._has_template(translated) else f"rules/{game}"
        return self.page(name, **known, lesson_steps=_lesson_steps(game), **drawings_of(game))

    def games_with_rules(self) -> list[str]:
        """Return the keys of the games that have a rules page."""
        return [game for game in GAMES if self.has_rules(game)]

    def _fragment(self, page: str, name: str, scene: Scene) -> str:
        folder = FOLDERS.get(page, "fragments")
        template = self._templates.get_template(f"{folder}/{name}.html")
        return template.render(scene=scene, view=scene.view).strip()

    def has_rules(self, game: str) -> bool:
        """Return whether a game has a rules page."""
        entry = catalog.find_entry(game)
        if entry is None or entry.rules_page is not None:
            return entry is not None
        return self._has_template(f"rules/{game}")

    def _has_template(self, name: str) -> bool:
        try:
            self._templates.get_template(f"{name}.html")
        except TemplateNotFound:
            return False
        return True
