"""How an installation of a running system ends: with a page, or with what is wrong.

The script's own functions are called, with stand-ins for what would change this machine: systemd, its journal, the
installed command. What really happens under systemd is tried by tests/booted_machine.sh.
"""

from pathlib import Path

import pytest

from tests.systemd.installing import ROOT, refusal
from tests.systemd.stand_ins import TableMachine


@pytest.fixture
def machine(tmp_path: Path) -> TableMachine:
    machine = TableMachine(tmp_path)
    for folder in ("hardware", "controller"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    return machine


def test_it_waits_for_the_page_and_shows_where_it_is(machine: TableMachine) -> None:
    machine.stand_in("captains-table", "echo 'From other devices: http://192.0.2.7:8377/table?token=abc'")
    assert "http://192.0.2.7:8377/table?token=abc" in machine.do("start\nshow_page")
    assert machine.calls[-2:] == [
        "systemctl restart captains-table.service",
        "captains-table page /etc/captains-table/config.toml --wait 90",
    ]


@pytest.mark.parametrize("is_a_clubs", [True, False])
def test_a_clubs_server_on_the_same_computer_goes_on_by_the_new_program(
    *, is_a_clubs: bool, machine: TableMachine
) -> None:
    machine.do(f"has_club() {{ {str(is_a_clubs).lower()}; }}\nrestart_club")
    assert machine.calls == (["systemctl try-restart captains-table-club.service"] if is_a_clubs else [])


@pytest.mark.parametrize(
    ("program", "script", "words"),
    [
        ("systemctl", '[ "$1" != restart ]', "the service does not start"),
        ("captains-table", "exit 2", "the page does not answer"),
    ],
)
def test_a_service_that_does_not_come_up_ends_with_its_journal_and_what_to_do(
    program: str, script: str, words: str, machine: TableMachine
) -> None:
    machine.stand_in(program, script)
    ended = machine.refusal("start\nshow_page")
    assert f"captains-table: {words}. What the table said last:\nthe glass is on fire\n" in ended
    assert "sudo systemctl restart captains-table && sudo captains-table page --wait 60" in ended
    assert "journalctl --unit captains-table --lines 20 --no-pager --output cat" in machine.calls


def test_where_no_systemd_runs_it_says_how_to_learn_the_address_later(machine: TableMachine) -> None:
    ended = machine.do("booted() { false; }\nstart\nshow_page")
    assert "Where its page is then: sudo captains-table page" in ended
    assert not [call for call in machine.calls if "restart" in call or "page" in call]


@pytest.mark.parametrize(
    ("yes", "expected"), [("", "boot pico-8x8"), ("0", "boot pico-8x8"), ("1", "boot pico-8x8 --yes")]
)
def test_the_lines_of_config_txt_are_offered_and_written_unasked_only_where_that_was_said(
    yes: str, expected: str, machine: TableMachine
) -> None:
    machine.do("build=pico-8x8\noffer_boot_lines", YES=yes)
    assert machine.calls == [f"captains-table {expected}"]


@pytest.mark.parametrize("code", [1, 2])
def test_who_says_no_to_them_or_has_a_boot_partition_that_is_read_only_gets_a_table_all_the_same(
    code: int, machine: TableMachine
) -> None:
    machine.stand_in("captains-table", f"exit {code}")
    ended = machine.call("build=pico-8x8\noffer_boot_lines")
    assert ended.returncode == 0
    assert ("config.txt was left as it is" in ended.stderr) == (code == 2)


def test_a_config_txt_that_was_changed_ends_with_the_word_that_a_restart_is_needed(machine: TableMachine) -> None:
    changing = 'boot_files() { cat "$changed" 2>/dev/null || true; }\n'
    machine.stand_in("captains-table", '[ "$1" != boot ] || echo written >"$changed"')
    changed = str(machine.folder / "changed")
    words = f"{changing}build=pico-8x8\noffer_boot_lines\nshow_page"
    assert machine.do(words, changed=changed).endswith(
        "Glass and pins are ready after a restart of the Pi: sudo reboot\n"
    )
    assert "reboot" not in machine.do(words, changed=changed)


# --- lgpio ----------------------------------------------------------------------------------------------------------

NEWER = """case "$*" in
*"version_info >= (3, 13)"*) exit 1 ;;
*"version_info < (3, 13)"*) exit 0 ;;
*"import lgpio"*) exit 1 ;;
*ensurepip*) exit 0 ;;
*) exec python3 "$@" ;;
esac"""


@pytest.mark.parametrize("build", ["gpio-8x8", "pico-8x8"])
def test_a_debian_that_has_no_lgpio_is_enough_for_a_pico_and_refused_for_pins_before_anything_is_laid_down(
    build: str, machine: TableMachine
) -> None:
    machine.stand_in("newer-python", NEWER)
    machine.stand_in("apt-cache", "exit 100")
    found = machine.call(f"build={build}\npython=newer-python\ninstall_packages")
    fetched = [call for call in machine.calls if call.startswith("apt-get")]
    if build == "pico-8x8":
        assert (found.returncode, fetched) == (0, [])
    else:
        assert found.returncode != 0
        assert "the build gpio-8x8 reads the Pi's own pins, for which it needs Debian's package" in found.stderr
        assert fetched == ["apt-get update -qq"]


def test_a_debian_that_has_it_fetches_it_for_pins(machine: TableMachine) -> None:
    machine.stand_in("newer-python", NEWER)
    machine.do("build=gpio-8x8\npython=newer-python\ninstall_packages")
    assert machine.calls[-1] == "apt-get install -y -qq --no-install-recommends python3-lgpio"


def test_yes_is_said_in_one_way(tmp_path: Path) -> None:
    assert "YES=yes: expected YES=1" in refusal("install", tmp_path / "system", "/bin/false", YES="yes")
