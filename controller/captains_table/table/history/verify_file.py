"""A file that was written by an export, read strictly, and the verdict on it line by line: the same on every way in."""

import json

from captains_table.table.history.verify import Verdict, verify_export


class NoExport(ValueError):  # noqa: N818 - named by its condition
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
    return [verdict.words, *verdict.remarks, *differences]


def _object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; raises ValueError where a key comes twice, of which readers see one or the other."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)!r} comes twice in one object")
    return value
