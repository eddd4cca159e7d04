"""A member is forgotten: in the club's file, in events that go on, and in results that come later."""

import os
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from captains_table.club.events.counting import doubts
from captains_table.club.events.entries import Made, Mended, Removed, Revised, Ruled, System
from captains_table.club.events.standings import standings
from captains_table.club.events.trf import trf_of
from captains_table.club.result_storage import ReportedResult, ToStore, store_results
from captains_table.club.season.season import MeasuredThrow, ProvenMatch
from captains_table.club.store.event_log import ClubEventLog, PlayerIds
from captains_table.club.store.forgetting import NoSuchMember, NotTheirName, Renaming, forget_member
from captains_table.club.store.schema import STEPS, open_store
from captains_table.club.store.store import FILE, Proof, Store
from captains_table.club.store.strikes import club_tables
from captains_table.reporting.messages import Pairing
from tests.club.club_tables import NOON_S, SEAL, outcome
from tests.club.event_club import FIRST_WINS, SECOND_WINS, EventClub, at_work, opened

SWISS = Made(title="Swiss", game="captains-chess", system=System.SWISS, rounds=3)
NAMES = ("Guinevere Vane", "Bart Roberts", "Cleo", "Dirk")
FORMER = "former member 1"
OTHER, THIRD = "07ea" * 16, "1a2b" * 16
OF_ZOE = Renaming(frozenset({"Zo\u00eb"}), "X")
OF_ANN = Renaming(frozenset({"Ann"}), "X", kept=frozenset({"aNN"}), longer=frozenset({"Ann Smith", "Ann (7)"}))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path)) as opened_:
        yield opened_


@pytest.fixture
def club(tmp_path: Path) -> Iterator[EventClub]:
    with opened(tmp_path, 2) as club:
        yield club


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann came late, ANN said", "X came late, X said"),
        ("Ann's clock; (Ann)\u2013Bart, Ann.", "X's clock; (X)\u2013Bart, X."),
        ("Anna, Hannah, Ann-Marie, Mary-Ann, O'Ann, Ann_1", "Anna, Hannah, Ann-Marie, Mary-Ann, O'Ann, Ann_1"),
        ("Ann\u0301 is another name, and so is aNN", "Ann\u0301 is another name, and so is aNN"),
        ("Ann Smith met Ann (7) and Ann", "Ann Smith met Ann (7) and X"),
    ],
)
def test_a_name_is_replaced_where_it_stands_as_a_whole(text: str, expected: str) -> None:
    assert OF_ANN.text(text) == expected


def test_a_name_is_found_composed_and_decomposed() -> None:
    for form in ("NFC", "NFD"):
        for name in ("Zo\u00eb", "ZO\u00cb"):
            assert OF_ZOE.text(unicodedata.normalize(form, f"{name} left")) == "X left"


@pytest.mark.parametrize(
    ("name", "text"),
    [("Nguy\u1ec5n", "Nguy\u00ea\u0303n"), ("Nguy\u1ec5n", "NGUY\u00ca\u0303N"), ("Voss-Gro\u00df", "VOSS-GROSS")],
)
def test_a_name_is_found_partly_composed_and_in_capitals_that_are_two(name: str, text: str) -> None:
    assert Renaming(frozenset({name}), "X").text(f"{text} left") == "X left"


def test_a_table_named_after_a_member_loses_the_name(club: EventClub) -> None:
    club.desk.log.add_player(NAMES[0], None)
    club.name_table("table-1", 1, "Guinevere Vane's table")
    club.name_table("table-2", 2, "By the window")
    club.forget_member(1, NAMES[0])
    assert [table.title for table in club.tables.all()] == [f"{FORMER}'s table", "By the window"]
    assert [each.title for each in club_tables(club.store).values()] == [f"{FORMER}'s table", "By the window"]


def test_in_a_script_without_spaces_a_name_is_found_within_a_line() -> None:
    renaming = Renaming(frozenset({"\u738b\u4f1f"}), "X", longer=frozenset({"\u738b\u4f1f\u660e"}))
    assert (
        renaming.text("\u738b\u4f1f\u6765\u665a\u4e86\uff0c\u738b\u4f1f\u660e\u4e5f")
        == "X\u6765\u665a\u4e86\uff0c\u738b\u4f1f\u660e\u4e5f"
    )


async def test_initials_of_paired_matches_go_too(club: EventClub) -> None:
    async with at_work(club):
        number = club.begin(SWISS, "Guinevere Vane", "Gustav Voss")
        await club.pair(number)
        [pairing] = club.published["table-1"]
        club.tell("table-1", replace(pairing, seats=("G.V.", "G.V. (2)")), SECOND_WINS)
        await club.settled()
        before = [(line.player, line.halves) for line in standings(club.event(number))]
        club.forget_member(1, "Guinevere Vane")
        club.desk.forget()
        [held] = club.store.results()
        place = [club.event(number).name(seat) for seat in club.event(number).match(pairing.id).seated.seats].index(
            FORMER
        )
        assert held.outcome.seats == ((FORMER, "G.V. (2)"), ("G.V.", FORMER))[place]
        assert [(line.player, line.halves) for line in standings(club.event(number))] == before
        assert [doubts(club.event(number), match) for _, match in club.event(number).matches()] == [()]


def played(club: EventClub) -> int:
    """Play a round of a Swiss in which the member to be forgotten loses; some of what is kept tells the name."""
    number = club.begin(SWISS, *NAMES)
    club.desk.log.change_player(1, NAMES[0], 2000, PlayerIds("17", "N-4", "1503014"))
    return number


async def in_the_second_round(club: EventClub) -> int:
    """Play a round, tell the next one to the tables, and let the reasons of two deeds have a name in them."""
    number = played(club)
    await club.pair(number)
    for user, pairings in list(club.published.items()):
        for pairing in pairings:
            club.tell(user, pairing, SECOND_WINS, export=b"an export of Guinevere Vane")
    await club.settled()
    held = next(each for each in club.store.results() if NAMES[0] in each.outcome.seats)
    remembered = ProvenMatch(
        names=held.outcome.seats, options={}, throws=(MeasuredThrow(0, 1.0, "6 6", "Guinevere Vane throws", 3),)
    )
    club.store.note_proof(held.receipt, "proven, says guinevere vane", remembered)
    club.correct(held.outcome.match, FIRST_WINS, "Guinevere Vane's flag fell")
    first = club.event(number).match(held.outcome.pairing).seated
    club.desk.write(number, Ruled(pairing=first.id, halves=(2, 0), played=True, why="GUINEVERE VANE left"))
    await club.pair(number)
    return number


async def test_nothing_in_the_folder_has_the_name_afterwards_and_all_else_stays(tmp_path: Path) -> None:
    with opened(tmp_path, 2) as club:
        async with at_work(club):
            number = await in_the_second_round(club)
            before, report = standings(club.event(number)), trf_of(club.event(number)).splitlines()
            doubted = [doubts(club.event(number), match) for _, match in club.event(number).matches()]
            untouched = [each for each in club.store.results() if "Guinevere Vane" not in each.outcome.seats]
            club.store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            assert b"Guinevere Vane" in bytes_of(tmp_path)
            club.forget_member(1, "guinevere  vane")
            club.desk.forget()
            await club.settled()
            event = club.event(number)
            after, told = standings(event), trf_of(event).splitlines()
            assert [replaced(line.name) for line in before] == [line.name for line in after]
            assert [(line.place, line.player, line.halves, line.values) for line in before] == [
                (line.place, line.player, line.halves, line.values) for line in after
            ]
            assert [line for line in report if "Guinevere" not in line] == [line for line in told if FORMER not in line]
            assert [doubts(event, match) for _, match in event.matches()] == doubted
            offered = [seat for pairings in club.published.values() for pairing in pairings for seat in pairing.seats]
            assert sorted(offered) == sorted([FORMER, *NAMES[1:]]), "the tables are told anew"
            gone, kept = sorted(club.store.results(), key=lambda each: FORMER not in each.outcome.seats)
            assert (gone.proof, gone.proof_words) == (Proof.PROVEN, f"proven, says {FORMER}")
            assert gone.remembered is not None
            assert FORMER in gone.outcome.seats
            assert gone.remembered.names == gone.outcome.seats
            assert gone.remembered.throws[0].heading == f"{FORMER} throws"
            assert club.store.export(gone.outcome.match) == b""
            assert [kept] == untouched
            assert club.store.export(kept.outcome.match) == b"an export of Guinevere Vane", "it is none of theirs"
            assert [each.why for each in club.store.corrections()] == [f"{FORMER}'s flag fell"]
            assert [player.name for player in club.desk.log.players()] == sorted(NAMES[1:])
            assert club.desk.log.former_members() == [(1, FORMER)]
        left = bytes_of(tmp_path)
    for word in (b"1503014", b"N-4"):
        assert word not in left
    assert b"guinevere vane" not in left.replace(b"an export of Guinevere Vane", b"").lower()


def replaced(name: str) -> str:
    return FORMER if name == NAMES[0] else name


async def test_a_rating_goes_as_far_as_the_pairing_numbers_allow_it(club: EventClub) -> None:
    async with at_work(club):
        number = played(club)
        seeding = [line.player for line in standings(club.event(number))]
        club.forget_member(1, NAMES[0])
        club.desk.forget()
        assert [line.player for line in standings(club.event(number))] == seeding
        assert club.event(number).entrants[1].rating == 1990, "that of the next, and not their own"
        club.forget_member(4, "Dirk")
        club.desk.forget()
        assert club.event(number).entrants[4].rating is None


def late(pairing: Pairing, *seats: str, rev: int = 1, match: str = SEAL) -> ReportedResult:
    told = outcome(match, rev, pairing=pairing.id, seats=seats, ending=FIRST_WINS, options={"first": seats[0]})
    return ReportedResult("table-1", told, b"an export", NOON_S)


async def test_a_result_that_comes_later_is_kept_without_the_name(club: EventClub) -> None:
    async with at_work(club):
        number = played(club)
        await club.pair(number)
        pairing = next(p for pairings in club.published.values() for p in pairings if NAMES[0] in p.seats)
        other = next(seat for seat in pairing.seats if seat != NAMES[0])
        club.forget_member(1, NAMES[0])
        for match, told, expected in (
            (SEAL, (NAMES[0], other), (FORMER, other)),
            (OTHER, ("G.V.", "C."), (FORMER, "C.")),
            (THIRD, ("Zed", NAMES[0]), ("somebody at seat 1", "somebody at seat 2")),
        ):
            result = late(pairing, *told, match=match)
            assert store_results(club.store, [ToStore(result)] * 2) == [None, None], "told twice, it is no other one"
            assert club.store.result(match).outcome.seats == expected
            assert club.store.result(match).outcome.options == {"first": expected[0]}
            assert club.store.export(match) == b""
        store_results(club.store, [ToStore(late(pairing, NAMES[0], other, rev=2))])
        assert [told.seats for _, told, _ in club.store.revisions(SEAL)] == [(FORMER, other)] * 2
        fine = late(pairing, FORMER, other, match="f" * 64)
        store_results(club.store, [ToStore(fine)])
        assert club.store.export("f" * 64) == b"an export", "the table was told the new name in time"


def test_of_a_match_that_no_pairing_tells_of_the_name_goes_and_goes_again(store: Store) -> None:
    [(first,)] = store.database.execute(
        "INSERT INTO players (name, own_name) VALUES ('Ann', 'Ann'), ('Anna', 'Anna') RETURNING number"
    ).fetchall()[:1]
    for place, seats in enumerate((("Ann", "Anna"), ("ANN", "Ann-Marie"), ("Ann Smith", "Bart"), ("Bart", "ann"))):
        store.add_result("table-1", outcome(f"{place:064}", seats=seats, kinds=("human", "computer")), b"", NOON_S)
    forget_member(store, first, "Ann")
    left = [each.outcome.seats for each in store.results()]
    assert left == [(FORMER, "Anna"), (FORMER, "Ann-Marie"), ("Ann Smith", "Bart"), ("Bart", "ann")]
    store.add_result("table-1", outcome(seats=("Ann", "Anna")), b"", NOON_S)
    with pytest.raises(NotTheirName, match="Anna is another member"):
        forget_member(store, first, "Anna")
    forget_member(store, first, "Ann")
    assert store.result(SEAL).outcome.seats == (FORMER, "Anna")


async def test_of_two_members_of_one_name_the_other_stays(club: EventClub) -> None:
    async with at_work(club):
        log = club.desk.log
        log.add_player("Ann", 1900)
        second = log.add_player("Ann", 1800, is_another=True)
        adding = "INSERT INTO players (name, own_name) VALUES ('ann', 'ann')"
        club.store.database.execute(adding)  # before this was noticed
        number = club.begin(SWISS, "Ann", "Ann (2)", "ann")
        club.store.add_result("table-1", outcome(seats=("Ann", "Ann (2)")), b"", NOON_S)
        club.store.add_result("table-1", outcome(OTHER, seats=("ann", "ANN")), b"", NOON_S)
        with pytest.raises(NotTheirName, match="expected Ann"):
            club.forget_member(1, "Ann (2)")
        club.forget_member(1, "Ann")
        club.desk.forget()
        assert [entrant.name for entrant in club.event(number).entrants.values()] == [FORMER, "Ann (2)", "ann"]
        assert [each.outcome.seats for each in club.store.results()] == [(FORMER, "Ann (2)"), ("ann", FORMER)]
        club.forget_member(second.number, "Ann (2)")
        assert club.store.result(SEAL).outcome.seats == (FORMER, "former member 2")
        log.change_player(3, "Zoe", None)
        assert log.add_player("Ann", None).name == "Ann", "a new member, of whom nothing is kept yet"
        with pytest.raises(NoSuchMember):
            club.forget_member(99, "Ann")


async def test_a_name_set_right_is_forgotten_with_the_one_before(club: EventClub) -> None:
    async with at_work(club):
        number = club.begin(SWISS, "Gwenevere", "Bart")
        await club.pair(number)
        pairing = club.published["table-1"][0]
        club.desk.log.change_player(1, "Guinevere", None)
        club.desk.mend(number, 1)
        assert isinstance(club.desk.log.entries(number)[-1].entry, Mended)
        assert "Guinevere" in club.published["table-1"][0].seats, "the table is told anew"
        await club.play("table-1", FIRST_WINS, replace(pairing, seats=pairing.seats[::-1]))
        [line, _] = standings(club.event(number))
        assert line.name == pairing.seats[1], "seats are found by the name before"
        assert [doubts(club.event(number), match) for _, match in club.event(number).matches()] == [()]
        club.forget_member(1, "Guinevere")
        club.desk.forget()
        [again, _] = standings(club.event(number))
        assert (again.player, again.halves) == (line.player, line.halves)
        assert not any("evere" in body for (body,) in club.store.database.execute("SELECT body FROM event_entries"))


async def test_who_was_taken_off_an_event_and_gave_it_the_title_is_forgotten_there_too(club: EventClub) -> None:
    number = club.begin(SWISS, "Guinevere", "Bart")
    renamed = Revised(made=replace(SWISS, title="Guinevere's cup"), changed="title Swiss → Guinevere's cup")
    club.desk.write(number, renamed, Removed(player=1))
    club.forget_member(1, "Guinevere")
    club.desk.forget()
    assert (club.event(number).made.title, club.event(number).name(1)) == ("former member 1's cup", "former member 1")
    assert not any("evere" in body for (body,) in club.store.database.execute("SELECT body FROM event_entries"))


def test_what_was_found_of_an_export_stays_when_all_are_verified_once_more(store: Store) -> None:
    store.database.execute("INSERT INTO players (name, own_name) VALUES ('Anne', 'Anne')")
    for match in (SEAL, OTHER, THIRD):
        store.add_result("table-1", outcome(match), b"an export", NOON_S)
    facts = ProvenMatch(names=("Anne", "Bart"), options={})
    store.note_proof(1, "proven", facts)
    store.note_proof(2, "damaged")
    forget_member(store, 1, "Anne")
    store.note_proof(3, "Anne is another", facts)  # its verification had begun before
    store.database.execute("UPDATE results SET proof = 'pending'")  # as a step of the schema may do
    found = [(each.proof, each.proof_words) for each in store.results()]
    assert found == [(Proof.PROVEN, "proven"), (Proof.FAILED, "damaged"), (Proof.NONE, "")]
    assert store.to_prove() is None
    assert store.results()[0].remembered == replace(facts, names=(FORMER, "Bart"))


@pytest.mark.parametrize("moment", ["within the transaction", "before the file is rewritten"])
def test_a_server_that_is_killed_meanwhile_leaves_the_old_or_the_new(
    tmp_path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Store(tmp_path)) as store:
        store.database.execute("INSERT INTO players (name, own_name) VALUES ('Guinevere', 'Guinevere')")
        for match in (SEAL, OTHER):
            store.add_result("table-1", outcome(match, seats=("Guinevere", "Bart")), b"", NOON_S)
        store.correct(SEAL, None, "Guinevere left", NOON_S)
    is_new = moment != "within the transaction"
    child = os.fork()
    if not child:
        dying = Store(tmp_path)
        monkeypatch.setattr(dying, "rewrite_file", lambda: os._exit(9))
        if not is_new:
            dying.database.create_function("killed", 0, lambda: os._exit(9))
            trigger = "CREATE TEMP TRIGGER t BEFORE INSERT ON corrections BEGIN SELECT killed(); END"
            dying.database.execute(trigger)  # when the results are changed already
        forget_member(dying, 1, "Guinevere")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    with closing(Store(tmp_path)) as store:
        assert {each.outcome.seats[0] for each in store.results()} == {FORMER if is_new else "Guinevere"}
        assert (b"Guinevere" in bytes_of(tmp_path)) is not is_new


def test_a_file_of_before_members_were_told_apart_keeps_its_players(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / FILE, STEPS[:5])) as database:
        database.execute("INSERT INTO players (name, rating) VALUES ('Anne', 1800), ('Bart', NULL), ('Cleo', NULL)")
        database.execute("DELETE FROM players WHERE name = 'Cleo'")
    with closing(Store(tmp_path)) as store:
        log = ClubEventLog(store, lambda: "p-")
        log.add_player("Anne", None, is_another=True)
        assert [(player.number, player.name, player.rating) for player in log.players()] == [
            (1, "Anne", 1800),
            (4, "Anne (4)", None),
            (2, "Bart", None),
        ]
