"""Hands that change their mind: kinds of play, a person who plays so and looks away, and what is counted of it.

Each kind in `kinds` is one way people handle pieces besides what the move needs. Where the same switches may mean
something else as well, its deed has several truths, and the hands mean any of them.
"""
