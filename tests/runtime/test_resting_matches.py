"""Challenge sheets at a table at work: they rest, are listed under whom they wait for, and are taken up again.

docs/rules/swashbuckle.md N1; and what phones may call at any time (N2).
"""

from captains_table.games.contract import PickAsk
from captains_table.runtime.table import Table
from captains_table.table.lobby.match_setup import Start
from captains_table.table.model.events import Button
from tests.runtime.seat_guests import Evening, pick, refused
from tests.support.service_at_work import answer, press

CHALLENGE = {"challenge": "true"}
WAITING = "Waiting for Bart"


def play_sixteen_turns(table: Table) -> None:
    """Throw whatever is due, and fill what the table lists first, until somebody else is waited for."""
    while table.view().heading != WAITING:
        ask = table.view().ask
        if isinstance(ask, PickAsk):
            ids = [option.id for option in ask.options if option.id != "throw-again"]
            answer(table, "no-curse" if "no-curse" in ids else ids[0])
        else:
            press(table, Button.ROLL)


async def test_a_challenge_sheet_rests_while_others_play_and_is_taken_up_by_the_player_it_waits_for(
    at: Evening,
) -> None:
    table = at.table
    table.matches.new_match("swashbuckle", ["Anne", "Bart"], CHALLENGE)
    play_sixteen_turns(table)
    view = table.view()
    assert (view.heading, view.seat, view.prompt[0]) == (WAITING, 1, "Bart: take up your sheet")
    score = view.seats[0].tallies["total"]
    table.matches.new_match("ship-captain-crew", ["Cora"], {"order": "seated"})
    [current, resting, _] = table.matches.listed()
    assert (current.how_far, resting.how_far, resting.outcome) == ("", WAITING, None)
    assert table.matches.listed()[:2] == [current, resting], "looked up once, and said again"
    table.matches.resume(2)
    assert table.view().heading == WAITING
    assert refused(await at.answer(at.key(0), pick("take-up")), "Anne is not")
    assert (await at.answer(at.key(1), pick("take-up"))).status_code == 204
    view = table.view()
    assert (view.heading, view.seat, view.seats[0].tallies["total"]) == ("Turn 1 of 16", 1, score)


def test_a_rematch_in_which_the_first_named_begins_moves_pirate_names_on_with_their_players(table: Table) -> None:
    names = ["Anne", "Bart", "Cora"]
    table.matches.new_match("swashbuckle", names, {"order": "seated", "pirate1": "Gullfoot", "pirate3": "Rumcask"})
    expected = {"order": "seated", "pirate2": "Rumcask", "pirate3": "Gullfoot"}
    assert table.archive.last_start() == Start("swashbuckle", ("Bart", "Cora", "Anne"), expected)


async def test_a_phone_calls_a_penalty_at_any_turn_and_only_the_called_player_answers(at: Evening) -> None:
    at.table.matches.new_match("swashbuckle", ["Anne", "Bart", "Cora"], {"order": "seated", "penalty": "2"})
    page = await at.ask("GET", f"/seat?key={at.key(2)}")
    assert 'data-pick="penalty-1"' in page.text
    assert refused(await at.answer(at.key(2), pick("agree")), "Cora is not")
    assert (await at.answer(at.key(2), pick("penalty-1"))).status_code == 204
    view = at.table.view()
    assert view.seat == 1
    assert isinstance(view.ask, PickAsk)
    assert refused(await at.answer(at.key(0), pick("agree")), "Anne is not: Bart is to act now")
    assert (await at.answer(at.key(1), pick("agree"))).status_code == 204
    assert at.table.view().seats[1].tallies["total"] == -2
    assert at.table.view().seat == 0
