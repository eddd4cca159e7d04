"""Forgets a member: the name becomes *former member 7* everywhere in the club's file, and in results that arrive later.

Nothing that is kept tells the old name. A result that arrives later is recognised by its pairing, or by its match.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
from msgspec import structs

from captains_table.club.events import entries
from captains_table.club.events.counting import seated_as
from captains_table.club.events.entries import EVENT_ENTRIES, EventEntry, PairedMatch
from captains_table.club.events.event import ClubEvent, event_of
from captains_table.club.events.player_rounds import seeding
from captains_table.club.season.season import ProvenMatch
from captains_table.club.store.store import NoSuch, Proof, Store, encoded
from captains_table.phrases import say
from captains_table.reporting.messages import MatchReport
from captains_table.reporting.table_view import NAME_LIMIT

SOMEBODY: Final = "somebody at seat "
"""Stands in a result, with the seat's number, for a name that may be a former member's."""
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
UNION SELECT value FROM struck_results, json_each(CAST(outcome AS TEXT), '$.seats')
"""
# All names of a member: on the list, and in events as entered and as set right.
_OWN_NAMES: Final = """
SELECT name FROM players WHERE number = ?1 UNION SELECT own_name FROM players WHERE number = ?1
UNION SELECT value FROM event_entries, json_each(body)
WHERE json_extract(body, '$.player') = ?1 AND key IN ('name', 'was') AND value <> ''
"""
_RESULTS: Final = """
SELECT receipt, match, pairing, outcome, length(export), proof, proof_words, remembered FROM results
UNION ALL
SELECT receipt, match, pairing, outcome, length(export), proof, proof_words, remembered FROM struck_results
"""
_EVENT_OF: Final = "SELECT number FROM events WHERE substr(?, 1, length(prefix)) = prefix"
# Rows that may not be updated are replaced.
_TO_RESULTS: Final = """
REPLACE INTO results SELECT receipt, evening, match, rev, user, pairing, ?2,
CASE WHEN ?3 = 0 THEN x'' ELSE export END, received_s, ?4, ?5, ?6, began_s, ended_s FROM results
WHERE receipt = ?1
"""
_TO_STRUCK_RESULTS: Final = """
UPDATE struck_results SET outcome = ?2, export = CASE WHEN ?3 = 0 THEN x'' ELSE export END, proof = ?4,
proof_words = ?5, remembered = ?6 WHERE receipt = ?1
"""
_TO_EVENTS: Final = """
REPLACE INTO event_entries SELECT event, position, at_s, ?3, arbiter FROM event_entries
WHERE event = ?1 AND position = ?2
"""
_TO_PLAYERS: Final = """
REPLACE INTO players (number, name, own_name, is_former) VALUES (?1, ?2, ?2, 1)
"""

_TEXTS: Final = {
    "SELECT number, why FROM strikes": "UPDATE strikes SET why = ?2 WHERE number = ?1",
    "SELECT number, why FROM corrections": """
        REPLACE INTO corrections SELECT number, evening, match, was, ending, ?2, at_s, arbiter FROM corrections
        WHERE number = ?1
    """,
    "SELECT number, title FROM evenings": "UPDATE evenings SET title = ?2 WHERE number = ?1",
    "SELECT user, title FROM club_tables": "UPDATE club_tables SET title = ?2 WHERE user = ?1",
}
"""The queries for texts that may name a member, each with the statement that replaces such a text."""


class NoSuchMember(NoSuch):
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
    return "".join(map(_any_form_of_letter, unicodedata.normalize("NFC", name)))


def _any_form_of_letter(letter: str) -> str:
    """Return a regular expression for a letter: also partly decomposed, and in capitals that are two, such as SS."""
    if letter.isspace():
        return r"\s+"
    parts = unicodedata.normalize("NFD", letter)
    composed = (unicodedata.normalize("NFC", parts[:end]) + parts[end:] for end in range(len(parts), 0, -1))
    capitals = letter.upper()
    forms = dict.fromkeys((letter, *composed, *([capitals] if len(capitals) > 1 else ())))
    return re.escape(letter) if len(forms) == 1 else f"(?:{'|'.join(map(re.escape, forms))})"


def _is_within_word(text: str, found: re.Match[str]) -> bool:
    """Return whether what was found is only a part of a word, or of a name such as Ann-Marie."""
    before, after = text[: found.start()], text[found.end() :]
    joined_after = after[:1] in JOINERS and _is_letter(after[1:2]) and not _POSSESSIVE.match(after)
    joined_before = before[-1:] in JOINERS and _is_letter(before[-2:-1])
    return _is_letter(before[-1:]) or _is_letter(after[:1]) or joined_before or joined_after


def _is_letter(letter: str) -> bool:
    """Return whether a letter goes on with a word; in scripts with wide letters, words are not set apart."""
    if not letter or unicodedata.east_asian_width(letter) in "WF":
        return False
    return unicodedata.category(letter)[0] in "LMN" or letter in "_\u200c\u200d"


Seated = tuple[ClubEvent, PairedMatch]
"""A pairing, and the event that it belongs to."""


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What changes in the club's file when a member is forgotten.

    Attributes:
        former: the name in place of the member's, such as *former member 7*.
        changes: SQL statements, each with its values for every row that it changes.
        matches: how many matches the member played.
        exports: how many of their exports are deleted.
        running: the titles of the member's events that have not ended.
    """

    former: str
    changes: Mapping[str, Sequence[Sequence[object]]]
    matches: int
    exports: int
    running: Sequence[str]


def forget_member(store: Store, number: int, typed: str) -> None:
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
        for statement, rows in plan_forgetting(store, number, typed).changes.items():
            store.database.executemany(statement, rows)
    store.rewrite_file()


def plan_forgetting(store: Store, number: int, typed: str | None = None) -> Forgetting:
    """Return what `forget_member` changes; if `typed` is `None`, no name needs to be typed."""
    renaming = _renaming(store, number, typed)
    seated: dict[str, Seated] = {}
    running, bodies = [], []
    for (event,) in store.database.execute("SELECT number FROM events ORDER BY number").fetchall():
        logged = _entries(store, event)
        state = event_of(logged)
        seated |= {each.id: (state, each) for each in _pairings(logged)}
        if number in state.entrants and not state.is_closed:
            running.append(state.made.title)
        for position, entry in enumerate(logged):
            renamed = _renamed_entry(entry, renaming, number, state, seated)
            if renamed != entry:
                bodies.append((event, position, EVENT_ENTRIES.to_text(renamed)))
    results, matches = _renamed_results(store, renaming, number, seated)
    changes: dict[str, Sequence[Sequence[object]]] = {
        _TO_PLAYERS: [(number, renaming.new)],
        _TO_EVENTS: bodies,
        _TO_RESULTS: [columns for columns, _ in results],
        _TO_STRUCK_RESULTS: [columns for columns, _ in results],
        **{change: _renamed_texts(store, query, renaming) for query, change in _TEXTS.items()},
    }
    return Forgetting(renaming.new, changes, matches, sum(has_export for _, has_export in results), running)


def _entries(store: Store, event: int) -> list[EventEntry]:
    rows = store.database.execute("SELECT body FROM event_entries WHERE event = ? ORDER BY position", (event,))
    return [EVENT_ENTRIES.from_text(body) for (body,) in rows]


def _pairings(logged: Iterable[EventEntry]) -> list[PairedMatch]:
    """Return all pairings of an event, also those of rounds that were taken back."""
    return [each for entry in logged if isinstance(entry, entries.RoundPaired) for each in entry.matches]


def _renaming(store: Store, number: int, typed: str | None) -> Renaming:
    """Return the replacement of a member's names; raises NoSuchMember or NotTheirName."""
    former = dict(store.database.execute("SELECT number, name FROM players WHERE is_former").fetchall())
    others = {name for (name,) in store.database.execute("SELECT name FROM players WHERE number <> ?", (number,))}
    known = store.database.execute("SELECT name FROM players WHERE number = ?", (number,)).fetchone()
    if known is None:
        raise NoSuchMember(say("there is no member {number}: expected one of the list", number))
    if number in former:
        names, new = {typed or former[number]}, former[number]
        if names & others:
            raise NotTheirName(f"{typed} is another member: expected a name under which this one came again")
    else:
        names = {name for (name,) in store.database.execute(_OWN_NAMES, (number,))} - others
        new = next(
            name for name in (f"former member {number}", f"former member {number} ({number})") if name not in others
        )
        if typed is not None and not Renaming(frozenset(known), new).is_own(typed):
            raise NotTheirName(f"{typed!r} is another name: expected {known[0]}")
    alone = Renaming(frozenset(names), new)
    all_names = [name for (name,) in store.database.execute(_ALL_NAMES)]
    longer = {name for name in all_names if alone.text(name) != name and not alone.is_own(name)}
    return replace(alone, kept=frozenset(others), longer=frozenset(longer))


def _own_seats(
    renaming: Renaming, number: int, pairing: Seated | None, told: Sequence[str], kinds: Sequence[str] = ()
) -> set[int]:
    """Return the seats of a reported match at which a member sat."""
    named = renaming.seats(told, kinds)
    if pairing is None:
        return named
    places = enumerate(seated_as(*pairing, told))
    return {seat for seat, place in places if (seat in named if place is None else pairing[1].seats[place] == number)}


def _with(names: Sequence[str], seats: Iterable[int], new: str) -> tuple[str, ...]:
    return tuple(new if seat in seats else name for seat, name in enumerate(names))


def _renamed_entry(
    entry: EventEntry, renaming: Renaming, number: int, event: ClubEvent, seated: Mapping[str, Seated]
) -> EventEntry:
    why = getattr(entry, "why", "")
    entry = structs.replace(entry, why=renaming.text(why)) if why else entry
    match entry:
        case entries.Made():
            return structs.replace(entry, title=renaming.text(entry.title)[:NAME_LIMIT].strip())
        case entries.Revised():
            made = _renamed_entry(entry.made, renaming, number, event, seated)
            return structs.replace(entry, made=made, changed=renaming.text(entry.changed))
        case entries.Entered() | entries.Mended() if entry.player == number:
            was = {"was": renaming.new, "was_rated": None} if isinstance(entry, entries.Mended) else {}
            return structs.replace(entry, name=renaming.new, rating=_rating_of_same_seeding(event, number), **was)
        case entries.Reported():
            own = _own_seats(renaming, number, seated.get(entry.pairing), entry.seats)
            return structs.replace(entry, seats=_with(entry.seats, own, renaming.new))
    return entry


def _rating_of_same_seeding(event: ClubEvent, number: int) -> int | None:
    """Return a rating in place of a player's own that leaves the pairing numbers of all as they are.

    It is none if that is possible, else one that another player has, else the player's own.
    """
    own = event.entrants.get(number)
    if own is None:
        return None
    for rating in (None, *(other.rating for other in event.entrants.values() if other is not own)):
        entrants = {**event.entrants, number: replace(own, rating=rating)}
        if seeding(replace(event, entrants=entrants)) == seeding(event):
            return rating
    return own.rating


def _renamed_results(
    store: Store, renaming: Renaming, number: int, seated: Mapping[str, Seated]
) -> tuple[Sequence[tuple[Sequence[object], bool]], int]:
    """Return the changed results, and the number of the member's matches.

    Each result is a pair: the values for `_TO_RESULTS`, and whether its export is deleted.
    """
    rows = [(row, _OUTCOME.decode(row[3])) for row in store.database.execute(_RESULTS).fetchall()]
    own = {row[0]: _own_seats(renaming, number, seated.get(row[2]), told.seats, told.kinds) for row, told in rows}
    matches = {told.match for row, told in rows if own[row[0]]}
    found = []
    for (receipt, match, _, outcome, export, proof, words, remembered), told in rows:
        changed = outcome, export, proof, renaming.text(words), remembered
        if match in matches:
            new = _with_seats(told, _with(told.seats, own[receipt], renaming.new))
            facts = _renamed_facts(remembered, own[receipt], renaming)
            kept = Proof.NONE if proof == Proof.PENDING else proof
            changed = encoded(new), 0, kept, renaming.text(words), facts
        if changed != (outcome, export, proof, words, remembered):
            found.append(((receipt, *changed), export != changed[1]))
    return found, len(matches)


def _with_seats(outcome: MatchReport, seats: tuple[str, ...]) -> MatchReport:
    """Return a result with other names, in options too."""
    return structs.replace(outcome, seats=seats, options=_with_names(outcome.options, outcome.seats, seats))


def _with_names(options: Mapping[str, str], names: Sequence[str], new: Sequence[str]) -> Mapping[str, str]:
    """Return the options of a match with new names in place of those that are values of options."""
    others = dict(zip(names, new, strict=True))
    return {option: others.get(value, value) for option, value in options.items()}


def _renamed_facts(remembered: bytes, seats: Iterable[int], renaming: Renaming) -> bytes:
    if not remembered:
        return b""
    facts = _REMEMBERED.decode(remembered)
    names = _with(facts.names, seats, renaming.new)
    options = _with_names(facts.options, facts.names, names)
    throws = tuple(structs.replace(throw, heading=renaming.text(throw.heading)) for throw in facts.throws)
    return encoded(structs.replace(facts, names=names, options=options, throws=throws))


def _renamed_texts(store: Store, query: str, renaming: Renaming) -> list[tuple[int | str, str]]:
    rows = store.database.execute(query).fetchall()
    return [(key, renaming.text(text)) for key, text in rows if renaming.text(text) != text]


def without_former_names(store: Store, outcome: MatchReport) -> MatchReport:
    """Return a result with the names of former members replaced, which a table may still tell.

    A former member's seat is known from an earlier revision of the match, or from the match's pairing: there it is a
    name that is nobody else's. If several names are nobody's, it stays open who is who, and the arbiter sees a doubt.
    """
    former = dict(store.database.execute("SELECT number, name FROM players WHERE is_former").fetchall())
    if not former:
        return outcome
    told = [stored.seats for _, stored, _ in store.revisions(outcome.match)][-1:]
    if told and len(told[0]) == len(outcome.seats):
        known = tuple(former.values())
        pairs = zip(told[0], outcome.seats, strict=True)
        seats = tuple(old if old in known or old.startswith(SOMEBODY) else new for old, new in pairs)
        return _with_seats(outcome, seats)
    for (event,) in store.database.execute(_EVENT_OF, (outcome.pairing,)).fetchall():
        logged = _entries(store, event)
        for seated in _pairings(logged):
            if seated.id == outcome.pairing and former.keys() & {*seated.seats}:
                return _with_seats(outcome, _without_unknown(event_of(logged), seated, outcome.seats, former))
    return outcome


def _without_unknown(
    event: ClubEvent, seated: PairedMatch, told: Sequence[str], former: Mapping[int, str]
) -> tuple[str, ...]:
    places = seated_as(event, seated, told)
    missing = [former[seat] for place, seat in enumerate(seated.seats) if seat in former and place not in places]
    if not missing:
        return tuple(told)
    is_known = len(missing) == places.count(None) == 1
    names = (missing[0] if is_known else f"{SOMEBODY}{seat}" for seat in range(1, len(told) + 1))
    return tuple(name if place is not None else new for name, place, new in zip(told, places, names, strict=True))
