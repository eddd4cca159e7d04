"""Verifies that an exported match was played as the export says.

The *seed* proves the dice: its SHA-256 was shown before the first throw, so nobody could choose the seed afterwards,
and every face follows from the seed and the salt; `dice_proof` says whom this proof convinces. The *replay* proves that
the actions obey the game's rules and lead to the result. The *digest* proves nothing against a forger (see `export`).
To be sure that the table's owner changed nothing, compare commitment and digest with those noted at the table.
The module parses the export, checks the order of its entries, and words the verdict. It can also compare the digest
with digits noted at the table. Dice, clocks and replay are checked in `verify_dice`, `verify_clock` and
`verify_replay`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from captains_table.table.history.export import EXPORT_FORMS, canonical, export_json, form_of
from captains_table.table.history.not_proven import NotProven, seq_of
from captains_table.table.history.proof_sentences import dice_proof, time_proof, unproven_claims
from captains_table.table.history.verify_clock import check_times, interruptions, parse_wall_time
from captains_table.table.history.verify_dice import check_dice, check_salt, check_seats_of_salt, seed_of
from captains_table.table.history.verify_replay import Replay, check_actions
from captains_table.table.model.codec import BadValue, tag_of
from captains_table.table.model.entries import (
    JOURNAL_ENTRIES,
    Advised,
    ClockWentOn,
    Entry,
    Masked,
    MatchEnded,
    MatchStarted,
    SaltText,
)

DIGEST_DIGITS: Final = 64
DIGEST_SHOWN: Final = re.compile(f"[0-9a-f]{{16,{DIGEST_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class ExportVerdict:
    """The result of verifying an export.

    Attributes:
        proven: whether the export is proven: its seed, dice, actions, result and digest fit together.
        words: a sentence that says that the export is proven, or that describes the first difference.
        remarks: sentences that say what is proven and to whom.
        seq: the number of the wrong action; `None` if there is none.
        expected: the right value; `None` if it cannot be told.
        found: the value in the export instead; `None` if it cannot be told.
        entry: the number of the wrong entry, counted from 0; `None` if no single entry is known to be wrong.
        digest: the export's digest if the export is proven, else empty.
    """

    proven: bool
    words: str
    remarks: tuple[str, ...] = ()
    seq: int | None = None
    expected: object = None
    found: object = None
    entry: int | None = None
    digest: str = ""


def verify_export(value: object) -> ExportVerdict:
    """Return the verdict on an export: whether its seed, dice, actions, result and digest fit together."""
    try:
        return prove(value)
    except NotProven as error:
        return ExportVerdict(proven=False, **vars(error))


def prove(value: object) -> ExportVerdict:
    """Check an export and return the verdict; raises NotProven with the first difference found."""
    if not isinstance(value, Mapping) or value.get("form") not in EXPORT_FORMS:
        expected = " or ".join(map(repr, EXPORT_FORMS))
        raise NotProven(f"this is not an exported match: expected form {expected}", expected=expected)
    if "damaged" in value:
        number = value["damaged"]
        words = f"the match is damaged: entry {number} could not be read, and neither it nor what came after it is here"
        raise NotProven(words, found=number, entry=number if isinstance(number, int) else None)
    values = value.get("entries")
    if not isinstance(values, list):
        raise NotProven("entries: expected a list")
    entries = [_parse_entry(position, each) for position, each in enumerate(values)]
    _check_order(entries)
    started = entries[0] if entries else None
    if not isinstance(started, MatchStarted):
        raise NotProven("entries: expected the start of a match")
    form = _check_form(value["form"], entries)
    seed = seed_of(value, started, entries)
    check_seats_of_salt(entries)
    check_salt(started, entries)
    check_times(entries)
    began = str(value.get("began"))
    if value.get("began"):
        parse_wall_time(began, 0)
    thrown = check_dice(seed, entries)
    replay = check_actions(started, entries, recorded=form != EXPORT_FORMS[0])
    remarks = _remarks(started, entries, replay, began, has_thrown=thrown > 0)
    recomputed = export_json(entries, seed, began, form=form)
    _check_parts(value, recomputed)
    words = f"The seed is the one committed to, and all {thrown} throws are the seed's"
    return ExportVerdict(proven=True, words=words, remarks=remarks, digest=str(recomputed["digest"]))


def _remarks(
    started: MatchStarted, entries: Sequence[Entry], replay: Replay, began: str, *, has_thrown: bool
) -> tuple[str, ...]:
    computers = [seat for seat in range(len(replay.names)) if started.is_program(seat)]
    words_of = [entry.seat for entry in entries if isinstance(entry, SaltText)]
    remarks: tuple[str, ...] = (dice_proof(replay.names, words_of, computers=computers),) if has_thrown else ()
    if replay.is_timed:
        has_run = any(isinstance(entry, ClockWentOn) for entry in entries)
        remarks += (time_proof(interruptions(entries, began), replay.pauses, has_run=has_run),)
    return (*remarks, unproven_claims(replay.master, replay.unknown))


def _parse_entry(position: int, value: object) -> Entry:
    """Decode an entry; raises NotProven unless it is written exactly as the journal would write it."""
    try:
        entry = JOURNAL_ENTRIES.from_plain(value)
        written = JOURNAL_ENTRIES.to_plain(entry)
    except (BadValue, UnicodeError) as error:
        raise NotProven(f"entry {position}: {error}", entry=position) from error
    if canonical(written) != canonical(value):
        words = f"entry {position}: expected {written}, found {value}"
        raise NotProven(words, seq_of(entry), written, value, position)
    return entry


def _check_order(entries: Sequence[Entry]) -> None:
    """Check the order of the entries; raises NotProven.

    Only the first entry starts a match. Actions and take-backs are numbered together from 1 without gaps. The
    `after_seq` of an entry is the number of the last action or take-back before the entry. After the end of the match,
    only `Masked` entries are allowed.
    """
    expected = 1
    over = False
    for position, entry in enumerate(entries):
        if isinstance(entry, MatchStarted) != (position == 0):
            raise NotProven(f"entry {position}: a match starts once, with its first entry", entry=position)
        if over and not isinstance(entry, Masked):
            words = f"entry {position}: something was done after the match was over"
            raise NotProven(words, seq_of(entry), entry=position)
        over = over or isinstance(entry, MatchEnded)
        after_seq = getattr(entry, "after_seq", None)
        if after_seq is not None and after_seq != expected - 1:
            what = "advice" if isinstance(entry, Advised) else tag_of(entry)
            words = f"entry {position}: {what} after action {after_seq}, expected {expected - 1}"
            raise NotProven(words, None, expected - 1, after_seq, position)
        seq = seq_of(entry)
        if seq is not None:
            if seq != expected:
                raise NotProven(f"action {seq}: expected number {expected}", seq, expected, seq, position)
            expected += 1


def _check_form(form: str, entries: Sequence[Entry]) -> str:
    """Return the export's format version; raises NotProven if an entry or field does not exist in that version."""
    for place in range(len(entries)):
        needed = form_of(entries[place : place + 1])
        if EXPORT_FORMS.index(needed) > EXPORT_FORMS.index(form):
            words = f"entry {place}: an export of form {form!r} has no such entry: expected form {needed!r}"
            raise NotProven(words, expected=needed, found=form, entry=place)
    return form


def _check_parts(value: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Compare an export with the export computed from its entries, key by key; raises NotProven if they differ."""
    keys = expected.keys() | value.keys()
    for key in sorted(keys, key=lambda key: (key == "digest", key)):  # last: it differs if anything does
        if key not in value:
            raise NotProven(f"{key} is missing", expected=expected[key])
        if key not in expected:
            raise NotProven(f"{key}: not expected in an exported match", found=value[key])
        if canonical(value[key]) != canonical(expected[key]):
            raise NotProven(f"{key}: expected {expected[key]}, found {value[key]}", None, expected[key], value[key])


class BadDigest(ValueError):
    """The text to compare with a digest is not a digest."""


class NoExport(ValueError):
    """The given data is not an export of a match, because it cannot be parsed."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"is no export of a match ({error}): expected JSON")


def verify_text(text: str) -> ExportVerdict:
    """Return the verdict on the text of an export; raises NoExport unless the text is strict JSON.

    Strict JSON has no duplicate keys, no lone surrogates, and no numbers such as NaN.
    """
    try:
        value = json.loads(text, object_pairs_hook=_object_of)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # refuses lone surrogates and NaN
        return verify_export(value)
    except (ValueError, RecursionError) as error:
        raise NoExport(error) from error


def verify_bytes(data: bytes) -> ExportVerdict:
    """Return the verdict on the bytes of a file; raises NoExport if they are not an export in UTF-8."""
    try:
        return verify_text(data.decode())
    except UnicodeDecodeError as error:
        raise NoExport(error) from error


def verdict_lines(verdict: ExportVerdict) -> list[str]:
    """Return the output of `verify` for a verdict.

    If the export proves itself, the output says what is proven to whom, and gives the digest. Otherwise the output
    describes the first difference.
    """
    named = [] if verdict.proven else ["entry", "expected", "found"]
    differences = [f"{name}: {value}" for name in named if (value := getattr(verdict, name)) is not None]
    digest = (
        [f"The digest is {verdict.digest}: hold it against the one shown with the result."] if verdict.proven else []
    )
    return [verdict.words, *verdict.remarks, *digest, *differences]


def check_digest(verdict: ExportVerdict, shown: str) -> ExportVerdict:
    """Compare the export's digest with the digits that the table showed with the result, and return the verdict.

    A verdict that the export is not proven is returned unchanged.

    Args:
        verdict: the verdict on the file alone.
        shown: 16 to 64 hexadecimal digits; spaces and capitals do not matter.

    Raises:
        BadDigest: the text does not consist of such digits.
    """
    digits = "".join(shown.split()).lower()
    if not DIGEST_SHOWN.fullmatch(digits):
        raise BadDigest(f"{shown!r} is no digest: expected its first 16 digits or more, up to all 64, of 0-9 and a-f")
    if not verdict.proven:
        return verdict
    count, found = len(digits), verdict.digest[: len(digits)]
    how_many = "all 64" if count == DIGEST_DIGITS else f"the first {count} of 64"
    if found != digits:
        same = next(place for place, (one, other) in enumerate(zip(found, digits, strict=True)) if one != other)
        words = f"the digest is another one: {how_many} digits were compared, and digit {same + 1} differs"
        return ExportVerdict(proven=False, words=words, expected=digits, found=found)
    return replace(
        verdict, remarks=(*verdict.remarks, f"The digest is the one given: {how_many} digits were compared.")
    )


def _object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build a JSON object; raises ValueError for a duplicate key, because readers could disagree about its value."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)!r} comes twice in one object")
    return value
