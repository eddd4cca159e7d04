"""Computers in the lobby: offered where others play, seated at a level, and called by their titles."""

from collections.abc import Sequence

from captains_table.table.lobby.match_setup import ComputerPlayer, LobbyContext, Start
from captains_table.table.model.events import Button
from tests.support.lobby_guest import Guest, Memory

LEVELS = {1: "beginner", 2: "fair", 3: "strong"}
AETHER = ComputerPlayer("aether", "Aether", LEVELS, usual=2)
EURUS = ComputerPlayer("eurus", "Eurus", LEVELS, usual=2)


def guest(known: Sequence[str] = ()) -> Guest:
    """Return somebody in the lobby of a table at which computers play."""
    someone = Guest(known=known)
    games = someone.context.games
    someone.context = LobbyContext(games, Memory(list(known)), rivals={"legend": [AETHER], "swashbuckle": [EURUS]})
    return someone


def test_a_computer_is_offered_after_names_and_spelling_and_its_usual_level_is_under_the_cursor() -> None:
    anne = guest(["Anne", "Bart"]).enter().pick("new").pick("game-legend").pick("players-2")
    assert anne.lines == ["Anne", "Bart", "Another name", "Aether", "Back"]
    anne.choose("Anne")
    assert anne.lines == ["Bart", "Another name", "Aether", "Back"]
    anne.choose("Aether")
    assert anne.prompt == "Aether: which level?"
    assert anne.lines == ["1: beginner", "2: fair", "3: strong", "Back"]
    assert anne.under_cursor == "2: fair"
    anne.choose("3: strong")
    assert anne.prompt == "Ready? Anne, Aether"
    anne.choose("Begin")
    assert anne.request == Start("legend", ("Anne", "aether:3"))


def test_where_nobody_is_known_the_first_name_is_spelled_and_the_second_may_be_a_computers() -> None:
    anne = guest().enter().pick("new").pick("game-legend").pick("players-2")
    assert anne.prompt == "Player 1: _"
    anne.spell("Jo").choose("Done")
    assert anne.prompt == "Player 2?"
    assert anne.lines == ["Another name", "Aether", "Back"]
    anne.press(Button.NEXT)
    assert anne.prompt == "Player 2: the computer"


def test_somebody_alone_is_offered_no_computer() -> None:
    for game in ("legend", "swashbuckle"):
        anne = guest(["Anne"]).enter().pick("new").pick(f"game-{game}").pick("players-1")
        assert anne.lines == ["Anne", "Another name", "Back"]


def test_the_same_computer_plays_twice_and_is_told_apart() -> None:
    anne = guest(["Anne"]).enter().pick("new").pick("game-swashbuckle").pick("players-3")
    anne.choose("Anne").choose("Eurus").choose("2: fair").choose("Eurus").choose("2: fair")
    assert anne.prompt == "Ready? Anne, Eurus, Eurus 2"
    anne.choose("Begin")
    assert anne.request == Start("swashbuckle", ("Anne", "eurus:2", "eurus:2"))


def test_back_leads_from_the_levels_to_the_names() -> None:
    anne = guest(["Anne", "Bart"]).enter().pick("new").pick("game-legend").pick("players-2").choose("Aether")
    anne.choose("Back")
    assert anne.under_cursor == "Aether"
    assert anne.lines == ["Anne", "Bart", "Another name", "Aether", "Back"]


def test_a_rematch_names_a_computer_by_its_title() -> None:
    last = Start("legend", ("aether:3", "Anne"))
    assert guest(["Anne"]).enter(last=last).prompt == "Legend: Aether, Anne"
    stranger = Start("legend", ("boreas:3", "Anne"))  # no computer of this game: somebody is called so
    assert guest(["Anne"]).enter(last=stranger).prompt == "Legend: boreas:3, Anne"
