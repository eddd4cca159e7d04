"""The documentation's own conversation, held against both ends."""

from pathlib import Path

from captains_table.link.board import BoardEnd
from captains_table.link.frames import Decoder, frame
from captains_table.link.from_board import FIRMWARE, Abilities, Hello
from captains_table.link.from_board_parser import parse_from_board
from captains_table.link.from_host import parse_from_host
from captains_table.link.host import HostEnd
from tests.support import link_golden as golden

README = Path(__file__).parents[2] / "firmware" / "README.md"
CONVERSATION = golden.parse_conversation(README.read_text())


def lines(mark: str) -> list[str]:
    return [text for _, what, text in CONVERSATION if what == mark]


def test_every_golden_line_is_read_and_written_the_same_and_every_message_is_there() -> None:
    words = {line.split("*")[0].split(" ")[0] for line in lines("<") + lines(">")}
    assert words == {"HELLO", "STATE", "CHANGES", "LIT", "PONG", "HELLO?", "ACK", "LIGHTS", "SET", "BUZZ", "PING"}
    for mark, parse in (("<", parse_from_board), (">", parse_from_host)):
        for line in lines(mark):
            (payload,) = Decoder().feed(line.encode() + b"\n")
            assert parse(payload).line() == payload
            assert frame(payload).decode() == line + "\n"


def test_the_board_says_what_the_golden_conversation_has_it_say() -> None:
    hello = Hello(FIRMWARE, 8, 8, golden.NONCE, Abilities(65, ("roll", "choose"), encoder=True, buzzer=True))
    board = BoardEnd(hello, 50, 8)
    board.begin(golden.OCCUPIED, [])
    assert golden.board_disagreements(board, CONVERSATION) == []


def test_the_host_says_what_the_golden_conversation_has_it_say() -> None:
    host = HostEnd()
    host.opened(0)
    said: list[tuple[int, str]] = []
    for now_ms, mark, text in CONVERSATION:
        if mark == "<":
            host.receive(text.encode() + b"\n", now_ms)
        elif mark == "!":
            want(host, text, now_ms)
        said += [(now_ms, line) for line in host.tick(now_ms).decode().splitlines()]
    assert said == [(now_ms, text) for now_ms, mark, text in CONVERSATION if mark == ">"]


def want(host: HostEnd, text: str, now_ms: int) -> None:
    """Want of the host what a line with `!` says."""
    words = text.split(" ")
    if words[0] == "show":
        host.show(words[1])
    elif words[0] == "set":
        host.set(int(words[1]), int(words[2]))
    elif words[0] == "buzz":
        tones = [tone.split(":") for tone in words[1].split(",")]
        host.buzz([(int(hertz), int(length_ms)) for hertz, length_ms in tones], now_ms)
