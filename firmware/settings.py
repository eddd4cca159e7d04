"""The settings of this board's build; the only file that differs between builds.

Pin numbers are the Pico's GP numbers; None if a part is missing.
"""

FILE_PINS = (0, 1, 2, 3, 4, 5, 6, 7)  # inputs, file a first
RANK_PINS = (8, 9, 10, 11, 12, 13, 14, 15)  # outputs, rank 1 first
BUTTON_PINS = {"roll": 16, "choose": 19}  # to ground; choose is the encoder's push; also: next, back
ENCODER_PINS = (17, 18)  # A, B; to ground
LIGHTS_PIN = 22  # through a 3.3 to 5 V level shifter
BUZZER_PIN = 20

# Each light's place in the chain, a1 first, the button's last. This chain runs a1..h1, h2..a2 and so on.
LIGHT_CHAIN = [r * 8 + (f if r % 2 == 0 else 7 - f) for r in range(8) for f in range(8)]
LIGHT_CHAIN.append(64)
MOST_MILLIAMPERES = 1215  # current limit of all lights' colours: four fifths of the fuse's rating, less 1 mA per chip
BRIGHTNESS = 50  # percent, until the host sets another
