"""The lobby: matches set up by the buttons or on the page, names, and computers that are offered."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.games.contract import LONGEST_NAME, Amount, BadOption, Game, IllegalAction, Pick, Shape, is_moot
from captains_table.games.registry import GAMES
from captains_table.games.swashbuckle import Swashbuckle
from captains_table.games.swashbuckle.state import State
from captains_table.table.lobby.match_setup import ComputerPlayer, LobbyContext, Resume, Start
from captains_table.table.lobby.screen import brief_names, numbers_between, typed
from captains_table.table.model.events import Answered, Button, ButtonPressed, DieToggled, PiecesPlaced
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Phase, View
from tests.support.four_games import FOUR_GAMES
from tests.support.lobby_guest import EARLIER, ENCODER, ONE_BUTTON, Guest, Memory


class NoSumWithPillage(Swashbuckle):
    """Swashbuckle for people who will not have two of its options together."""

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        if options.get("aces_high") == "sum" and options.get("pillage") == "add":
            raise BadOption("pillage=add: expected steal where aces high are summed", "pillage")
        return super().start(seats, options)


@pytest.mark.parametrize("buttons", [ENCODER, ONE_BUTTON], ids=["encoder", "one button"])
def test_a_match_with_a_known_name_a_typed_one_and_a_changed_option_is_started_by_the_buttons(
    buttons: Settings,
) -> None:
    guest = Guest(buttons, known=["Anne", "Bart"]).enter()
    for label in ("New", "Swashbuckle", "2 players", "Bart"):
        guest.choose(label)
    guest.choose("Another name").spell("Mary Ann").choose("Done")
    guest.choose("A raid").choose("only adds")
    assert guest.request is None
    guest.choose("Begin")
    assert guest.request == Start("swashbuckle", ("Bart", "Mary Ann"), {"pillage": "add"})


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.key))
def test_every_game_can_be_started_with_every_number_of_players_by_choosing_what_comes_first(game: Game[Any]) -> None:
    for count in game.seats:
        guest = Guest(known=[f"Player {number}" for number in range(1, game.seats.stop)]).enter()
        guest.pick("new").pick(f"game-{game.key}")
        if len(game.seats) > 1:  # else there is nothing to choose
            guest.pick(f"players-{count}")
        for _ in range(count):
            guest.press(Button.CHOOSE)
        guest.press(Button.CHOOSE)
        assert isinstance(guest.request, Start)
        assert len(guest.request.names) == count
        game.start(guest.request.names, guest.request.options)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.key))
def test_every_value_the_lobby_offers_is_one_the_game_takes(game: Game[Any]) -> None:
    for option in game.options:
        guest = Guest(known=["Anne", "Bart"]).enter()
        guest.pick("new").pick(f"game-{game.key}")
        if len(game.seats) > 1:
            guest.pick("players-2")
        guest.pick("name-Anne").pick("name-Bart")
        if (option.is_free and not option.choices) or option.seat > 2:  # to be spelled, or of nobody who plays
            assert f"change-{option.name}" not in {entry.id for entry in guest.view.menu.entries}
            continue
        if is_moot(option, game.options, {}):  # there is nothing to choose before that one is chosen
            guest.pick(f"change-{option.detail_of}")
            other = guest.view.menu.entries[1].id
            guest.lobby.handle(Answered(Amount(int(other)) if other.isdecimal() else Pick(other)), 0)
        guest.pick(f"change-{option.name}")
        for entry in guest.view.menu.entries:
            if entry.id.startswith("value-"):
                value = entry.id.removeprefix("value-")
                game.start(("Anne", "Bart"), {option.name: value} if value else {})
            elif entry.label.isdecimal():
                game.start(("Anne", "Bart"), {option.name: entry.label})


def test_a_clock_chosen_in_the_lobby_starts_with_its_first_press_unless_something_else_is_chosen() -> None:
    def ready() -> Guest:
        guest = Guest(known=["Anne", "Bart"]).enter().pick("new").pick("game-captains-chess")
        return guest.pick("name-Anne").pick("name-Bart")

    assert not any("Clock starts" in line for line in ready().lines)
    assert ready().pick("begin").request == Start("captains-chess", ("Anne", "Bart"), {})
    timed = ready().pick("change-clock").pick("value-5+3").pick("begin")
    assert timed.request == Start("captains-chess", ("Anne", "Bart"), {"clock": "5+3", "clock_start": "press"})
    at_once = ready().pick("change-clock").pick("value-5+3").pick("change-clock_start").pick("value-set-up")
    assert at_once.pick("begin").request == Start("captains-chess", ("Anne", "Bart"), {"clock": "5+3"})


def test_back_leads_through_every_screen_to_the_first_one_with_the_cursor_where_it_was() -> None:
    guest = Guest(known=["Anne", "Bart"]).enter()
    seen = []
    for label in ("New", "Swashbuckle", "2 players", "Bart", "Anne", "A raid"):
        guest.choose(label)
        seen.append(label)
    while seen:
        guest.press(Button.BACK)
        assert guest.under_cursor == seen.pop()
    guest.press(Button.BACK)
    assert guest.under_cursor == "New"
    assert guest.request is None


def test_every_screen_but_the_first_has_a_line_that_leads_back_for_tables_without_that_button() -> None:
    guest = Guest(ONE_BUTTON, known=["Anne"]).enter()
    for label in ("New", "Legend", "2 players", "Anne"):
        guest.choose(label)
        assert guest.lines[-1] == "Back"
    guest.spell("Bo").choose("Done").choose("Legend for a turn").choose("Back").choose("Back")
    assert guest.prompt == "Player 2: Bo_"
    guest.choose("Back")
    assert guest.prompt == "Player 1?"


def test_only_games_the_board_has_room_for_are_offered_and_dice_games_always() -> None:
    small = Guest(left=EARLIER, games=FOUR_GAMES, board=Shape(6, 6)).enter()
    assert small.pick("new").lines == ["Ship, Captain and Crew", "Swashbuckle", "Back"]
    again = Guest(left=EARLIER, board=Shape(6, 6)).enter().pick("resume")
    assert [entry.id for entry in again.view.menu.entries] == ["match-3", "back"]
    large = Guest(board=Shape(9, 8)).enter().pick("new")
    assert [entry.id for entry in large.view.menu.entries] == [*(f"game-{key}" for key in GAMES), "back"]


def test_an_unfinished_match_is_resumed_from_a_list_that_says_how_far_each_is_without_the_one_that_was_left() -> None:
    guest = Guest(left=EARLIER).enter().pick("resume")
    assert (guest.lines, guest.prompt) == (["Anne, Bart", "Anne, Cora", "Back"], "Swashbuckle, Turn 5 of 16")
    guest.press(Button.NEXT)
    assert guest.prompt == "Legend, Round 2 of 3"
    guest.press(Button.CHOOSE)
    assert guest.request == Resume(2)
    guest = Guest(left=EARLIER).enter(left=3)
    assert guest.lines == ["Back to the match", "New match", "Resume a match", "This table"]
    guest.pick("resume")
    assert guest.lines == ["Anne, Cora", "Back"]
    guest.press(Button.BACK)
    guest.choose("Back to the match")
    assert guest.request == Resume(3)


def test_a_rematch_is_the_same_game_with_the_same_names_and_options() -> None:
    last = Start("legend", ("Anne", "Bart"), {"rounds": "1"})
    guest = Guest().enter(last=last)
    assert guest.prompt == "Legend: Anne, Bart"
    assert guest.choose("Rematch").request == last


def test_a_match_that_is_over_stays_to_be_seen_until_something_is_chosen() -> None:
    over = View(phase=Phase.OVER, title="Swashbuckle", prompt=("Anne wins the match",), revision=40)
    guest = Guest().enter(last=Start("swashbuckle", ("Anne",)))
    shown = guest.lobby.view(over)
    assert (shown.phase, shown.title, shown.prompt) == (Phase.OVER, "Swashbuckle", ("Anne wins the match",))
    assert [entry.label for entry in shown.menu.entries] == ["Rematch", "New", "This table"]
    guest.choose("New")
    assert guest.lobby.view(over).phase is Phase.IDLE
    assert guest.lobby.view(over).revision > shown.revision
    guest.press(Button.BACK)
    assert guest.lobby.view(over).phase is Phase.OVER


def test_what_a_game_refuses_is_said_in_its_words_at_the_option_it_is_about() -> None:
    guest = Guest(known=["Anne"], games={"swashbuckle": NoSumWithPillage()}).enter()
    guest.pick("new").pick("game-swashbuckle").pick("players-1").pick("name-Anne")
    guest.pick("change-aces_high").pick("value-sum").pick("change-pillage").pick("value-add").pick("begin")
    assert guest.request is None
    assert guest.prompt == "pillage=add: expected steal where aces high are summed"
    assert guest.lines == ["takes from a victim", "only adds", "Back"]
    guest.choose("takes from a victim")
    assert "expected" not in guest.prompt
    guest.choose("Begin")
    assert guest.request == Start("swashbuckle", ("Anne",), {"aces_high": "sum"})


def test_what_the_table_cannot_do_is_said_where_it_was_asked_for() -> None:
    guest = Guest(left=EARLIER).enter().pick("resume").pick("match-3")
    guest.lobby.refuse(RuntimeError("Match 3 cannot be taken up again: its dice differ."))
    assert guest.prompt == "Match 3 cannot be taken up again: its dice differ."
    assert guest.lines == ["Anne, Bart", "Anne, Cora", "Back"]


def ready_for_legend() -> Guest:
    return Guest(known=["Anne"]).enter().pick("new").pick("game-legend").pick("players-1").pick("name-Anne")


def test_an_option_set_back_to_the_usual_is_not_written_down() -> None:
    guest = ready_for_legend().pick("change-rounds")
    assert guest.prompt == "Rounds? Usually 3"
    guest.press(Button.NEXT)
    guest.press(Button.CHOOSE)
    assert guest.under_cursor == "Rounds: 4"
    for button in (Button.CHOOSE, Button.PREVIOUS, Button.CHOOSE):
        guest.press(button)
    assert guest.choose("Begin").request == Start("legend", ("Anne",), {})


def test_the_page_may_set_any_number_within_the_bounds_and_none_beyond() -> None:
    guest = ready_for_legend().pick("change-turn_limit")
    with pytest.raises(IllegalAction, match="0 to 9999"):
        guest.lobby.handle(Answered(Amount(10_000)), 0)
    guest.lobby.handle(Answered(Amount(4711)), 0)
    assert guest.pick("begin").request == Start("legend", ("Anne",), {"turn_limit": "4711"})


def test_what_is_not_offered_is_refused_and_changes_nothing_and_a_board_is_none_of_the_lobbys_business() -> None:
    guest = Guest(known=["Anne"]).enter()
    before = guest.view
    for event in (Answered(Pick("back")), Answered(Pick("begin")), Answered(Amount(3)), DieToggled(1)):
        with pytest.raises(IllegalAction):
            guest.lobby.handle(event, 0)
    assert guest.view == before
    assert not guest.lobby.takes(PiecesPlaced(frozenset()))
    assert guest.lobby.takes(ButtonPressed(Button.NEXT))
    guest.lobby.close()
    assert not guest.lobby.takes(ButtonPressed(Button.NEXT))


def test_a_board_that_is_missing_is_told_first_but_never_hides_what_is_asked_later() -> None:
    guest = Guest().enter()
    behind = View(faults=("The board is not connected",))
    assert guest.lobby.view(behind).prompt == ("The board is not connected",)
    guest.pick("new")
    assert guest.lobby.view(behind).prompt == ("Which game?",)
    assert guest.lobby.view(behind).faults == behind.faults


@settings(deadline=None)  # other programs may keep the machine busy
@given(st.lists(st.sampled_from(["next", "previous", "choose", "back"]), max_size=60))
def test_no_presses_lead_astray(presses: list[str]) -> None:
    """Whatever is pressed, something is asked, and a match that is asked for is one its game can start."""
    guest = Guest(known=["Anne", "Bart"], left=EARLIER).enter(last=Start("legend", ("Anne", "Bart")))
    for press in presses:
        guest.press(Button(press))
        assert guest.view.menu.cursor is not None
        assert guest.view.ask is not None
        if isinstance(guest.request, Start):
            GAMES[guest.request.game].start(guest.request.names, guest.request.options)


@given(st.integers(0, 50), st.integers(0, 9999), st.integers(0, 9999))
def test_a_knob_reaches_both_ends_and_what_is_set_in_few_steps(lo: int, span: int, now: int) -> None:
    hi = min(lo + span, 9999)
    numbers = numbers_between(lo, hi, now)
    assert numbers == sorted(set(numbers))
    assert {lo, hi} <= set(numbers)
    assert (now in numbers) or not lo <= now <= hi
    assert all(lo <= number <= hi for number in numbers)
    assert len(numbers) <= 102
    if hi <= 100:
        assert numbers == list(range(lo, hi + 1))


# --- names in the lobby -----------------------------------------------------------------------------------------------


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
    assert ("A" in guest.lines, "space" in guest.lines) == (True, False)
    guest.spell("Q").choose("Delete").choose("Delete").spell("-").spell("X").choose("Done").choose("Begin")
    assert guest.request == Start("swashbuckle", ("Jo-X",))


def test_a_long_name_shows_its_end_while_it_is_typed_and_ends_where_no_table_takes_a_longer_one() -> None:
    guest = Guest().enter().pick("new").pick("game-swashbuckle").pick("players-1").pick("letter-A")
    assert guest.prompt == "Player 1: A_"
    for _ in range(LONGEST_NAME - 1):
        guest.pick("letter-a")
    assert guest.lines == ["Done", "Delete", "Back"]
    assert typed("Bartholomew Roberts the Elder").endswith("the Elder_")
    assert len(typed("x" * 40)) <= 19
    guest.choose("Done").choose("Begin")
    assert guest.request == Start("swashbuckle", ("A" + "a" * (LONGEST_NAME - 1),))


@given(st.lists(st.text("abcdefgh ", min_size=1, max_size=40), min_size=1, max_size=8))
def test_names_side_by_side_keep_to_their_room_and_say_how_many_are_missing(names: list[str]) -> None:
    words = brief_names(names)
    assert len(words) <= 22
    assert (f"+{len(names) - 3}" in words) == (len(names) > 3)


# --- computers in the lobby -------------------------------------------------------------------------------------------

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
    offered = ["Anne", "Bart", "Another name", "Aether", "Back"]
    assert anne.lines == offered
    anne.choose("Aether").choose("Back")
    assert (anne.under_cursor, anne.lines) == ("Aether", offered)
    anne.choose("Anne")
    assert anne.lines == offered[1:]
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


@pytest.mark.parametrize("game", ["legend", "swashbuckle"])
def test_somebody_alone_is_offered_no_computer(game: str) -> None:
    anne = guest(["Anne"]).enter().pick("new").pick(f"game-{game}").pick("players-1")
    assert anne.lines == ["Anne", "Another name", "Back"]


def test_the_same_computer_plays_twice_is_told_apart_and_called_by_its_title_for_a_rematch() -> None:
    anne = guest(["Anne"]).enter().pick("new").pick("game-swashbuckle").pick("players-3")
    anne.choose("Anne").choose("Eurus").choose("2: fair").choose("Eurus").choose("2: fair")
    assert anne.prompt == "Ready? Anne, Eurus, Eurus 2"
    anne.choose("Begin")
    assert anne.request == Start("swashbuckle", ("Anne", "eurus:2", "eurus:2"))
    last = Start("legend", ("aether:3", "Anne"))
    assert guest(["Anne"]).enter(last=last).prompt == "Legend: Aether (casual), Anne"
    stranger = Start("legend", ("boreas:3", "Anne"))  # no computer of this game: somebody is called so
    assert guest(["Anne"]).enter(last=stranger).prompt == "Legend: boreas:3, Anne"
