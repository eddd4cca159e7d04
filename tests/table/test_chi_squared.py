"""The chi-squared test against its printed quantiles, its integral, and dice that are known to be false."""

import pytest

from captains_table.cli.main import main
from captains_table.devices.dice_sources import HonestDice
from captains_table.runtime import dice_test
from captains_table.runtime.dice_test import fresh_dice, run_dice_test
from captains_table.table.history.dice_stream import chance_of_more, chi_squared
from tests.support.seeded_dice import SeededDice


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    [
        *((3.841459, 1, 0.05), (5.991465, 2, 0.05), (11.070498, 5, 0.05), (20.515006, 5, 0.001)),
        *((18.307038, 10, 0.05), (49.801850, 35, 0.05), (chi_squared([10] * 6), 5, 1)),
    ],
)
def test_the_upper_tail_meets_the_printed_quantiles(statistic: float, freedom: int, chance: float) -> None:
    assert chance_of_more(statistic, freedom) == pytest.approx(chance, rel=1e-5)


def test_no_two_trials_are_of_the_same_dice() -> None:
    assert fresh_dice().throw(60) != fresh_dice().throw(60)


@pytest.mark.slow
def test_the_command_puts_a_million_faces_to_trial(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a seed: fresh dice would fail one run in 5,000."""
    monkeypatch.setattr(dice_test, "fresh_dice", lambda: HonestDice(bytes(range(32))))
    assert main(["verify", "--dice"]) == 0
    out = capsys.readouterr().out
    assert "1,000,000 faces" in out
    assert out.count("passed") == 2


def test_the_command_fails_when_the_dice_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dice_test, "fresh_dice", lambda: OnlySixes(1))
    assert main(["verify", "--dice"]) == 1
    assert "FAILED" in capsys.readouterr().out


class OnlySixes(SeededDice):
    def throw(self, count: int) -> tuple[int, ...]:
        return (6,) * count


class LoadedDice(SeededDice):
    """One six in twenty falls as a one."""

    def throw(self, count: int) -> tuple[int, ...]:
        return tuple(1 if face == 6 and index % 20 == 0 else face for index, face in enumerate(super().throw(count)))


class RepeatingDice(SeededDice):
    """Every face even, but each falls twice in a row too often."""

    def throw(self, count: int) -> tuple[int, ...]:
        faces = list(super().throw(count))
        for index in range(0, count - 1, 30):
            faces[index + 1] = faces[index]
        return tuple(faces)


def test_loaded_dice_fail_by_their_faces_and_dice_that_repeat_themselves_by_their_pairs() -> None:
    faces, _ = run_dice_test(LoadedDice(3), 200_000)
    assert not faces.passed
    assert "FAILED" in str(faces)
    faces, pairs = run_dice_test(RepeatingDice(3), 100_000)
    assert (faces.passed, pairs.passed) == (True, False)
