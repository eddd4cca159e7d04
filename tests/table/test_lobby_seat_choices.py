"""What each player chooses in the lobby: a piece of Crowns, of those kept and the roster; a pirate name (N2)."""

from collections.abc import Sequence

import pytest

from captains_table.games.contract import BadOption, Choice
from captains_table.games.crowns.designs import roster
from captains_table.games.crowns.state import PIECES
from captains_table.games.swashbuckle.options import PIRATE_NAMES
from captains_table.table.lobby.match_setup import Start
from tests.support.crowns_play import KNIGHT
from tests.support.lobby_guest import Guest

FERRIS = Choice(KNIGHT, "Ferris")


def kept(collection: str) -> Sequence[Choice]:
    return [FERRIS] if collection == PIECES else []


def ready(count: int = 2) -> Guest:
    """Return somebody who has seated so many players of Crowns, by the knob."""
    guest = Guest(known=["Anne", "Bart", "Cleo"], kept=kept).enter().choose("New").choose("Crowns")
    guest.choose(f"{count} players")
    for name in ("Anne", "Bart", "Cleo")[:count]:
        guest.choose(name)
    return guest


@pytest.mark.parametrize("count", [2, 3])
def test_everybody_who_plays_and_nobody_else_is_offered_a_piece(count: int) -> None:
    lines = [line for line in ready(count).lines if line.startswith("Piece")]
    assert lines == [f"Piece {seat}" for seat in range(1, count + 1)]


def test_the_next_of_the_roster_comes_first_then_what_is_kept_then_the_roster() -> None:
    anne = ready().choose("Piece 2")
    assert anne.prompt == "Piece 2, Bart? Usually the next of the roster"
    names = [design.name for design in roster()]
    assert anne.lines == ["the next of the roster", "Ferris", *names, "Back"]


def test_a_piece_chosen_by_the_knob_is_written_out_in_the_match_and_the_usual_one_is_not() -> None:
    anne = ready().choose("Piece 2").choose("Ferris")
    assert anne.under_cursor == anne.prompt == "Piece 2, Bart: Ferris"
    anne.choose("Piece 1").choose(roster()[3].name).choose("Begin")
    assert anne.request == Start("crowns", ("Anne", "Bart"), {"piece1": str(roster()[3]), "piece2": KNIGHT})
    anne = ready().choose("Piece 1").choose("Ferris").choose("Piece 1, Anne: Ferris").choose("the next of the roster")
    assert anne.choose("Begin").request == Start("crowns", ("Anne", "Bart"))


def test_what_is_saved_while_the_lobby_is_open_is_offered_at_once() -> None:
    shelf: list[Choice] = []
    anne = Guest(known=["Anne", "Bart"], kept=lambda _: shelf).enter().choose("New").choose("Crowns")
    anne.choose("2 players").choose("Anne").choose("Bart")
    shelf.append(FERRIS)
    assert "Ferris" in anne.choose("Piece 1").lines


def test_a_piece_that_the_game_refuses_leads_to_the_player_who_chose_it() -> None:
    anne = ready()
    anne.lobby.refuse(BadOption("piece2: the wood is rotten", "piece2"))
    assert anne.prompt == "piece2: the wood is rotten"
    assert "Ferris" in anne.lines


# --- pirate names in Swashbuckle: docs/rules/swashbuckle.md N2 -------------------------------------------------------


def pirates() -> Guest:
    """Return somebody who has seated two players of Swashbuckle, by the knob."""
    guest = Guest(known=["Anne", "Bart"]).enter().choose("New").choose("Swashbuckle")
    guest.choose("2 players").choose("Anne").choose("Bart")
    assert not [line for line in guest.lines if "irate" in line], "without penalties nobody needs one"
    return guest.choose("A penalty costs: 0").choose("1")


def test_a_pirate_name_is_chosen_from_a_list_by_the_knob_for_everybody_who_plays() -> None:
    anne = pirates()
    assert [entry.id for entry in anne.view.menu.entries if "pirate" in entry.id] == [
        "change-pirate1",
        "change-pirate2",
    ]
    anne.choose("Pirate name 2")
    assert anne.lines == ["none", *PIRATE_NAMES, "Spell it", "Back"]
    anne.choose("Rumcask")
    assert anne.prompt == "Pirate name 2, Bart: Rumcask"
    anne.choose("Pirate name 1").choose(PIRATE_NAMES[0])
    anne.choose("Pirate name 1").choose("none")
    assert anne.choose("Begin").request == Start(
        "swashbuckle", ("Anne", "Bart"), {"penalty": "1", "pirate2": "Rumcask"}
    )


def test_a_pirate_name_is_spelled_letter_by_letter() -> None:
    anne = pirates().choose("Pirate name 1").choose("Spell it")
    for letter in ("O", "l", "d"):
        anne.pick(f"letter-{letter}")
    assert anne.prompt == "Pirate name 1, Anne: Old_"
    anne.pick("done")
    assert anne.choose("Begin").request == Start("swashbuckle", ("Anne", "Bart"), {"penalty": "1", "pirate1": "Old"})


def test_a_pirate_name_that_another_player_has_leads_back_to_the_player_who_chose_it() -> None:
    anne = pirates().choose("Pirate name 1").choose("Rumcask").choose("Pirate name 2").choose("Rumcask").choose("Begin")
    assert anne.request is None
    assert anne.prompt.startswith("pirate1=Rumcask: somebody else is called so")
