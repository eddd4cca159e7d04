import random

import pytest
from hypothesis import given, strategies as st

from captains_table.devices.dice_sources import DiceMismatch, DiceQueueEmpty, DictatedDice, HonestDice, commitment
from captains_table.devices.ports import Dice
from captains_table.games.contract import Rolled
from captains_table.table.history.dice_stream import FaceStream
from captains_table.table.model.entries import Acted, Entry, Salted
from tests.support.seeded_dice import SeededDice

SEED = bytes(range(32))


@pytest.mark.parametrize("dice", [HonestDice(SEED), DictatedDice([1, 6, 3, 4, 5, 2] * 4), SeededDice(7)])
def test_all_dice_throw_as_many_faces_as_are_asked_for(dice: Dice) -> None:
    dice.add_salt(640)
    for count in (0, 1, 2, 5, 6):
        faces = dice.throw(count)
        assert len(faces) == count
        assert set(faces) <= set(range(1, 7))


def test_every_match_draws_a_seed_of_its_own() -> None:
    seeds = {HonestDice.new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}
    assert len(commitment(seeds.pop())) == 64


def test_a_short_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 32"):
        HonestDice(b"short")


@given(st.lists(st.one_of(st.integers(1, 6), st.integers(100, 5000)), max_size=30), st.integers(0, 29))
def test_dice_resumed_after_a_power_cut_go_on_where_they_stood(doings: list[int], cut: int) -> None:
    dice = HonestDice(SEED)
    resumed = dice
    entries: list[Entry] = []
    for seq, doing in enumerate(doings):
        if seq == cut:
            resumed = HonestDice.resumed(SEED, entries)
        if doing >= 100:  # a press; anything less is a number of dice
            entries.append(Salted(0, doing))
            dice.add_salt(doing)
            if resumed is not dice:
                resumed.add_salt(doing)
        else:
            faces = dice.throw(doing)
            entries.append(Acted(seq, 0, 0, Rolled(faces)))
            if resumed is not dice:
                assert resumed.throw(doing) == faces
    assert HonestDice.resumed(SEED, entries).throw(6) == dice.throw(6)


def test_a_journal_with_a_touched_die_is_not_resumed() -> None:
    faces = FaceStream(SEED).throw(2)
    with pytest.raises(DiceMismatch) as caught:
        HonestDice.resumed(SEED, [Acted(3, 0, 0, Rolled((faces[0], faces[1] % 6 + 1)))])
    assert caught.value.seq == 3


def test_dictated_faces_fall_in_order_and_a_press_does_not_matter() -> None:
    dice = DictatedDice([1, 2])
    dice.add_salt(500)
    dice.queue([3, 4, 5])
    assert dice.throw(3) == (1, 2, 3)
    assert dice.throw(2) == (4, 5)


def test_an_empty_queue_is_named_and_loses_nothing() -> None:
    dice = DictatedDice([6, 5])
    with pytest.raises(DiceQueueEmpty, match="3 dice must fall, but the queue of faces holds 6 5"):
        dice.throw(3)
    assert dice.throw(2) == (6, 5)


def test_the_seed_speaks_when_the_queue_is_empty() -> None:
    rng = random.Random(7)
    dice = DictatedDice([6])
    dice.seed(7)
    assert dice.throw(3) == (6, rng.randint(1, 6), rng.randint(1, 6))
    dice.queue([2])
    assert dice.throw(2) == (2, rng.randint(1, 6))


@pytest.mark.parametrize("face", [0, 7])
def test_what_is_no_face_is_not_dictated(face: int) -> None:
    with pytest.raises(ValueError, match="no face"):
        DictatedDice([1, face])
