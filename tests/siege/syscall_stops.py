"""A child process that is stopped at each of its system calls, so that it can be killed at any of them.

`ptrace` stops it before and after each one: at the write that is to come, and at the write that was made but not yet
synchronised. Nothing is read of it or changed in it, so this is the same on every machine with Linux.
"""

import ctypes
import os
import signal
from collections.abc import Callable
from typing import Final

from tests.support.power_cuts import check_ended_well

TRACE_ME: Final = 0
GO_ON: Final = 7
GO_ON_TO_NEXT_CALL: Final = 24

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def _ptrace(request: int, process: int) -> None:
    if _libc.ptrace(request, process, None, None) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"ptrace: {os.strerror(error)}")


def killed_at(stop: int, do: Callable[[], None]) -> bool:
    """Let a child do something and kill it at its nth stop; return whether it was killed before it had done it all.

    Args:
        stop: at which stop, counted from when the child says that it is ready by stopping itself (`ready`).
        do: what the child does; it calls `ready` where the counting begins.

    Raises:
        ChildProcessError: the child failed by itself.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _ptrace(TRACE_ME, 0)
            do()
            code = 0
        finally:
            os._exit(code)
    left = 0
    is_counting = False
    while True:
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            check_ended_well(status)
            return False
        found = os.WSTOPSIG(status)
        if found == signal.SIGSTOP:
            is_counting, left = True, stop
        elif is_counting:
            left -= 1
        if is_counting and left <= 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return True
        _ptrace(GO_ON_TO_NEXT_CALL if is_counting else GO_ON, child)


def ready() -> None:
    """Say, in the child, that the counting begins now."""
    os.kill(os.getpid(), signal.SIGSTOP)
