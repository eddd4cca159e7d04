"""Renders pages and their fragments with Jinja, from templates of this package and of packages that callers name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from jinja2 import BytecodeCache, ChoiceLoader, Environment, PackageLoader, StrictUndefined, TemplateNotFound
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from captains_table import catalog
from captains_table.catalog.languages import language_names
from captains_table.games.common.dice import roman
from captains_table.games.contract import is_moot
from captains_table.games.crowns.grids import parse_grid
from captains_table.games.registry import GAMES, display_names, not_installed
from captains_table.phrases import (
    ENGLISH,
    Language,
    Phrase,
    PhrasePart,
    as_sentence,
    decimal,
    noun,
    rendered,
    say,
    several,
    short_form,
)
from captains_table.phrases.phrase import NOUN
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
from captains_table.web.rules_drawings import drawings_of
from captains_table.web.scene import Scene, loose_piece
from captains_table.web.script_texts import script_texts
from captains_table.web.sheets import sheet_cells, sheet_columns, sheet_heads
from captains_table.web.svg import marks_svg, things_svg
from captains_table.web.svg.chart_svg import signed
from captains_table.web.svg.grids_svg import grid_svg

STATIC: Final = Path(__file__).parent / "static"
"""The folder of the pages' styles, scripts and fonts."""
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
_FUNCTIONS = (
    *(
        asked_picture,
        knob_is_used,
        not_installed,
        display_names,
        loose_piece,
        clock_face,
        qr_picture,
        signed,
        sheet_columns,
        sheet_heads,
        sheet_cells,
        counts_points,
        is_moot,
        roman,
    ),
    *(cards.card_of, cards.prompt_of, cards.standing_of, cards.in_words, cards.name_forms),
    *(cards.lists_of, cards.visible_columns, cards.main_tally, cards.ranked_places, cards.score_bar, cards.score_parts),
    *(grid_svg, parse_grid, noun, language_names, short_form, short_title, as_sentence, decimal),
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


class CompiledTemplates(BytecodeCache):
    """The compiled templates of all languages and renderers of this process."""

    def __init__(self) -> None:
        self._code: dict[str, Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Tell a template its code if it was compiled before."""
        bucket.code = self._code.get(bucket.key)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template that was compiled."""
        self._code[bucket.key] = bucket.code


COMPILED: Final = CompiledTemplates()


class PageLanguage:
    """What templates need to say things in one language.

    Args:
        language: the language.
    """

    def __init__(self, language: Language) -> None:
        self._language = language

    def words(self, value: object) -> object:
        """Return a value that a template prints, or gives to a filter; a phrase in the language."""
        return value.render(self._language) if isinstance(value, Phrase) else value

    def say(self, text: str, **parts: PhrasePart) -> Markup:
        """Return a message of a template, which may contain HTML elements; its parts are escaped."""
        return self._html(say(text, **self._escaped(parts)))

    def several(self, number: int, one: str, many: str, **parts: PhrasePart) -> Markup:
        """Return the message of a template for a number of things, with its parts escaped."""
        return self._html(several(number, one, many, **self._escaped(parts)))

    def _escaped(self, parts: Mapping[str, PhrasePart]) -> dict[str, PhrasePart]:
        """Return the parts of a message without anything that HTML would understand; nouns keep their forms."""
        is_noun = {name: isinstance(part, Phrase) and part.context == NOUN for name, part in parts.items()}
        return {name: part if is_noun[name] else escape(self.words(part)) for name, part in parts.items()}

    def _html(self, phrase: Phrase) -> Markup:
        words = phrase.render(self._language)
        if self._language is not ENGLISH and "<" not in words:
            words = words.replace('"', "&#34;")  # the message may stand in an attribute
        return Markup(words)  # noqa: S704 - the message is ours

    def names_in_html(self, names: Sequence[str]) -> Markup:
        """Return names as `in_words` does, each isolated from the direction of the text around it."""
        listed = cards.in_words([Markup("<bdi>{}</bdi>").format(self.words(name)) for name in names])
        return Markup(rendered(listed, self._language))  # noqa: S704 - the names are escaped


def _filtered(own: PageLanguage, change: Callable[..., str], words: str, *values: object) -> str:
    """Return words that a filter has changed after they were translated."""
    return change(own.words(words), *values)


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
            bytecode_cache=COMPILED,
        )
        self._templates.globals |= {each.__name__: each for each in _FUNCTIONS} | {
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
        self._templates.filters["shown"] = lambda name: display_names((name,))[0]
        self._by_language: dict[str, Environment] = {}
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
        if last_scene is not None and _but_for_time(last_scene) == _but_for_time(scene):
            fragments = {**last, **{name: self._fragment(page, name, scene) for name in TICKING if name in last}}
        else:
            fragments = {name: self._fragment(page, name, scene) for name in FRAGMENTS[page]}
        self._last[look] = scene, fragments
        return fragments

    def page(self, name: str, **values: Any) -> str:  # noqa: ANN401 - each template takes its own values
        """Return a complete page, rendered from a template with these values and its own name (`template`).

        The value `language` is the language of the page; without it, the page is English.
        """
        templates = self._in(values.get("language", ENGLISH))
        return templates.get_template(f"{name}.html").render(values, template=name)

    def _in(self, language: Language) -> Environment:
        """Return the templates in a language; all that they include and import is in the language too."""
        if language.code not in self._by_language:
            own = PageLanguage(language)
            templates = self._templates.overlay(finalize=own.words)
            said = {"_": own.say, "several": own.several, "names_in_html": own.names_in_html, "language": language}
            said["script_texts"] = script_texts(language)
            said["game_legends"] = things_svg.game_legends(language)
            templates.globals = {**self._templates.globals, **said}
            filters = {each.__name__: partial(_filtered, own, each) for each in (cards.isolated, cards.emphasised)}
            templates.filters = {**self._templates.filters, **filters}
            self._by_language[language.code] = templates
        return self._by_language[language.code]

    def rules(self, game: str, card: GameCard | None, language: Language = ENGLISH) -> str | None:
        """Return the page with a game's rules; `None` if there is no such game or it has no rules page.

        Args:
            game: the game's key.
            card: the game's card, with which a match begins on the page; `None` if none can be played here.
            language: the language of the page.
        """
        if not self.has_rules(game):
            return None
        own, translated = catalog.entry_of(game).rules_page, f"rules/{language.code}/{game}"
        is_english = language is not ENGLISH and not self._has_template(translated)
        known = {"language": language, "game": GAMES[game], "card": card, "is_english": is_english}
        if own is not None:
            return self.page("rules_page", **known, body=own.read())
        name = translated if self._has_template(translated) else f"rules/{game}"
        return self.page(name, **known, lesson_steps=_lesson_steps(game), **drawings_of(game))

    def games_with_rules(self) -> list[str]:
        """Return the keys of the games that have a rules page."""
        return [game for game in GAMES if self.has_rules(game)]

    def _fragment(self, page: str, name: str, scene: Scene) -> str:
        folder = FOLDERS.get(page, "fragments")
        template = self._in(scene.view.language).get_template(f"{folder}/{name}.html")
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
