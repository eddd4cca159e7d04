from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from captains_table.cli.main import main
from captains_table.games.contract import BadOption, Choice, GameOption, read_options, settled, spelt_out, switch
from captains_table.games.registry import GAMES

ROUNDS = GameOption("rounds", "Rounds", "3", bounds=(1, 99))
COLOUR = GameOption("colour", "Colour", "red", (Choice("red", "as blood"), Choice("blue", "as the sea")))
ACES = GameOption("aces", "Aces", "45", (Choice("sum", "the sum"),), (1, 99))
CAPTAIN = GameOption("captain", "Captain", of_players=True)
WORDS = GameOption("words", "Words", is_free=True)
DECLARED = (ROUNDS, COLOUR, ACES, CAPTAIN, WORDS)
SEATS = ("Anne", "Bart")
NAMES = ["Anne", "Bart", "Cora", "Dirk", "Elsa", "Finn", "Gwen", "Hugo"]


def test_what_is_not_said_has_its_default() -> None:
    assert read_options(DECLARED, {}) == {"rounds": "3", "colour": "red", "aces": "45", "captain": "", "words": ""}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("rounds", "0", "rounds=0: expected a whole number from 1 to 99"),
        *(("rounds", value, "from 1 to 99") for value in ("100", "٣", "9" * 5000, "")),
        ("colour", "green", "colour=green: expected one of red, blue"),
        ("aces", "many", "aces=many: expected sum or a whole number from 1 to 99"),
        ("captain", "Carl", "captain=Carl: expected one of the players Anne, Bart"),
    ],
)
def test_a_value_that_is_not_allowed_is_refused_and_the_option_named(name: str, value: str, words: str) -> None:
    with pytest.raises(BadOption) as refused:
        read_options(DECLARED, {name: value}, SEATS)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 400
    assert refused.value.option == name


def test_an_option_nobody_declared_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadOption, match="unknown option 'boom': expected one of aces, captain, colour, rounds, words"):
        read_options(DECLARED, {"boom": "1"})


@given(st.integers(1, 99), st.sampled_from(["red", "blue"]), st.sampled_from(SEATS))
def test_what_is_allowed_is_taken_as_it_was_given(rounds: int, colour: str, captain: str) -> None:
    given_options = {"rounds": str(rounds), "colour": colour, "captain": captain, "aces": "sum"}
    assert read_options(DECLARED, given_options, SEATS) == {**given_options, "words": ""}


def test_a_switch_says_its_default_first() -> None:
    assert [choice.value for choice in switch("x", "X", "no", "yes").choices] == ["false", "true"]
    assert [choice.value for choice in switch("x", "X", "no", "yes", default=True).choices] == ["true", "false"]
    assert switch("x", "X", "no", "yes", default=True).display_text("true") == "yes"


@pytest.mark.parametrize(
    ("game", "chosen", "stored"),
    [
        ("ship-captain-crew", {"mode": "single", "target": "20", "finish_round": "false"}, {"mode": "single"}),
        ("ship-captain-crew", {"mode": "target", "target": "20"}, {"target": "20"}),
        ("swashbuckle", {"penalty": "0", "pirate1": "Saltbeard"}, {"pirate1": "Saltbeard"}),  # as older matches have
        ("swashbuckle", {"penalty": "2", "pirate1": "Saltbeard"}, {"penalty": "2", "pirate1": "Saltbeard"}),
        ("swashbuckle", {"pillage": "add", "captain_pillage": "double"}, {"pillage": "add"}),
        ("swashbuckle", {"captain_pillage": "double"}, {"captain_pillage": "double"}),
        ("crowns", {"timer": "0", "timeout": "master"}, {"timer": "0"}),
        ("crowns", {"timeout": "master"}, {"timeout": "master"}),
    ],
)
def test_what_has_no_effect_beside_another_option_is_not_stored_but_may_be_given(
    game: str, chosen: dict[str, str], stored: dict[str, str]
) -> None:
    declared = GAMES[game].options
    assert settled(declared, chosen) == stored
    assert read_options(declared, chosen, SEATS).items() >= chosen.items()  # old matches have such options


def test_an_option_given_empty_that_is_empty_where_nothing_is_said_is_as_if_it_were_not_given() -> None:
    given = {"captain": "", "words": "", "rounds": "5"}
    assert read_options(DECLARED, given, SEATS) == read_options(DECLARED, {"rounds": "5"}, SEATS)
    assert spelt_out(DECLARED, given, lambda _: ()) == {"rounds": "5"}
    assert spelt_out(DECLARED, {"rounds": "", "parrot": ""}, lambda _: ()) == {"rounds": "", "parrot": ""}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_takes_every_default_when_it_is_said_aloud_and_empty_what_may_be_left_empty(game: str) -> None:
    rules = GAMES[game]
    seats = NAMES[: max(rules.seats.start, min(2, rules.seats.stop - 1))]
    said = {option.name: option.default for option in rules.options}
    empty = {name: value for name, value in said.items() if not value}
    assert rules.start(seats, said) == rules.start(seats, empty) == rules.start(seats, {})
    assert [option.name for option in rules.options if "empty" in option.hint and option.name not in empty] == []


@pytest.mark.parametrize(("game", "option"), [("legend", "fen"), ("swashbuckle", "captain"), ("crowns", "piece1")])
def test_an_option_may_be_given_empty_on_command_line_and_tape(game: str, option: str, tmp_path: Path) -> None:
    tape = tmp_path / "empty.tape"
    tape.write_text(f"game {game} Anne Bart {option}=\nexpect game {game}\n", encoding="utf-8")
    assert main(["replay", str(tape)]) == 0
    limit = [] if game == "swashbuckle" else ["turn_limit=2"]
    command = ["simulate", game, f"{option}=", *limit, "--players", "random,random", "--matches", "1"]
    assert main([*command, "--processes", "1"]) == 0
