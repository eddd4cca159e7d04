"""Zephyr, the computer player of Ship, Captain and Crew, which maximises the chance to win the match."""
