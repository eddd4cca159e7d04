"""Eurus, who plays Swashbuckle to win: dice, raids and curses by the chance to end highest."""
