"""What leaves open which move was made is journalled: after a power cut it is asked again, and nothing was sealed."""

import pytest

from captains_table.table.model.entries import Entry, MatchEnded, Unsure, resume_info_of
from captains_table.table.model.match import Match
from captains_table.table.playing.unsure_journal import UnsureJournal
from tests.support.listening import ListeningPlayer
from tests.table.test_sealing import AT_CHESS, AT_ITS_END, AT_LEGEND, BORDER, CASES, asked, standing

CUT = "+1000 cut\n"


def unsure(player: ListeningPlayer) -> list[Unsure]:
    return [entry for entry in player.entries() if isinstance(entry, Unsure)]


@CASES
def test_whatever_seals_asks_first_after_a_cut_too(
    text: str, sealer: str, believed: str, rival: str, deeds: list[str]
) -> None:
    player = ListeningPlayer(f"{text}\n{CUT}{sealer}")
    assert asked(player) == [f"a1{believed}", f"a1{rival}"]
    player.lines(f"pick a1{believed}")
    player.wait(1000)
    assert standing(player)[-len(deeds) :] == deeds


def test_what_was_asked_is_asked_again_at_once_and_what_waited_for_it_was_not_done() -> None:
    player = ListeningPlayer(f"{AT_LEGEND}pick done\n{CUT}")
    assert asked(player) == ["a1a7", "a1h1"]
    player.lines("pick a1h1")
    player.wait(1000)
    assert standing(player) == ["a1h1"]


def test_a_rival_that_nobody_was_asked_about_is_on_offer_again() -> None:
    assert "d4e4" in asked(ListeningPlayer(BORDER))
    player = ListeningPlayer(f"{BORDER}{CUT}")
    assert standing(player) == ["d4f4"]
    assert "d4e4" in asked(player)


def test_what_was_answered_is_not_asked_again() -> None:
    player = ListeningPlayer(f"{AT_LEGEND}pick done\npick still-moving\npick a1h1\n{CUT}pick done\n")
    player.wait(1000)
    assert standing(player) == ["a1h1", "done"]


def test_what_hands_made_clear_is_not_asked_again() -> None:
    back = "lift a7\n+300 place a1\n+400 place a7\n"
    player = ListeningPlayer(f"{AT_LEGEND}{back}lift a1\n+400 place d1\n+1000 expect pieces.d1 R\n{CUT}pick done\n")
    player.wait(1000)
    assert standing(player) == ["a1d1", "done"]


def test_an_answer_of_the_next_player_after_a_cut_is_told_with_what_was_touched_before() -> None:
    player = ListeningPlayer(f"{AT_CHESS}{CUT}lift i1\n+300 place h2\n+1000 expect pieces.h2 b")
    assert standing(player) == ["a1a7", "i1h2"]
    player = ListeningPlayer(f"{AT_CHESS}{CUT}lift a7\n+300 place c6\n+1000 expect pieces.c6 n")
    assert standing(player) == ["a1i1", "a7c6"]


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
