"""What chess and Captain's Chess share: the protocol of a position, the state of a match, its turns, and its PGN."""
