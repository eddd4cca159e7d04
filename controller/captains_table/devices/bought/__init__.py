"""Boards that people buy: DGT, Certabo and Tabutronic, Chessnut. This program is not connected with their makers."""
