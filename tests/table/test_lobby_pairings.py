"""The club's pairings in the lobby, and its arbiter in the table's own menu."""

from dataclasses import replace

import pytest

from captains_table.games.contract import Pick
from captains_table.table.lobby.lobby import Lobby
from captains_table.table.lobby.match_setup import CallArbiter, ClubPairing, ClubState, GiveUp, Request, Resume, Start
from captains_table.table.model.events import Answered, Button
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import View
from tests.support.lobby_guest import EARLIER, ENCODER, ONE_BUTTON, Guest

START = Start("legend", ("Anne", "Bart"), {"rounds": "1"}, "7")
PAIRED = ClubPairing("Round 2", START)
OTHER = ClubPairing("Round 2", Start("captains-chess", ("Cora", "aether:3"), {}, "8"))


def at_club(buttons: Settings = ENCODER, *paired: ClubPairing, **known: object) -> Guest:
    guest = Guest(buttons, left=EARLIER if known else ())
    guest.context = replace(guest.context, paired=paired, club=ClubState())
    return guest


@pytest.mark.parametrize("buttons", [ENCODER, ONE_BUTTON], ids=["encoder", "one button"])
def test_a_pairing_is_offered_first_and_one_press_begins_it(buttons: Settings) -> None:
    guest = at_club(buttons, PAIRED, OTHER).enter(last=Start("swashbuckle", ("Anne",)))
    assert [option.label for option in guest.view.options][:2] == [
        "Round 2: Anne \u2013 Bart",
        "Round 2: Cora \u2013 aether:3",
    ]
    assert guest.lines[0] == "Anne, Bart"
    assert guest.prompt == "Round 2, Legend"
    guest.press(*((Button.ROLL, 700) if guest.is_one else (Button.CHOOSE, 100)))
    assert guest.request == START


def test_a_pairing_that_was_begun_is_gone_on_with() -> None:
    guest = at_club(ENCODER, ClubPairing(PAIRED.heading, PAIRED.start, begun=4)).enter()
    assert guest.prompt == "Round 2, Legend: go on"
    guest.press(Button.CHOOSE)
    assert guest.request == Resume(4)


def test_the_match_that_was_left_is_offered_once() -> None:
    guest = at_club(ENCODER, ClubPairing(PAIRED.heading, PAIRED.start, begun=4)).enter(left=4)
    assert guest.lines[0] == "Back to the match"
    assert not any(line.startswith("Round") for line in guest.lines)


def ids(lobby: Lobby) -> list[str]:
    return [option.id for option in lobby.view(View()).options]


def test_a_pairing_that_comes_while_the_lobby_is_open_is_offered_at_once_and_the_cursor_stays() -> None:
    guest = at_club().enter(last=Start("swashbuckle", ("Anne",)))
    guest.press(Button.NEXT)
    assert guest.under_cursor == "New"
    guest.lobby.offer([PAIRED])
    assert ids(guest.lobby)[:2] == ["pairing-7", "rematch"]
    assert guest.under_cursor == "New"
    guest.lobby.offer([])
    assert ids(guest.lobby)[0] == "rematch"


def test_where_the_cursor_was_not_moved_a_new_pairing_is_under_it() -> None:
    guest = at_club().enter(last=Start("swashbuckle", ("Anne",)))
    guest.lobby.offer([PAIRED])
    assert guest.under_cursor == "Anne, Bart"


def test_a_pairing_comes_before_the_question_which_game_that_a_new_table_asks() -> None:
    guest = at_club()
    guest.lobby.open(guest.context, is_first=True)
    assert ids(guest.lobby)[0] == "game-legend"
    guest.lobby.offer([PAIRED])
    assert ids(guest.lobby)[0] == "pairing-7"


def test_a_pairing_does_not_disturb_a_player_choosing_another_match() -> None:
    guest = at_club().enter()
    guest.pick("new").pick("game-swashbuckle")
    guest.lobby.offer([PAIRED])
    assert ids(guest.lobby)[0].startswith("players-")
    guest.pick("back").pick("back")
    assert ids(guest.lobby)[0] == "pairing-7"


def test_a_pairing_changes_nothing_while_no_lobby_is_open() -> None:
    lobby = Lobby(ENCODER)
    lobby.offer([PAIRED])
    assert not lobby.is_open


# --- the arbiter ----------------------------------------------------------------------------------------------------


def asked_in_menu(club: ClubState | None, picked: str, *, in_match: bool = True) -> Request | None:
    lobby = Lobby(ENCODER)
    if not in_match:
        lobby.open(Guest().context)
    lobby.open_table("", in_match=in_match, club=club)
    assert picked in ids(lobby)
    return lobby.handle(Answered(Pick(picked)), 0)


def test_an_arbiter_is_called_in_the_tables_own_menu_and_sent_away_there() -> None:
    assert asked_in_menu(ClubState(), "table-arbiter") == CallArbiter(wanted=True)
    assert asked_in_menu(ClubState(calls_arbiter=True), "table-arbiter") == CallArbiter(wanted=False)
    assert asked_in_menu(ClubState(), "table-arbiter", in_match=False) == CallArbiter(wanted=True)


def test_only_a_paired_match_is_given_up() -> None:
    assert asked_in_menu(ClubState(is_paired=True), "table-give-up") == GiveUp()
    with pytest.raises(AssertionError):
        asked_in_menu(ClubState(), "table-give-up")


def test_a_table_without_a_club_has_no_arbiter() -> None:
    with pytest.raises(AssertionError):
        asked_in_menu(None, "table-arbiter")
