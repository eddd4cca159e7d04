"""Aether, the computer player of Legend: an expectimax search over moves and throws of the Legend die."""
