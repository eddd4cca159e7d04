"""A board on the Pi's own pins, by gpiozero: switch matrix, buttons, encoder."""
