"""Who plays Crowns: what a standing is worth, and so what a turn is worth to whoever bids for it."""
