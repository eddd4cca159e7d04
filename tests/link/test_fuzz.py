"""Whatever arrives, nothing is raised but the named errors, and the next good line is read."""

import random
from binascii import crc32
from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st

from captains_table.link.board import BoardEnd
from captains_table.link.fields import BadLinkMessage
from captains_table.link.frames import LONGEST_LINE, Decoder, NotAPayload, frame
from captains_table.link.from_board_parser import parse_from_board
from captains_table.link.from_host import parse_from_host
from captains_table.link.host import HostEnd
from tests.support import link_corpus as corpus
from tests.support.effort import effort
from tests.support.link_noise import TOLD, mutated
from tests.support.link_wires import LIGHTS, Wire, hello

DAMAGED = effort(2_000, 400_000)
TO_HOST = TO_BOARD = effort(2_000, 250_000)
FROM_HYPOTHESIS = effort(60, 10_000)
LINES_EACH = 25  # an example of hypothesis holds that many cases

ASKED = (
    "HELLO? 1",
    "ACK 5e3a90f1 3",
    "LIGHTS 1 " + "L" * LIGHTS,
    "SET 30 10",
    "BUZZ 3600 880:100,0:50",
    "PING 2",
    "UPDATE",
)


def test_the_decoder_is_right_again_at_the_next_line_whatever_came_before() -> None:
    assert corpus.count_resynchronised(seed=1, cases=DAMAGED) == DAMAGED


def test_whatever_the_board_seems_to_say_the_host_raises_nothing_and_still_follows_it() -> None:
    rng = random.Random(2)
    host = HostEnd()
    host.opened(0)
    for now_ms in range(TO_HOST):
        host.receive(mutated(rng, TOLD), now_ms)
        host.tick(now_ms)
        assert isinstance(host.due_ms(), int)
    wire = Wire()
    wire.host = host
    host.opened(wire.now_ms)
    wire.reset(nonce=0xABCDEF)
    wire.run(5000)
    wire.switch(7, closed=True)
    assert [one.index for one in wire.run(500) if hasattr(one, "index")] == [7]


def test_whatever_the_host_seems_to_say_the_board_raises_nothing_and_still_answers() -> None:
    rng = random.Random(3)
    board = BoardEnd(hello(), 50, 8)
    for now_ms in range(TO_BOARD):
        board.switch_changed(rng.randrange(64), rng.random() < 0.5, now_ms)
        board.receive(mutated(rng, ASKED), now_ms)
        line = board.next_line(now_ms)
        assert line is None or len(line) <= LONGEST_LINE + 1
    while board.next_line(TO_BOARD):
        pass
    board.receive(frame("PING 99"), TO_BOARD)
    assert b"PONG 5e3a90f1 99 " in (board.next_line(TO_BOARD) or b"")


@settings(max_examples=FROM_HYPOTHESIS)
@given(st.lists(st.binary(max_size=600), min_size=LINES_EACH, max_size=LINES_EACH))
def test_arbitrary_bytes_are_nothing_to_either_end(chunks: list[bytes]) -> None:
    decoder, host, board = Decoder(), HostEnd(), BoardEnd(hello(), 50, 8)
    host.opened(0)
    for now_ms, chunk in enumerate(chunks):
        decoder.feed(chunk)
        assert decoder.feed(b"\n" + frame("PING 1")) == ["PING 1"]
        assert host.receive(chunk + b"\n", now_ms) == []
        assert board.receive(chunk + b"\n", now_ms) == []


@settings(max_examples=FROM_HYPOTHESIS)
@given(st.text(max_size=60), st.sampled_from(TOLD + ASKED))
def test_a_message_is_read_as_it_was_written_or_refused_by_name(text: str, message: str) -> None:
    for line in (text, message.split(" ", maxsplit=1)[0] + " " + text):
        for parse in (parse_from_board, parse_from_host):
            with suppress(BadLinkMessage):
                said = parse(line).line()
                assert parse(said).line() == said


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=LONGEST_LINE - 9))
def test_every_printable_payload_arrives_as_it_was_sent(payload: str) -> None:
    assert Decoder().feed(frame(payload)) == [payload]


@pytest.mark.parametrize("payload", ["", "naïve", "two\nlines", "x" * LONGEST_LINE, "\t"])
def test_what_would_not_arrive_is_not_sent(payload: str) -> None:
    with pytest.raises(NotAPayload, match="printable ASCII"):
        frame(payload)


def test_bad_lines_are_counted_by_kind() -> None:
    decoder = Decoder()
    good = frame("PING 1")
    decoder.feed(b"x" * 300 + b"\n" + b"no checksum here\n" + good.replace(b"1*", b"2*"))
    decoder.feed(b"\xff\xfe" + b"*%08x\n" % crc32(b"\xff\xfe"))
    assert decoder.bad == [1, 1, 1, 1]
    assert decoder.feed(b"\n\r\n" + good.replace(b"\n", b"\r\n")) == ["PING 1"]
    assert decoder.bad == [1, 1, 1, 1]
