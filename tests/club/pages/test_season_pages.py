"""The pages about seasons: what they say of results, whose word they name, and how an evening is deleted whole."""

import io
import json
import re
import sqlite3
import zipfile
from html import unescape
from pathlib import Path

import msgspec
import pytest

from captains_table.club.pages.programme import Programme, ShownEvent
from captains_table.club.store.store import FILE, Proof
from captains_table.reporting.messages import FinalScore
from captains_table.table.history.verify import verify_bytes
from tests.club.recorded_matches import DAY_S, PLAYED, SeasonClub, export_of, recorded
from tests.club.served_club import PAGE, Caller
from tests.support.fake_club import EVENING_S

TOKEN = "the-arbiters-token"  # noqa: S105 - a test's
AS_ARBITER = {**PAGE, "X-Table-Token": TOKEN}
HOSTILE = ('<img src=x onerror="alert(1)">', "</title><script>alert(1)</script>", "a&b'\"/../{{7*7}}", "\u05d0\u05d1")


class Regatta(Programme):
    """An event of the first evening."""

    def of_evening(self, number: int) -> tuple[ShownEvent, ...]:
        return (ShownEvent("Autumn <regatta>", "/events/1", "round 3 of 5"),) if number == 1 else ()


@pytest.fixture
def club(tmp_path: Path) -> SeasonClub:
    return SeasonClub(tmp_path)


@pytest.fixture
def guest(club: SeasonClub) -> Caller:
    return Caller(club, Regatta, TOKEN)


@pytest.mark.parametrize("address", ["/evenings", "/hall"])
def test_before_the_first_evening_it_is_said_how_one_begins(guest: Caller, address: str) -> None:
    guest.reads(address, "No evening has been played yet")


def test_an_evening_without_results_says_so(club: SeasonClub, guest: Caller) -> None:
    club.begin_evening("Thursday")
    guest.reads("/evenings/1", "No result has arrived this evening")
    guest.reads("/hall", "No match counts here yet")
    guest.reads("/evenings", "0 results")


def test_a_hall_of_fame_says_whose_word_everything_is(club: SeasonClub, guest: Caller) -> None:
    club.report("table-1", board=7, title="By the window")
    club.tell_recorded(["swashbuckle"])
    outcome = recorded("swashbuckle-of-three")
    club.tell(msgspec.structs.replace(outcome, export="", seats=("B.", "C.", "A.")), "table-2")
    told = ("2 matches</b>: 1 proven, 1 told without an export.", "<bdi>table-2</bdi>, told without an export")
    guest.reads("/hall/swashbuckle", *told, "<bdi>Table 7</bdi>, proven", "Captain B.")
    guest.reads("/hall/swashbuckle?proven=1", "1 match</b>: 1 proven.")


def test_the_arbiters_word_takes_the_place_of_what_was_told(club: SeasonClub, guest: Caller) -> None:
    club.tell_recorded(["legend"])
    seal = recorded("legend").match
    club.correct(seal, FinalScore(winner=1, scores=(3, 30)), "the wrong die was read")
    guest.reads("/hall/legend", "1 match</b>: 1 the arbiter's word.")
    words = ("Bart won 30 : 3", "Anne won 34 : 9", "the wrong die was read", "The seed is the one committed to")
    guest.reads(f"/results/{seal}", *words)


def test_an_export_that_proves_nothing_counts_in_no_record_and_is_named_to_the_arbiter(
    club: SeasonClub, guest: Caller
) -> None:
    club.tell(recorded("legend"), export=b"damaged")
    assert [result.proof for result in club.store.results()] == [Proof.FAILED]
    guest.reads("/hall", "No match counts here yet")
    guest.reads("/evenings/1", "not counted: its export proves nothing", lacks=["cannot be unpacked"])
    guest.reads("/evenings/1", "cannot be unpacked", headers=AS_ARBITER)
    assert guest.get(f"/results/{recorded('legend').match}/export.json").status_code == 404


def test_what_is_not_verified_yet_counts_in_no_record(club: SeasonClub, guest: Caller) -> None:
    club.tell(recorded("legend"), proves=False)
    guest.reads("/hall", "No match counts here yet")
    guest.reads("/evenings/1", "being verified")


def test_a_correction_by_the_table_replaces_what_it_told(club: SeasonClub, guest: Caller) -> None:
    told = msgspec.structs.replace(recorded("legend"), export="")
    club.tell(msgspec.structs.replace(told, ending=None))
    club.tell(msgspec.structs.replace(told, rev=2))
    guest.reads("/hall/legend", "1 match</b>: 1 told without an export.")
    guest.reads("/evenings/1", "1 result<")


def test_a_season_is_a_year_or_chosen_evenings(club: SeasonClub, guest: Caller) -> None:
    club.at_s = EVENING_S - 400 * DAY_S
    club.begin_evening("Last winter")
    club.tell_recorded(["legend"])
    club.at_s = EVENING_S
    club.begin_evening("This autumn")
    club.tell_recorded(["legend-against-aether"])
    guest.reads("/hall/legend", "2 matches</b>")
    guest.reads("/hall/legend?year=2025", "<bdi>Bart</bdi>")
    guest.reads("/hall/legend?year=2026", lacks=["<bdi>Bart</bdi>"])
    guest.reads("/hall/legend?evening=2", "<bdi>Aether (casual)</bdi>")
    guest.reads("/hall/legend?evening=2&evening=1", "2 matches</b>")
    guest.reads("/hall?evening=3", "There is no such evening", status=404)
    guest.reads("/hall/crowns", "No match of <bdi>Crowns</bdi> counts here")
    guest.reads("/hall/nothing", "No such game was played here", status=404)
    guest.reads("/hall?year=x", "The year cannot be read", status=400)


@pytest.mark.slow
def test_a_player_has_a_page_with_matches_opponents_rating_and_luck(club: SeasonClub, guest: Caller) -> None:
    club.tell_recorded()
    record = ('aria-label="Rating of Anne after each match', "Opponents", "Luckiest throws", "Alone: <b>6 turns</b>")
    guest.reads("/players?name=Anne", "Buccaneer Anne", *record, lacks=["First mate Anne"])  # by 238 points
    for address in ("/players?name=Dirk", "/players"):
        guest.reads(address, "Nobody of this name", status=404)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_a_name_and_never_markup(club: SeasonClub, guest: Caller, name: str) -> None:
    club.report("table-1", title=name)
    club.begin_evening(name)
    told = msgspec.structs.replace(
        recorded("legend"), export="", seats=(name, "Bart"), options={"fen": name}, game="swashbuckle"
    )
    club.tell(told)
    club.correct(told.match, told.ending, name)
    club.tell(msgspec.structs.replace(told, match="1" * 64, game=name))
    seal = told.match
    links = guest.get("/hall/swashbuckle").text
    address = unescape(links.split('href="/players')[1].split('"')[0])
    for page in ("/evenings", "/evenings/1", "/hall", "/hall/swashbuckle", f"/players{address}", f"/results/{seal}"):
        assert not {"<img", "<script"} & set(re.findall("<\\w+", guest.get(page, AS_ARBITER).text))
        guest.reads(page, name, headers=AS_ARBITER)
    assert name in unescape(guest.get(f"/players{address}").text.split("<h1>")[1].split("</h1>")[0])


@pytest.mark.slow
def test_all_exports_of_an_evening_come_in_one_file(club: SeasonClub, guest: Caller) -> None:
    club.tell_recorded()
    club.tell(msgspec.structs.replace(recorded("legend"), match="1" * 64, export=""), "table-9")
    found = guest.get("/evenings/1/exports.zip")
    assert found.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(found.content)) as packed:
        told = json.loads(packed.read("results.json"))
        exports = [packed.read(name) for name in packed.namelist() if name != "results.json"]
    assert sorted(exports) == sorted(export_of(recorded(name)) for name in PLAYED)
    assert all(verify_bytes(export).proven for export in exports)
    assert [each["word"] for each in told] == ["proven"] * len(PLAYED) + ["told"]
    assert told[-1]["export"] is None
    assert told[0]["table"] == "table-1"


def test_an_export_is_handed_out_as_it_came(club: SeasonClub, guest: Caller) -> None:
    club.tell_recorded(["crowns"])
    outcome = recorded("crowns")
    assert guest.get(f"/results/{outcome.match}/export.json").content == export_of(outcome)
    assert guest.get("/results/nothing").status_code == 404
    assert guest.get("/evenings/2").status_code == 404


def test_an_evening_is_deleted_by_its_name_and_only_with_the_clubs_token(club: SeasonClub, guest: Caller) -> None:
    club.begin_evening("Thursday")
    club.tell_recorded(["legend"])
    guest.reads("/evenings/1", lacks=["Delete this evening"])
    guest.reads("/evenings/1", "type its name", headers=AS_ARBITER)
    refused = guest.post("/evenings/1/delete", {"title": "Thursday"})
    assert refused.status_code == 403
    mistyped = guest.post("/evenings/1/delete", {"title": "Friday"}, AS_ARBITER)
    assert mistyped.status_code == 409
    assert "nothing was deleted" in mistyped.text
    assert len(club.store.results()) == 1
    deleted = guest.post("/evenings/1/delete", {"title": "Thursday"}, AS_ARBITER)
    assert (deleted.status_code, deleted.headers["location"]) == (303, "/evenings")
    assert club.store.evenings() == []


def test_nothing_of_a_deleted_evening_is_left_on_any_page_or_in_the_file(
    club: SeasonClub, guest: Caller, tmp_path: Path
) -> None:
    club.begin_evening("First")
    club.tell_recorded(["swashbuckle", "ship-captain-crew-alone"])
    club.begin_evening("Second")
    club.at_s += 60
    club.tell_recorded(["legend-against-aether"])
    club.correct(recorded("legend-against-aether").match, FinalScore(winner=0, scores=(99, 1)), "why")
    guest.reads("/hall", "Cleo")
    guest.post("/evenings/2/delete", {"title": "Second"}, AS_ARBITER)
    for page in ("/", "/evenings", "/evenings/1", "/hall", "/hall/legend", "/hall/swashbuckle", "/players?name=Anne"):
        guest.reads(page, lacks=["Cleo"])
    assert guest.get(f"/results/{recorded('legend-against-aether').match}").status_code == 404
    assert guest.get("/players?name=Cleo").status_code == 404
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Anne" in kept
    for trace in (b"Cleo", b"aether", b"Second", recorded("legend-against-aether").match.encode()):
        assert trace not in kept
    with sqlite3.connect(tmp_path / FILE) as file:
        assert file.execute("SELECT count(*) FROM results").fetchone() == (2,)


def test_the_events_of_an_evening_are_named_on_its_page(club: SeasonClub, guest: Caller) -> None:
    club.begin_evening("Thursday")
    guest.reads("/evenings/1", '<a href="/events/1"><bdi>Autumn <regatta></bdi></a>', "round 3 of 5")
    guest.reads("/evenings/1", '<a href="/arbiter/events/1"><bdi>Autumn <regatta></bdi></a>', headers=AS_ARBITER)
