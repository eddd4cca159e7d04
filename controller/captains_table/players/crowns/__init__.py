"""Notus, the computer player of Crowns, with static evaluation, lookahead of one action, and bids."""
