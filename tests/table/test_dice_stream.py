import hashlib
import hmac

import pytest
from hypothesis import given, strategies as st

from captains_table.games.contract import Pick, Rolled
from captains_table.table.history import dice_stream
from captains_table.table.history.dice_stream import DiceMismatch, FaceStream
from captains_table.table.model.entries import Acted, Entry, Salted, SaltText, TakenBack

SEED = bytes(range(32))


def faces_by_hand(seed: bytes, presses: list[int], number: int) -> tuple[int, ...]:
    """The scheme of docs/contracts.md Contract 5 with nothing of ours: HMAC from its definition, RFC 2104."""
    salt = b"".join(press.to_bytes(8, "big") for press in presses)
    key = seed.ljust(64, b"\0")
    found: list[int] = []
    block = 0
    while len(found) < number:
        message = salt + block.to_bytes(8, "big")
        inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
        outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()
        found += [1 + byte % 6 for byte in outer if byte < 252]
        block += 1
    return tuple(found[:number])


def test_the_first_block_is_the_hmac_of_eight_zero_bytes_and_the_commitment_the_whole_sha_256() -> None:
    assert dice_stream.block(SEED, b"", 0) == hmac.new(SEED, bytes(8), "sha256").digest()
    assert dice_stream.block(SEED, b"", 0).hex() == "9f0cd9b94097fe4929918d2b8942b34439574261a35dc50163f06c67d4e48899"
    assert dice_stream.commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_known_seed_gives_known_faces() -> None:
    stream = FaceStream(SEED)
    assert stream.throw(12) == (4, 1, 2, 6, 5, 2, 2, 6, 2, 4, 2, 6)
    stream.add_salt(800)
    assert stream.throw(12) == (6, 4, 1, 1, 2, 3, 3, 5, 5, 1, 3, 1)


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(0, 2**64 - 1), max_size=4), st.integers(0, 200))
def test_the_stream_is_what_anybody_computes_by_hand(seed: bytes, presses: list[int], number: int) -> None:
    stream = FaceStream(seed)
    for press in presses:
        stream.add_salt(press)
    assert stream.throw(number) == faces_by_hand(seed, presses, number)


def test_a_press_starts_the_stream_anew_however_much_was_thrown() -> None:
    early, late = FaceStream(SEED), FaceStream(SEED)
    late.throw(41)
    early.add_salt(5)
    late.add_salt(5)
    assert early.throw(60) == late.throw(60) != faces_by_hand(SEED, [], 60)


@pytest.mark.parametrize("held_ms", [-1, 2**64])
def test_a_press_that_cannot_be_is_refused(held_ms: int) -> None:
    with pytest.raises(ValueError, match="cannot be held"):
        FaceStream(SEED).add_salt(held_ms)


def test_a_journal_is_consumed_with_throws_that_were_taken_back() -> None:
    first, second = faces_by_hand(SEED, [700], 8)[:6], faces_by_hand(SEED, [700], 8)[6:]
    entries: list[Entry] = [
        Salted(0, 700),
        Acted(1, 0, 0, Pick("roll")),
        Acted(2, 0, 0, Rolled(first)),
        TakenBack(3, 0, 0, 2),
    ]
    stream = FaceStream(SEED)
    assert stream.consume([*entries, Acted(4, 0, 0, Rolled(second))]) == 2
    assert stream.throw(4) == faces_by_hand(SEED, [700], 12)[8:]


def test_a_die_that_is_not_the_seeds_is_named() -> None:
    expected = faces_by_hand(SEED, [], 2)
    found = (expected[0], 7 - expected[1])
    with pytest.raises(DiceMismatch, match="action 9") as caught:
        FaceStream(SEED).consume([Acted(9, 0, 0, Rolled(found))])
    assert (caught.value.seq, caught.value.expected, caught.value.found) == (9, expected, found)


def test_words_given_again_and_again_hold_nobody_up() -> None:
    stream = FaceStream(SEED)
    most = [SaltText(0, "\U0001d11e" * 200)] * 20_000  # a salt of 16 MB: copied at each of them it took many minutes
    assert stream.consume(most) == 0
    assert len(stream.throw(5)) == 5
