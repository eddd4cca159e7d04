"""The lights under the squares: what they show, and the chips that show it."""
