"""Drive Crowns by words, through the contract alone, from wherever a test wants people to stand.

A word is `bid Anne 3`, `bell`, or an option's id. `bid Anne 3; bell` are two of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from captains_table.games.contract import Auction, Bell, Bid, GameEvent, Pick, parse_square
from captains_table.games.crowns import Crowns
from captains_table.games.crowns.state import Acting, Away, State
from tests.support.by_words import Reader

GAME: Final = Crowns()
READER: Final = Reader(GAME)
decision, pick_ask, offered, result = READER.asked, READER.pick_ask, READER.offered, READER.result
NAMES: Final = (
    *("Anne", "Bart", "Cleo", "Dick", "Edda", "Finn", "Gwen"),
    *("Hugo", "Ines", "Jack", "Kate", "Lars", "Mary", "Nils"),
)
KNIGHT: Final = "Ferris: b4 d4 b2 d2 / b5 d5 a4 e4 a2 e2 b1 d1"
"""Worth 3; levelled up it is a knight, for 18, and 4 points are left."""

FOURTEEN: Final = (
    "Boatswain: b4 d4 b2 d2 / b5 d5 a4 e4 a2 e2 b1 d1",
    "Cooper: c4 b3 d3 / b4 c4 d4 b3 d3 b2 d2",
    "Gunner: b4 d4 / nw ne",
    "Lookout: c5 a3 e3 c1 / a5 e5 c5 a3 e3 a1 e1 c1",
    "Purser: c4 c2 b2 d2 / b4 c4 d4 b3 d3 b2 c2 d2",
    "Navigator: b5 d5 / b5 d5 b4 d4 b2 d2 c1",
    "Surgeon: b3 d3 b2 d2 / b3 d3 c4 b4 d4 b1 d1 c2",
    "Carpenter: c4 b3 d3 c2 / c5 a3 e3 c1 c4 c2",
    "Monkey: b4 d4 b2 d2 / a5 e5 a1 e1 b4 d4 b2 d2",
    "Cook: c4 b2 d2 / n b3 d3 b2 d2",
    "Rigger: b1 d1 c4 / b5 d5 b1 d1 b4 d4 c2",
    "Helmsman: c4 b3 d3 / n b3 d3",
    "Stowaway: c4 b2 d2 c2 / b4 d4 sw se",
    "Quartermaster: c4 c2 / b4 d4 ne sw",
)
"""Pieces for fourteen players that stay as they are, whatever the roster becomes."""


def any_pieces(players: int) -> dict[str, str]:
    """Return options that give each of so many players another piece."""
    return {f"piece{number}": piece for number, piece in enumerate(FOURTEEN[:players], 1)}


def start(players: int = 2, **options: str) -> State:
    """Return a match of so many players, each with the knight unless another piece is named."""
    pieces = {f"piece{number}": KNIGHT for number in range(1, players + 1)}
    return GAME.start(NAMES[:players], {**pieces, **options})


def set_up(
    state: State,
    *,
    at: Mapping[str, str] | None = None,
    gold: Mapping[str, int] | None = None,
    pawns: Mapping[str, str] | None = None,
    crowns: Sequence[str] = (),
    levelled: Sequence[str] = (),
    cards: Mapping[str, int] | None = None,
) -> State:
    """Return a match with everything as it is named; if any pawns are named, there are no others."""
    fields: dict[str, Mapping[str, object]] = {
        "place": {name: Away(to) if to in set(Away) else parse_square(to) for name, to in (at or {}).items()},
        "gold": gold or {},
        "levelled": dict.fromkeys(levelled, True),
        "cards": cards or {},
    }
    for field, values in fields.items():
        for name, value in values.items():
            seat = state.seats.index(name)
            state = state.with_player(seat, replace(state.players[seat], **{field: value}))  # type: ignore[arg-type]
    if pawns is not None:
        state = replace(state, pawns=b"." * 49)
        for square, letter in pawns.items():
            state = state.with_pawn(parse_square(square), letter)
    for party, crown in enumerate(crowns):
        wearer = state.seats.index(crown) if crown in state.seats else None
        state = state.with_crown(party, parse_square(crown) if wearer is None else wearer)
    return state


def let_act(state: State, name: str) -> State:
    """Return the match in which a player has won the auction for nothing."""
    return replace(state, step=Acting(state.seats.index(name)))


def play(state: State, words: str) -> State:
    """Return the state after words, with `;` between them; raises IllegalAction."""
    for word in map(str.strip, words.split(";")):
        match word.split():
            case ["bid", name, value]:
                state = GAME.apply(state, Bid(state.seats.index(name), int(value)))
            case ["bell"]:
                state = GAME.apply(state, Bell())
            case _:
                state = GAME.apply(state, Pick(word))
    return state


def asked(state: State) -> str:
    """Return who is to decide."""
    return state.seats[decision(state).seat]


def auction(state: State) -> Auction:
    """Return the auction that is held."""
    turn = GAME.turn(state)
    assert isinstance(turn, Auction)
    return turn


def may_bid(state: State) -> dict[str, tuple[int, int]]:
    """Return who may bid, from how much to how much."""
    return {state.seats[bidder.seat]: (bidder.least, bidder.most) for bidder in auction(state).bidders}


def kept_out(state: State) -> dict[str, str]:
    """Return who may not bid, and why not."""
    turn = auction(state)
    return {state.seats[each.seat]: turn.why_not(each.seat) for each in turn.kept_out}


def gold(state: State) -> dict[str, int]:
    """Return what is in each purse."""
    return dict(zip(state.seats, GAME.score(state), strict=True))


def where(state: State) -> dict[str, str]:
    """Return where everybody is."""
    return {name: str(player.place) for name, player in zip(state.seats, state.players, strict=True)}


def crowns(state: State) -> tuple[str, str]:
    """Return where White's and Black's crowns are."""
    white, black = (state.seats[crown] if isinstance(crown, int) else str(crown) for crown in state.crowns)
    return white, black


def told(state: State, word: str) -> Sequence[GameEvent]:
    """Return what happens by a word."""
    return GAME.game_events(state, play(state, word))
