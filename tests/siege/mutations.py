"""Ways to spoil an input: by bytes, by lines and words, by the structure of JSON. Each may leave it as it means."""

import json
import random
from typing import Any, Final

DEEP: Final = (64, 900, 5000, 100_000)
NUMBERS: Final = (
    *("0", "-1", "1", "2", "7", "64", "255", "256", "65536", "2147483648", "9007199254740993", "18446744073709551616"),
    *("1e9", "1e400", "-0", "0.5", "NaN", "Infinity", "0x10", "1_000", "٣", "9" * 12, "9" * 400, "9" * 5000),
)
WORDS: Final = (
    *("", " ", "\x00", "\ufeff", "é", "Ω≈ç√", "\u202e", "💀" * 9, "\ud83d".encode("utf-16", "surrogatepass").hex()),
    *("[" * 3000, "null", "true", "[]", "{}", '"', "'", "\\", "#", "=", "..", "../../etc/passwd", "%s%n", "a" * 5000),
    *("__class__", "e2e4", "a1", "i9", "z0", "roll", "done", "keep", "take-back", "legend", "captains-chess"),
    *("mermaid-chess", "Anne"),
)


def spoil_bytes(data: bytes, rng: random.Random) -> bytes:
    """Return bytes of which a few are flipped, lost, doubled or made up."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        if not found:
            break
        place = rng.randrange(len(found))
        match rng.randrange(5):
            case 0:
                found[place] ^= 1 << rng.randrange(8)
            case 1:
                del found[place : place + rng.choice((1, 3, 40))]
            case 2:
                found[place:place] = found[place : place + rng.choice((1, 8, 60))]
            case 3:
                found[place:place] = rng.randbytes(rng.randrange(1, 9))
            case _:
                del found[place:]
    return bytes(found)


# --- lines and words ------------------------------------------------------------------------------------------------


def spoil_lines(text: str, rng: random.Random, other: str) -> str:
    """Return text of which a few lines are lost, doubled, swapped, of another text, or have other words in them."""
    lines = text.split("\n")
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        place = rng.randrange(len(lines))
        match rng.randrange(7):
            case 0:
                del lines[place : place + rng.choice((1, 1, 3))]
            case 1:
                lines[place:place] = lines[place : place + rng.choice((1, 1, 5))]
            case 2:
                another = rng.randrange(len(lines))
                lines[place], lines[another] = lines[another], lines[place]
            case 3:
                foreign = other.split("\n")
                start = rng.randrange(len(foreign))
                lines[place:place] = foreign[start : start + rng.choice((1, 2, 8))]
            case 4:
                words = lines[place].split(" ")
                words[rng.randrange(len(words))] = rng.choice((*WORDS, *NUMBERS, *words))
                lines[place] = " ".join(words)
            case 5:
                line, at = lines[place], rng.randrange(len(lines[place]) + 1)
                letter = rng.choice("abcdefgh12345678+-= #\"'[]{}.,é\t")
                lines[place] = line[:at] + letter + line[at + rng.randrange(2) :]
            case _:
                _another_value(lines, rng)
        if not lines:
            break
    return "\n".join(lines)


def _another_value(lines: list[str], rng: random.Random) -> None:
    """Give a key another value, where a line has one."""
    found = [at for at, line in enumerate(lines) if "=" in line]
    if not found:
        return
    place = rng.choice(found)
    key, _, _ = lines[place].partition("=")
    depth = rng.choice(DEEP[:3])
    values = (*NUMBERS, f'"{rng.choice(WORDS)}"', "true", "[]", "{}", '["x", 1]', "1979-05-27T07:32:00Z", "[" * depth)
    lines[place] = f"{key}= {rng.choice(values)}"


# --- JSON -----------------------------------------------------------------------------------------------------------


def spoil_json(text: str, rng: random.Random) -> str:
    """Return JSON of which a few values, keys or items are others, or that is written in another way."""
    if rng.random() < WRITTEN_ANOTHER_WAY_SHARE:
        return rewritten(text, rng)
    value = json.loads(text)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if places := places_in(value):
            _spoil_value(*rng.choice(places), rng)
    written = json.dumps(value, ensure_ascii=rng.random() < 1 / 2)
    depth = rng.choice(DEEP)
    return written.replace(
        f'"{DEEP_MARK}"', rng.choice(("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth))
    )


WRITTEN_ANOTHER_WAY_SHARE: Final = 0.1
DEEP_MARK: Final = "deep-mark"


def rewritten(text: str, rng: random.Random) -> str:
    """Return JSON that means the same, or nearly: other spaces, another order, a key twice, something after its end."""
    value = json.loads(text)
    match rng.randrange(5):
        case 0:
            return json.dumps(value, indent=rng.choice((None, 1, 7)), separators=(",", ":"))
        case 1:
            return json.dumps(dict(rng.sample(list(value.items()), len(value))), sort_keys=rng.random() < 1 / 2)
        case 2:
            key = rng.choice(list(value))
            return text.replace("{", f'{{"{key}": {json.dumps(rng.choice([1, None, value[key]]))},', 1)
        case 3:
            return text + rng.choice(("\n", " ", "{}", "\x00", text))
        case _:
            return text.replace("a", "\\u0061").replace("\\\\u0061", "\\u0061")


def places_in(value: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401 - JSON
    """Return every place in a value of JSON: a dictionary or list, and the key or index of what is in it."""
    found: list[tuple[Any, Any]] = []
    inside = [value]
    while inside:
        holder = inside.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        found += [(holder, key) for key in keys]
        inside += [holder[key] for key in keys if isinstance(holder[key], dict | list)]
    return found


def _spoil_value(holder: Any, key: Any, rng: random.Random) -> None:  # noqa: ANN401 - JSON
    """Delete, change, rename, double or swap what a dictionary or list has under a key or index, if it is there yet."""
    is_item = isinstance(holder, list) and key < len(holder)
    if not is_item and (isinstance(holder, list) or key not in holder):
        return
    old, numbers = holder[key], (0, 1, -1, 1.0, 1.5)
    others: list[object] = [None, True, False, *numbers, "", "1", [], {}, [1], {"type": "pick"}, DEEP_MARK]
    match rng.randrange(7):
        case 0:
            del holder[key]
        case 1:
            holder[key] = rng.choice(others)
        case 2:
            near = [old + 1, old - 1, float(old)] if isinstance(old, int) else []
            far = (2**31, 2**53 + 1, 2**64, 10**30, -(2**63) - 1, 1e308, float("nan"), float("inf"))
            holder[key] = rng.choice((*near, *far))
        case 3:
            holder[key] = rng.choice(WORDS)
        case 4 if not is_item:
            holder[rng.choice((*WORDS, "entry", "seq", "damaged"))] = holder.pop(key)
        case 5 if is_item:
            holder.insert(rng.randrange(len(holder) + 1), old)
        case 6 if is_item:
            other = rng.randrange(len(holder))
            holder[key], holder[other] = holder[other], old
