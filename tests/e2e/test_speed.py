import time
from collections.abc import Callable

from tests.e2e.conftest import OpenTable
from tests.support.table_process import Caller, TableProcess

Call = Callable[[TableProcess], Caller]
TRIES = 20
DELAYED_ACKNOWLEDGEMENT_S = 0.04


def test_an_answer_is_not_held_back_by_the_network(open_table: OpenTable, call: Call) -> None:
    """A response in two packets must not wait for the first to be acknowledged (TCP_NODELAY)."""
    anne = call(open_table("play", "--players", "Anne", "Bart"))
    anne.get("/health")
    quickest = float("inf")
    for _ in range(TRIES):
        began = time.monotonic()
        anne.get("/health")
        quickest = min(quickest, time.monotonic() - began)
    assert quickest < DELAYED_ACKNOWLEDGEMENT_S / 2
