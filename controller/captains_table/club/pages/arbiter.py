"""The arbiter's pages: overview, players, new evenings, corrections, answers to calls, tables, and strikes of results.

All of them require the club's token. The arbiter's pages of events are in `event_pages`.
"""

import csv
import re
from collections.abc import Container, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from captains_table.club.events.event import CannotBe
from captains_table.club.pages.arbiter_scene import waiting_words
from captains_table.club.pages.club_pages import ClubPages, sentence_of
from captains_table.club.pages.event_forms import Fields, read_ending, read_name, read_players, read_rating, read_why
from captains_table.club.pages.words import ending_words, time_of_day
from captains_table.club.service import BadCorrection, BadTableName, NoSuchCall, NoSuchTable
from captains_table.club.store.event_log import ClubPlayer, NumberTaken, PlayerIds, PlayerKnown, folded
from captains_table.club.store.forgetting import NotTheirName, plan_forgetting
from captains_table.club.store.store import Correction, StoredResult, StoreFailed
from captains_table.games.contract import is_showable
from captains_table.phrases import message, message_of, say
from captains_table.web.problems import Problem
from captains_table.web.request_reader import read_fields, read_number

LONGEST_TITLE: Final = 64
LONGEST_ID: Final = 20
LARGEST_LIST: Final = 1 << 18
NOT_FORGOTTEN: Final = message(
    "The member could not be forgotten wholly: {reason}. Expected a disk with room for the club's file once more, "
    "which is made anew without the name: look whether the member is still on the list, and forget the former member "
    "once more then, by the same name."
)
MOST_DIGITS: Final = 4


def _read_since(fields: Mapping[str, str], now_s: float) -> float:
    """Return the latest moment at the time of day in a form, in Unix seconds; raises Problem."""
    text = fields.get("since", "")
    try:
        told = time.fromisoformat(text)
    except ValueError:
        raise Problem(400, say("{text} is no time of day: expected one such as 21:04.", repr(text[:20]))) from None
    now = datetime.fromtimestamp(now_s, UTC).astimezone()
    since = datetime.combine(now.date(), told.replace(tzinfo=None)).astimezone()
    return (since if since <= now else since - timedelta(days=1)).timestamp()


def correction_words(correction: Correction, seats: Sequence[str]) -> str:
    """Return a correction of a match in words: time, players, old ending, new ending, reason and arbiter."""
    was, ending = (ending_words(each, seats) for each in (correction.was, correction.ending))
    return say(
        "{time} {names}: {was}; now {ending} ({reason}){by}",
        time_of_day(correction.at_s),
        ", ".join(seats),
        was,
        ending,
        correction.why,
        say(", by {arbiter}", correction.arbiter) if correction.arbiter else "",
    )


class Arbiter(ClubPages):
    """The arbiter's pages, except those of events."""

    async def overview(self, request: Request) -> Response:  # noqa: ARG002 - the arbiter sees one
        """Show the arbiter's overview.

        The page shows the events, the tables with their calls, the broker connection and its certificates, the refused
        payloads, and the results and corrections of the latest evening.
        """
        evening = next(iter(self.club.store.evenings()), None)
        results = self._results()
        corrections = [] if evening is None else self.club.store.corrections(evening.number)
        events, tables = self.events.events(), self.club.tables.all()
        who = {kept.outcome.match: kept.outcome.seats for kept in results}
        held = [kept for kept in results if kept.is_held]
        return self.page(
            "arbiter/overview",
            events=events,
            waiting={held.number: waiting_words(held, tables, self.club.now_s()) for held in events},
            tables=tables,
            titles={table.user: table.title for table in tables},
            line=self.club.line,
            expiring=self.club.expiring(),
            refusals=self.club.refused.counts(),
            evening=evening,
            results=results,
            ended=ending_words,
            corrections=[
                correction_words(each, who[each.match]) for each in reversed(corrections) if each.match in who
            ],
            held={user: sum(kept.user == user for kept in held) for user in sorted({kept.user for kept in held})},
            users=self._users(results),
            muted=[table for table in tables if table.is_muted],
            strikes=self.club.strikes,
        )

    def _results(self) -> Sequence[StoredResult]:
        """Return the results of the latest evening, in the order of receipt."""
        latest = next(iter(self.club.store.evenings()), None)
        return [] if latest is None else self.club.store.results(latest.number)

    def _users(self, results: Sequence[StoredResult]) -> Sequence[str]:
        """Return the user names of all tables, and of those that are gone but reported one of the results."""
        known = [table.user for table in self.club.tables.all()]
        return [*known, *sorted({kept.user for kept in results}.difference(known))]

    def _read_user(self, fields: Mapping[str, str]) -> str:
        user = fields.get("table", "")
        if user not in self._users(self._results()):
            raise Problem(404, say("No such table has reported here: expected one of the list."))
        return user

    async def proposed_strike(self, request: Request) -> Response:
        """Show which results of a table a strike would concern, and which it would not; raises Problem."""
        fields = dict(request.query_params)
        user, since_s = self._read_user(fields), _read_since(fields, self.club.now_s())
        concerned, proven, of_events = self.club.to_strike(user, since_s, self.events.counting_seals())
        return self.page(
            "arbiter/strike",
            user=user,
            since_s=since_s,
            since=fields["since"],
            concerned=concerned,
            proven=proven,
            of_events=of_events,
            ended=ending_words,
        )

    async def strike(self, request: Request) -> Response:
        """Strike what a table reported since a time, and mute the table if the form says so.

        Raises:
            Problem: the table is not known, the time or the reason is invalid, or there is nothing to strike.
        """
        fields = await read_fields(request)
        user, why, since_s = self._read_user(fields), read_why(fields), _read_since(fields, self.club.now_s())
        if not why:
            raise Problem(400, say("Say why the results are struck: that is logged."))
        if fields.get("mute"):  # first, so that nothing arrives between
            self.club.mute(user, is_muted=True)
        concerned, proven, _ = self.club.to_strike(user, since_s, self.events.counting_seals())
        self.club.strike([*concerned, *(proven if fields.get("proven") else ())], user, since_s, why)
        return RedirectResponse("/arbiter", 303)

    async def take_back(self, request: Request) -> Response:
        """Let the results of a strike count again; raises NoSuchStrike."""
        self.club.take_back(read_number(request.path_params["strike"]))
        return RedirectResponse("/arbiter", 303)

    async def listen(self, request: Request) -> Response:
        """Mute a table, or with the field `listen` take in again what it publishes; raises Problem."""
        fields = await read_fields(request)
        self.club.mute(self._read_user(fields), is_muted=not fields.get("listen"))
        return RedirectResponse("/arbiter", 303)

    async def take_overlapping(self, request: Request) -> Response:
        """Let a match of this evening that overlaps others of its table count, or all of a table."""
        fields = await read_fields(request)
        user, match = fields.get("table"), fields.get("match")
        held = [each for each in self._results() if each.is_held]
        chosen = [each.outcome.match for each in held if each.user == user or each.outcome.match == match]
        self.club.take_overlapping(chosen)
        return RedirectResponse("/arbiter", 303)

    async def tables(self, request: Request, wrong: str = "", status: int = 200) -> Response:  # noqa: ARG002 - as players
        """Show all tables with their numbers and names, which the club gives; `wrong` says why a form was rejected."""
        return self.page("arbiter/tables", status, tables=self.club.tables.all(), wrong=wrong)

    async def name_table(self, request: Request) -> Response:
        """Give a table its number and name; if another table has one of them, show the tables with a remark.

        Raises:
            Problem: the number or the name is invalid.
            NoSuchTable: there is no such table.
        """
        fields, table = await read_fields(request), self.club.table(request.path_params["user"])
        title, number = " ".join(fields.get("title", "").split()), fields.get("board", "").strip() or "0"
        if len(title) > LONGEST_TITLE or not is_showable(title):
            raise Problem(400, say("A table's name: expected at most {count} characters.", LONGEST_TITLE))
        if not (number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS):
            wrong = message("{text} is no table's number: expected a whole number up to 9999.")
            raise Problem(400, say(wrong, text=repr(number[:20])))
        try:
            self.club.name_table(table.user, int(number), title)
        except BadTableName as error:
            return await self.tables(request, sentence_of(error), 409)
        return RedirectResponse("/arbiter/tables", 303)

    async def correct(self, request: Request) -> Response:
        """Correct how a match ended; the match need not belong to an event.

        Raises:
            Problem: the form states no valid reason, or no ending that fits the match.
            NoSuchResult: there is no result of this match.
        """
        fields, match = await read_fields(request), request.path_params["match"]
        kept, why = self.club.store.result(match), read_why(fields)
        if not why:
            raise Problem(400, say("Say why it is set right: that is logged."))
        try:
            self.club.correct(match, read_ending(fields, kept), why)
        except BadCorrection as error:
            raise Problem(400, sentence_of(error)) from error
        return RedirectResponse("/arbiter", 303)

    async def answer(self, request: Request) -> Response:
        """Answer a table's call for the arbiter; the table then ends the call.

        Raises:
            Problem: the call is over already, or the table is not known.
        """
        fields = await read_fields(request)
        try:
            self.club.answer(request.path_params["user"], fields.get("call", ""))
        except (NoSuchCall, NoSuchTable) as error:
            raise Problem(409, say("This call is over: the table ended it, or calls anew.")) from error
        return RedirectResponse("/arbiter", 303)

    async def begin_evening(self, request: Request) -> Response:
        """Begin an evening with the title in the form, and end the current one.

        Raises:
            Problem: the title is empty, too long or not printable.
        """
        fields = await read_fields(request)
        title = " ".join(fields.get("title", "").split())
        if not 1 <= len(title) <= LONGEST_TITLE or not is_showable(title):
            raise Problem(400, say("An evening's title: expected 1 to {count} characters.", LONGEST_TITLE))
        self.club.begin_evening(title)
        return RedirectResponse("/arbiter", 303)

    async def players(
        self,
        request: Request,
        wrong: str = "",
        status: int = 200,
        listed: str = "",
        *,
        again: Fields | None = None,
        of: str = "",
        is_known: bool = False,
    ) -> Response:
        """Show the club's players; those of the player in the query parameter `of` are open.

        Args:
            request: the request.
            wrong: why the last form was rejected; empty if no form was rejected.
            status: the HTTP status of the response.
            listed: the rejected list of players, which stays in the form; empty if no list was rejected.
            again: the fields of a player that were rejected; `None` for no such form.
            of: the number of the player whose fields were rejected.
            is_known: whether they were rejected because the name is known, and it may be another player.
        """
        players, query = self.events.log.players(), request.query_params
        return self.page(
            "arbiter/players",
            status,
            players=[(player, self.events.differing(player)) for player in players],
            former=self.events.log.former_members(),
            wrong=wrong,
            listed=listed,
            again=again,
            address=request.url.path,
            opened=of or query.get("of", ""),
            is_known=is_known,
            new=query.get("new", ""),
            of_all=query.get("of-all", ""),
        )

    async def add_player(self, request: Request) -> Response:
        """Add a player to the club; if that is impossible, show the players with a remark."""
        fields = await read_fields(request)
        try:
            self.events.log.add_player(*_read_player(fields), is_another=fields.get("another") == "yes")
        except (Problem, PlayerKnown, NumberTaken) as error:
            return await self._rejected(request, fields, error)
        return RedirectResponse("/arbiter/players", 303)

    async def add_players(self, request: Request) -> Response:
        """Add the listed players to the club.

        Players whose names exist already stay unchanged. If a line is wrong or the list is empty, add nobody, and show
        the players with a remark.
        """
        fields = await read_fields(request)
        try:
            listed = read_players(fields)
        except Problem as error:
            return await self.players(request, error.detail, 400, fields.get("list", ""))
        return RedirectResponse(f"/arbiter/players?new={self.events.add_players(listed)}&of-all={len(listed)}", 303)

    async def ratings(self, request: Request) -> Response:
        """Show what a list of ratings changes; carry it out if the form says so.

        Raises:
            Problem: the list cannot be read.
        """
        fields = await read_fields(request, LARGEST_LIST)
        changes, left_out = read_ratings(fields.get("list", ""), self.events.log.players())
        if not fields.get("apply"):
            return self.page("arbiter/ratings", changes=changes, left_out=left_out, listed=fields.get("list", ""))
        with self.club.store.together():
            for player, rating in changes:
                self.events.log.change_player(player.number, player.own_name, rating, player.ids)
        return RedirectResponse("/arbiter/players", 303)

    async def change_player(self, request: Request) -> Response:
        """Change a player's name, rating and numbers; if that is impossible, show the players with a remark.

        Raises:
            NoSuchPlayer: there is no such player.
        """
        fields = await read_fields(request)
        number = read_number(request.path_params["player"])
        try:
            self.events.log.change_player(number, *_read_player(fields), is_another=fields.get("another") == "yes")
        except (Problem, PlayerKnown, NumberTaken) as error:
            return await self._rejected(request, fields, error, number)
        return _back_to(number)

    async def _rejected(self, request: Request, fields: Fields, error: Exception, number: int = 0) -> Response:
        """Show the players with the fields of a rejected form, those of player `number`, and why it was rejected."""
        status = error.status_code if isinstance(error, Problem) else 409
        is_known = isinstance(error, PlayerKnown)
        return await self.players(request, sentence_of(error), status, again=fields, of=str(number), is_known=is_known)

    async def carry(self, request: Request) -> Response:
        """Carry a player's name and rating into an event; if that is impossible, show the players with a remark.

        Raises:
            Problem: a number is invalid.
            NoSuchPlayer, NoSuchEvent: there is no such player or event.
        """
        fields, number = await read_fields(request), read_number(request.path_params["player"])
        try:
            self.events.mend(read_number(fields.get("event", "")), number)
        except CannotBe as error:
            return await self.players(request, sentence_of(error), 409)
        return _back_to(number)

    async def forgetting(self, request: Request, wrong: str = "") -> Response:
        """Show what changes when a member is forgotten, and what is not covered.

        Args:
            request: the request.
            wrong: why the typed name was rejected; empty if it was not.

        Raises:
            NoSuchMember: there is no such member.
        """
        number = read_number(request.path_params["player"])
        former = dict(self.events.log.former_members()).get(number, "")
        return self.page(
            "arbiter/forget",
            409 if wrong else 200,
            number=number,
            member=former or self.events.log.player(number).name,
            is_former=bool(former),
            planned=plan_forgetting(self.club.store, number),
            wrong=wrong,
        )

    async def forget(self, request: Request) -> Response:
        """Forget a member if the name was typed; otherwise show the page with a remark.

        Raises:
            Problem: the database failed.
            NoSuchMember: there is no such member.
        """
        fields, number = await read_fields(request), read_number(request.path_params["player"])
        try:
            self.club.forget_member(number, read_name(fields))
        except NotTheirName as error:
            return await self.forgetting(request, say("Nothing was changed: {reason}.", message_of(error)))
        except StoreFailed as error:
            raise Problem(507, say(NOT_FORGOTTEN, reason=message_of(error))) from error
        return RedirectResponse("/arbiter/players", 303)


def read_ratings(text: str, players: Sequence[ClubPlayer]) -> tuple[list[tuple[ClubPlayer, int]], list[str]]:
    """Return the players whose ratings a list changes, each with the new rating, and why other lines change nothing.

    Each line has a name, or a number of a player, first, and the rating last; commas, semicolons or tabs separate them.

    Raises:
        Problem: the list is no CSV.
    """
    separator = max(",;\t", key=text.partition("\n")[0].count)
    found: dict[ClubPlayer, int] = {}
    left_out: list[str] = []
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=separator))
    except csv.Error as error:
        wrong = say("The list cannot be read: {reason}. Expected a name and a rating a line.", str(error))
        raise Problem(400, wrong) from error
    for number, row in enumerate(rows, start=1):
        try:
            found |= [_read_rated(row, players, found)] if any(row) else []
        except Problem as error:
            left_out.append(say("Line {number}: {reason}", number, error.detail))
    return [(player, rating) for player, rating in found.items() if player.rating != rating], left_out


def _read_rated(
    row: Sequence[str], players: Sequence[ClubPlayer], before: Container[ClubPlayer]
) -> tuple[ClubPlayer, int]:
    """Return the player whom a line of a list names, and the rating in it; raises Problem, also for one of `before`."""
    who, rating = folded(row[0]), read_rating({"rating": row[-1]})
    named = [each for each in players if who in map(folded, (each.name, each.own_name, *filter(None, each.ids)))]
    if len(named) != 1:
        wrong = message("{text} is more than one on the list.") if named else message("{text} is nobody on the list.")
        raise Problem(400, say(wrong, text=repr(row[0][:40])))
    if rating is None:
        raise Problem(400, say("{text} has no rating.", repr(row[0][:40])))
    if named[0] in before:
        raise Problem(400, say("{name} is there already: the first line counts.", named[0].name))
    return named[0], rating


def _back_to(number: int) -> Response:
    return RedirectResponse(f"/arbiter/players?of={number}#player-{number}", 303)


def _read_player(fields: Fields) -> tuple[str, int | None, PlayerIds]:
    """Return the name, the rating and the numbers in a form; raises Problem if one is invalid."""
    ids = [" ".join(fields.get(name, "").split()) for name in ("club_number", "national_id", "fide_id")]
    if any(len(each) > LONGEST_ID or not is_showable(each) for each in ids):
        wrong = message("A number of a player: expected at most {count} characters that can be shown.")
        raise Problem(400, say(wrong, count=LONGEST_ID))
    if ids[-1] and not re.fullmatch("[0-9]{1,11}", ids[-1]):
        raise Problem(400, say("{text} is no FIDE ID: expected up to 11 digits.", repr(ids[-1])))
    return read_name(fields), read_rating(fields), PlayerIds(*ids)
