import time
from collections.abc import Callable

from tests.e2e.conftest import OpenTable
from tests.support.table_process import Caller, TableProcess

Call = Callable[[TableProcess], Caller]
TRIES = 300  # a busy machine lets one of them through at once; a delay befalls each of them
DELAYED_ACKNOWLEDGEMENT_S = 0.04


def seconds_of(caller: Caller) -> float:
    """Return how long an answer took."""
    began = time.monotonic()
    caller.get("/health")
    return time.monotonic() - began


def test_an_answer_is_not_held_back_by_the_network(open_table: OpenTable, call: Call) -> None:
    """A response in two packets must not wait for the first to be acknowledged (TCP_NODELAY)."""
    anne = call(open_table("play", "--players", "Anne", "Bart"))
    anne.get("/health")
    assert any(seconds_of(anne) < DELAYED_ACKNOWLEDGEMENT_S / 2 for _ in range(TRIES))
