"""A machine that lacks what the tests need is told so in a sentence, before dozens of tests fail."""

import os
import socket
from pathlib import Path

import pytest

from tests.machine_check import closed_to_others, lacking


def refuse(*_arguments: object) -> None:
    raise OSError(2, "out of pty devices")


def test_a_machine_on_which_tests_run_lacks_nothing() -> None:
    assert lacking() == ()


def test_missing_terminals_and_a_missing_hosts_file_are_named_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "openpty", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    terminals, name = lacking()
    assert "mount -t devpts" in terminals
    assert "expected '127.0.0.1 localhost' in /etc/hosts" in name


def test_the_folder_that_others_may_not_enter_is_named(tmp_path: Path) -> None:
    file = tmp_path / "private" / "checkout" / "file"
    file.parent.mkdir(parents=True)
    for folder in file.parents:
        if folder.is_relative_to(tmp_path):
            folder.chmod(0o755)
    tmp_path.parent.chmod(0o755)
    (tmp_path / "private").chmod(0o700)
    assert closed_to_others(file) in {str(folder) for folder in file.parents}
    assert closed_to_others(Path("/etc/hosts")) == ""
