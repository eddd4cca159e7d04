"""The pages of events: the arbiter's pages, with forms and downloads, and the public pages, which are read-only.

An event's public page has the same content as the sheet that the arbiter prints. The public page and the arbiter's page
of an event have live updates. The downloads are a tournament report, and a ZIP file of the proven matches as JSON and,
where the game allows it, as PGN.
"""

import asyncio
import io
import json
import re
import zipfile
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from math import ceil
from typing import Any, ClassVar, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from captains_table.club.event_manager import HeldEvent
from captains_table.club.events.entries import TIE_BREAKS, KeizerSettings, System
from captains_table.club.events.event import PAIR, CannotBe, ClubEvent, may_be_dropped, may_be_removed
from captains_table.club.events.player_rounds import How, player_rounds
from captains_table.club.events.tie_breaks import TIE_BREAK_FORMS
from captains_table.club.events.trf import trf_of
from captains_table.club.events.trf_reading import BadReport
from captains_table.club.pages.arbiter_scene import shown_event
from captains_table.club.pages.club_pages import ClubLivePages, as_file, sentence_of
from captains_table.club.pages.event_forms import (
    MOST_TIE_BREAKS,
    VERDICTS,
    BreaksRules,
    do_to_event,
    fields_of,
    leaves_early,
    options_in,
    read_made,
)
from captains_table.club.pages.words import SYSTEM_WORDS, entry_words, slashed_date, time_of_day
from captains_table.club.store.event_log import NoSuchEvent, NumberTaken
from captains_table.club.store.store import Proof, StoreFailed
from captains_table.games.common.chesslike.pgn import tag_value
from captains_table.games.contract import Game
from captains_table.games.registry import GAMES
from captains_table.phrases import say
from captains_table.storage.exports import forms_of, match_text
from captains_table.table.model.entries import JOURNAL_ENTRIES
from captains_table.web.match_form import field_values
from captains_table.web.page_language import page_language
from captains_table.web.problems import Problem
from captains_table.web.request_reader import read_fields, read_number

PGN: Final = "pgn"
TAG: Final = re.compile(r'^\[(?P<name>Event|Round) "(?P<value>[^"\n]*)"\]$', re.MULTILINE)
LARGEST_REPORT: Final = 1 << 20
DONE_SHOWN: Final = 5
PARTS: Final = ("round", "before", "standings", "crosstable")
"""The ids of those elements of the public page that change; these are also the names of their templates."""


@dataclass(frozen=True, slots=True)
class MatchExport:
    """A match of an event for the download: the numbers of its round and board, and its proven export as JSON."""

    round: int
    board: int
    export: bytes


def zipped(title: str, matches: Sequence[MatchExport]) -> bytes:
    """Return a ZIP file with the matches of the event with this title.

    A match on board B of round R is `round-R/game-B.json`; if its game can be written as PGN, there is also
    `round-R/game-B.pgn`.
    """
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as folder:
        for match in matches:
            for name, content in _files(title, match):
                folder.writestr(zipfile.ZipInfo(f"round-{match.round}/game-{match.board}.{name}"), content)
    return found.getvalue()


def _files(title: str, match: MatchExport) -> Iterator[tuple[str, bytes]]:
    yield "json", match.export
    value = json.loads(match.export)
    if PGN in forms_of(value["game"]):
        entries = [JOURNAL_ENTRIES.from_plain(entry) for entry in value["entries"]]
        text = match_text(entries, PGN, value["began"])
        yield PGN, tagged(text, title, f"{match.round}.{match.board}").encode()


def tagged(text: str, title: str, round_and_board: str) -> str:
    """Return a PGN text with its Event and Round tags set.

    The Event tag becomes the event's title. The Round tag becomes `round_and_board`; if the old Round tag was a number,
    a full stop and this number follow.

    Args:
        text: the games of one match as PGN.
        title: the event's title.
        round_and_board: the numbers of round and board, such as `2.5`.
    """

    def tag(found: re.Match[str]) -> str:
        if found["name"] == "Event":
            return f'[Event "{tag_value(title)}"]'
        own = found["value"]
        return f'[Round "{round_and_board}{f".{own}" if own.isdecimal() else ""}"]'

    return TAG.sub(tag, text)


class _EventPage(ClubLivePages[int]):
    """A kind of page of an event; the event's number tells what it shows."""

    parameter: ClassVar[str]
    """The query parameter that has the event's number in the address of the page's stream."""

    def stream(self, request: Request) -> Response:
        """Return the stream of live updates of the page; raises Problem or NoSuchEvent."""
        number = read_number(request.query_params.get(self.parameter, ""))
        self.events.event(number)
        return self.follow(request, number)

    def fragments(self, look: int) -> Mapping[str, str]:
        """Return the HTML of the changing parts of an event's page, by element id; `look` is the event's number.

        The result is empty after the event's evening was deleted, and while the database cannot be read; browsers then
        keep the page's content.
        """
        try:
            return self._parts(self.events.event(look))
        except (NoSuchEvent, StoreFailed):
            return {}

    @abstractmethod
    def _parts(self, held: HeldEvent) -> Mapping[str, str]: ...

    def _held(self, request: Request) -> HeldEvent:
        return self.events.event(read_number(request.path_params["number"]))

    def _shown(self, held: HeldEvent) -> dict[str, object]:
        return shown_event(held, self.club.tables.all(), self.club.now_s())


class EventPages(_EventPage):
    """The arbiter's pages of events."""

    parameter = "event"

    async def new(self, request: Request) -> Response:
        """Show the form for a new event."""
        return self._form("new", GAMES, dict(request.query_params))

    async def settings(self, request: Request) -> Response:
        """Show the form with the settings of an event."""
        held = self._held(request)
        return self._form("new", GAMES, fields_of(held.event.made), held=held)

    async def make(self, request: Request) -> Response:
        """Make an event from a form; if that is impossible, show the form again with the reason."""
        fields = await read_fields(request)
        try:
            number = self.events.make(read_made(fields))
        except (Problem, CannotBe) as error:
            return self._form("new", GAMES, fields, sentence_of(error))
        return RedirectResponse(f"/arbiter/events/{number}", 303)

    async def report(self, request: Request) -> Response:
        """Show the form for making an event from a tournament report."""
        return self._form("report", _pair_games(), dict(request.query_params))

    async def read_report(self, request: Request) -> Response:
        """Make an event from a tournament report; if that is impossible, show the form again with the reason."""
        fields = await read_fields(request, LARGEST_REPORT)
        text = fields.get("report", "")
        try:
            made = read_made({**fields, "title": "x", "system": System.SWISS, "rounds": "1", "cycles": "1"})
            number = self.events.make_of_report(text, made)
        except (Problem, BadReport, NumberTaken) as error:
            return self._form("report", _pair_games(), fields, sentence_of(error))
        return RedirectResponse(f"/arbiter/events/{number}", 303)

    def _form(
        self,
        template: str,
        games: Mapping[str, Game[Any]],
        fields: Mapping[str, str],
        wrong: str = "",
        held: HeldEvent | None = None,
    ) -> Response:
        """Return the form for a new event, or for the settings of the event `held`."""
        game = games.get(fields.get("game", "")) or next(iter(games.values()))
        sizes = range(max(PAIR + 1, game.seats.start), game.seats.stop)
        systems = [system for system in System if (sizes if system is System.GROUPS else PAIR in game.seats)]
        return self.page(
            f"arbiter/{template}",
            400 if wrong else 200,
            choices=games.values(),
            game=game,
            given=field_values(options_in(fields), game),
            fields=fields,
            systems=[(system, SYSTEM_WORDS[system]) for system in systems],
            sizes=sizes,
            tie_breaks=TIE_BREAK_FORMS,
            usual={
                SYSTEM_WORDS[system]: [TIE_BREAK_FORMS[each].code for each in TIE_BREAKS[system]]
                for system in systems
                if TIE_BREAKS[system]
            },
            places=range(1, MOST_TIE_BREAKS + 1),
            keizer=KeizerSettings(),
            wrong=wrong,
            held=held,
        )

    def _parts(self, held: HeldEvent) -> Mapping[str, str]:
        log, shown = self.events.log.entries(held.number), self._shown(held)
        return {
            "state": self.part("arbiter/state", strangers=self.events.strangers(held.number), **shown),
            "rounds": self.part(
                "arbiter/rounds",
                tables=self.club.tables.all(),
                verdicts=[(value, words) for value, (_, _, words) in VERDICTS.items()],
                **shown,
            ),
            "standings": self.part("event/standings", **shown),
            "log": self.part(
                "arbiter/log",
                log=[
                    (time_of_day(logged.at_s), entry_words(held.event, logged.entry, self.called), logged.arbiter)
                    for logged in reversed(log)
                ],
            ),
        }

    async def event(
        self, request: Request, wrong: str = "", status: int = 200, fields: Mapping[str, str] | None = None
    ) -> Response:
        """Show the arbiter's page of an event.

        Args:
            request: the request.
            wrong: why the last action was impossible; empty if it was carried out.
            status: the HTTP status of the response.
            fields: the fields of the rejected form, or of the links that tick and sort; `None` for those of the query.
        """
        held, query = self._held(request), dict(request.query_params) if fields is None else fields
        others = [player for player in self.events.log.players() if player.number not in held.event.entrants]
        if query.get("by") == "rating":
            others.sort(key=lambda player: -(player.rating or 0))
        last = self._entrants_before(held.number)
        every = {str(player.number) for player in others}
        chosen = {"all": every, "last": {*map(str, last)}}.get(query.get("tick", ""), set())
        return self.page(
            "arbiter/event",
            status,
            fragments=self._parts(held),
            done=self._done(held, query.get("done", "")),
            others=others,
            by=query.get("by", ""),
            played_last=any(player.number in last for player in others),
            ticked=chosen | {name.removeprefix("player-") for name in query if name.startswith("player-")},
            listed=query.get("list", ""),
            halves=query.get("halves", "0"),
            removable={player for player in held.event.entrants if may_be_removed(held.event, player)},
            leave_early={player for player in held.event.entrants if leaves_early(held.event, player)},
            wrong=wrong,
            **self._shown(held),
        )

    def _done(self, held: HeldEvent, places: str) -> Sequence[str]:
        """Return in words what an action wrote into an event's log, at most `DONE_SHOWN` entries and how many more.

        Args:
            held: the event.
            places: the places of the first entry, and of the one after the last, such as `12-14`; invalid ones are
                ignored.
        """
        found = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", places)
        log = self.events.log.entries(held.number)[int(found[1]) : int(found[2])] if found else []
        words = [entry_words(held.event, logged.entry, self.called) for logged in log]
        more = len(words) - DONE_SHOWN
        return [*words[:DONE_SHOWN], say("and {count} more", more)] if more > 0 else words

    def _entrants_before(self, number: int) -> AbstractSet[int]:
        """Return who took part in the latest event before the one with this number that had a round."""
        before = (held.event for held in self.events.events() if held.number < number and held.event.rounds)
        return next(({*event.entrants} - {*_never_there(event)} for event in before), frozenset())

    async def pair_by_hand(self, request: Request) -> Response:
        """Show the form for pairing a round by hand, filled in with the pairing of the last round if none has begun."""
        return self._hand_form(self._held(request), {})

    def _hand_form(self, held: HeldEvent, fields: Mapping[str, str], wrong: str = "", broken: str = "") -> Response:
        event = held.event
        replaced = event.rounds[-1] if may_be_dropped(event) else None
        number = event.next_round if replaced is None else replaced.number
        there = [entrant for entrant in event.entrants.values() if entrant.plays(number)]
        seated = [] if replaced is None else [match.seated.seats for match in replaced.matches if match.seated.board]
        given = fields or {
            f"seat-{board}-{seat}": str(player)
            for board, seats in enumerate(seated, 1)
            for seat, player in enumerate(seats, 1)
        }
        return self.page(
            "arbiter/by_hand",
            409 if wrong or broken else 200,
            held=held,
            event=event,
            number=number,
            there=sorted(there, key=lambda entrant: entrant.name.casefold()),
            boards=range(1, max(len(seated), _most_boards(len(there), event.made.group_size)) + 1),
            seats=range(1, event.made.group_size + 1),
            given=given,
            wrong=wrong,
            broken=broken.split("; ") if broken else [],
        )

    async def sheet(self, request: Request) -> Response:
        """Show the printable sheet of an event: pairings, standings, crosstable."""
        return self.page("arbiter/sheet", **self._shown(self._held(request)))

    async def trf(self, request: Request) -> Response:
        """Send an event as a tournament report file; raises Problem if a report cannot hold the event."""
        held = self._held(request)
        published = {each.number: each.published_s for each in held.event.rounds}
        days = {number: slashed_date(at_s) for number, at_s in published.items() if at_s is not None}
        try:
            fide_ids = {player.number: player.ids.fide_id for player in self.events.log.players()}
            text = trf_of(held.event, fide_ids, days)
        except BadReport as error:
            raise Problem(404, sentence_of(error)) from error
        return Response(text, media_type="text/plain", headers=as_file(f"event-{held.number}.trf"))

    async def games(self, request: Request) -> Response:
        """Send an event's verified match exports as a ZIP file; raises Problem if there are none."""
        held = self._held(request)
        results = self.events.results(held.number)
        matches = [
            MatchExport(round_.number, match.seated.board, export)
            for round_, match in held.event.matches()
            if (kept := results.get(match.seated.id)) is not None
            and kept.proof is Proof.PROVEN
            and (export := self.club.export(kept.outcome.match))
        ]
        if not matches:
            raise Problem(
                404, say("No match of this event has an export that is proven: tables tell one with names = true.")
            )
        content = await asyncio.to_thread(zipped, held.event.made.title, matches)
        return Response(content, media_type="application/zip", headers=as_file(f"event-{held.number}.zip"))

    async def do(self, request: Request) -> Response:
        """Carry out an action on an event, such as pairing a round; if it is impossible, show the page with the reason.

        Raises:
            Problem, NoSuchPlayer, NoSuchEvent: as in `do_to_event`.
        """
        held, deed = self._held(request), request.path_params["deed"]
        fields = await read_fields(request)
        try:
            await do_to_event(self.events, held, deed, fields)
        except BreaksRules as error:
            return self._hand_form(held, fields, broken=str(error))
        except (CannotBe, Problem) as error:
            return await self._rejected(request, deed, fields, error)
        if deed == "delete":
            return RedirectResponse("/arbiter", 303)
        written = self.events.event(held.number).written
        return RedirectResponse(f"/arbiter/events/{held.number}?done={held.written}-{written}", 303)

    async def _rejected(
        self, request: Request, deed: str, fields: Mapping[str, str], error: CannotBe | Problem
    ) -> Response:
        """Show the form again that asked for an action, with its fields, and why it was rejected."""
        held, words = self._held(request), sentence_of(error)
        status = error.status_code if isinstance(error, Problem) else 409
        if deed == "by-hand":
            return self._hand_form(held, fields, words)
        if deed == "settings":
            return self._form("new", GAMES, {**fields_of(held.event.made), **fields}, words, held)
        return await self.event(request, words, status, fields)


def _most_boards(players: int, group_size: int) -> int:
    """Return how many matches a round of so many players may have."""
    return players // PAIR if group_size == PAIR else ceil(players / group_size)


def _never_there(event: ClubEvent) -> Iterator[int]:
    """Yield the players of an event who played none of its matches."""
    for player, turnouts in player_rounds(event).items():
        if not any(turnout.how in {How.PLAYED, How.PENDING} for turnout in turnouts):
            yield player


def _pair_games() -> Mapping[str, Game[Any]]:
    """Return the games that two players can play, by their keys."""
    return {key: game for key, game in GAMES.items() if PAIR in game.seats}


@dataclass(eq=False)
class PublicEvent(_EventPage):
    """The public pages of events, whose parts are rendered again only after the event or a table's title changed."""

    parameter = "public"

    _drawn: dict[tuple[int, str], tuple[object, Mapping[str, str]]] = field(init=False, default_factory=dict)
    """For each event's number and language's code: the values that its page shows, and the parts rendered from them."""

    async def event(self, request: Request) -> Response:
        """Show the public page of an event."""
        held = self._held(request)
        return self.page("event/page", fragments=self.fragments(held.number), **self._shown(held))

    def _parts(self, held: HeldEvent) -> Mapping[str, str]:
        titles = [table.title for table in self.club.tables.all()]
        shown, key = (held.event, titles), (held.number, page_language().code)
        if key not in self._drawn or self._drawn[key][0] != shown:
            values = self._shown(held)
            self._drawn[key] = shown, {part: self.part(f"event/{part}", **values) for part in PARTS}
        return self._drawn[key][1]
