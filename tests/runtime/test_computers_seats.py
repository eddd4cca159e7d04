"""Seats that computers play, at a table that guests reach: who may give one away or take it over, and its link."""

import contextlib
from pathlib import Path

from captains_table.runtime.seat_links import SeatLinks
from captains_table.storage.journal_file import JournalFile
from captains_table.storage.key_files import SEATS, SeatKeyFile
from captains_table.table.model.entries import MatchStarted, SeatKind
from tests.runtime.seat_guests import Evening, refused
from tests.support.service_at_work import OpenTable

WITH_ZEPHYR = ("ship-captain-crew", ["Anne", "zephyr:1", "Bart"], {"order": "seated"})


def links(at: Evening) -> list[bool]:
    return [link.key is not None for link in at.keys.links()]


async def test_a_seat_declared_a_computers_has_no_link_until_a_person_takes_it_over_and_keeps_it_then(
    at: Evening, tmp_path: Path
) -> None:
    at.table.matches.new_match(*WITH_ZEPHYR)
    assert links(at) == [True, False, True]
    assert "Played by the computer" in (await at.owner("GET", "/seats")).text
    assert (await at.owner("POST", "/seats/1/renew")).status_code == 404
    taken = await at.owner("POST", "/player", {"seat": 1, "player": ""})
    assert taken.status_code == 204
    assert links(at) == [True, True, True]
    key = at.key(1)
    assert "You are <b>Zephyr</b>" in (await at.ask("GET", f"/seat?key={key}")).text
    assert (await at.seat(key, "/player", {"seat": 1, "player": "zephyr:4"})).status_code == 204
    assert at.key(1) == key
    again = SeatLinks(SeatKeyFile(tmp_path / SEATS), at.complaints.append)  # as after a power cut
    match = at.table.session.match
    assert match is not None
    again.open(2, match)
    assert again.seat_of(key) == 1


async def test_a_link_gives_its_own_seat_away_and_takes_it_over_again_but_no_other(at: Evening) -> None:
    at.table.matches.new_match(*WITH_ZEPHYR)
    anne, bart = at.key(0), at.key(2)
    assert refused(await at.seat(bart, "/player", {"seat": 0, "player": "zephyr:2"}), "That is seat 0", "2")
    assert refused(await at.seat(bart, "/player", {"seat": 1, "player": ""}), "That is seat 1")
    stranger = await at.ask("POST", "/player", {"seat": 0, "player": "zephyr:2"})
    assert stranger.status_code == 403
    assert at.table.view().seats[0].computer == ""
    assert (await at.seat(anne, "/player", {"seat": 0, "player": "zephyr:2"})).status_code == 204
    assert at.table.view().seats[0].computer_words == "Zephyr (fair)"
    page = (await at.ask("GET", f"/seat?key={anne}")).text
    assert page.count("data-seat-player=") == 1
    assert "Play it yourself" in page
    assert (await at.seat(anne, "/player", {"seat": 0, "player": ""})).status_code == 204
    assert at.table.view().seats[0].computer == ""


async def test_what_cannot_be_is_refused_in_words(at: Evening) -> None:
    at.table.matches.new_match(*WITH_ZEPHYR)
    for body, words in (
        ({"seat": 0, "player": ""}, "a person plays for Anne already"),
        ({"seat": 1, "player": "zephyr:1"}, "Zephyr (beginner) plays for Zephyr already"),
        ({"seat": 0, "player": "aether:3"}, "expected one of zephyr:0"),
        ({"seat": 0, "player": "zephyr"}, "expected its name and level"),
        ({"seat": 9, "player": ""}, "there is no seat 9"),
    ):
        answer = await at.owner("POST", "/player", body)
        assert answer.status_code == 400
        assert words in answer.json()["error"]


def test_a_rematch_names_a_computer_as_journals_do_and_none_is_offered_against_one_that_is_gone(
    open_table: OpenTable, tmp_path: Path
) -> None:
    with open_table() as table:
        table.matches.new_match("legend", ("Anne", "AETHER: 3"), {})
        rematch = table.archive.last_start()
        assert rematch is not None
        assert sorted(rematch.names) == ["Anne", "aether:3"]
        table.matches.new_match(
            "legend",
            (
                "aether:2",
                "Anne",
            ),
            {},
        )
        table.matches.new_match("legend", ("Anne", "Bart"), {})
        assert table.archive.last_computers() == [("legend", "aether:2")]
        assert ("Aether (novice)", "Anne") in [match.names for match in table.archive.unfinished()]
    for game, words in (("crowns", "aether:1"), ("captains-chess", "engine:2"), ("chess", "leela:9")):
        with contextlib.closing(JournalFile(tmp_path / "journal.sqlite3")) as journal:
            kinds: tuple[SeatKind, ...] = ("human", "computer") if words.startswith("leela") else ()
            journal.start(MatchStarted(game, ("Anne", words), {}, kinds=kinds), bytes(32))
        with open_table() as table:
            assert table.archive.last_start() is None
