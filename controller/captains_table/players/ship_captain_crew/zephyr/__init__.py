"""Zephyr, the computer player of Ship, Captain and Crew, which maximises its chance to win the match."""
