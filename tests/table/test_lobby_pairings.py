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


def test_a_pairing_that_was_begun_is_gone_on_with_and_offered_once_if_it_is_the_match_that_was_left() -> None:
    begun = ClubPairing(PAIRED.heading, PAIRED.start, begun=4)
    guest = at_club(ENCODER, begun).enter()
    assert guest.prompt == "Round 2, Legend: go on"
    guest.press(Button.CHOOSE)
    assert guest.request == Resume(4)
    guest = at_club(ENCODER, begun).enter(left=4)
    assert guest.lines[0] == "Back to the match"
    assert not any(line.startswith("Round") for line in guest.lines)


def ids(lobby: Lobby) -> list[str]:
    return [option.id for option in lobby.view(View()).options]


def test_a_pairing_that_comes_while_the_lobby_is_open_is_offered_at_once_and_a_cursor_that_was_moved_stays() -> None:
    unmoved, guest = (at_club().enter(last=Start("swashbuckle", ("Anne",))) for _ in range(2))
    unmoved.lobby.offer([PAIRED])
    assert unmoved.under_cursor == "Anne, Bart"
    guest.press(Button.NEXT)
    assert guest.under_cursor == "New"
    guest.lobby.offer([PAIRED])
    assert ids(guest.lobby)[:2] == ["pairing-7", "rematch"]
    assert guest.under_cursor == "New"
    guest.lobby.offer([])
    assert ids(guest.lobby)[0] == "rematch"
    closed = Lobby(ENCODER)
    closed.offer([PAIRED])
    assert not closed.is_open


def test_a_pairing_does_not_disturb_a_player_choosing_another_match() -> None:
    guest = at_club().enter()
    guest.pick("new").pick("game-swashbuckle")
    guest.lobby.offer([PAIRED])
    assert ids(guest.lobby)[0].startswith("players-")
    guest.pick("back").pick("back")
    assert ids(guest.lobby)[0] == "pairing-7"


# --- the arbiter ----------------------------------------------------------------------------------------------------


def asked_in_menu(club: ClubState | None, picked: str, *, in_match: bool = True) -> Request | None:
    """Return what the table's own menu asks for by a line of it; nothing where it has no such line."""
    lobby = Lobby(ENCODER)
    if not in_match:
        lobby.open(Guest().context)
    lobby.open_table("", in_match=in_match, club=club, meanings={})
    return lobby.handle(Answered(Pick(picked)), 0) if picked in ids(lobby) else None


@pytest.mark.parametrize(
    ("club", "picked", "in_match", "request_"),
    [
        (ClubState(), "table-arbiter", True, CallArbiter(wanted=True)),
        (ClubState(calls_arbiter=True), "table-arbiter", True, CallArbiter(wanted=False)),
        (ClubState(), "table-arbiter", False, CallArbiter(wanted=True)),
        (None, "table-arbiter", True, None),
        (ClubState(is_paired=True), "table-give-up", True, GiveUp()),
        (ClubState(), "table-give-up", True, None),
    ],
)
def test_a_table_of_a_club_calls_its_arbiter_or_sends_them_away_and_gives_a_paired_match_up(
    club: ClubState | None, picked: str, request_: Request | None, *, in_match: bool
) -> None:
    assert asked_in_menu(club, picked, in_match=in_match) == request_
