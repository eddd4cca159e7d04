"""Notus, the computer player of Crowns: static evaluation, lookahead of one action, and bids."""
