"""A Keizer event at the arbiter's desk: made by the form, absences of three kinds, and the standings everybody sees."""

from pathlib import Path

import pytest

from captains_table.club.events.entries import Absence, KeizerSettings
from tests.club.pages.test_arbiter import FORM, NAMES, Desk, at_the_desk

KEIZER = {**FORM, "system": "keizer"}


async def begun(desk: Desk, **chosen: str) -> str:
    """Make a Keizer event with these fields of the form, in which four take part, and return its page."""
    path = await desk.post("/arbiter/new", **KEIZER, **chosen)
    await desk.post(f"{path}/enter-list", list="\n".join(NAMES[:4]))
    return path


async def test_the_form_as_it_is_makes_an_event_of_the_usual_settings_and_fields_change_them(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        page = await desk.get("/arbiter/new?game=captains-chess")
        assert '<details class="of-keizer"' in page
        await desk.reads("/arbiter/new?game=swashbuckle", "Keizer")
        await begun(desk)
        assert desk.club.event(1).made.keizer == KeizerSettings()
        chosen = {"excused": "35 %", "club": "0,7", "bye": "3/4", "most_paid": "", "top": "60", "rounds_apart": "8"}
        chosen |= {"own_value": "no", "spreads_byes": "no", "until_stable": "no", "ratio": "2.5", "loss": "1/6"}
        await desk.post("/arbiter/new", **KEIZER, **{f"keizer-{name}": value for name, value in chosen.items()})
        assert desk.club.event(2).made.keizer == KeizerSettings(
            top=60,
            ratio="5/2",
            own_value=False,
            rounds_apart=8,
            excused="7/20",
            club="7/10",
            bye="3/4",
            loss="1/6",
            most_paid=None,
            spreads_byes=False,
            until_stable=False,
        )


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"keizer-bye": "half"}, "no fraction: expected such as 1/3, 0.35 or 35 %"),
        ({"keizer-bye": "1/0"}, "no fraction"),
        ({"keizer-bye": "150 %"}, "3/2 of a value (bye): expected a fraction from 0 to 1"),
        ({"keizer-ratio": "1"}, "expected more than 1"),
        ({"keizer-top": "-3"}, "no value of the first"),
        ({"keizer-most_paid": "100"}, "expected 0 to 99"),
        ({"tie-break-1": "wins"}, "Keizer has no tie-breaks"),
    ],
)
async def test_a_wrong_setting_is_refused_and_the_form_keeps_what_was_given(
    tmp_path: Path, changed: dict[str, str], words: str
) -> None:
    async with at_the_desk(tmp_path) as desk:
        page = await desk.refused(400, "/arbiter/new", words, **KEIZER, **changed, **{"keizer-loss": "1/7"})
        assert 'name="keizer-loss" autocomplete="off" value="1/7"' in page
        assert desk.club.desk.events() == []


async def test_absences_have_kinds_and_standings_show_value_score_and_gain(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = await begun(desk)
        await desk.post(f"{path}/sit-out", player="3", round="1", absence="club")
        await desk.post(f"{path}/sit-out", player="4", round="1", absence="unexcused")
        await desk.post(f"{path}/sit-out", player="4", round="2")
        await desk.refused(400, f"{path}/sit-out", "Choose why the player sits out", player="1", absence="ill")
        kinds = {Absence.UNEXCUSED: "without a word", Absence.CLUB: "for the club's team"}
        await desk.reads(path, *kinds.values(), "Cleo sits out round 1, for the club's team", "2 (excused)")
        assert desk.club.event(1).entrants[4].absences == {1: Absence.UNEXCUSED, 2: Absence.EXCUSED}
        await desk.post(f"{path}/pair")
        (pairing,) = (match.seated for match in desk.club.event(1).rounds[0].matches)
        assert pairing.seats == (2, 1)
        await desk.post(f"{path}/rule", pairing=pairing.id, count="1-0")
        row = '<td>1</td><th scope="row" class="words"><bdi>Bart</bdi></th><td><b>10</b></td>'
        more = "<td>6</td><td>4</td><td>1</td></tr>"  # the value, the value of Anne, a match won
        legend = (
            "excused 1/3, without a word 0 (at most 5 absences, the team's apart), for the club's team 2/3, bye 2/3"
        )
        for page in (path, f"{path}/sheet", "/events/1"):
            await desk.reads(page, row + more, legend, ">Score<", lacks=["FIDE's tie-breaks"])
        await desk.reads(f"{path}/report.trf", "192 CUSTOM_SWISS")
        report = await desk.get(f"{path}/report.trf")
        await desk.refused(400, "/arbiter/report", "a report of a Keizer event", game="captains-chess", report=report)
