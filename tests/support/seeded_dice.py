"""Dice that are known beforehand, for tests."""

from captains_table.devices.dice_sources import DictatedDice


class SeededDice(DictatedDice):
    """Dictated dice whose faces all come from a small seed."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed(seed)
