"""Runs computer players and the adviser in a low-priority process, so that the table never waits for them."""
