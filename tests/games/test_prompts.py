"""Every prompt names whom it asks, fits the glass, and offers only what can be done and paid.

The matches are random ones of every game; the words of Legend (docs/rules/legend.md) are told one by one.
"""

import re
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

import pytest

from captains_table.devices.display.screens.header import split_prompt
from captains_table.devices.display.screens.text import SMALL
from captains_table.games.captains_chess.game import CAPTAIN, LESSONS, MANNERS, CaptainsChess
from captains_table.games.contract import (
    Ask,
    Auction,
    Decide,
    Game,
    Hindrance,
    Option,
    Pick,
    PickAsk,
    Roll,
    parse_square,
)
from captains_table.games.registry import GAMES, game_by_key
from captains_table.games.ship_captain_crew import ShipCaptainCrew
from captains_table.games.swashbuckle import Swashbuckle
from captains_table.table.model.view import SeatView, View
from captains_table.table.prompt_lines import turn_lines, with_addressee
from captains_table.table.prompts.menu import menu_of
from tests.support.by_words import DiceGame
from tests.support.effort import effort
from tests.support.legend_harness import GAME, asked, keep_ask, moves, offered, pick_ask, play, start
from tests.support.random_matches import Step, match_steps

GLASS = 128
ROWS, ROWS_BESIDE_A_MENU = 3, 2
LONGEST = 80  # letters of a line on a page 390 wide: three lines there
MATCHES = effort(5, 40)
STEPS = effort(150, 4000)
ONES = "roll 1 1 1 1 1 1"
EVERYTHING_FITS = "4k3/7p/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"


@cache
def steps_of(key: str) -> list[Step]:
    """Return the first steps of some random matches."""
    game = game_by_key(key)
    return [step for seed in range(MATCHES) for step in islice(match_steps(game, seed), STEPS)]


def names_of(game: Game[Any], state: Any) -> list[str]:  # noqa: ANN401 - any game's state
    titles = game.titles(state) or [""] * len(game.names(state))
    return [title or name for title, name in zip(titles, game.names(state), strict=True)]


def words_on_glass(turn: Roll | Decide, names: list[str]) -> str:
    """Return the first line as the glass shows it, below a top line that names the player already."""
    seats = tuple(SeatView(name, {}, on_turn=False) for name in names)
    _, words = split_prompt(View(seat=turn.seat, seats=seats, prompt=tuple(turn_lines(turn, names))))
    return words[0]


# --- every ask that a random match comes to -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_whatever_is_waited_for_names_who_is_asked_and_fits_page_and_glass(key: str) -> None:
    seen = set[str]()
    game = game_by_key(key)
    for step in steps_of(key):
        turn = step.turn
        if not isinstance(turn, Roll | Decide):
            continue
        names = names_of(game, step.before)
        lines = turn_lines(turn, names)
        assert all(lines)
        assert all(len(line) <= LONGEST for line in lines), lines
        assert not any(re.search(r"Roll\b|[Pp]ress (?!the clock)", line) for line in lines), (
            "a button has other words elsewhere"
        )
        if isinstance(turn, Decide) or not turn.at_once:
            assert any(names[turn.seat] in line for line in lines), lines
        rows = ROWS_BESIDE_A_MENU if isinstance(turn, Decide) and has_menu(turn.ask) else ROWS
        assert len(SMALL.wrap(words_on_glass(turn, names), GLASS)) <= rows, lines
        seen.update(lines)
    assert seen


def has_menu(ask: Ask) -> bool:
    return not isinstance(ask, PickAsk) or any(is_listed(option) for option in ask.options)


def is_listed(option: Option) -> bool:
    return not option.on_board and not option.in_vain


@pytest.mark.parametrize("key", GAMES)
def test_no_answer_in_a_menu_is_shortened_and_buttons_reach_the_sensible_one(key: str) -> None:
    asks = [step.turn.ask for step in steps_of(key) if isinstance(step.turn, Decide)]
    picks = [ask for ask in asks if isinstance(ask, PickAsk)]
    labels = {option.label for ask in picks for option in ask.options if is_listed(option)}
    assert [label for label in labels if SMALL.width(label) + 4 > GLASS] == []
    sensible = [option for ask in picks for option in ask.options if option.id == ask.default]
    assert [option for option in sensible if option.in_vain or option.confirm] == []


def test_a_prompt_that_names_nobody_gets_the_name_of_who_is_asked() -> None:
    assert with_addressee("Anne", "Which dice stay?") == "Anne: Which dice stay?"
    assert with_addressee("Anne", "Bart offers 6 for a pawn") == "Anne: Bart offers 6 for a pawn"
    assert with_addressee("Bart", "Bartholomew offers 6 for a pawn") == "Bart: Bartholomew offers 6 for a pawn"
    for words in ("Anne (White): your move", "Anne, Legend die I: move a pawn", "Anne: throw the dice"):
        assert with_addressee("Anne", words) == words
    assert turn_lines(Auction("Bid for 6 gold", ()), ["Anne"]) == ["Bid for 6 gold"], "it is asked of everybody"


# --- Legend ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "words"),
    [
        (1, "I: move a pawn"),
        (2, "II: move a pawn or knight"),
        (3, "III: move a pawn, knight or bishop"),
        (4, "IV: move any piece but king or queen"),
        (5, "V: move any piece but the queen"),
        (6, "VI: move any piece"),
    ],
)
def test_the_legend_die_is_told_in_pieces(die: int, words: str) -> None:
    assert lines(play(start(EVERYTHING_FITS), f"roll 1 1 1 1 1 {die}"))[0] == f"Anne (White), Legend die {words}"


def lines(state: Any) -> list[str]:  # noqa: ANN401 - as the harness has it
    return turn_lines(GAME.turn(state), state.seats)


@pytest.mark.parametrize(
    ("words", "then"),
    [
        ("", "The Legend die says what may move; with 6, 5 and 4 the other two dice are cargo"),
        ("roll-cargo 1 1 1 1 1", "I lets a pawn move, II a knight too, then bishop, rook, king, VI the queen"),
        ("roll-legend 1", "A move scores 1 legend. You may throw again first, or cargo after it (3 left)"),
        (ONES, "A move scores 1 legend. You may throw again first, or cargo after it (2 left)"),
        ("roll 6 1 1 1 1 1", "A move scores 1 legend. You may throw again first, or cargo after it (2 left)"),
        ("roll 6 5 4 3 2 3", "A move scores 3 legend. You may throw again first, or cargo after it (2 left)"),
        (
            f"{ONES}, keep 1 2 3 4 -> 1 1",
            "A move scores 1 legend, but none once the Legend die is thrown a third time",
        ),
        (
            f"{ONES}, keep 1 2 3 4 6 -> 1",
            "A move scores 1 legend. You may throw again first, or cargo after it (1 left)",
        ),
        (
            "roll 6 5 1 1 1 1, keep 1 2 3 4 6 -> 1, keep 1 2 3 4 6 -> 4",
            "A move scores 1 legend and ends the turn with cargo 2",
        ),
        (
            f"{ONES}, keep 1 2 3 4 -> 1 1, keep 1 2 3 4 -> 1 1",
            "A move scores no legend and ends the turn without cargo",
        ),
        ("roll-legend 1, e2e4", "Now throw the cargo dice: a 6, a 5 and a 4 make the other two points"),
        ("roll 6 5 4 3 2 1, e2e4", "End the turn with cargo 5, or throw the cargo again, 2 left"),
        ("roll 1 5 4 3 2 1, e2e4", "No ship (6) yet: throw the cargo again, 2 left, or end the turn"),
        ("roll 6 1 4 3 2 1, e2e4", "No captain (5) yet: throw the cargo again, 2 left, or end the turn"),
        ("roll 6 5 1 3 2 1, e2e4", "No crew (4) yet: throw the cargo again, 2 left, or end the turn"),
        ("roll 6 5 4 3 2 1, throw-again", "The others are thrown again"),
        (
            f"{ONES}, keep 1 2 3 4 5 -> 2, throw-again",
            "The others are thrown; a Legend die thrown three times scores no legend",
        ),
    ],
)
def test_the_second_line_says_what_may_follow(words: str, then: str) -> None:
    assert lines(play(start(), *filter(None, words.split(", "))))[-1] == then


def test_a_die_that_moves_nothing_says_what_is_left_to_do() -> None:
    rook_alone = "4k3/8/8/8/8/8/8/4K2R w - - 0 1"
    stuck = play(start(rook_alone), ONES)
    assert lines(stuck) == [
        "Anne (White), Legend die I: no piece of yours can move",
        "Throw again: cargo 2 left, Legend die 2, or end the turn without a move",
    ]
    spent = play(stuck, "keep 1 2 3 4 5 -> 1", "keep 1 2 3 4 5 -> 1")
    assert lines(spent)[-1] == "End the turn without a move, or throw the cargo again, 2 left"
    assert lines(play(start(rook_alone), "roll-legend 1"))[-1] == (
        "Throw the Legend die again, 2 left; the cargo dice are still to be thrown"
    )


ROBBED = "r3k3/8/8/N7/8/8/6PP/4K3 w - - 0 1"


def test_a_bargain_says_who_is_asked_what_it_costs_and_where_the_piece_lies() -> None:
    state = play(moves(moves(start(ROBBED), "h2h3", cargo="6 5 4 6 6"), "a8a5"), "roll 1 1 1 1 1 6")
    for word, words in (
        ("buy-back", ["Anne: Which piece do you buy back?", "You have 12 cargo; Bart must agree to the price"]),
        ("n", ["Anne: Your price for the knight", "Usually 10; you have 12. Bart agrees or refuses"]),
        ("offer 10", ["Bart: Anne offers 10 for a knight", "Agree: you get 10 cargo, Anne the knight. Or refuse"]),
        (
            "agree",
            ["Anne (White): take the knight from beside the board and set it on a lit square", "Lit: b1, g1"],
        ),
    ):
        state = play(state, word)
        assert lines(state) == words


def test_who_has_captured_reads_what_the_king_would_bring() -> None:
    state = moves(moves(start(ROBBED), "h2h3", cargo="6 5 4 6 6"), "a8a5", cargo="1 1 1 1 1")
    assert lines(state)[-1].startswith("The Legend die says"), "Anne has captured nothing"
    state = moves(state, "h3h4")
    assert lines(state)[-1] == "Taking the king brings 5 legend, and 7 cargo for all that you took"
    poor = replace(state, cargo=(3, 0))
    assert "and 3 cargo for" in lines(poor)[-1], "nobody pays more than he has"


def test_the_genies_dice_are_told_as_file_and_rank_and_a_first_move_tells_of_the_captain() -> None:
    called = play(start(), "roll 1 1 1 1 1 6", "genie")
    assert lines(called)[-1] == "Anne (White): 1 to 6 are the files b to g and the ranks 2 to 7"
    assert (
        lines(play(called, "fall 5 3"))[-1] == "5 and 3: file f, rank 4 or file d, rank 6. Set the king on a lit square"
    )
    game = CaptainsChess()
    assert turn_lines(game.turn(game.start(("Anne", "Bart"), {})), ("Anne", "Bart"))[-1] == CAPTAIN


def test_captains_chess_teaches_another_rule_each_move_and_first_what_a_piece_is_that_just_came_to_be() -> None:
    game, names = CaptainsChess(), ("Anne", "Bart")
    state = game.start(names, {"fen": "9/R8/4k4/9/9/8p/9/4K4 w - - 0 2"})
    said = []
    for move in ("a7a8+", "e6e5", "a8a6", "i3i2", "a6a4", "i2i1c"):
        said.append(turn_lines(game.turn(state), names)[-1])
        state = game.apply(state, Pick(move))
    assert said[1] == MANNERS["+r"]
    assert said[::2] == list(LESSONS[1:4])
    assert turn_lines(game.turn(state), names)[-1] == CAPTAIN


def test_an_offer_that_the_player_cannot_pay_is_not_shown() -> None:
    poor = play(moves(start(ROBBED), "h2h3", "a8a5"), "roll 1 1 1 1 1 6")
    rich = play(moves(moves(start(ROBBED), "h2h3", cargo="6 5 4 6 6"), "a8a5"), "roll 1 1 1 1 1 6")
    assert "buy-back" in offered(poor)  # the rules allow an offer of nothing (L16)
    assert "buy-back" not in shown(poor)
    assert "buy-back" in shown(rich)


def shown(state: Any) -> set[str]:  # noqa: ANN401 - as the harness has it
    return {entry.id for entry in menu_of(asked(state).ask, ["1"] * 6).entries}


# --- what a sensible player does ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "default"),
    [
        ([], "roll"),
        (["roll-cargo 6 5 4 3 2"], "roll-legend"),
        ([ONES], "throw-again"),
        (["roll 6 5 4 3 2 1"], "throw-again"),  # the crew stays: it can only bring more
        ([ONES, "keep -> 1 1 1 1 1 1", "keep -> 1 1 1 1 1 1"], None),  # only the board is left
        (["roll-legend 3", "roll-cargo 1 1 1 1 1", *2 * ["keep 6 -> 1 1 1 1 1"]], "throw-again"),
        (["roll-legend 4", "roll-cargo 1 1 1 1 1", *2 * ["keep 6 -> 1 1 1 1 1"]], None),  # a throw brings 3.5
        (["roll 6 5 4 3 2 1", "e2e4"], "done"),
        (["roll 1 5 4 3 2 1", "e2e4"], "throw-again"),
        (["roll-legend 1", "e2e4"], "roll-cargo"),
    ],
)
def test_legend_begins_at_what_a_sensible_player_does(words: list[str], default: str | None) -> None:
    assert pick_ask(play(start(), *words)).default == default


@pytest.mark.parametrize(
    ("faces", "kept"),
    [
        ("6 5 4 3 2", (1, 2, 3, 6)),
        ("6 5 4 4 5", (1, 2, 3, 5, 6)),  # with two throws left a five stays, a four does not
        ("6 5 4 5 6", (1, 2, 3, 5, 6)),  # but one die must fall
        ("1 5 1 1 6", (2, 5, 6)),
    ],
)
def test_legend_keeps_what_is_better_than_another_throw(faces: str, kept: tuple[int, ...]) -> None:
    assert keep_ask(play(start(), f"roll {faces} 1", "throw-again")).default == kept


@pytest.mark.parametrize(
    ("game", "falls", "default"),
    [
        (ShipCaptainCrew(), "65444", "stand"),
        (ShipCaptainCrew(), "65434", "throw-again"),
        (ShipCaptainCrew(), "11111 65434", "stand"),
        (ShipCaptainCrew(), "11111 65433", "throw-again"),
        (Swashbuckle(), "12345", "score-succession-5"),
        (Swashbuckle(), "66666", "score-swashbuckle"),
        (Swashbuckle(), "11123", "score-pieces-of-8"),
        *((Swashbuckle(), falls, "throw-again") for falls in ("12346", "11333", "11116", "12456")),
    ],
)
def test_dice_are_thrown_again_where_that_brings_more_and_a_box_that_is_seldom_thrown_is_filled_at_once(
    game: Game[Any], falls: str, default: str
) -> None:
    by_words = DiceGame(game)
    assert by_words.pick_ask(by_words.said(game.start(["Anne"], {}), *falls.split())).default == default


@pytest.mark.parametrize(
    ("words", "square", "hindrance"),
    [
        ([], "b1", Hindrance("Throw the Legend die before you move", by_dice=True)),
        (["roll 1 1 1 1 1 6"], "a1", Hindrance("The rook is blocked")),
        (["roll 1 1 1 1 1 6"], "b8", Hindrance("That knight is Bart's")),
        (["roll 1 1 1 1 1 6"], "b1", None),
        (["roll 1 1 1 1 1 6"], "e4", None),
        (["roll 1 1 1 1 1 3"], "a1", Hindrance("The rook needs a IV", by_dice=True)),
        ([ONES], "b1", Hindrance("The knight needs a II", by_dice=True)),
        ([ONES], "d1", Hindrance("The queen needs a VI", by_dice=True)),
        ([ONES, "throw-again"], "e2", Hindrance("First choose which dice stay")),
        ([ONES, "e2e4"], "d2", Hindrance("Your move is made already")),
    ],
)
def test_what_keeps_a_piece_where_it_stands_is_said(words: list[str], square: str, hindrance: Hindrance | None) -> None:
    assert GAME.hindrance(play(start(), *words), parse_square(square)) == hindrance
