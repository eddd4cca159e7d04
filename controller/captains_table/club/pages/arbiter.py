"""The arbiter's pages, for whoever has the club's token: players, events, rounds, results, what was refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from captains_table.club.event_desk import EventDesk
from captains_table.club.pages.arbiter_scene import waiting_words
from captains_table.club.pages.arbiters_alone import ArbitersPages, arbiters_routes, sentence_of
from captains_table.club.pages.event_forms import read_ending, read_name, read_players, read_rating, read_why
from captains_table.club.pages.event_pages import EventPages
from captains_table.club.pages.news import title_of
from captains_table.club.pages.words import ending_words, time_of_day
from captains_table.club.port import BadCorrection, ClubPort, NoSuchCall, NoSuchResult, NoSuchTable
from captains_table.club.store.event_log import PlayerKnown
from captains_table.club.store.store import Correction, KeptResult, Proof
from captains_table.web.problems import Problem
from captains_table.web.render import Renderer
from captains_table.web.request_reader import read_fields, read_number
from captains_table.web.serving.guests import Guests

LONGEST_TITLE: Final = 64


@dataclass(frozen=True, slots=True)
class ResultShown:
    """A result, and what a form to set it right holds.

    Attributes:
        match: its seal.
        who: the players.
        ended: how it ended, in words.
        where: the game, the table whose word it is, and when it came.
        seats: the players one by one.
        winner: the winner's seat, `shared` or `left`.
        scores: as the form has them.
        of_event: whether it is a match of an event.
        corrected: whether the arbiter has set it right.
        proves_nothing: why its export proves nothing, so that it counts in no record; empty where nothing is wrong.
    """

    match: str
    who: str
    ended: str
    where: str
    seats: tuple[str, ...]
    winner: int | str
    scores: str
    of_event: bool
    corrected: bool
    proves_nothing: str = ""


def shown_result(kept: KeptResult, titles: Mapping[str, str]) -> ResultShown:
    """Return a result as the arbiter sees it; `titles`: what the tables are called, by user."""
    outcome, ending = kept.outcome, kept.ending
    winner = "left" if ending is None else "shared" if ending.winner is None else ending.winner
    return ResultShown(
        outcome.match,
        ", ".join(outcome.seats),
        ending_words(ending, outcome.seats).removeprefix("that "),
        f"{title_of(outcome.game)}, {titles.get(kept.user, kept.user)}, {time_of_day(kept.received_s)}",
        outcome.seats,
        winner,
        "" if ending is None else " : ".join(str(score) for score in ending.scores),
        of_event=bool(outcome.pairing),
        corrected=kept.correction is not None,
        proves_nothing=kept.proof_words if kept.proof is Proof.FAILED and kept.correction is None else "",
    )


def correction_words(correction: Correction, seats: Sequence[str]) -> str:
    """Return in words what the arbiter set right of a match between these."""
    was, ending = (ending_words(each, seats).removeprefix("that ") for each in (correction.was, correction.ending))
    return f"{time_of_day(correction.at_s)} {', '.join(seats)}: {was}; now {ending} ({correction.why})"


class Arbiter:
    """The arbiter's pages.

    Args:
        club: whose tables play.
        events: what is held.
        renderer: draws the pages.
        guests: counts who looks.

    Attributes:
        event_pages: those of events.
    """

    def __init__(self, club: ClubPort, events: EventDesk, renderer: Renderer, guests: Guests) -> None:
        self._club = club
        self._events = events
        self._pages = ArbitersPages(club, renderer)
        self.event_pages = EventPages(club, events, renderer, guests)

    def routes(self) -> list[Route]:
        """Return the addresses of the pages."""
        return [
            *arbiters_routes(
                [
                    ("", self.overview, "GET"),
                    ("/evening", self.begin_evening, "POST"),
                    ("/calls/{user}", self.answer, "POST"),
                    ("/results/{match}", self.correct, "POST"),
                    ("/players", self.players, "GET"),
                    ("/players", self.add_player, "POST"),
                    ("/players/several", self.add_players, "POST"),
                    ("/players/{player}", self.change_player, "POST"),
                ]
            ),
            *self.event_pages.routes(),
        ]

    # --- pages ---

    async def overview(self, request: Request) -> Response:  # noqa: ARG002 - the arbiter sees one
        """Show the events, who calls, how the line is, and what was refused."""
        evening = next(iter(self._club.kept.evenings()), None)
        results = [] if evening is None else self._club.kept.results(evening.number)
        corrections = [] if evening is None else self._club.kept.corrections(evening.number)
        titles = {table.user: table.title for table in self._club.tables()}
        events = self._events.events()
        who = {kept.outcome.match: kept.outcome.seats for kept in results}
        return self._pages.page(
            "overview",
            events=events,
            waiting={held.number: waiting_words(held, self._club.tables(), self._club.now_s()) for held in events},
            tables=self._club.tables(),
            line=self._club.line(),
            expiring=self._club.expiring(),
            refusals=self._club.refusals(),
            evening=evening,
            results=[shown_result(kept, titles) for kept in reversed(results)],
            corrections=[correction_words(each, who[each.match]) for each in reversed(corrections)],
        )

    async def correct(self, request: Request) -> Response:
        """Set right how a match ended that belongs to no event, or to one."""
        fields, match = await read_fields(request), request.path_params["match"]
        try:
            kept = self._club.kept.result(match)
            why = read_why(fields)
            if not why:
                raise Problem(400, "Say why it is set right: that is logged.")
            self._club.correct(match, read_ending(fields, kept), why)
        except NoSuchResult as error:
            raise Problem(404, "There is no result of such a match: expected one of the list.") from error
        except BadCorrection as error:
            raise Problem(400, sentence_of(error)) from error
        return RedirectResponse("/arbiter", 303)

    async def answer(self, request: Request) -> Response:
        """Answer a table's call, which ends there by that."""
        fields = await read_fields(request)
        try:
            self._club.answer(request.path_params["user"], fields.get("call", ""))
        except (NoSuchCall, NoSuchTable) as error:
            raise Problem(409, "This call is over: the table ended it, or calls anew.") from error
        return RedirectResponse("/arbiter", 303)

    async def begin_evening(self, request: Request) -> Response:
        """Begin another evening."""
        fields = await read_fields(request)
        title = " ".join(fields.get("title", "").split())
        if not 1 <= len(title) <= LONGEST_TITLE or not title.isprintable():
            raise Problem(400, f"An evening's title: expected 1 to {LONGEST_TITLE} characters.")
        self._club.begin_evening(title)
        return RedirectResponse("/arbiter", 303)

    async def players(
        self,
        request: Request,  # noqa: ARG002 - everybody who may see them sees the same
        wrong: str = "",
        status: int = 200,
        listed: str = "",
    ) -> Response:
        """Show everybody the club knows; of a list that is wrong the text stays in its form."""
        return self._pages.page("players", status, players=self._events.kept.players(), wrong=wrong, listed=listed)

    async def add_player(self, request: Request) -> Response:
        """Enter a player."""
        fields = await read_fields(request)
        try:
            self._events.kept.add_player(read_name(fields), read_rating(fields))
        except PlayerKnown as error:
            return await self.players(request, f"{error}.", 409)
        return RedirectResponse("/arbiter/players", 303)

    async def add_players(self, request: Request) -> Response:
        """Enter several players, all of them or, where a line is wrong, none; who is on the list stays as he is."""
        fields = await read_fields(request)
        try:
            self._events.add_players(read_players(fields))
        except Problem as error:
            return await self.players(request, error.sentence, 400, fields.get("list", ""))
        return RedirectResponse("/arbiter/players", 303)

    async def change_player(self, request: Request) -> Response:
        """Set right what a player is called and rated."""
        fields = await read_fields(request)
        try:
            number = read_number(request.path_params["player"])
            self._events.kept.change_player(number, read_name(fields), read_rating(fields))
        except PlayerKnown as error:
            return await self.players(request, f"{error}.", 409)
        return RedirectResponse("/arbiter/players", 303)
