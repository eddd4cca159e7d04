"""A child process that is killed at any of its system calls, or at any moment.

`ptrace` stops it before and after each call: at the write that is to come, and at the write that was made but not yet
synchronised. Nothing is read of it or changed in it, so this is the same on every machine with Linux.
"""

import ctypes
import os
import signal
import time
from collections.abc import Callable
from typing import Final

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


def forked(*steps: Callable[[], object]) -> int:
    """Return the number of a child process that takes these steps, and ends with 0 where it took them all."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for step in steps:
                step()
            code = 0
        finally:
            os._exit(code)
    return child


def check_ended_well(status: int) -> None:
    """Check how a child ended that nobody killed; raises ChildProcessError."""
    if status:
        raise ChildProcessError(f"the match failed by itself: it ended with {os.waitstatus_to_exitcode(status)}")


def killed_at_moment(seconds: float | None, do: Callable[[], object]) -> bool:
    """Let a child do something and kill it after so long, or never; return whether it had not done it all."""
    child = forked(do)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        check_ended_well(status)
    return os.WIFSIGNALED(status)


def killed_at_call(stop: int, do: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> bool:
    """Let a child do something and kill it at its nth stop; return whether it had not done it all.

    What it does to prepare is not counted. Raises ChildProcessError where it fails by itself.
    """
    child = forked(lambda: _ptrace(TRACE_ME, 0), prepare, lambda: os.kill(os.getpid(), signal.SIGSTOP), do)
    left = 0
    is_counting = False
    while True:
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            check_ended_well(status)
            return False
        if os.WSTOPSIG(status) == signal.SIGSTOP:
            is_counting, left = True, stop
        elif is_counting:
            left -= 1
        if is_counting and left <= 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return True
        _ptrace(GO_ON_TO_NEXT_CALL if is_counting else GO_ON, child)
