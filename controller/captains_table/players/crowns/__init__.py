"""Notus, the computer player of Crowns: a static evaluation, a lookahead of one action, and bids."""
