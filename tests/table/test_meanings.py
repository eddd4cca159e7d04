"""Whatever a table shows can be explained: each thing has a sentence, and those of a game name a rule that exists."""

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from captains_table import catalog
from captains_table.devices.display.screens.text import wrap_all
from captains_table.games.contract import Die, Game, Option, Over, Pick, PickAsk, Square, Thing
from captains_table.games.registry import GAMES
from captains_table.table.lobby.lobby import Lobby
from captains_table.table.meanings import OF_TABLE, cards_due, meaning_of, meanings_at, meanings_shown, things_shown
from captains_table.table.model.events import Answered
from captains_table.table.model.settings import Settings
from captains_table.table.model.view import Coach, Mark, Phase, RollOffer, SeatView, View
from tests.support.effort import LONG_RUN, effort
from tests.support.random_play import random_action
from tests.support.recorded_views import recorded_views, tapes

RULES = Path(__file__).parents[2] / "docs" / "rules"
A_FEW = ("barter", "curse-with-four-dice", "chess-clock", "genie", "crowns-a-game-master", "hold-everything")
TAPES = tapes(None if LONG_RUN else A_FEW)
HOUSE = [entry.game for entry in catalog.ENTRIES]


def unexplained(tape: Path) -> set[str]:
    """Return what a tape shows that has no meaning, or none with a rule although it is the game's."""
    found = set()
    for view in recorded_views(tape):
        for key, label in things_shown(view):
            meaning = meaning_of(view.game, key)
            if meaning is None or not (meaning.rule or key in OF_TABLE or key.startswith(("pick mask-", "mark "))):
                found.add(f"{view.game}: {key} ({label})")
    return found


@pytest.mark.long
@pytest.mark.parametrize("tape", TAPES, ids=lambda tape: tape.stem)
def test_whatever_a_tape_shows_has_a_meaning(tape: Path) -> None:
    assert unexplained(tape) == set()


@pytest.mark.parametrize("game", HOUSE, ids=lambda game: game.key)
@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_is_asked_in_a_random_match_has_a_meaning(game: Game[Any], seed: int) -> None:
    rng, seen = random.Random(f"{game.key} {seed}"), set[str]()
    state = game.start(["Anne", "Bart"], {})
    for _ in range(effort(120, 1000)):
        turn = game.turn(state)
        if isinstance(turn, Over):
            break
        options = (*getattr(getattr(turn, "ask", None), "options", ()), *game.calls(state))
        seen |= {f"pick {option.id}" for option in options}
        seen |= {f"row {row.title}" for row in game.sheet(state)} | {
            f"piece {each.lower()}" for each in game.pieces(state).values()
        }
        seen |= {f"tally {name}" for tally in game.tallies(state) for name in tally}
        seen |= {f"thing {thing}" for things in game.things(state).values() for thing in things}
        state = game.apply(state, random_action(turn, rng))
    assert [key for key in sorted(seen) if (found := meaning_of(game.key, key)) is None or not found.rule] == []


@pytest.mark.parametrize("game", HOUSE, ids=lambda game: game.key)
def test_each_sentence_is_short_and_its_rule_is_written_down(game: Game[Any]) -> None:
    documents = [game.key, *(["clocks"] if any(option.name == "clock" for option in game.options) else [])]
    text = "\n".join((RULES / f"{name}.md").read_text(encoding="utf-8") for name in documents)
    known = set(re.findall(r"^([A-Z]\d+a?)\. ", text, re.MULTILINE))
    for key, (words, rule) in game.meanings.items():
        assert rule in known, key
        assert words.endswith("."), key
        assert len(wrap_all([f"{words} {rule}"], 128, 9)) <= 4, f"{key}: the small display has four lines"


def test_a_square_means_its_mark_its_piece_and_what_lies_there() -> None:
    d4 = Square(3, 3)
    view = View(game="crowns", pieces={d4: "1"}, things={d4: (Thing.RING,)}, marks={d4: Mark.LAST_MOVE})
    assert [each.rule for each in meanings_at(view, "square d4")] == ["", "K1", "T7"]
    assert meanings_at(view, "square a1") == []
    with pytest.raises(ValueError, match="not a square"):
        meanings_at(view, "square z")


def test_a_die_means_what_it_is_and_the_big_button_what_it_picks() -> None:
    dice = (Die(6), Die(2, "roman", throws_left=2))
    view = View(game="legend", dice=dice, roll=RollOffer("Throw", possible=True, option="roll-cargo"))
    assert [[each.rule for each in meanings_at(view, f"die {number}")] for number in (1, 2, 3)] == [
        ["L6"],
        ["L8"],
        [],
    ]
    assert meanings_at(view, "roll") == [GAMES["legend"].meanings["pick roll-cargo"]]
    assert meanings_at(view, "nothing of that kind") == []


def test_a_game_without_sentences_has_those_of_the_table() -> None:
    view = View(game="nobody-knows", marks={Square(0, 0): Mark.FAULTY})
    assert meanings_shown(view) == {"Light: faulty": OF_TABLE["mark faulty"].words}
    assert meaning_of("nobody-knows", "pick done") is None
    assert meaning_of("legend", "pick take-back") == OF_TABLE["pick take-back"]


def test_at_the_knob_the_table_s_menu_lists_what_is_shown_and_explains_what_is_chosen() -> None:
    lobby, behind = Lobby(Settings()), View(game="swashbuckle", phase=Phase.PLAYING, title="Swashbuckle")
    seats = (SeatView("Anne", {"nest": 5}, on_turn=True),)
    lobby.open_table("", in_match=True, meanings=meanings_shown(replace(behind, seats=seats)))
    for picked in ("table-what", "table-what-1"):
        lobby.handle(Answered(Pick(picked)), 0)
    view = lobby.view(behind)
    assert (view.reading, view.prompt) == ("Nest", ("The crow's nest: ones to sixes, and the blimey bonus. W11",))
    assert [entry.id for entry in view.menu.entries] == ["back"]
    lobby.handle(Answered(Pick("back")), 0)
    assert lobby.view(behind).reading == ""


def test_a_card_is_due_when_what_comes_up_rarely_is_possible_for_a_person_in_a_match() -> None:
    ask = PickAsk("Anne: curse somebody?", (Option("no-curse", "No curse"), Option("curse-1", "Curse Bart")))
    seats = (SeatView("Anne", {}, on_turn=True), SeatView("Eurus", {}, on_turn=False, computer="Eurus", level="fair"))
    view = View(game="swashbuckle", phase=Phase.PLAYING, seat=0, seats=seats, ask=ask)
    assert cards_due(view) == {"The curse": GAMES["swashbuckle"].meanings["pick curse-*"]}
    assert cards_due(replace(view, coach=Coach(1, 2, "", ""))) == {}, "in a lesson"
    assert cards_due(replace(view, seat=1)) == {}, "a computer decides"
    assert cards_due(replace(view, ask=PickAsk("Anne", ()))) == {}


@pytest.mark.parametrize("game", HOUSE, ids=lambda game: game.key)
def test_whatever_has_a_card_has_a_meaning(game: Game[Any]) -> None:
    assert game.cards.keys() <= game.meanings.keys()
    assert len(set(game.cards.values())) == len(game.cards)
