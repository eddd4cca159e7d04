"""What an export proves of the result it came with: recorded matches of all games, whole and damaged."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from captains_table.catalog import entry_of
from captains_table.club.season.proving import THROWS_A_SEAT, examine_export
from captains_table.club.season.season import ProvenMatch
from captains_table.records.luck import luck_of
from captains_table.reporting.messages import FinalScore
from captains_table.runtime.club_line.member import match_outcome
from captains_table.table.history.proof_sentences import LIMITS, UNPROVEN_CLAIMS
from captains_table.table.history.review import MatchReview
from captains_table.table.model.entries import JOURNAL_ENTRIES, SeatKind
from captains_table.table.model.match import Match
from tests.club.recorded_matches import PLAYED, export_of, proven, recorded, told
from tests.support.effort import effort
from tests.support.forgeries import of_second_form
from tests.support.honest_match import BEGAN, SEED, HonestTable
from tests.support.stopped_clocks import WAYS, stopped


def value_of(name: str) -> dict[str, Any]:
    """Return the export of a recorded match, to be changed."""
    value: dict[str, Any] = json.loads(export_of(recorded(name)))
    return value


@pytest.mark.parametrize("name", PLAYED)
def test_a_match_that_was_played_by_the_rules_is_proven(name: str) -> None:
    found = examine_export(recorded(name), export_of(recorded(name)))
    assert found.match is not None
    assert found.words.startswith("The seed is the one committed to")
    assert len(found.match.names) == len(recorded(name).seats)


@pytest.mark.parametrize("way", WAYS)
def test_a_match_whose_clock_a_hand_or_a_question_stopped_is_proven(way: str) -> None:
    value = stopped(way)
    for export in (value, of_second_form(value)):
        found = examine_export(told(export), json.dumps(export).encode())
        assert found.match is not None, found.words


def test_it_is_said_whom_the_seal_convinces() -> None:
    words = examine_export(recorded("legend"), export_of(recorded("legend"))).words
    assert "Bart gave the last own words after the seed was sealed: this proves the dice to Bart" in words
    assert LIMITS in words
    assert UNPROVEN_CLAIMS in words


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "kinds", "names", "remembered"),
    [
        (
            *("legend", {"rounds": "1", "turn_limit": "10"}, ("human", "computer"), ("Anne", "aether:2")),
            ("Anne", "Aether (level 2)"),
        ),
        ("pig", {}, ("human", "human"), ("Anne", "Bart"), ("Anne", "Bart")),
    ],
)
def test_what_a_table_tells_of_its_match_is_proven_and_its_initials_are_not(
    game: str,
    options: dict[str, str],
    kinds: tuple[SeatKind, ...],
    names: tuple[str, ...],
    remembered: tuple[str, ...],
) -> None:
    table = HonestTable(game, options, kinds, names)
    table.play_on(3)
    played = (table.entries(), SEED, BEGAN, BEGAN, "")
    told = match_outcome(*played, names=True)
    found = examine_export(told, export_of(told)).match
    assert found is not None
    assert found.names == remembered
    assert match_outcome(*played, names=False).export == ""


def test_a_computer_is_remembered_with_its_level_and_turns_of_who_plays_alone_for_the_fewest() -> None:
    assert proven("legend-against-aether").names == ("Cleo", "Aether (level 3)")
    assert [proven(name).turns for name in ("ship-captain-crew-alone", "ship-captain-crew")] == [6, None]


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_luck_and_the_throws_farthest_from_what_was_expected_are_those_of_the_match_looked_back_on(name: str) -> None:
    export, found = value_of(name), proven(name)
    match = Match.resumed([JOURNAL_ENTRIES.from_plain(entry) for entry in export["entries"]])
    pauses: list[None] = []
    luck = luck_of(entry_of(export["game"]), MatchReview(match), lambda: pauses.append(None))
    if luck is None:
        assert (found.luck, found.throws) == ((), ())
        return
    assert len(pauses) == len(match.history)
    assert [seat.luck for seat in found.luck] == pytest.approx([seat.luck for seat in luck.seats], abs=0.001)
    for seat in range(len(found.names)):
        own = [
            round(worth.luck, 3)
            for step, worth in zip(match.history, luck.deeds, strict=True)
            if worth.luck is not None and step.acted.seat == seat
        ]
        kept = [throw.luck for throw in found.throws if throw.seat == seat]
        assert max(kept) == max(own)
        assert min(kept) == min(own)
        assert len(kept) <= 2 * THROWS_A_SEAT


def test_dice_that_were_not_thrown_are_named_with_the_throw() -> None:
    words = [throw.words for throw in proven("swashbuckle").throws]
    assert "3 beside 2 2 2 2" in words


def test_what_is_remembered_is_read_again_as_it_was_written() -> None:
    for name in PLAYED:
        assert msgspec.json.decode(msgspec.json.encode(proven(name)), type=ProvenMatch) == proven(name)


RESULT = "the result is seat 1 won, 34 : 9"


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"ending": FinalScore(winner=1, scores=(34, 9))}, f"{RESULT}, and seat 2 won, 34 : 9 was"),
        ({"ending": FinalScore(winner=0, scores=(35, 9))}, f"{RESULT}, and seat 1 won, 35 : 9 was"),
        ({"ending": FinalScore(winner=None, scores=(34, 9))}, "and nobody won, 34 : 9 was told"),
        ({"ending": None}, "and that it was left was told"),
        ({"match": "0" * 64}, "the seal is "),
        ({"game": "crowns"}, "the game is legend, and crowns was told"),
        ({"seats": ("Anne", "Cleo")}, "the player of seat 2 is Bart, and Cleo was told"),
        (
            {"seats": ("Anne",), "kinds": (), "ending": FinalScore(winner=0, scores=(34,))},
            "the number of players is 2, and 1 was told",
        ),
    ],
)
def test_an_export_that_tells_something_else_proves_nothing(changed: dict[str, Any], words: str) -> None:
    outcome = msgspec.structs.replace(recorded("legend"), **changed)
    found = examine_export(outcome, export_of(recorded("legend")))
    assert found.match is None
    assert words in found.words
    assert found.words.startswith("the export is of another match: ")


def test_rules_that_were_broken_prove_nothing() -> None:
    value = value_of("legend")
    acted = next(entry for entry in value["entries"] if entry["entry"] == "acted" and entry["action"]["type"] == "pick")
    acted["action"]["id"] = "e1e8"
    found = examine_export(recorded("legend"), json.dumps(value).encode())
    assert found.match is None
    assert "e1e8" in found.words


@settings(max_examples=effort(30, 600), deadline=None)
@given(name=st.sampled_from(PLAYED), data=st.data())
def test_an_export_that_was_cut_short_or_damaged_anywhere_proves_nothing(name: str, data: st.DataObject) -> None:
    export = export_of(recorded(name))
    place = data.draw(st.integers(0, len(export) - 1))
    cut = examine_export(recorded(name), export[:place])
    assert cut.match is None
    assert "is no export of a match" in cut.words
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != export[place]))
    damaged = export[:place] + bytes([other]) + export[place + 1 :]
    try:
        is_same = json.loads(damaged) == json.loads(export)  # a space for another
    except ValueError:
        is_same = False
    assert (examine_export(recorded(name), damaged).match is None) != is_same
