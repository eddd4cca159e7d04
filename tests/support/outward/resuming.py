"""Matches of a state directory taken up again by the real daemon, and what can be seen of them then."""

import json
import re
from pathlib import Path
from typing import Any

from tests.support.outward.command import command, without_words
from tests.support.table_process import Caller, TableProcess

ONE_MATCH = 1 << 20  # revisions of match n begin at n times this
SQUARE = re.compile(r'data-square="(\w\d)"[^>]* aria-label="((?:white|black) \w+) on')
NUMBER = re.compile(r'<td(?: class="(?:main|minor)")?>(\d+)</td>')
CLOCK = re.compile(r'role="timer">(\d+):(\d\d):(\d\d)<')


def seen(anne: Caller) -> dict[str, Any]:
    """Return what scripts and pages show of the match that is played."""
    health = anne.get("/health").json()
    page = anne.get("/table").text
    switches = anne.get("/switches.json").json()["switches"]
    return {
        "health": health,
        "pieces": dict(SQUARE.findall(page)),
        "tallies": [int(number) for number in NUMBER.findall(anne.get("/").text)],
        "clocks": [int(h) * 3600 + int(m) * 60 + int(s) for h, m, s in CLOCK.findall(page)],
        "offers": anne.offers(),
        "masked": [switch["square"] for switch in switches if switch["condition"] == "masked"],
    }


def resumed(state: Path, numbers: list[int], scratch: Path) -> dict[str, Any]:
    """Resume matches one after the other, and return by number what is seen and what the recorded tape comes to."""
    tape = scratch / "resumed.tape"
    first, *others = numbers
    table = TableProcess(
        *("matches", "resume", str(first), "--state", state, "--port", "0", "--record", tape), logs=scratch / "logs"
    )
    anne = Caller(table.origin)
    try:
        found = {str(first): seen(anne)}
        for number in others:
            assert anne.post(f"/matches/{number}/resume").status_code == 204
            found[str(number)] = seen(anne)
        assert table.complaints == ""
    finally:
        anne.close()
        table.stop()
    for number, text in zip(numbers, re.split(r"(?m)^(?=game )", tape.read_text(encoding="utf-8"))[1:], strict=True):
        part = scratch / f"{number}.tape"
        part.write_text(text, encoding="utf-8")
        found[str(number)]["final"] = final_of(part)
    return found


def final_of(tape: Path) -> Any:  # noqa: ANN401 - JSON
    """Return the final object of a tape, display texts and the seconds on the clocks left out."""
    replayed = command("replay", tape)
    assert (replayed.code, replayed.err) == (0, "")
    final = without_words(json.loads(replayed.out.splitlines()[-1])["final"])
    return final | ({"clock": sorted(final["clock"])} if "clock" in final else {})
