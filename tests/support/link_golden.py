"""The golden conversation of `firmware/README.md`, and the board's side of it. Runs under MicroPython too."""

TYPE_CHECKING = False  # MicroPython has no `typing`
if TYPE_CHECKING:
    from captains_table.link.board import BoardEnd

NONCE = 0x5E3A90F1
OCCUPIED = 0xFFFF00000000FFFF


def parse_conversation(readme: str) -> "list[tuple[int, str, str]]":
    """Return (time in ms, `>` or `<` or `!`, text) of each line."""
    start = readme.index("```link\n") + len("```link\n")
    block = readme[start : readme.index("```", start)]
    lines = []
    for line in block.strip().split("\n"):
        time, mark, text = line.strip().split(" ", 2)
        lines.append((int(time), mark, text))
    return lines


def act_at_board(board: "BoardEnd", text: str, now_ms: int) -> None:
    """Let happen at the board what a line with `!` says; what only the host wants is nothing here."""
    words = text.split(" ")
    if words[0] == "switch":
        board.switch_changed(int(words[1]), words[2] == "closes", now_ms)
    elif words[0] == "button":
        board.button_changed(int(words[1]), words[3] == "down", now_ms)
    elif words[0] == "the":
        board.encoder_turned(int(words[3]), now_ms)


def board_disagreements(
    board: "BoardEnd", conversation: "list[tuple[int, str, str]]"
) -> "list[tuple[int, str, object]]":
    """Return where the board says anything else than the conversation has it say."""
    wrong: list[tuple[int, str, object]] = []
    before_ms = 0
    for now_ms, mark, text in conversation:
        if now_ms > before_ms:
            said = board.next_line(before_ms)
            if said is not None:
                wrong.append((before_ms, "silence", said))
            before_ms = now_ms
        if mark == "<":
            said = board.next_line(now_ms)
            if said != text.encode() + b"\n":
                wrong.append((now_ms, text, said))
        elif mark == ">":
            board.receive(text.encode() + b"\n", now_ms)
        else:
            act_at_board(board, text, now_ms)
    return wrong
