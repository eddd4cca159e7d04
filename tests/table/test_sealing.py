"""What would seal a move while two stories fit: it is taken, asks first which it was, and is carried out afterwards."""

import pytest

from captains_table.games.contract import Option, Pick, PickAsk, parse_square
from captains_table.table.model.entries import Entry, MatchEnded, TakenBack, Unsure, resume_info_of
from captains_table.table.model.match import Match
from captains_table.table.model.view import Phase
from captains_table.table.playing.ambiguous_move import UnsureJournal
from captains_table.table.prompts.asks import ask_now, offered_rivals, with_rivals
from tests.support.listening import ListeningPlayer

LEGEND = """\
game legend Anne Bart "fen=4k3/n7/8/8/8/8/4K3/R6b w - - 0 1"
dice 1 1 1 1 1 6
press roll
"""
CHESS = 'game captains-chess Anne Bart {options}"fen=4k4/n8/1p7/9/9/9/4K4/R7b w - - 0 1"\n'
MATE = 'game captains-chess Anne Bart "fen=r7k/6ppp/9/9/9/9/4K4/R7n w - - 0 1"\n'
CLAIM = 'game captains-chess Anne Bart "fen=4k4/9/1p7/9/9/9/2Q1K4/9 w - - 99 60"\n'
BORDER = """\
game legend Anne Bart "fen=4k3/8/8/8/3Q1p2/8/8/4K3 w - - 0 1"
dice 1 1 1 1 1 6
press roll
lift f4
+400 lift d4
+400 place f4
+20 place e4
"""


def touched(first: str, other: str) -> str:
    """Return the lines of a rook that takes one of two pieces, whichever: both were lifted and set down on."""
    return f"lift a1\n+400 lift {first}\n+400 place {first}\n+600 lift {other}\n+400 place {other}\n"


AT_LEGEND = LEGEND + touched("a7", "h1")
AT_CHESS = CHESS.format(options="") + touched("a7", "i1")
AT_A_CLOCK = CHESS.format(options="clock=5 ") + touched("a7", "i1")
AT_ITS_END = MATE + touched("a8", "i1")
AT_A_CLAIM = CLAIM + "lift c2\n+400 place d3\n+20 place c3\n"
ONE_BUTTON = "config buttons=one\n"


def table(text: str) -> ListeningPlayer:
    return ListeningPlayer(text)


def standing(player: ListeningPlayer) -> list[str]:
    """Return the actions that stand, in words, without the throws before the move."""
    match = player._table.session.match
    assert match is not None
    actions = [step.acted.action for step in match.history]
    words = [action.id if isinstance(action, Pick) else type(action).__name__ for action in actions]
    return [word for word in words if word not in ("roll", "Rolled")]


def asked(player: ListeningPlayer) -> list[str]:
    ask = player.final()["ask"]
    return [option["id"] for option in ask["options"]] if ask is not None else []


SEALERS = {
    "done": (AT_LEGEND, "pick done", "a7", "h1", ["done"]),
    "a throw of kept dice": (AT_LEGEND, "dice 2 2 2 2 2\nkeep 6", "a7", "h1", ["throw-again", "Keep"]),
    "the roll button": (AT_LEGEND + "pick throw-again", "dice 1 1 1 1 1\npress roll", "a7", "h1", ["Keep"]),
    "abandon": (AT_LEGEND + "pick abandon", "pick agree", "a7", "h1", ["agree"]),
    "the clock by button": (AT_A_CLOCK, "press roll", "a7", "i1", ["press-clock"]),
    "the clock on the page": (AT_A_CLOCK, "pick press-clock", "a7", "i1", ["press-clock"]),
    "the clock by the only button": (ONE_BUTTON + AT_A_CLOCK, "press roll", "a7", "i1", ["press-clock"]),
    "resigning": (AT_CHESS, "pick resign", "a7", "i1", ["resign"]),
    "a draw": (AT_CHESS + "pick offer-draw", "pick agree", "a7", "i1", ["agree"]),
    "a next move on the page": (AT_CHESS, "pick e8d8", "a7", "i1", ["e8d8"]),
    "a next move on the board": (AT_CHESS, "lift e8\n+300 place d8\n+400 expect seat Bart", "a7", "i1", ["e8d8"]),
}
CASES = pytest.mark.parametrize(("text", "sealer", "believed", "rival", "deeds"), SEALERS.values(), ids=SEALERS)


@CASES
def test_it_asks_first_with_just_the_stories_and_is_carried_out_once_the_belief_is_confirmed(
    text: str, sealer: str, believed: str, rival: str, deeds: list[str]
) -> None:
    player = table(text)
    before = standing(player)
    assert before[0] == f"a1{believed}"
    player.lines(sealer)
    for wait_ms in (0, 120_000):
        player.wait(wait_ms)
        assert asked(player) == [f"a1{believed}", f"a1{rival}"]
        assert set(standing(player)) <= {*before, "throw-again"}, "nothing is sealed"
    player.lines(f"pick a1{believed}")
    player.wait(1000)
    assert standing(player)[-len(deeds) :] == deeds
    assert standing(player)[0] == f"a1{believed}"
    assert not any(isinstance(entry, TakenBack) for entry in player.entries())


@CASES
def test_it_is_carried_out_after_the_rival_was_chosen(
    text: str, sealer: str, believed: str, rival: str, deeds: list[str]
) -> None:
    player = table(f"{text}\n{sealer}\npick a1{rival}")
    player.wait(1000)
    assert standing(player)[0] == f"a1{rival}"
    assert f"a1{believed}" not in standing(player)
    if deeds not in (["agree"], ["Keep"]):  # asked of a game that was another one
        assert standing(player)[-len(deeds) :] == deeds


def test_a_claim_asks_first() -> None:
    player = table(f"{AT_A_CLAIM}+1000 pick claim-draw")
    assert sorted(asked(player)) == ["c2c3", "c2d3"]
    player.lines("pick c2d3\n+0 expect phase over")
    assert standing(player) == ["c2d3", "claim-draw"]


# --- the next move --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "moves"),
    [("lift i1\n+300 place h2", ["a1a7", "i1h2"]), ("lift a7\n+300 place c6", ["a1i1", "a7c6"])],
    ids=["of the piece that was straightened, as is believed", "of the one believed to be taken"],
)
def test_a_next_move_that_is_legal_under_one_story_only_chooses_it(lines: str, moves: list[str]) -> None:
    player = table(f"{AT_CHESS}+1000 {lines}\n+1000 expect pieces.e2 K")
    assert standing(player) == moves
    assert sorted(asked(player)) != ["a1a7", "a1i1"]


# --- while it is asked ----------------------------------------------------------------------------------------------


def test_no_clock_runs_while_it_is_asked_and_a_press_counts_from_when_it_was_made() -> None:
    player = table(f"{AT_A_CLOCK}+1000 press roll")
    clock = player.final()["clock"]
    player.wait(290_000)
    assert player.final()["clock"] == clock
    player.lines("pick a1i1\n+0 expect seat Bart")
    assert player.final()["clock"] == clock
    player.wait(5000)
    assert player.final()["clock"] == {"Anne": clock["Anne"], "Bart": clock["Bart"] - 5}


def test_hands_that_go_on_have_it_carried_out_where_they_make_it_clear_and_are_still_asked_where_not() -> None:
    player = table(f"{BORDER}+500 pick done")
    assert asked(player) == ["d4f4", "d4e4"]
    player.lines("+600 lift e4\n+200 expect seat Anne\n+200 expect seat Bart")
    assert standing(player) == ["d4f4", "done"]
    player = table(f"{AT_LEGEND}pick done\n+600 lift h1\n+400 place h1\n+5000 expect seat Anne")
    assert asked(player) == ["a1a7", "a1h1"]
    player.lines("pick a1h1")
    assert standing(player) == ["a1h1", "done"]


def test_a_move_taken_back_while_it_is_asked_leaves_nothing_to_be_sealed() -> None:
    player = table(
        f"{BORDER}+500 pick done\n+600 lift e4\n+50 lift f4\n+300 place d4\n+300 place f4\n+9000 expect seat Anne"
    )
    assert standing(player) == []
    assert asked(player)[0] != "d4f4" or "genie" in asked(player)


def test_what_was_said_once_may_be_made_again_after_it_was_taken_back_and_another_was_made() -> None:
    back = "lift h1\n+300 place a1\n+400 place h1\n"
    other = "+900 lift a1\n+400 lift a7\n+400 place a7\n+900 expect pieces.a7 R\n"
    again = "lift a7\n+400 lift h1\n+400 place a7\n+400 place h1\n+900 expect phase playing"
    player = table(f"{AT_LEGEND}pick a1h1\n{back}{other}{again}")
    assert (standing(player), "a1h1" in asked(player)) == (["a1a7"], True)


@pytest.mark.parametrize("lines", ["pick done\npress back", "pick still-moving"])
def test_back_leaves_the_question_and_still_moving_the_offer_and_nothing_is_sealed(lines: str) -> None:
    player = table(f"{AT_LEGEND}{lines}\n+60000 expect seat Anne")
    assert standing(player) == ["a1a7"]
    assert asked(player)[:3] == ["throw-again", "done", "abandon"]
    player.lines("pick done")
    assert asked(player) == ["a1a7", "a1h1"]


def test_answering_moves_no_simulated_piece() -> None:
    player = table(f"{AT_LEGEND}pick done\n+100 lift e2\n+100 expect seat Anne")
    board = player._table.board
    occupied, hand = board.occupied, list(board.hand)
    player.lines("pick a1h1")
    assert (board.occupied, board.hand) == (occupied, hand)
    assert parse_square("e2") not in board.occupied


# --- what is on offer -----------------------------------------------------------------------------------------------


def test_belief_and_rival_are_said_in_one_sentence_and_the_rival_is_in_the_menu() -> None:
    player = table(AT_LEGEND)
    assert player.view().prompt[0] == "Taken as Ra1xa7, but it may be Ra1xh1"
    assert asked(player) == ["throw-again", "done", "abandon", "a1h1", "still-moving"]
    player.lines("pick a1h1")
    assert standing(player) == ["a1h1"]
    assert asked(player) == ["throw-again", "done", "abandon"]
    assert player.view().prompt[0] == "Anne (White): your move is made"
    player.lines("pick done")
    assert standing(player) == ["a1h1", "done"]


def test_a_rival_is_reached_by_next_on_a_one_button_table() -> None:
    player = table(ONE_BUTTON + AT_LEGEND)
    menu = player.view().menu
    ids = [entry.id for entry in menu.entries]
    assert menu.cursor is not None
    player.lines("hold roll 100\n" * (ids.index("a1h1") - menu.cursor) + "hold roll 700")
    assert standing(player) == ["a1h1"]


def test_a_question_is_answered_and_left_with_one_button() -> None:
    player = table(f"{ONE_BUTTON}{AT_A_CLOCK}press roll")
    assert [entry.id for entry in player.view().menu.entries] == ["a1a7", "a1i1", "back"]
    player.lines("hold roll 100\nhold roll 100\nhold roll 700")
    assert standing(player) == ["a1a7"]
    player.lines("press roll\n+100 hold roll 100\nhold roll 700")
    assert standing(player) == ["a1i1", "press-clock"]


def test_a_rival_whose_id_the_game_itself_offers_stands_in_the_question_only() -> None:
    player = table(AT_CHESS)
    match, rivals = player._table.session.match, player._table.session.referee.board_snapshot().rivals
    assert [rival.id for rival in rivals] == ["a1i1"]
    own = ask_now(match)
    assert isinstance(own, PickAsk)
    assert offered_rivals(rivals, own) == list(rivals)
    taken = PickAsk("your move", (*own.options, Option("a1i1", "Ra1-i1", on_board=True)), own.default)
    assert offered_rivals(rivals, taken) == []
    assert with_rivals(taken, rivals) is taken


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(f"{AT_LEGEND}mask h1\npick done", id="a switch that tells of the rival is masked"),
        pytest.param(f"{AT_LEGEND}+100 unplug\n+2000 plug\n+100 pick done", id="the link drops"),
        pytest.param(
            f"{LEGEND}{touched('a7', 'h1')}".replace("place h1", "unplug\nplace h1\n+500 plug") + "pick done",
            id="the link drops in the middle of the move",
        ),
        pytest.param(
            f"{AT_LEGEND}pick done\n+100 unplug\n+2000 plug\n+500 expect seat Anne", id="the link drops while it asks"
        ),
        pytest.param(f"{AT_LEGEND}pick done\npick done\n+100 press roll", id="something else would seal as well"),
    ],
)
def test_it_still_asks_whatever_happens_meanwhile(lines: str) -> None:
    player = table(lines)
    assert asked(player) == ["a1a7", "a1h1"]
    player.lines("pick a1h1")
    assert standing(player)[0] == "a1h1"


# --- the end of a match ---------------------------------------------------------------------------------------------


def test_an_end_that_would_be_written_by_itself_is_asked_about_first() -> None:
    player = table(f"{AT_ITS_END}+59999 expect phase over\n+1000 expect phase over")
    assert asked(player) == ["a1a8+", "a1i1"]
    assert not any(isinstance(entry, MatchEnded) for entry in player.entries())
    player.lines("pick a1i1\n+0 expect phase playing\n+0 expect seat Bart")
    assert standing(player) == ["a1i1"]


@pytest.mark.parametrize("buttons", ["press next\npress choose", "config buttons=one\nhold roll 100\nhold roll 900"])
def test_at_the_end_of_a_match_the_rival_can_be_chosen_without_being_asked_first(buttons: str) -> None:
    settings, _, presses = buttons.rpartition("one\n")
    player = table(f"{settings}one\n{AT_ITS_END}" if settings else AT_ITS_END)
    assert player.view().phase is Phase.OVER
    assert asked(player) == ["a1a8+", "a1i1", "still-moving"]
    player.lines(f"{presses}\n+0 expect phase playing\n+0 expect seat Bart")
    assert standing(player) == ["a1i1"]


def test_at_the_end_of_a_match_still_moving_leaves_the_result_as_it_is_and_an_answer_writes_it() -> None:
    player = table(f"{AT_ITS_END}pick still-moving\n+0 expect phase over")
    assert asked(player) == []
    player.lines("press roll")
    assert asked(player) == ["a1a8+", "a1i1"]
    player.lines("pick a1a8+")
    assert isinstance(player.entries()[-1], MatchEnded)


# --- guidance -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "asks"),
    [(AT_LEGEND, True), (AT_CHESS, False), (f"{BORDER}+600 lift e4\n", True)],
    ids=["Legend", "chess", "border"],
)
def test_guidance_leads_to_a_board_that_the_stories_on_offer_explain(text: str, *, asks: bool) -> None:
    """A king is set where it may not go and stays there: putting right just that is enough."""
    player = table(text)
    king = "e2" if player.view().pieces.get(parse_square("e2")) == "K" else "e1"
    occupied = player._table.board.occupied
    if asks:
        player.lines("pick done" if "done" in asked(player) else "pick resign")
    player.lines(f"+400 lift {king}\n+400 place {king[0]}5")
    player.wait(9000)
    wrong, stands = player.view().wrong, player._table.board.occupied
    assert (stands - set(wrong.extra)) | set(wrong.missing) in (occupied, stands)
    player.lines(f"lift {king[0]}5\n+400 place {king}")
    player.wait(1000)
    assert not player.view().wrong


# --- what leaves open which move was made is journalled ---------------------------------------------------------------

CUT = "+1000 cut\n"
FEW_SEALERS = {name: SEALERS[name] for name in ("done", "abandon", "the clock by button", "a next move on the board")}


def unsure(player: ListeningPlayer) -> list[Unsure]:
    return [entry for entry in player.entries() if isinstance(entry, Unsure)]


@pytest.mark.parametrize(("text", "sealer", "believed", "rival", "deeds"), FEW_SEALERS.values(), ids=FEW_SEALERS)
def test_whatever_seals_asks_first_after_a_cut_too(
    text: str, sealer: str, believed: str, rival: str, deeds: list[str]
) -> None:
    player = ListeningPlayer(f"{text}\n{CUT}{sealer}")
    assert asked(player) == [f"a1{believed}", f"a1{rival}"]
    player.lines(f"pick a1{believed}")
    player.wait(1000)
    assert standing(player)[-len(deeds) :] == deeds


BACK = "lift a7\n+300 place a1\n+400 place a7\nlift a1\n+400 place d1\n+1000 expect pieces.d1 R\n"


@pytest.mark.parametrize(
    ("lines", "stands"),
    [
        pytest.param(f"{AT_LEGEND}pick done\n{CUT}pick a1h1", ["a1h1"], id="what waited for an answer was not done"),
        pytest.param(
            f"{AT_LEGEND}pick done\npick still-moving\npick a1h1\n{CUT}pick done",
            ["a1h1", "done"],
            id="what was answered is not asked again",
        ),
        pytest.param(f"{AT_LEGEND}{BACK}{CUT}pick done", ["a1d1", "done"], id="nor is what hands made clear"),
        pytest.param(f"{AT_CHESS}{CUT}lift i1\n+300 place h2", ["a1a7", "i1h2"], id="the next player answers one"),
        pytest.param(f"{AT_CHESS}{CUT}lift a7\n+300 place c6", ["a1i1", "a7c6"], id="the next player answers another"),
    ],
)
def test_after_a_cut_it_stands_or_is_asked_as_before(lines: str, stands: list[str]) -> None:
    before, _, after = lines.partition(CUT)
    player = ListeningPlayer(f"{before}{CUT}")
    assert (asked(player) == ["a1a7", "a1h1"]) is (before == f"{AT_LEGEND}pick done\n"), "it is asked again at once"
    player.lines(after)
    player.wait(1000)
    assert standing(player) == stands


def test_a_rival_that_nobody_was_asked_about_is_on_offer_again() -> None:
    assert "d4e4" in asked(ListeningPlayer(BORDER))
    player = ListeningPlayer(f"{BORDER}{CUT}")
    assert standing(player) == ["d4f4"]
    assert "d4e4" in asked(player)


def test_an_end_that_is_not_clear_is_not_written_by_a_cut() -> None:
    player = ListeningPlayer(f"{AT_ITS_END}{CUT}")
    assert asked(player) == ["a1a8+", "a1i1"]
    assert not any(isinstance(entry, MatchEnded) for entry in player.entries())
    player.lines("pick a1a8+")
    assert isinstance(player.entries()[-1], MatchEnded)


def test_the_journal_says_it_once_and_says_when_it_is_clear() -> None:
    player = ListeningPlayer(AT_LEGEND)
    [said] = unsure(player)
    assert [(square, closed) for _, square, closed in said.changes] == [
        ("a1", False),
        ("a7", False),
        ("a7", True),
        ("h1", False),
        ("h1", True),
    ]
    player.wait(60_000)
    assert unsure(player) == [said]
    player.lines("pick a1a7")
    assert [bool(entry.changes) for entry in unsure(player)] == [True, False]


@pytest.mark.parametrize("spoiled", ["z9", "a99", ""])
def test_squares_that_the_board_has_not_are_no_reason_to_stop(spoiled: str) -> None:
    player = ListeningPlayer(AT_LEGEND)
    match = Match.resumed(player.entries())
    [said] = unsure(player)
    changes = ((said.changes[0][0], spoiled, True), *said.changes)
    odd = Unsure(said.after_seq, said.since_seq, changes)
    assert UnsureJournal().recall(match, odd) is None
    assert UnsureJournal().recall(match, Unsure(said.after_seq, 99, said.changes)) is None
    assert UnsureJournal().recall(match, said) is not None


def test_it_counts_until_the_next_action_only() -> None:
    entries: list[Entry] = ListeningPlayer(AT_LEGEND).entries()
    assert resume_info_of(entries, resumed=True).unsure is not None
    assert resume_info_of(ListeningPlayer(f"{AT_LEGEND}pick done\npick a1a7").entries(), resumed=True).unsure is None
