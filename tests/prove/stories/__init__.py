"""What a list of switch changes may tell: every way to lift and set pieces that explains it, and what each costs.

A *story* assigns each change since the board stood as before the move to a piece that is lifted or set down, or to the
magnet of a piece set down on a neighbouring square. It ends with the pieces of one of the moves on offer, of a move and
the next player's after it, or with nothing played. It costs what people do not need for that (`prices`); the cheapest
story is what the board means, and where one that ends with other pieces costs hardly more, both fit.

This search knows the raw list alone, and shares nothing with the table's own recogniser, which is judged by it.
"""
