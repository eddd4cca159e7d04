"""What the tests use beside Python is installed, or its absence is a failure that says what to do."""

import ast
import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S
from tests.support.tools import NotInstalled, program

TESTS = Path(__file__).parent
ROOT = TESTS.parent
NOT_OURS = {".venv", ".git", "node_modules", "build", "dist"}
SHELL = re.compile(rb"#! ?/(usr/)?bin/(env )?(ba|da)?sh\b")
PACKAGES = [
    "chromium-headless-shell",
    "fonts-dejavu-core",
    "libatomic1",
    "graphviz",
    "openscad",
    "systemd",
    "strace",
    "shellcheck",
    "espeak-ng",
    "g++",
    "ngspice",
]
SKIPS = {"skip", "skipif", "importorskip"}  # "skip" is in each
FOR_ONE_PLATFORM = {f"games/test_captains_chess_{name}.py" for name in ("export", "oracle", "pgn")}


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


def test_without_root_and_sudo_the_missing_packages_are_named(tmp_path: Path) -> None:
    put(tmp_path, "id", "echo 1000")
    done = install_tools(str(tmp_path))
    assert done.returncode == 1
    assert f"need the Debian packages: {' '.join(PACKAGES)}\n" in done.stderr
    assert "This is not root and there is no sudo: install them as root" in done.stderr


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


def test_an_installation_that_fails_names_the_packages_too(tmp_path: Path) -> None:
    put(tmp_path, "id", "echo 0")
    put(tmp_path, "apt-get", "exit 100")
    (tmp_path / "env").symlink_to(shutil.which("env") or "")
    done = install_tools(str(tmp_path))
    assert done.returncode == 1
    assert f"need the Debian packages: {' '.join(PACKAGES)}\n" in done.stderr
    assert "apt-get could not fetch its lists" in done.stderr


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
