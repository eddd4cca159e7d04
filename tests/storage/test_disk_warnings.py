"""Where matches lie: nobody plays into memory, or onto a full disk, without being told."""

import asyncio
from pathlib import Path

import pytest

from captains_table import daemon
from captains_table.doctor import checks
from captains_table.runtime.table import Table
from captains_table.storage import disk_warnings as warnings_module
from captains_table.storage.disk_warnings import disk_warnings
from captains_table.table.model.view import View
from tests.support.own_namespaces import in_its_own_namespaces
from tests.support.service_at_work import at_a_table


@pytest.mark.slow
@pytest.mark.root
def test_a_folder_in_memory_is_told_from_one_on_a_disk_and_a_full_disk_from_one_with_room(tmp_path: Path) -> None:
    in_its_own_namespaces("tests.storage.mounts", str(tmp_path))


def test_what_cannot_be_found_out_is_not_told(tmp_path: Path) -> None:
    assert disk_warnings(tmp_path / "missing") == ()
    assert disk_warnings(tmp_path, tmp_path / "no-mountinfo") == ()


def test_the_table_tells_it_on_page_and_log_and_shows_the_way_to_its_page_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ["All is lost at power-off: matches are kept in memory (tmpfs), not on a disk"]
    monkeypatch.setattr(warnings_module, "memory_warnings", lambda _folder, _mounts: iter(told))
    monkeypatch.setattr(daemon, "LOOK_AT_STATE_S", 0.01)

    async def run(table: Table) -> None:
        table.session.page_address = lambda: "http://192.0.2.7/table"
        table.session.greets = True
        watching = asyncio.ensure_future(daemon._watch_state(table, tmp_path))
        changes = table.subscribers.changes()

        async def until_told(expected: tuple[str, ...]) -> View:
            async with asyncio.timeout(60):
                async for _ in changes:
                    if tuple(table.faults()) == expected:
                        break
            return table.view()

        view = await until_told(tuple(told))
        assert (view.faults, view.joining) == (tuple(told), "http://192.0.2.7/table")
        told.clear()
        assert (await until_told(())).faults == ()
        watching.cancel()
        await changes.aclose()

    at_a_table(tmp_path, run)


def test_doctor_warns_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "memory_warnings", lambda _: iter(["All is lost at power-off"]))
    assert checks.Check(checks.Severity.WARNING, "All is lost at power-off.") in checks._state(tmp_path, tmp_path)
