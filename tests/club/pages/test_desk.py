"""What an arbiter does fifty times an evening, by the pages' forms: ticks, lists, byes ahead, rounds by hand."""

import re
from pathlib import Path

import pytest

from captains_table.club.events.entries import Made, System, TieBreak
from tests.club.pages.test_arbiter import ALL_MEET, FORM, SWISS, Desk, at_the_desk

MEMBERS = "\n".join(f"Member {number:02}, {2000 - 7 * number}" for number in range(1, 41))


async def ticked(desk: Desk, path: str) -> list[str]:
    """Return the numbers of the members whose box is ticked on a page."""
    return re.findall(r'name="player-(\d+)" value="yes" checked', await desk.get(path))


async def test_forty_members_are_entered_and_told_who_plays_whom_with_few_presses(tmp_path: Path) -> None:
    """Each request here is one press: docs/club.md counts them."""
    async with at_the_desk(tmp_path) as desk:
        await desk.post("/arbiter/players/several", list=MEMBERS)
        presses = [await desk.get("/arbiter"), await desk.get("/arbiter/new?game=captains-chess")]
        path = await desk.post("/arbiter/new", **FORM)
        chosen = await ticked(desk, f"{path}?tick=all")
        assert len(chosen) == 40
        await desk.post(f"{path}/enter", **{f"player-{number}": "yes" for number in chosen})
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/publish")
        presses += ["make", "tick all", "take part", "pair", "tell"]
        assert len(presses) <= 12
        assert sum(map(len, desk.club.published.values())) == 20


async def test_who_played_last_time_is_ticked_by_one_press_and_members_may_be_seen_by_rating(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        before = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne', 'Bart', 'Cleo', 'Eve')}"
        await desk.post(f"{before}/withdraw", player="4")
        await desk.post(f"{before}/pair")
        await desk.post(f"{before}/publish")
        await desk.club.play_all()
        await desk.post(f"{before}/pair")
        desk.club.begin(SWISS, "Zacharias")
        for name, rating in (("Dirk", 2400), ("Zora", None)):
            desk.club.desk.log.add_player(name, rating)
        path = await desk.post("/arbiter/new", **FORM)
        assert await ticked(desk, path) == []
        assert await ticked(desk, f"{path}?tick=last") == ["1", "2", "3"]
        assert sorted(await ticked(desk, f"{path}?tick=all")) == ["1", "2", "3", "4", "5", "6", "7"]
        await desk.reads(f"{path}?by=rating", "By name")
        assert await ticked(desk, f"{path}?by=rating&player-2=yes") == ["2"], "a tick stays"
        order = re.findall(r"<bdi>(\w+)</bdi>", (await desk.get(f"{path}?by=rating")).split('<ul class="ticks">')[1])
        assert order[0] == "Dirk"
        assert order[-1] == "Zora"


async def test_a_list_is_entered_straight_into_an_event_all_of_it_or_nothing(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne', 'Bart')}"
        await desk.post(f"{path}/enter-list", list="Bart\nCleo, 1500\n\nDirk")
        entrants = desk.club.event(1).entrants.values()
        assert [(each.name, each.rating) for each in entrants][2:] == [("Cleo", 1500), ("Dirk", None)]
        await desk.refused(400, f"{path}/enter-list", "Line 2", list="Zora\nFloor, strong")
        await desk.refused(409, f"{path}/enter-list", "All of these take part already", list="Anne\nBart")
        assert "Zora" not in await desk.get("/arbiter/players")


async def test_a_list_is_taken_as_it_stands_in_a_letter_or_a_spreadsheet(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne Bonny')}"
        lines = "Name; Elo\n1. anne bonny, 1810\n2) Bart; 1700\n\t\n3\tCleo\t1600\nDirk\n4;Read, Mary;1500\nBART"
        lines += '\n"Vane, Jack",1400\n7. Eve Teach 1550'
        shown = await desk.post(f"{path}/enter-list", list=lines)
        rated = [(each.name, each.rating) for each in desk.club.event(1).entrants.values()]
        others = [("Eve Teach", 1550), ("Read, Mary", 1500), ("Vane, Jack", 1400)]
        assert rated == [("Anne Bonny", 2000), ("Bart", 1700), ("Cleo", 1600), ("Dirk", None), *others]
        await desk.reads(shown, '<ul class="done" role="status"><li>Bart entered.</li>')
        wrong = await desk.refused(400, f"{path}/enter-list", "'strong' is no rating", list="Zora\nFloor; strong")
        assert "Zora\nFloor; strong</textarea>" in wrong, "what was typed stays"
        known = await desk.post("/arbiter/players/several", list="dirk\nZora\nYann; 1200")
        await desk.reads(known, "2 of 3 are new on the list.")


async def test_half_points_for_missed_rounds_are_given_at_entry(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne', 'Bart', 'Cleo', 'Dirk')}"
        await desk.post(f"{path}/pair")
        await desk.reads(path, "Half a point each for so many of the rounds missed")
        await desk.refused(400, f"{path}/enter-list", "is no number of missed rounds", list="Zora", halves="2")
        wrong = await desk.refused(400, f"{path}/enter-list", "is no rating", list="Zora; x", halves="1")
        assert 'max="1" value="1"' in wrong, "what was typed stays"
        await desk.post("/arbiter/players", name="Yann")
        await desk.reads(f"{path}?tick=all&halves=1", 'max="1" value="1"')
        await desk.post(f"{path}/enter-list", list="Zora", halves="1")
        await desk.reads(path, "Zora entered, with half a point for rounds missed: 1")


async def test_byes_are_asked_for_rounds_ahead_and_taken_back(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne', 'Bart', 'Cleo', 'Dirk')}"
        await desk.post(f"{path}/sit-out", player="1", round="3", half="yes")
        await desk.post(f"{path}/sit-out", player="1", round="2")
        await desk.reads(path, "sits out round 2, 3 for ½", "Plays round 3 after all", lacks=["Sits out round 1"])
        await desk.reads("/events/1", "Sits out round 2: Anne.", "Sits out round 3: Anne.")
        await desk.post(f"{path}/sit-in", player="1", round="2")
        await desk.reads(path, "sits out round 3 for ½", "Anne plays round 2 after all")
        await desk.refused(400, f"{path}/sit-out", "is no round to come", player="1", round="4")


async def test_an_ended_event_is_opened_again_only_if_that_is_said_twice(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne', 'Bart', 'Cleo', 'Dirk')}"
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/end", why="by mistake")
        desk.club.desk.forget()
        assert desk.club.desk.going_on() == ()
        await desk.refused(409, f"{path}/reopen", "tick that it shall go on")
        await desk.post(f"{path}/reopen", sure="yes", why="one press too many")
        desk.club.desk.forget()
        assert [held.number for held in desk.club.desk.going_on()] == [1]
        await desk.reads(path, "The event was opened again (one press too many)", "Tell round 1")


async def test_who_leaves_a_round_robin_early_is_asked_about(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(ALL_MEET, 'Anne', 'Bart', 'Cleo', 'Dirk', 'Eve')}"
        await desk.post(f"{path}/withdraw", player="5", why="before the first round")
        await desk.post(f"{path}/return", player="5")
        await desk.post(f"{path}/pair")
        await desk.reads(path, "Less than half of the matches are played")
        await desk.refused(409, f"{path}/withdraw", "say whether they count", player="1")
        await desk.post(f"{path}/withdraw", player="1", count="annul", why="moved away")
        await desk.reads(path, "Anne withdrew: the matches played count for nobody (moved away)")
        await desk.reads("/events/1", "<bdi>Anne</bdi> left before half of the matches: what was played counts for")
        await desk.post(f"{path}/withdraw", player="2", count="keep")
        await desk.reads(path, "Bart withdrew: the matches played count, and the others are lost")


async def test_matches_that_are_not_played_are_shown_to_everybody_too(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(ALL_MEET, 'Anne', 'Bart', 'Cleo', 'Dirk')}"
        await desk.post(f"{path}/withdraw", player="1")
        await desk.post(f"{path}/pair")
        page = " ".join((await desk.get("/events/1")).split())
        assert '<td>–</td> <td class="words"><bdi>Anne</bdi></td><td>- : +</td>' in page  # noqa: RUF001 - a dash


async def test_who_was_entered_by_mistake_is_taken_off_and_may_come_again(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(ALL_MEET, 'Anne', 'Bart', 'Cleo', 'Dirk', 'Eve')}"
        await desk.post(f"{path}/withdraw", player="5")
        done = await desk.post(f"{path}/remove", player="5")
        await desk.reads(done, "<li>Eve was entered by mistake, and is taken off.</li>", "Eve withdrew", "3 rounds")
        await desk.post(f"{path}/enter", **{"player-5": "yes"})
        await desk.post(f"{path}/remove", player="5")
        await desk.post(f"{path}/pair")
        assert all(match.seated.board for match in desk.club.event(1).rounds[0].matches)
        await desk.reads(path, lacks=["Was entered by mistake"])
        await desk.refused(409, f"{path}/remove", "Anne cannot be taken off", player="1")


async def test_settings_are_changed_and_those_that_pairings_rest_on_only_before_them(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = await desk.post("/arbiter/new", **FORM, **{"tie-break-1": "wins", "option-clock": "5+3"})
        await desk.reads(
            f"{path}/settings", 'value="T"', "Change them", '<option value="wins" selected>', 'value="5+3"'
        )
        changed = {"title": "Spring", "rounds": "4", "colour": "black", "tie-break-1": "buchholz", "place": "Kiel"}
        done = await desk.post(f"{path}/settings", **changed, **{"option-clock": "10+5"})
        await desk.reads(
            done,
            "The settings were changed: title T → Spring, rounds 5 → 4, place – → Kiel",  # noqa: RUF001 - a dash
            "colour white → black, clock 5+3 → 10+5, tie break 1 wins → buchholz",
            lacks=["cycles 5"],
        )
        await desk.refused(400, f"{path}/settings", "Nothing was changed", **changed)
        made = desk.club.event(1).made
        assert (made.title, made.rounds, made.number_one_begins, made.place) == ("Spring", 4, False, "Kiel")
        assert (made.tie_breaks, made.options) == ((TieBreak.BUCHHOLZ,), {"clock": "10+5"})
        await desk.post(f"{path}/enter-list", list="Anne\nBart\nCleo\nDirk")
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/settings", title="Summer", rounds="2", forfeit_min="15")
        await desk.refused(400, f"{path}/settings", "number one begins of 'Summer' cannot", colour="white")
        page = await desk.refused(400, f"{path}/settings", "is no number of rounds", title="Autumn", rounds="0")
        assert 'value="Autumn"' in page
        await desk.refused(400, f"{path}/settings", "1 to 64 characters", title=" ")
        desk.club.desk.forget()
        made = desk.club.event(1).made
        assert (made.title, made.rounds, made.forfeit_min) == ("Summer", 2, 15)


async def test_an_event_is_deleted_only_as_long_as_no_round_was_paired(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne', 'Bart')}"
        await desk.refused(409, f"{path}/delete", "shall be deleted")
        assert await desk.post(f"{path}/delete", sure="yes") == "/arbiter"
        await desk.get(path, 404)
        await desk.get("/events/1", 404)
        path = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne', 'Bart')}"
        assert path.endswith("/2"), "its number is not used again"
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/drop")
        await desk.reads(path, lacks=["Delete it"])
        await desk.refused(409, f"{path}/delete", "end it instead", sure="yes")
        await desk.post(f"{path}/end")


async def test_no_two_members_have_one_number(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        await desk.post("/arbiter/players", name="Anne", fide_id="42")
        await desk.post("/arbiter/players", name="Bart", club_number="42")
        page = await desk.refused(
            409, "/arbiter/players/2", "Anne has the number 42 already", name="Bartholomew", fide_id="42"
        )
        assert 'value="Bartholomew"' in page, "what was typed stays"
        assert "This is another member" not in page


async def test_a_result_of_an_event_counts_at_once_though_it_overlaps_another_of_its_table(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(SWISS, *(f'Player {number}' for number in range(8)))}"
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/publish")
        await desk.club.play_all()
        kept = desk.club.store.results(1)
        assert len(kept) == 4
        assert not any(each.is_held for each in kept)


async def test_a_round_is_paired_by_hand_and_what_it_breaks_is_said_first(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne', 'Bart', 'Cleo', 'Dirk')}"
        pairs = {"seat-1-1": "1", "seat-1-2": "2", "seat-2-1": "3", "seat-2-2": "4"}
        await desk.post(f"{path}/pair")
        await desk.reads(f"{path}/by-hand", "Round 1 by hand", '<option value="1" selected>Anne</option>')
        await desk.post(f"{path}/by-hand", **pairs)
        await desk.reads(path, "Round 1 was taken back", "Round 1 was paired by hand")
        await desk.post(f"{path}/publish")
        await desk.club.play_all()
        page = await desk.refused(409, f"{path}/by-hand", "Anne and Bart have met already", **pairs)
        assert "Round 2 by hand" in page
        assert len(desk.club.event(1).rounds) == 1
        await desk.post(f"{path}/by-hand", **pairs, sure="yes")
        await desk.reads(path, "Round 2 was paired by hand (Anne and Bart have met already; Cleo and Dirk have met")
        await desk.refused(409, f"{path}/by-hand", "Anne is paired twice", **(pairs | {"seat-2-2": "1"}))


async def test_a_round_that_has_begun_is_not_paired_by_hand(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        path = f"/arbiter/events/{desk.club.begin(SWISS, 'Anne', 'Bart', 'Cleo', 'Dirk')}"
        await desk.post(f"{path}/pair")
        await desk.post(f"{path}/publish")
        await desk.club.play("table-1", None)
        await desk.refused(409, f"{path}/by-hand", "has matches without a result", **{"seat-1-1": "1", "seat-1-2": "2"})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"tie-break-1": "elo"}, "Choose tie-breaks of the list"),
        ({"tie-break-1": "wins", "tie-break-2": "wins"}, "is chosen twice"),
        ({"tie-break-1": "buchholz", "system": "round-robin", "cycles": "1"}, "have no Buchholz in a round robin"),
        ({"colour": "red"}, "is no colour of number 1"),
    ],
)
async def test_tie_breaks_and_colours_that_cannot_be_are_refused(
    changed: dict[str, str], words: str, tmp_path: Path
) -> None:
    async with at_the_desk(tmp_path) as desk:
        await desk.refused(400, "/arbiter/new", words, **(FORM | changed))


async def test_tie_breaks_are_chosen_in_their_order_and_the_colour_is_drawn(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        chosen = {"tie-break-1": "wins", "tie-break-2": "", "tie-break-3": "buchholz"}
        for colour in ("white", "black", *["drawn"] * 30):
            await desk.post("/arbiter/new", **FORM, **chosen, colour=colour)
        made: list[Made] = [held.event.made for held in reversed(desk.club.desk.events())]
        assert made[0].tie_breaks == (TieBreak.WINS, TieBreak.BUCHHOLZ)
        assert [each.number_one_begins for each in made[:2]] == [True, False]
        assert {each.number_one_begins for each in made[2:]} == {True, False}
        assert [each.is_drawn for each in made] == [False, False, *[True] * 30]
        await desk.reads("/arbiter/events/3", "in round 1 by lot")
        await desk.reads("/arbiter/events/1", "WIN: Wins, BH: Buchholz")


async def test_too_many_rounds_for_the_players_are_warned_of(tmp_path: Path) -> None:
    async with at_the_desk(tmp_path) as desk:
        many = Made(title="Few", game="captains-chess", system=System.SWISS, rounds=4)
        path = f"/arbiter/events/{desk.club.begin(many, 'Anne', 'Bart', 'Cleo', 'Dirk')}"
        await desk.reads(path, "4 players over 4 rounds")
        await desk.post(f"{path}/enter-list", list="Eve")
        await desk.reads(path, lacks=["players over"])
