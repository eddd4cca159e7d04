"""Namespaces for a test's Python: no network until the test makes one, and mounts that nobody else sees."""

import subprocess
import sys
from pathlib import Path

IN_ITS_OWN = ("unshare", "--net", "--mount", "--kill-child", "--fork")
"""For root: others may where the kernel lets users have namespaces, and in no chroot."""
ROOT = Path(__file__).parents[2]


def in_its_own_namespaces(module: str, *arguments: str, within_s: float = 120) -> str:
    """Run a module in namespaces of its own and return what it prints; what it raises fails the test."""
    done = subprocess.run(
        [*IN_ITS_OWN, sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=within_s,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout


def ip(commands: str) -> None:
    """Change the network of this namespace: commands of `ip`, with semicolons between."""
    for command in commands.split(";"):
        subprocess.run(["ip", *command.split()], check=True)


def cable(name: str) -> None:
    """Plug a cable in: an interface of this name, at whose other end there is something."""
    ip(f"link add {name} type veth peer name {name}-end; link set {name} up; link set {name}-end up")
