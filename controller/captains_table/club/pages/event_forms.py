"""Reads the forms on the arbiter's pages, and makes the requested changes to events."""

import csv
import re
import secrets
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from msgspec import structs

from captains_table.club.event_manager import EventManager, HeldEvent
from captains_table.club.events import entries
from captains_table.club.events.counting import half_points_of_places, has_played_half
from captains_table.club.events.entries import DRAW, LOSS, WIN, Absence, EventEntry, System, TieBreak
from captains_table.club.events.event import PAIR, CannotBe, ClubEvent, EventMatch
from captains_table.club.store.event_log import folded
from captains_table.club.store.store import StoredResult
from captains_table.games.contract import BadOption, Game, check_names, is_showable
from captains_table.phrases import as_sentence, message, message_of, say
from captains_table.reporting.messages import FinalScore
from captains_table.reporting.table_view import MOST_SEATS
from captains_table.web.match_form import chosen_game, read_option_fields
from captains_table.web.problems import Problem

LONGEST_WHY: Final = 200
LONGEST_PLACE: Final = 64
OPTION: Final = "option-"
PLAIN_FIELDS: Final = (
    *("title", "game", "system", "rounds", "group_size", "forfeit_min"),
    *("place", "federation", "broadcast_delay_min"),
)
"""The settings of an event whose fields in the form have their names."""
PART: Final = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}|/[1-9][0-9]{0,3})?%?")
COUNTED: Final = re.compile(r"[0-9]{1,3}[.)]\s+")
RATED: Final = re.compile(r"(?:[0-9]{1,3}[.)]\s+)?(\D*\S)\s+([0-9]{3,4})")
HEADINGS: Final = frozenset({"name", "names", "player", "players", "member", "members"})
PLACES: Final = re.compile(r"[0-9]{1,2}|-")
VERDICTS: Final[Mapping[str, tuple[tuple[int, int], bool, str]]] = {
    "1-0": ((WIN, LOSS), True, message("1 : 0, {first} won")),
    "draw": ((DRAW, DRAW), True, message("½ : ½, drawn")),
    "0-1": ((LOSS, WIN), True, message("0 : 1, {second} won")),
    "0-0": ((LOSS, LOSS), True, message("0 : 0, nobody won")),
    "+-": ((WIN, LOSS), False, message("+ : -, {second} was not there")),
    "-+": ((LOSS, WIN), False, message("- : +, {first} was not there")),
    "--": ((LOSS, LOSS), False, message("- : -, neither was there")),
}
"""The rulings on a match of two, by their value in the form.

Each has the players' half points, whether the match counts as played, and words with places for both names."""
DEEDS: Final = (
    "settings, delete, enter, enter-list, remove, withdraw, return, sit-out, sit-in, pair, by-hand, publish, drop, "
    "rule, rule-not, move, end, reopen"
)
MOST_TIE_BREAKS: Final = 5
Fields = Mapping[str, str]


class BreaksRules(CannotBe):
    """A pairing by hand breaks rules; the message names them."""


def read_name(fields: Mapping[str, str]) -> str:
    """Return the player's name in a form; raises Problem if tables would reject the name."""
    name = " ".join(fields.get("name", "").split())
    try:
        check_names((name,), range(1, 2))
    except BadOption as error:
        raise Problem(400, as_sentence(message_of(error))) from error
    return name


def read_rating(fields: Mapping[str, str]) -> int | None:
    """Return the rating in a form (1 to 3999); `None` if the field is empty. Raises Problem if it is invalid."""
    text = fields.get("rating", "").strip()
    return None if not text else _number(text, say("rating"), range(1, 4000))


def read_players(fields: Mapping[str, str]) -> list[tuple[str, int | None]]:
    """Return the name and rating of each player in a list; raises Problem if a line is wrong or the list is empty.

    Each line has a name, which a rating may follow, after a tab, a semicolon or else a comma; a number may stand before
    the name, as in lists of spreadsheets. If a name occurs twice, in whatever case, its first line counts.
    """
    found: dict[str, tuple[str, int | None]] = {}
    for number, line in enumerate(fields.get("list", "").splitlines(), start=1):
        cells = _cells(line)
        if not any(cells) or (number == 1 and folded(cells[0]) in HEADINGS):
            continue
        name, *rest = cells[1:] if len(cells) > 1 and cells[0].isdecimal() else cells
        try:
            found.setdefault(folded(name), (read_name({"name": name}), read_rating({"rating": " ".join(rest)})))
        except Problem as error:
            wrong = say("Line {number}: {reason} Nobody was entered.", number, error.detail)
            raise Problem(400, wrong) from error
    if not found:
        raise Problem(400, say("Nobody was entered: expected a name a line."))
    return list(found.values())


def _cells(line: str) -> list[str]:
    """Return the cells of a line, without a number that counts the line; a rating may follow after a mere space."""
    separator = next((each for each in "\t;" if each in line), ",")
    [found] = csv.reader([COUNTED.sub("", line.strip())], delimiter=separator, skipinitialspace=True)
    rated = RATED.fullmatch(line.strip()) if len(found) == 1 else None
    return [cell.strip() for cell in (rated.groups() if rated else found)]


def fields_of(made: entries.Made) -> dict[str, str]:
    """Return the fields of a form that has the settings of an event; `read_made` reads them back."""
    keizer = structs.asdict(made.keizer or entries.KeizerSettings())
    of_keizer = {
        name: ("yes" if value else "no") if isinstance(value, bool) else str("" if value is None else value)
        for name, value in keizer.items()
    }
    return {
        **{name: str(getattr(made, name)) for name in PLAIN_FIELDS},
        "cycles": str(made.rounds),
        "colour": "white" if made.number_one_begins else "black",
        **{f"{OPTION}{name}": value for name, value in made.options.items()},
        **{f"tie-break-{place}": str(tie_break) for place, tie_break in enumerate(made.tie_breaks, 1)},
        **{f"keizer-{name}": value for name, value in of_keizer.items()},
    }


def _read_settings(event: ClubEvent, fields: Fields) -> entries.Revised:
    """Return the entry with the settings in a form; what the form lacks stays. Raises Problem if one is invalid."""
    made = event.made
    read = read_made({**fields_of(made), **fields, "game": made.game, "system": made.system})
    is_drawn = read.is_drawn or (made.is_drawn and read.number_one_begins is made.number_one_begins)
    read = structs.replace(read, edition=made.edition, group_shares=made.group_shares, is_drawn=is_drawn)
    before, after = fields_of(made), fields_of(read)
    changed = [name for name in before | after if before.get(name) != after.get(name) and name != "cycles"]  # = rounds
    if not changed and read == made:
        raise CannotBe(say("nothing was changed: expected other settings"))
    words = (f"{_field_words(name)} {before.get(name) or '–'} → {after.get(name) or '–'}" for name in changed)  # noqa: RUF001 - a dash
    return entries.Revised(made=read, changed=", ".join(words) or "the colour of number 1 was drawn again")


def _field_words(name: str) -> str:
    return name.removeprefix(OPTION).replace("_", " ").replace("-", " ")


def read_made(fields: Mapping[str, str]) -> entries.Made:
    """Return the settings of a new event, read from a form; raises Problem if a setting is invalid."""
    game = chosen_game(fields.get("game", ""))
    try:
        system = System(fields.get("system", ""))
    except ValueError:
        raise Problem(400, say("Choose who meets whom: one of {known}.", ", ".join(System))) from None
    size = _group_size(fields, game) if system is System.GROUPS else PAIR
    if size not in game.seats:
        wrong = message("{game} is not played by {count}: choose another way to meet.")
        raise Problem(400, say(wrong, game=game.title, count=size))
    options = read_option_fields(options_in(fields), game)
    try:
        first = game.start([f"Player {number}" for number in range(1, size + 1)], options)
    except BadOption as error:
        raise Problem(400, as_sentence(message_of(error))) from error
    if game.white_seat(first) != 0 or game.for_rematch(first):
        raise Problem(400, say("The pairings of an event give the colours: expected White for the first player."))
    most = 2 if system is System.ROUND_ROBIN else 99
    rounds, delay = "cycles" if system is System.ROUND_ROBIN else "rounds", str(entries.BROADCAST_DELAY_MIN)
    return entries.Made(
        title=" ".join(fields.get("title", "").split()),
        game=game.key,
        options=options,
        system=system,
        rounds=_number(fields.get(rounds, ""), say("number of rounds"), range(1, most + 1)),
        group_size=size,
        forfeit_min=_number(fields.get("forfeit_min", "0"), say("minutes until a player has lost"), range(1000)),
        number_one_begins=_read_colour(fields),
        is_drawn=fields.get("colour") == "drawn",
        tie_breaks=_read_tie_breaks(fields),
        edition=entries.Edition.FIDE_2026,
        place=_read_words(fields, "place", LONGEST_PLACE),
        federation=_read_words(fields, "federation", LONGEST_PLACE),
        broadcast_delay_min=_number(fields.get("broadcast_delay_min", delay), say("number of minutes"), range(1000)),
        group_shares=system is System.GROUPS,
        keizer=_read_keizer(fields) if system is System.KEIZER else None,
    )


def _read_keizer(fields: Fields) -> entries.KeizerSettings:
    """Return the settings of a Keizer event; an empty field is as usual. Raises Problem if a setting is invalid."""
    usual = entries.KeizerSettings()

    def number(name: str, what: str) -> int:
        return _number(fields.get(f"keizer-{name}", "") or str(getattr(usual, name)), what, range(10000))

    def fraction(name: str) -> str:
        text = fields.get(f"keizer-{name}", "").replace(",", ".").replace(" ", "") or getattr(usual, name)
        if not PART.fullmatch(text):
            wrong = message("{text} is no fraction: expected such as 1/3, 0.35 or 35 %.")
            raise Problem(400, say(wrong, text=repr(text[:20])))
        return str(Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1))

    limit = fields.get("keizer-most_paid", str(usual.most_paid))
    return entries.KeizerSettings(
        top=number("top", say("value of the first")) if fields.get("keizer-top") else None,
        ratio=fraction("ratio"),
        own_value=fields.get("keizer-own_value") != "no",
        rounds_apart=number("rounds_apart", say("number of rounds without a rematch")),
        excused=fraction("excused"),
        unexcused=fraction("unexcused"),
        club=fraction("club"),
        bye=fraction("bye"),
        loss=fraction("loss"),
        most_paid=number("most_paid", say("number of paid absences")) if limit else None,
        spreads_byes=fields.get("keizer-spreads_byes") != "no",
        until_stable=fields.get("keizer-until_stable") != "no",
    )


def _read_colour(fields: Fields) -> bool:
    """Return whether number 1 begins in the first round, by default so; draws it if the form says so."""
    colour = fields.get("colour", "white")
    if colour not in {"white", "black", "drawn"}:
        wrong = message("{text} is no colour of number 1: expected white, black or drawn.")
        raise Problem(400, say(wrong, text=repr(colour[:20])))
    return secrets.choice((True, False)) if colour == "drawn" else colour == "white"


def _read_tie_breaks(fields: Fields) -> tuple[TieBreak, ...]:
    """Return the chosen tie-breaks in their order; empty for the usual ones. Raises Problem if one is unknown."""
    chosen = [fields.get(f"tie-break-{place}", "") for place in range(1, MOST_TIE_BREAKS + 1)]
    try:
        found = tuple(TieBreak(each) for each in chosen if each)
    except ValueError:
        wrong = message("Choose tie-breaks of the list: expected some of {known}.")
        raise Problem(400, say(wrong, known=", ".join(TieBreak))) from None
    if len({*found}) < len(found):
        raise Problem(400, say("A tie-break is chosen twice: expected each once."))
    return found


def _group_size(fields: Mapping[str, str], game: Game[Any]) -> int:
    sizes = range(max(PAIR + 1, game.seats.start), min(game.seats.stop, MOST_SEATS + 1))
    if not sizes:
        raise Problem(400, say("{game} is played by two: choose another way to meet than groups.", game.title))
    return _number(fields.get("group_size", ""), say("number of players a match"), sizes)


def options_in(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the values of those form fields that are a game's options, by the options' names."""
    return {name.removeprefix(OPTION): value for name, value in fields.items() if name.startswith(OPTION)}


def read_ruling(event: ClubEvent, match: EventMatch, fields: Mapping[str, str]) -> entries.Ruled:
    """Read the arbiter's ruling on a match from a form; raises Problem if the ruling is invalid."""
    count, why = fields.get("count", "").strip(), read_why(fields)
    pairing = match.seated.id
    if match.reports and not why:
        raise Problem(400, say("Say why: its table told how it ended, and the reason is logged."))
    if event.made.system is not System.GROUPS:
        if count not in VERDICTS:
            wrong = message("{text} is no result: expected one of {known}.")
            raise Problem(400, say(wrong, text=repr(count), known=", ".join(VERDICTS)))
        halves, played, _ = VERDICTS[count]
        return entries.Ruled(pairing=pairing, halves=halves, played=played, why=why)
    found = count.replace(",", " ").split()
    seats = len(match.seated.seats)
    if len(found) != seats or not all(PLACES.fullmatch(place) for place in found):
        wrong = message("{text} are no places: expected {count}, such as 1 2 2, with - for who was not there.")
        raise Problem(400, say(wrong, text=repr(count), count=seats))
    places = [None if place == "-" else int(place) for place in found]
    there = [place for place in places if place is not None]
    return entries.Ruled(pairing=pairing, halves=half_points_of_places(event, places), played=len(there) > 1, why=why)


def read_ending(fields: Mapping[str, str], kept: StoredResult) -> FinalScore | None:
    """Return the corrected ending of a match from the arbiter's form; `None` if the match was abandoned.

    If the stored scores only state who won (1 : 0) and the arbiter left them unchanged, they are adapted to the
    corrected winner.

    Raises:
        Problem: the form has no valid scores or winner.
    """
    winner, seats = fields.get("winner", ""), len(kept.outcome.seats)
    if winner == "left":
        return None
    found = fields.get("scores", "").replace(":", " ").split()
    if len(found) != seats or not all(re.fullmatch(r"-?[0-9]{1,9}", score) for score in found):
        wrong = message("{text} are no scores: expected {count} whole numbers.")
        raise Problem(400, say(wrong, text=repr(fields.get("scores", "")), count=seats))
    number = None if winner == "shared" else _number(winner, say("winner's seat"), range(seats))
    scores = tuple(map(int, found))
    if kept.ending is not None and scores == kept.ending.scores == _mere_win(kept.ending.winner, seats):
        scores = _mere_win(number, seats)
    return FinalScore(winner=number, scores=scores)


def _mere_win(winner: int | None, seats: int) -> tuple[int, ...]:
    """Return the scores of a match in which only winning counts: 1 for the winner, 0 for all others."""
    return tuple(int(seat == winner) for seat in range(seats))


def read_why(fields: Mapping[str, str]) -> str:
    """Return the arbiter's reason in a form as one line; empty if none is given.

    Raises:
        Problem: the reason is too long, or has an unprintable character.
    """
    return _read_words(fields, "why", LONGEST_WHY)


def _read_words(fields: Fields, name: str, most: int) -> str:
    """Return a field of a form as one line; raises Problem if it is too long or cannot be printed."""
    words = " ".join(fields.get(name, "").split())
    if len(words) > most or not is_showable(words):
        raise Problem(400, say("{field}: expected at most {count} characters.", name.capitalize(), most))
    return words


def _read_player_number(fields: Mapping[str, str]) -> int:
    """Return the player's number in a form; raises Problem if it is invalid."""
    return _number(fields.get("player", ""), say("player"), range(1, 1 << 31))


def _number(text: str, what: str, allowed: range) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(allowed[-1])) and int(text) in allowed):
        wrong = message("{text} is no {what}: expected a whole number from {first} to {last}.")
        raise Problem(400, say(wrong, text=repr(text[:40]), what=what, first=allowed[0], last=allowed[-1]))
    return int(text)


async def do_to_event(events: EventManager, held: HeldEvent, deed: str, fields: Fields) -> None:
    """Carry out the action that a form requests for an event.

    Args:
        events: the club's events.
        held: the event.
        deed: the action, one of `DEEDS`.
        fields: the fields of the form.

    Raises:
        Problem: there is no such action, or a field cannot be read.
        CannotBe: the action is impossible for the event, such as pairing a round too early, or no player was chosen.
        BreaksRules: a pairing by hand breaks rules, and the form does not say that it is wanted so.
        NoSuchPlayer: a player to be entered is not in the club.
        NoSuchEvent: the event was deleted meanwhile.
    """
    match deed:
        case "enter":
            players = [_read_player_number({"player": player}) for player in _ticked(fields)]
            events.enter(held.number, *players, halves=_read_halves(held.event, fields))
        case "enter-list":
            events.enter_listed(held.number, read_players(fields), _read_halves(held.event, fields))
        case "delete":
            if fields.get("sure") != "yes":
                raise CannotBe(say("tick that {event} shall be deleted", repr(held.event.made.title)))
            events.delete(held.number)
        case "by-hand":
            entries_by_hand = events.by_hand(held.number, read_seats(held.event, fields))
            why = next(entry.why for entry in entries_by_hand if isinstance(entry, entries.RoundPaired))
            if why and fields.get("sure") != "yes":
                raise BreaksRules(why)
            events.write(held.number, *entries_by_hand)
        case "pair":
            await events.pair(held.number)
        case "publish":
            events.publish(held.number)
        case _:
            events.write(held.number, _asked_for(events, held, deed, fields))


def _read_halves(event: ClubEvent, fields: Fields) -> int:
    """Return for how many of the missed rounds a form gives half a point each; raises Problem if it is no number."""
    return _number(fields.get("halves", "0"), say("number of missed rounds"), range(len(event.rounds) + 1))


def read_seats(event: ClubEvent, fields: Fields) -> list[tuple[int, ...]]:
    """Return the players of each match of a round that is paired by hand; raises Problem if a field is no player.

    The field `seat-2-1` has the first player of the second match; empty fields and matches are left out.
    """
    found = []
    for board in range(1, len(event.entrants) + 1):
        chosen = (fields.get(f"seat-{board}-{seat}", "") for seat in range(1, event.made.group_size + 1))
        players = tuple(_read_player_number({"player": player}) for player in chosen if player)
        found += [players] if players else []
    return found


def _ticked(fields: Fields) -> list[str]:
    """Return the numbers of the ticked players, as text; raises CannotBe if no player is ticked."""
    chosen = [name.removeprefix("player-") for name, value in fields.items() if name.startswith("player-") and value]
    if not chosen:
        raise CannotBe(say("nobody was chosen: tick who takes part"))
    return chosen


def _asked_for(  # noqa: C901, PLR0911, PLR0912 - one table, one line each
    events: EventManager, held: HeldEvent, deed: str, fields: Fields
) -> EventEntry:
    """Return the entry that the action `deed` adds to an event.

    Raises:
        Problem: there is no such action, or a field cannot be read.
        CannotBe: the match is not in the event, or the chosen table cannot play it now.
        NoSuchEvent: the event was deleted meanwhile.
    """
    event = held.event
    match deed:
        case "settings":
            return _read_settings(event, fields)
        case "remove":
            return entries.Removed(player=_read_player_number(fields))
        case "withdraw":
            return _read_withdrawal(event, fields)
        case "return":
            return entries.Returned(player=_read_player_number(fields))
        case "sit-out":
            half, absence = fields.get("half", "") == "yes", _read_absence(event, fields)
            player, number = _read_player_number(fields), _read_round(event, fields)
            return entries.SatOut(player=player, round=number, half=half, absence=absence)
        case "sit-in":
            return entries.SatIn(player=_read_player_number(fields), round=_read_round(event, fields))
        case "drop":
            return entries.RoundDropped(round=len(event.rounds), why=read_why(fields))
        case "rule":
            return read_ruling(event, _match_in(event, fields), fields)
        case "rule-not":
            return entries.RulingDropped(pairing=_match_in(event, fields).seated.id, why=read_why(fields))
        case "move":
            pairing, table = _match_in(event, fields).seated.id, fields.get("table", "")
            if table not in events.tables_for(held.number):
                wrong = message("{table} is no table at which this game can be played now")
                raise CannotBe(say(wrong, table=repr(table[:40])))
            return entries.Moved(pairing=pairing, table=table)
        case "end":
            return entries.Closed(why=read_why(fields), edition=event.edition)
        case "reopen":
            if fields.get("sure") != "yes":
                wrong = message("{event} is over: tick that it shall go on to open it again")
                raise CannotBe(say(wrong, event=repr(event.made.title)))
            return entries.Reopened(why=read_why(fields))
        case _:
            wrong = message("Nothing is done to an event at {deed}: expected one of {known}.")
            raise Problem(404, say(wrong, deed=repr(deed[:40]), known=DEEDS))


def leaves_early(event: ClubEvent, player: int) -> bool:
    """Return whether a player who withdraws now leaves a round robin that has begun before half of the matches."""
    is_begun_round_robin = event.made.system is System.ROUND_ROBIN and bool(event.rounds)
    return is_begun_round_robin and not has_played_half(event, player)


def _read_withdrawal(event: ClubEvent, fields: Fields) -> entries.Withdrew:
    """Return a player's withdrawal; raises CannotBe if the form must say what the player's matches count, and does not.

    FIDE's General Regulations (C.05, 6.6) annul the matches of players who leave a round robin before half of them.
    """
    player, count = _read_player_number(fields), fields.get("count", "")
    if leaves_early(event, player) and count not in {"annul", "keep"}:
        name = event.entrants[player].name if player in event.entrants else say("player {number}", player)
        raise CannotBe(say("{name} has played less than half of the matches: say whether they count", name))
    return entries.Withdrew(player=player, why=read_why(fields), annuls={"annul": True, "keep": False}.get(count))


def _read_round(event: ClubEvent, fields: Fields) -> int:
    """Return the round to come in a form, by default the next one; raises Problem if it is no such round."""
    upcoming = range(event.next_round, max(event.rounds_planned, event.next_round) + 1)
    return _number(fields.get("round", str(event.next_round)), say("round to come"), upcoming)


def _read_absence(event: ClubEvent, fields: Fields) -> Absence | None:
    """Return why a player of a Keizer event sits out; `None` in other events. Raises Problem if the word is unknown."""
    if event.made.system is not System.KEIZER:
        return None
    try:
        return Absence(fields.get("absence", Absence.EXCUSED))
    except ValueError:
        raise Problem(400, say("Choose why the player sits out: one of {known}.", ", ".join(Absence))) from None


def _match_in(event: ClubEvent, fields: Fields) -> EventMatch:
    return event.match(fields.get("pairing", ""))
