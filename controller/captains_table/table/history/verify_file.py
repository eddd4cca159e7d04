"""A file that was written by an export, read strictly, and the verdict on it line by line: the same on every way in."""

import json
import re
from dataclasses import replace
from typing import Final

from captains_table.table.history.verify import Verdict, verify_export

DIGEST_DIGITS: Final = 64
DIGEST_SHOWN: Final = re.compile(f"[0-9a-f]{{16,{DIGEST_DIGITS}}}")


class BadDigest(ValueError):
    """What was given to be compared with a digest is none."""


class NoExport(ValueError):
    """What was given is no export of a match."""


def verify_text(text: str) -> Verdict:
    """Return whether what an export wrote proves itself; raises NoExport where it is not even JSON."""
    try:
        value = json.loads(text, object_pairs_hook=_object_of)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # refuses halves of characters, and no numbers
        return verify_export(value)
    except (ValueError, RecursionError) as error:
        raise no_export(error) from error


def verify_bytes(data: bytes) -> Verdict:
    """Return whether a file's bytes prove themselves; raises NoExport where they are not even JSON in UTF-8."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise no_export(error) from error
    return verify_text(text)


def no_export(error: Exception) -> NoExport:
    """Return in words that a file is no export."""
    return NoExport(f"is no export of a match ({error}): expected JSON")


def verdict_lines(verdict: Verdict) -> list[str]:
    """Return what `verify` says: the verdict, what is proven and to whom, or where the first difference is."""
    told = [] if verdict.proven else ["entry", "expected", "found"]
    differences = [f"{name}: {value}" for name in told if (value := getattr(verdict, name)) is not None]
    digest = (
        [f"The digest is {verdict.digest}: hold it against the one shown with the result."] if verdict.proven else []
    )
    return [verdict.words, *verdict.remarks, *digest, *differences]


def check_digest(verdict: Verdict, shown: str) -> Verdict:
    """Return the verdict on a match whose digest, or its beginning, was shown at the table with the result.

    Args:
        verdict: the one on the file alone.
        shown: 16 to 64 hexadecimal digits, in which spaces and capitals count for nothing.

    Raises:
        BadDigest: these are no such digits.
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
        return Verdict(proven=False, words=words, expected=digits, found=found)
    return replace(
        verdict, remarks=(*verdict.remarks, f"The digest is the one given: {how_many} digits were compared.")
    )


def _object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; raises ValueError where a key comes twice, of which readers see one or the other."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)!r} comes twice in one object")
    return value
