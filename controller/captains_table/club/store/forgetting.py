"""Forgets a member: the name becomes *former member 7* everywhere in the club's file, and in results that arrive later.

The file's triggers allow no change of what was told or logged; rows that must change are deleted and inserted again.
Nothing that is kept tells the old name. A result that arrives later is recognised by its pairing, or by its match.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
from msgspec import structs

from captains_table.club.events.counting import seated_as
from captains_table.club.events.entries import (
    EVENT_ENTRIES,
    Entered,
    EventEntry,
    Made,
    Mended,
    PairedMatch,
    Reported,
    RoundPaired,
)
from captains_table.club.events.event import ClubEvent, event_of
from captains_table.club.events.player_rounds import seeding
from captains_table.club.season.season import ProvenMatch
from captains_table.club.store.store import Proof, Store, insert_event
from captains_table.reporting.messages import MatchReport
from captains_table.reporting.table_view import NAME_LIMIT

SOMEBODY: Final = "somebody"
"""Stands in a result for a name that may be a former member's."""
JOINERS: Final = "-'\u2019\u2010\u2011"
"""Characters that join two parts of one name, such as Ann-Marie."""
_POSSESSIVE: Final = re.compile(r"['\u2019]s(?!\w)")
_OUTCOME: Final = msgspec.json.Decoder(MatchReport)
_REMEMBERED: Final = msgspec.json.Decoder(ProvenMatch)
# All names that the file tells of: those of members, in events, and in results.
_ALL_NAMES: Final = """
SELECT name FROM players UNION SELECT own_name FROM players
UNION SELECT json_extract(body, '$.name') FROM event_entries WHERE json_extract(body, '$.name') IS NOT NULL
UNION SELECT value FROM results, json_each(CAST(outcome AS TEXT), '$.seats')
"""
_ENTERED_AS: Final = """
SELECT json_extract(body, '$.name'), json_extract(body, '$.was') FROM event_entries
WHERE json_extract(body, '$.player') = ?
"""
_RESULTS: Final = "SELECT receipt, match, pairing, outcome, proof, proof_words, remembered FROM results"
_EXPORTS: Final = """
SELECT count(DISTINCT match) FROM results WHERE export <> x'' AND match IN (SELECT value FROM json_each(?))
"""
_EVENT_OF: Final = "SELECT number FROM events WHERE substr(?, 1, length(prefix)) = prefix"


@dataclass(frozen=True, slots=True)
class RowChange:
    """The statements that read, delete and insert a row of a table whose rows may not be updated."""

    select: str
    delete: str
    insert: str


_OF_RESULTS: Final = RowChange(
    "SELECT * FROM results WHERE receipt = ?",
    "DELETE FROM results WHERE receipt = ?",
    "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
)
_OF_CORRECTIONS: Final = RowChange(
    "SELECT * FROM corrections WHERE number = ?",
    "DELETE FROM corrections WHERE number = ?",
    "INSERT INTO corrections VALUES (?, ?, ?, ?, ?, ?, ?)",
)


class NoSuchMember(LookupError):
    """The club has no member with this number."""


class NotTheirName(ValueError):
    """The name that was typed is not that of the member who is to be forgotten; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """The replacement of a member's names, also in other case and in other forms of Unicode.

    Attributes:
        names: the names that are replaced.
        new: the name in their place.
        kept: names of other members, which stay although they differ in case or form of Unicode alone.
        longer: other known names that contain one of these names, and stay.
    """

    names: frozenset[str]
    new: str
    kept: frozenset[str] = frozenset()
    longer: frozenset[str] = frozenset()
    _pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        longest_first = sorted(self.longer, key=len, reverse=True)
        other, own = ("|".join(map(_any_form_of, names)) or "(?!)" for names in (longest_first, sorted(self.names)))
        object.__setattr__(self, "_pattern", re.compile(f"(?P<other>{other})|(?P<own>{own})", re.IGNORECASE))

    def text(self, text: str) -> str:
        """Return a text with the names replaced where they stand as whole names; else the text as it is."""

        def replaced(found: re.Match[str]) -> str:
            is_whole = found["own"] is not None and found[0] not in self.kept and not _is_within_word(text, found)
            return self.new if is_whole else found[0]

        return self._pattern.sub(replaced, text)

    def is_own(self, name: str) -> bool:
        """Return whether a name is, as a whole, one of those replaced."""
        found = self._pattern.fullmatch(name)
        return found is not None and found["own"] is not None and name not in self.kept

    def seats(self, told: Sequence[str], kinds: Sequence[str] = ()) -> set[int]:
        """Return the seats that people have under one of the names; a name in the same letters comes first."""
        people = [seat for seat in range(len(told)) if seat >= len(kinds) or kinds[seat] != "computer"]
        exact = {seat for seat in people if told[seat] in self.names and self.is_own(told[seat])}
        return exact or {seat for seat in people if self.is_own(told[seat])}


def _any_form_of(name: str) -> str:
    """Return a regular expression for a name, each letter composed or decomposed, and spaces of any width."""
    letters = unicodedata.normalize("NFC", name)
    forms = ((letter, unicodedata.normalize("NFD", letter)) for letter in letters)
    return "".join(
        r"\s+" if form.isspace() else re.escape(form) if form == parts else f"(?:{form}|{parts})"
        for form, parts in forms
    )


def _is_within_word(text: str, found: re.Match[str]) -> bool:
    """Return whether what was found is only a part of a word, or of a name such as Ann-Marie."""
    before, after = text[: found.start()], text[found.end() :]
    joined_after = after[:1] in JOINERS and _is_letter(after[1:2]) and not _POSSESSIVE.match(after)
    joined_before = before[-1:] in JOINERS and _is_letter(before[-2:-1])
    return _is_letter(before[-1:]) or _is_letter(after[:1]) or joined_before or joined_after


def _is_letter(letter: str) -> bool:
    return bool(letter) and (unicodedata.category(letter)[0] in "LMN" or letter in "_\u200c\u200d")


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What changes in the club's file when a member is forgotten.

    Attributes:
        former: the name in place of the member's, such as *former member 7*.
        results: the changed columns of results, by receipt.
        matches: how many matches the member played.
        exports: how many of their exports are deleted.
        events: the changed entries as JSON, by the event's number.
        running: the titles of the events with this player that have not ended.
        reasons: the changed reasons of corrections, by the correction's number.
        evenings: the changed titles of evenings, by the evening's number.
    """

    former: str
    results: Mapping[int, Mapping[str, object]]
    matches: int
    exports: int
    events: Mapping[int, Sequence[str]]
    running: tuple[str, ...]
    reasons: Mapping[int, str]
    evenings: Mapping[int, str]


def forget_member(store: Store, number: int, typed: str) -> Forgetting:
    """Forget a member in one transaction, then rewrite the file, so that no trace of the name is left.

    Args:
        store: the club's database.
        number: the member's number.
        typed: the member's name, as a confirmation. For a former member, any name under which results came since.

    Raises:
        NoSuchMember: there is no such member.
        NotTheirName: another name was typed.
    """
    with store.together():
        planned = plan_forgetting(store, number, typed)
        for receipt, columns in planned.results.items():
            _rewrite(store, _OF_RESULTS, receipt, columns)
        for correction, why in planned.reasons.items():
            _rewrite(store, _OF_CORRECTIONS, correction, {"why": why})
        for event, bodies in planned.events.items():
            times = store.database.execute(
                "SELECT at_s FROM event_entries WHERE event = ? ORDER BY position", (event,)
            ).fetchall()
            insert_event(store.database, event, [(at_s, body) for (at_s,), body in zip(times, bodies, strict=True)])
        for evening, title in planned.evenings.items():
            store.database.execute("UPDATE evenings SET title = ? WHERE number = ?", (title, evening))
        store.database.execute(
            "UPDATE players SET name = ?1, own_name = ?1, rating = NULL, club_number = '', national_id = '',"
            " fide_id = '', is_former = 1 WHERE number = ?2",
            (planned.former, number),
        )
    store.rewrite_file()
    return planned


def plan_forgetting(store: Store, number: int, typed: str | None = None) -> Forgetting:
    """Return what `forget_member` would change; with `None` for `typed`, nothing needs to be typed."""
    renaming = _renaming(store, number, typed)
    events: dict[int, list[str]] = {}
    running: list[str] = []
    seated: dict[str, tuple[ClubEvent, PairedMatch]] = {}
    for (event,) in store.database.execute("SELECT number FROM events ORDER BY number").fetchall():
        entries = entries_of(store, event)
        state = event_of(entries)
        paired = _pairings(entries)
        seated |= {each.id: (state, each) for each in paired}
        if number in state.entrants and not state.is_closed:
            running.append(state.made.title)
        rating = _rating_of_same_seeding(state, number) if number in state.entrants else None
        renamed = [_renamed_entry(entry, renaming, number, rating, seated) for entry in entries]
        if renamed != entries:
            events[event] = [EVENT_ENTRIES.to_text(entry) for entry in renamed]
    results, matches, exports = _renamed_results(store, renaming, number, seated)
    return Forgetting(
        renaming.new,
        results,
        matches,
        exports,
        events,
        tuple(running),
        _changed_texts(store, "SELECT number, why FROM corrections", renaming),
        _changed_texts(store, "SELECT number, title FROM evenings", renaming),
    )


def entries_of(store: Store, event: int) -> list[EventEntry]:
    """Return all entries of an event, in order."""
    rows = store.database.execute("SELECT body FROM event_entries WHERE event = ? ORDER BY position", (event,))
    return [EVENT_ENTRIES.from_text(body) for (body,) in rows]


def _renaming(store: Store, number: int, typed: str | None) -> Renaming:
    """Return the replacement of a member's names; raises NoSuchMember or NotTheirName."""
    member = store.database.execute(
        "SELECT name, own_name, is_former FROM players WHERE number = ?", (number,)
    ).fetchone()
    if member is None:
        raise NoSuchMember(f"there is no member {number}: expected one of the list")
    name, own_name, is_former = member
    others = {
        each
        for row in store.database.execute("SELECT name, own_name FROM players WHERE number <> ?", (number,))
        for each in row
    }
    taken = {each for (each,) in store.database.execute("SELECT name FROM players WHERE number <> ?", (number,))}
    if is_former:
        names, new = frozenset({typed or name}), name
        if others & names:
            raise NotTheirName(f"{typed} is another member: expected a name under which this one came again")
    else:
        names, new = frozenset({name, own_name} - (taken - {name})), f"former member {number}"
        new = new if new not in taken else f"{new} ({number})"
        if typed is not None and not Renaming(frozenset({name}), new).is_own(typed):
            raise NotTheirName(f"{typed!r} is another name: expected {name}")
        entered = store.database.execute(_ENTERED_AS, (number,)).fetchall()
        names |= {each for row in entered for each in row if each} - taken
    alone = Renaming(names, new)
    known = {each for (each,) in store.database.execute(_ALL_NAMES)}
    longer = {each for each in known if alone.text(each) != each and not alone.is_own(each)}
    return Renaming(names, new, frozenset(taken - names), frozenset(longer))


def _pairings(entries: Iterable[EventEntry]) -> list[PairedMatch]:
    """Return all pairings of an event, also those of rounds that were taken back."""
    return [each for entry in entries if isinstance(entry, RoundPaired) for each in entry.matches]


def _rating_of_same_seeding(event: ClubEvent, number: int) -> int | None:
    """Return a rating in place of a player's own that leaves the pairing numbers of all as they are.

    It is none if that is possible, else one that another player has, else the player's own.
    """
    entrant = event.entrants[number]
    for rating in dict.fromkeys((None, *(other.rating for other in event.entrants.values() if other is not entrant))):
        entrants = {**event.entrants, number: replace(entrant, rating=rating)}
        if seeding(replace(event, entrants=entrants)) == seeding(event):
            return rating
    return entrant.rating


def _own_seats(
    renaming: Renaming, number: int, pairing: tuple[ClubEvent, PairedMatch] | None, report: MatchReport | Reported
) -> set[int]:
    """Return the seats of a reported match at which a member sat."""
    kinds = report.kinds if isinstance(report, MatchReport) else ()
    named = renaming.seats(report.seats, kinds)
    if pairing is None:
        return named
    places = enumerate(seated_as(*pairing, report.seats))
    return {seat for seat, place in places if (seat in named if place is None else pairing[1].seats[place] == number)}


def _with(names: Sequence[str], seats: Iterable[int], new: str) -> tuple[str, ...]:
    return tuple(new if seat in seats else name for seat, name in enumerate(names))


def _renamed_entry(
    entry: EventEntry,
    renaming: Renaming,
    number: int,
    rating: int | None,
    seated: Mapping[str, tuple[ClubEvent, PairedMatch]],
) -> EventEntry:
    why = getattr(entry, "why", "")
    if why:
        entry = structs.replace(entry, why=renaming.text(why))
    match entry:
        case Made():
            return structs.replace(entry, title=renaming.text(entry.title)[:NAME_LIMIT].strip())
        case Entered() if entry.player == number:
            return structs.replace(entry, name=renaming.new, rating=rating)
        case Mended() if entry.player == number:
            return structs.replace(entry, name=renaming.new, rating=rating, was=renaming.new)
        case Reported():
            own = _own_seats(renaming, number, seated.get(entry.pairing), entry)
            return structs.replace(entry, seats=_with(entry.seats, own, renaming.new))
    return entry


def _renamed_results(
    store: Store, renaming: Renaming, number: int, seated: Mapping[str, tuple[ClubEvent, PairedMatch]]
) -> tuple[dict[int, dict[str, object]], int, int]:
    """Return the changed columns of results by receipt, the number of the member's matches, and of their exports."""
    rows = store.database.execute(_RESULTS).fetchall()
    outcomes = {receipt: _OUTCOME.decode(outcome) for receipt, _, _, outcome, *_ in rows}
    own = {
        receipt: _own_seats(renaming, number, seated.get(pairing), outcomes[receipt])
        for receipt, _, pairing, *_ in rows
    }
    matches = {match for receipt, match, *_ in rows if own[receipt]}
    found: dict[int, dict[str, object]] = {}
    for receipt, match, _, _, proof, words, remembered in rows:
        if match in matches:
            found[receipt] = {
                "outcome": msgspec.json.encode(_renamed_outcome(outcomes[receipt], own[receipt], renaming.new)),
                "export": b"",
                "proof": Proof.NONE if proof == Proof.PENDING else proof,
                "remembered": _renamed_facts(remembered, own[receipt], renaming),
            }
        if renaming.text(words) != words:
            found.setdefault(receipt, {})["proof_words"] = renaming.text(words)
    query = (
        "SELECT count(DISTINCT match) FROM results WHERE export <> x'' AND match IN (SELECT value FROM json_each(?))"
    )
    [(exports,)] = store.database.execute(query, (msgspec.json.encode(sorted(matches)).decode(),))
    return found, len(matches), exports


def _renamed_outcome(outcome: MatchReport, seats: Iterable[int], new: str) -> MatchReport:
    return _with_seats(outcome, _with(outcome.seats, seats, new))


def _with_seats(outcome: MatchReport, seats: tuple[str, ...]) -> MatchReport:
    """Return a result with other names, in options too."""
    others = dict(zip(outcome.seats, seats, strict=True))
    options = {option: others.get(value, value) for option, value in outcome.options.items()}
    return structs.replace(outcome, seats=seats, options=options)


def _renamed_facts(remembered: bytes, seats: Iterable[int], renaming: Renaming) -> bytes:
    if not remembered:
        return b""
    facts = _REMEMBERED.decode(remembered)
    told = {facts.names[seat]: renaming.new for seat in seats}
    throws = tuple(
        structs.replace(throw, words=renaming.text(throw.words), heading=renaming.text(throw.heading))
        for throw in facts.throws
    )
    options = {option: told.get(value, value) for option, value in facts.options.items()}
    return msgspec.json.encode(
        structs.replace(facts, names=_with(facts.names, seats, renaming.new), options=options, throws=throws)
    )


def _changed_texts(store: Store, query: str, renaming: Renaming) -> dict[int, str]:
    rows = store.database.execute(query).fetchall()
    return {number: renaming.text(text) for number, text in rows if renaming.text(text) != text}


def _rewrite(store: Store, change: RowChange, number: int, columns: Mapping[str, object]) -> None:
    """Change columns of a row, which is deleted and inserted again, because the database allows no other change."""
    found = store.database.execute(change.select, (number,))
    names = [name for name, *_ in found.description]
    row = {**dict(zip(names, found.fetchone(), strict=True)), **columns}
    store.database.execute(change.delete, (number,))
    store.database.execute(change.insert, tuple(row.values()))


def without_former_names(store: Store, outcome: MatchReport) -> MatchReport:
    """Return a result with the names of former members replaced, which a table may still tell.

    A former member's seat is known from an earlier revision of the match, or from the match's pairing: there it is a
    name that is nobody else's. If there are more such names than former members, the others become *somebody*.
    """
    former = dict(store.database.execute("SELECT number, name FROM players WHERE is_former").fetchall())
    if not former:
        return outcome
    told = [stored.seats for _, stored, _ in store.revisions(outcome.match)][-1:]
    if told and len(told[0]) == len(outcome.seats):
        known = {*former.values(), SOMEBODY}
        seats = tuple(old if old in known else new for old, new in zip(told[0], outcome.seats, strict=True))
        return _with_seats(outcome, seats)
    for (event,) in store.database.execute(_EVENT_OF, (outcome.pairing,)).fetchall():
        entries = entries_of(store, event)
        for seated in _pairings(entries):
            if seated.id == outcome.pairing and former.keys() & {*seated.seats}:
                return _with_seats(outcome, _without_unknown(event_of(entries), seated, outcome.seats, former))
    return outcome


def _without_unknown(
    event: ClubEvent, seated: PairedMatch, told: Sequence[str], former: Mapping[int, str]
) -> tuple[str, ...]:
    places = seated_as(event, seated, told)
    missing = [former[seat] for place, seat in enumerate(seated.seats) if seat in former and place not in places]
    if not missing:
        return tuple(told)
    names = iter(missing)
    return tuple(name if place is not None else next(names, SOMEBODY) for name, place in zip(told, places, strict=True))
