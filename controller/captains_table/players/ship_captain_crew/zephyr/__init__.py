"""Zephyr, who plays Ship, Captain and Crew to win: races to the target, last turns, play-offs."""
