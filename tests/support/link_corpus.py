"""Damaged lines, always the same for a seed. Runs under MicroPython too, where `random` differs: so our own."""

from captains_table.link.frames import Decoder, frame

GOOD = "STATE 5e3a90f1 6 3300 ffff00001000efff 6,5 1,1,0;0,0,0 -1 0 50,8 0,0,0"


class Chance:
    """Numbers that look random (a linear congruential generator, with the constants of Numerical Recipes)."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, limit: int) -> int:
        """Return a number from 0 to below the limit."""
        self._state = (self._state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self._state >> 8) % limit


def damaged(chance: Chance) -> bytes:
    """Return bytes that may be a line, may be several, may be noise of up to three lines' length."""
    kind = chance.below(6)
    data = bytearray(frame(GOOD))
    if kind == 0:
        return bytes([chance.below(256) for _ in range(chance.below(700 if chance.below(20) == 0 else 60))])
    if kind == 1:
        data[chance.below(len(data))] ^= 1 << chance.below(8)
    elif kind == 2:
        data = data[: chance.below(len(data))]
    elif kind == 3:
        place = chance.below(len(data))
        data = data[:place] + bytes([chance.below(256)]) + data[place:]
    elif kind == 4:
        place = chance.below(len(data))
        data = data[:place] + data[place + 1 :]
    else:
        data = data[chance.below(len(data)) :] + data
    return bytes(data)


def count_resynchronised(seed: int, cases: int) -> int:
    """Return after how many damaged inputs the next line was read: all of them, if the decoder is right."""
    chance = Chance(seed)
    decoder = Decoder()
    count = 0
    for _ in range(cases):
        data = damaged(chance)
        cut = chance.below(len(data) + 1)
        decoder.feed(data[:cut])
        decoder.feed(data[cut:] + b"\n")
        count += decoder.feed(frame("PING 7")) == ["PING 7"]
    return count
