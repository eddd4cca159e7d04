"""What is wired to the simulated Pico, and how it stands now; control lines change it. Runs under MicroPython."""

import wires

from firmware import settings

file_bits = {pin: 1 << file for file, pin in enumerate(settings.FILE_PINS)}
ranks = {pin: rank for rank, pin in enumerate(settings.RANK_PINS)}
closed = [0] * len(ranks)  # a bit a file
selected = 0  # the bits of all ranks pulled low together
levels = {}  # of every other pin
turning = []  # levels of the encoder's contacts still to come, a step a sample
light_bytes = b""
tones = []
scans = 0  # how often the first rank was read
feeds = 0
asked_to = ""  # what a control line wants that only the main loop can do: reset, hang

_NOTCH = ((0, 1), (0, 0), (1, 0), (1, 1))


class Reset(BaseException):
    """The board starts anew."""


def heed(line):
    """Carry out a control line."""
    global asked_to
    words = line.split(" ")
    if words[0] == "switch":
        rank, file = divmod(int(words[1]), len(file_bits))
        bit = 1 << file
        closed[rank] = closed[rank] | bit if words[2] == "1" else closed[rank] & ~bit
    elif words[0] == "button":
        levels[settings.BUTTON_PINS[words[1]]] = 0 if words[2] == "1" else 1
    elif words[0] == "turn":
        steps = int(words[1])
        notch = _NOTCH if steps > 0 else tuple((a, b) for b, a in _NOTCH)
        turning.extend(notch * abs(steps))
    elif words[0] == "ask":
        wires.answer(_answer(words[1]))
    elif words[0] in ("reset", "hang"):
        asked_to = words[0]
    else:
        raise ValueError("an unknown control line: " + line)


def _answer(what):
    if what == "lights":
        return light_bytes.hex()
    if what == "tones":
        return ",".join([str(tone) for tone in tones])
    if what == "scans":
        return str(scans)
    if what == "feeds":
        return str(feeds)
    if what == "memory":
        import gc

        gc.collect()
        return str(gc.mem_alloc())
    return what


def level(pin):
    """Return the level that a pin reads now."""
    if turning and pin in settings.ENCODER_PINS:
        a, b = turning[0]
        if pin == settings.ENCODER_PINS[1]:  # it is read last
            del turning[0]
            return b
        return a
    return levels.get(pin, 1)


def drive(pin, level):
    """Let the program set a pin."""
    global selected, scans
    if pin not in ranks:
        levels[pin] = level
        return
    if level == 0:
        selected |= closed[ranks[pin]]
        scans += ranks[pin] == 0
    else:
        selected = 0  # one rank at a time, as the matrix promises
