"""Generates the settings of the Pico's firmware (the text of firmware/settings.py) from a profile."""

from typing import Final

from captains_table.hardware.profiles.light_supply import light_supply
from captains_table.hardware.profiles.profile import Profile

PLACES_A_LINE: Final = 16


class NotOnAPico(ValueError):
    """Raised for a profile whose switches are not read by a Pico."""


def board_settings(profile: Profile) -> str:
    """Return the settings of a Pico's firmware as Python source text; raises NotOnAPico."""
    matrix, roll = profile.matrix, profile.buttons.roll
    if not profile.board.runs_firmware or matrix is None or roll is None:
        raise NotOnAPico(f'{profile.name}: no Pico reads its switches; expected a profile with source = "pico"')
    encoder, lights = profile.buttons.encoder, profile.lights
    on_board = lights is not None and lights.kind.owner == "pico"
    buttons = {"roll": roll} | ({"choose": encoder.push} if encoder else {})
    return "\n".join(
        [
            f'"""How the board of {profile.name} is built, from its profile. Pins are GP numbers."""',
            "",
            f"FILE_PINS = {matrix.file_pins}",
            f"RANK_PINS = {matrix.rank_pins}",
            f"BUTTON_PINS = {buttons}",
            f"ENCODER_PINS = {(encoder.a, encoder.b) if encoder else None}",
            f"LIGHTS_PIN = {lights.pin if lights and on_board else None}",
            f"BUZZER_PIN = {profile.buzzer}",
            *_chain(profile if on_board else None),
            f"MOST_MILLIAMPERES = {light_supply(profile).budget_ma if on_board else 0}",
            f"BRIGHTNESS = {round(lights.brightness * 100 / 255) if lights and on_board else 0}",
            "",
        ]
    )


def _chain(profile: Profile | None) -> list[str]:
    """Return the source lines that set LIGHT_CHAIN to the planned chain positions of all lights.

    The squares' lights come first, from a1 on, then the roll button's light. If `profile` is `None`, the Pico drives no
    lights, and LIGHT_CHAIN is set to an empty list.
    """
    if profile is None:
        return ["LIGHT_CHAIN = []"]
    squares = profile.shape.squares()
    places = [profile.wired_light_of(square) for square in squares] + [len(squares)]
    rows = [places[start : start + PLACES_A_LINE] for start in range(0, len(places), PLACES_A_LINE)]
    return ["LIGHT_CHAIN = [", *(f"    {', '.join(map(str, row))}," for row in rows), "]"]
