"""Names in the lobby: chosen, spelled, and shown side by side."""

from hypothesis import given, strategies as st

from captains_table.games.contract import LONGEST_NAME
from captains_table.table.lobby.match_setup import Start
from captains_table.table.lobby.text_entry import brief_names, typed
from tests.support.lobby_guest import Guest


def test_the_names_known_are_offered_and_each_only_once() -> None:
    guest = Guest(known=["Anne", "Bart"]).enter().pick("new").pick("game-swashbuckle").pick("players-3")
    assert guest.lines == ["Anne", "Bart", "Another name", "Back"]
    guest.choose("Anne")
    assert guest.lines == ["Bart", "Another name", "Back"]
    guest.choose("Bart")
    assert guest.prompt == "Player 3: _"  # nobody else is known: the name is spelled


def test_a_name_that_is_playing_already_is_refused_in_words_and_can_be_changed() -> None:
    guest = Guest().enter().pick("new").pick("game-swashbuckle").pick("players-2").spell("Al").choose("Done")
    guest.spell("Al").choose("Done")
    assert "Al is playing already" in guest.prompt
    guest.spell("f").choose("Done").choose("Begin")
    assert guest.request == Start("swashbuckle", ("Al", "Alf"))


def test_letters_are_capitals_where_a_word_begins_and_a_letter_can_be_taken_away() -> None:
    guest = Guest().enter().pick("new").pick("game-swashbuckle").pick("players-1")
    assert guest.lines[:2] == ["A", "B"]
    assert "Done" not in guest.lines
    guest.spell("Jo")
    assert guest.lines[:3] == ["Done", "Delete", "a"]
    guest.spell(" ")
    assert "A" in guest.lines
    assert "space" not in guest.lines
    guest.spell("Q").choose("Delete").choose("Delete").spell("-").spell("X").choose("Done").choose("Begin")
    assert guest.request == Start("swashbuckle", ("Jo-X",))


def test_a_name_ends_where_no_table_takes_a_longer_one() -> None:
    guest = Guest().enter().pick("new").pick("game-swashbuckle").pick("players-1").pick("letter-A")
    for _ in range(LONGEST_NAME - 1):
        guest.pick("letter-a")
    assert guest.lines == ["Done", "Delete", "Back"]
    guest.choose("Done").choose("Begin")
    assert guest.request == Start("swashbuckle", ("A" + "a" * (LONGEST_NAME - 1),))


@given(st.lists(st.text("abcdefgh ", min_size=1, max_size=40), min_size=1, max_size=8))
def test_names_side_by_side_keep_to_their_room_and_say_how_many_are_missing(names: list[str]) -> None:
    words = brief_names(names)
    assert len(words) <= 22
    assert (f"+{len(names) - 3}" in words) == (len(names) > 3)


def test_a_long_name_being_typed_shows_its_end() -> None:
    assert typed("Anne") == "Anne_"
    assert typed("Bartholomew Roberts the Elder").endswith("the Elder_")
    assert len(typed("x" * 40)) <= 19
