"""What tests, targets and machine need is there, or its absence is a failure that says what to do."""

import ast
import os
import re
import shutil
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.machine_check import closed_to_others, lacking
from tests.support.patience import PATIENCE_S
from tests.support.tools import NotInstalled, program

TESTS = Path(__file__).parent
ROOT = TESTS.parent
NOT_OURS = {".venv", ".git", "node_modules", "build", "dist"}
SHELL = re.compile(rb"#! ?/(usr/)?bin/(env )?(ba|da)?sh\b")
PACKAGES = (
    "chromium-headless-shell fonts-dejavu-core libatomic1 graphviz openscad systemd strace shellcheck "
    "espeak-ng g++ ngspice"
)
SKIPS = {"skip", "skipif", "importorskip"}  # "skip" is in each
FOR_ONE_PLATFORM = {
    *(f"games/test_captains_chess_{name}.py" for name in ("export", "oracle")),
    "games/chess/test_positions_against_engines.py",
}


def install_tools(path: str) -> subprocess.CompletedProcess[str]:
    command = [program("sh"), str(TESTS / "install-tools.sh")]
    return subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


def put(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!{program('sh')}\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def test_a_program_that_is_missing_is_an_error_that_says_how_to_get_it() -> None:
    with pytest.raises(NotInstalled, match=r"chess-shark is not installed: run sh tests/install-tools\.sh"):
        program("chess-shark")


def test_where_every_tool_is_there_nothing_is_said_and_apt_is_not_asked(tmp_path: Path) -> None:
    put(tmp_path, "apt-get", "echo apt-get was asked; exit 1")
    done = install_tools(f"{tmp_path}:{os.environ['PATH']}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("user", "apt", "words"),
    [
        ("1000", "exit 0", "This is not root and there is no sudo: install them as root"),
        ("0", "exit 100", "apt-get could not fetch its lists"),
    ],
)
def test_where_nothing_can_be_installed_the_missing_packages_are_named(
    user: str, apt: str, words: str, tmp_path: Path
) -> None:
    put(tmp_path, "id", f"echo {user}")
    put(tmp_path, "apt-get", apt)
    (tmp_path / "env").symlink_to(shutil.which("env") or "")
    done = install_tools(str(tmp_path))
    assert done.returncode == 1
    assert f"need the Debian packages: {PACKAGES}\n" in done.stderr
    assert words in done.stderr


def test_an_ordinary_user_installs_by_sudo_what_is_missing_and_nothing_else(tmp_path: Path) -> None:
    put(tmp_path, "id", "echo 1000")
    put(tmp_path, "sudo", f'echo "$@" >>{tmp_path}/asked')
    tools = ("chromium-headless-shell", "dot", "systemd-analyze", "python3", "strace", "shellcheck", "espeak-ng", "c++")
    for there in ("apt-get", *tools, "ngspice"):
        put(tmp_path, there, "exit 0")
    done = install_tools(str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "asked").read_text(encoding="utf-8").splitlines() == [
        "env apt-get update -qq",
        "env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends fonts-dejavu-core openscad",
    ]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("fresh_machine.sh", "only root can make and enter a new Debian: run it with sudo"),
        ("booted_machine.sh", "only root can boot a machine in namespaces: run it with sudo"),
    ],
)
def test_only_root_tries_a_machine_of_its_own(script: str, words: str, tmp_path: Path) -> None:
    put(tmp_path, "id", "echo 1000")
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TMPDIR": str(tmp_path / "nowhere")}
    command = [program("sh"), str(TESTS / script)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 1
    assert words in done.stderr


def test_the_page_of_a_fresh_machine_is_judged_by_the_processors_time_and_not_by_the_clocks(tmp_path: Path) -> None:
    text = (TESTS / "fresh_machine.sh").read_text(encoding="utf-8")
    function = text[text.index("processor_tenths() {") : text.index("\n# Whether an address answers")]
    for process, name, ticks in ((1, "sh", "900 0 0 0"), (7, "make (a) b", "10 20 30 40"), (8, "python3", "100 0 0 0")):
        (tmp_path / f"proc/{process}").mkdir(parents=True)
        (tmp_path / f"proc/{process}/stat").write_text(f"{process} ({name}) S 1 1 1 0 -1 0 5 6 7 8 {ticks} 20 0 1\n")
    script = f"getconf() {{ echo 100; }}; root='{tmp_path}'\n{function}\nprocessor_tenths"
    assert subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout == "20\n"
    assert '[ "$used" -le $((PAGE_WITHIN_CPU_S * 10)) ]' in text


def shell_scripts() -> list[Path]:
    """Return every shell script of the repository, by its first line."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS]
        for path in filter(Path.is_file, (Path(folder, name) for name in files)):
            with path.open("rb") as file:
                if SHELL.match(file.readline()):
                    found.append(path)
    return sorted(found)


@pytest.mark.slow
def test_shellcheck_has_nothing_to_say_about_any_shell_script() -> None:
    scripts = shell_scripts()
    assert {"install.sh", "fairy.sh", "install-tools.sh", "fresh_machine.sh", "booted_machine.sh"} <= {
        path.name for path in scripts
    }
    command = [program("shellcheck"), "--external-sources", "--source-path=SCRIPTDIR", *map(str, scripts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_no_test_is_skipped_but_for_the_platform_it_runs_on() -> None:
    skipping = set()
    for path in TESTS.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        names = [
            node for node in ast.walk(ast.parse(text if "skip" in text else "")) if isinstance(node, ast.Attribute)
        ]
        if any(node.attr in SKIPS and "pytest" in ast.unparse(node) for node in names):
            skipping.add(str(path.relative_to(TESTS)))
    assert skipping == FOR_ONE_PLATFORM


def test_tests_of_the_built_engine_are_slow_as_make_quick_builds_none() -> None:
    users = {
        path
        for path in TESTS.rglob("test_*.py")
        if re.search(r"^from tests\.support\.tools import .*\bengine\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    quick = {path.name for path in users if "\npytestmark = pytest.mark.slow" not in path.read_text(encoding="utf-8")}
    assert users
    assert quick == set()


def test_no_two_files_of_tests_have_one_name() -> None:
    """Pytest takes the second for the first, and runs none of it."""
    names = Counter(path.name for path in TESTS.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


# --- the machine ------------------------------------------------------------------------------------------------------


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


# --- the Makefile -----------------------------------------------------------------------------------------------------

RULE = re.compile(r"^([a-z][\w-]*): (.*)\n(?:\t.*\n)*?\t\$\(BIN\)/python -m (\S+)", re.MULTILINE)
RULES = [rule for rule in RULE.findall((ROOT / "Makefile").read_text("utf-8")) if "$(VENV)/dev" not in rule[1]]
IMPORT_WITHOUT_OTHERS = """
import importlib.util, sys
from importlib.metadata import packages_distributions
from packaging.utils import canonicalize_name

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        owners = {canonicalize_name(owner) for owner in OWNERS.get(name.partition(".")[0], ())}
        if owners and not owners & INSTALLED:
            raise ModuleNotFoundError(f"No module named {name!r}")

module, OWNERS, INSTALLED = sys.argv[1], packages_distributions(), set(sys.argv[2:])
for name in [each for each in sys.modules if each.partition(".")[0] == "packaging"]:
    del sys.modules[name]
sys.meta_path.insert(0, NotInstalled())
is_package = importlib.util.find_spec(module).submodule_search_locations is not None
importlib.import_module(f"{module}.__main__" if is_package else module)
"""


def installed_with(extras: frozenset[str]) -> Iterator[str]:
    """Yield the distributions that come with some extras, by what each says that it requires."""
    waiting, seen = [("captains-table", extras)], set()
    while waiting:
        name, wanted = asked = waiting.pop()
        if asked in seen:
            continue
        seen.add(asked)
        yield name
        waiting += [
            (canonicalize_name(each.name), frozenset(each.extras))
            for each in map(Requirement, requires(name) or ())
            if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in wanted or {""})
        ]


@pytest.mark.slow
@pytest.mark.parametrize(("_target", "needs", "module"), [pytest.param(*rule, id=rule[0]) for rule in RULES])
def test_what_a_target_runs_imports_only_what_the_target_installs(_target: str, needs: str, module: str) -> None:
    extras = frozenset(re.findall(r"\$\(VENV\)/(\w+)", needs))
    command = [sys.executable, "-c", IMPORT_WITHOUT_OTHERS, module, *installed_with(extras)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
