"""What is wrong with a table: checks that need no hand, and a guided test with a piece, lights and buttons."""
