"""Pirate names in the lobby: beside each name, chosen from a list or spelled (docs/rules/swashbuckle.md N2)."""

from captains_table.games.swashbuckle.options import PIRATE_NAMES
from captains_table.table.lobby.match_setup import Start
from tests.support.lobby_guest import Guest


def ready() -> Guest:
    """Return somebody who has seated two players of Swashbuckle, by the knob."""
    guest = Guest(known=["Anne", "Bart"]).enter().choose("New").choose("Swashbuckle")
    return guest.choose("2 players").choose("Anne").choose("Bart")


def test_everybody_who_plays_and_nobody_else_may_have_one() -> None:
    listed = [entry.id for entry in ready().view.menu.entries if "pirate" in entry.id]
    assert listed == ["change-pirate1", "change-pirate2"]


def test_one_is_chosen_from_a_list_by_the_knob() -> None:
    anne = ready().choose("Pirate name 2")
    assert anne.lines == ["none", *PIRATE_NAMES, "Spell it", "Back"]
    anne.choose("Rumcask")
    assert anne.prompt == "Pirate name 2, Bart: Rumcask"
    assert anne.choose("Begin").request == Start("swashbuckle", ("Anne", "Bart"), {"pirate2": "Rumcask"})


def test_one_is_spelled_letter_by_letter() -> None:
    anne = ready().choose("Pirate name 1").choose("Spell it")
    for letter in ("O", "l", "d"):
        anne.pick(f"letter-{letter}")
    assert anne.prompt == "Pirate name 1, Anne: Old_"
    anne.pick("done")
    assert anne.choose("Begin").request == Start("swashbuckle", ("Anne", "Bart"), {"pirate1": "Old"})


def test_one_that_somebody_is_called_by_leads_back_to_whoever_chose_it() -> None:
    anne = ready().choose("Pirate name 1").choose("Rumcask").choose("Pirate name 2").choose("Rumcask").choose("Begin")
    assert anne.request is None
    assert anne.prompt.startswith("pirate1=Rumcask: somebody else is called so")


def test_none_is_not_written_down() -> None:
    anne = ready().choose("Pirate name 1").choose("Rumcask").choose("Pirate name 1").choose("none")
    assert anne.choose("Begin").request == Start("swashbuckle", ("Anne", "Bart"))
