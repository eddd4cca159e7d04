"""`make install` lays down what docs/operations.md lists and nothing else; `make uninstall` leaves only the state."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pip
import pytest
from hatchling.builders.sdist import SdistBuilder

from tests.support.patience import PATIENCE_S
from tests.support.table_process import run_here
from tests.systemd.installing import (
    BASE_PYTHON,
    BUILD,
    COMMAND,
    CONFIG,
    JOURNAL,
    NASTY,
    PROGRAM,
    ROOT,
    called,
    laid_down,
    listed,
    made,
    python_with,
    refusal,
    write_script,
)


def run(destdir: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command, with nothing but the system's own paths."""
    return called(destdir / COMMAND, *words, cwd="/", env={"PATH": "/usr/bin:/bin"})


# --- any path


def test_what_the_laid_down_unit_starts_finds_a_profile_at_any_path_which_the_configuration_names(laid: Path) -> None:
    table = tomllib.loads((laid / CONFIG).read_text(encoding="utf-8"))["table"]
    assert table["profile"] == str(laid.with_name(BUILD))
    assert "engine" not in table
    unit = (laid / "etc/systemd/system/captains-table.service").read_text("utf-8")
    (start,) = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    env, command, *words = (word.replace("%E", str(laid / "etc")) for word in shlex.split(start))
    assert (env, command) == ("/usr/bin/env", Path(COMMAND).name)
    checked = run_here(*words, "--check")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.endswith("is in order: my build, 9 x 8 squares on the Pi's own pins.\n")


@pytest.mark.parametrize(
    ("name", "folder"),
    [("  two  blanks  .toml", "/"), ("-rf.toml", "/"), ("no suffix", "/"), (NASTY, "builds")],
    ids=["blanks", "as an option", "no suffix", "a relative path"],
)
def test_the_configuration_names_the_absolute_path_of_a_profile(name: str, folder: str, tmp_path: Path) -> None:
    """The installer's own functions; a relative path is meant from where they are called."""
    build = tmp_path / "builds" / name
    build.parent.mkdir()
    build.touch()
    script = write_script(tmp_path, "install.sh", "find_python\nfind_profile\ninstall_settings")
    given = {"DESTDIR": str(tmp_path / "system"), "SYSTEM_PYTHON": BASE_PYTHON, "PATH": os.environ["PATH"]}
    given |= {"PROFILE": str(build) if folder == "/" else f"{folder}/{name}"}
    subprocess.run(["sh", script], cwd=tmp_path, env=given, check=True, timeout=PATIENCE_S)
    settings = tomllib.loads((tmp_path / "system" / CONFIG).read_text(encoding="utf-8"))
    assert settings["table"]["profile"] == str(build)


@pytest.mark.parametrize(("name", "character"), [("DESTDIR", "\n"), ("PROFILE", "\x07"), ("SYSTEM_PYTHON", "\x7f")])
def test_a_name_of_several_lines_is_refused_before_anything_is_laid_down(
    name: str, character: str, tmp_path: Path
) -> None:
    path = tmp_path / f"two{character}lines.toml"
    path.touch()
    given = {"DESTDIR": str(tmp_path / "system"), "SYSTEM_PYTHON": "/bin/false", "PROFILE": ""} | {name: str(path)}
    refused = refusal("install", given.pop("DESTDIR"), **given)
    assert f"{name} holds a line break or another control character: expected a name of one line" in refused
    assert laid_down(tmp_path) == {path.name}


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    build = tmp_path / os.fsdecode(b"caf\xe9.toml")
    build.touch()
    refused = refusal("install", tmp_path / "system", profile=str(build))
    assert "PROFILE or SYSTEM_PYTHON is not UTF-8" in refused
    assert not (tmp_path / "system").exists()


def put_in_front(monkeypatch: pytest.MonkeyPatch, folder: Path, scripts: Mapping[str, str]) -> None:
    """Put programs in front of this machine's own."""
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_profile_the_service_could_not_read_is_refused_before_the_system_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, python: Path
) -> None:
    # Should it ever get past that, it gets no further: nothing is fetched by a program of that name.
    put_in_front(monkeypatch, tmp_path, {"id": "echo 0", "apt-get": "exit 1", "mktemp": "exit 1"})
    (tmp_path / "mine.toml").touch()
    refused = refusal("install", "", python, profile=f"{tmp_path}/mine.toml")
    assert f"the service cannot read '{tmp_path}/mine.toml': expected a file that everybody may read" in refused


def test_a_build_that_does_not_exist_is_refused_before_anything_is_laid_down(tmp_path: Path) -> None:
    refused = refusal("install", tmp_path, profile="pico-7x7")
    assert "no profile 'pico-7x7': expected one of gpio-8x8 gpio-9x8 one-button pico-8x8" in refused
    assert laid_down(tmp_path) == set()


def test_the_system_itself_is_only_changed_by_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # `id` is asked who we are; a false one in front of it answers for somebody else.
    put_in_front(monkeypatch, tmp_path, {"id": "echo 1000"})
    refused = refusal("install", "", python="/bin/false")  # should it ever get past that, it gets no further
    assert "run 'sudo make install'" in refused


def test_a_32_bit_system_is_refused_before_anything_is_fetched(tmp_path: Path) -> None:
    small = f'*maxsize*) exec {BASE_PYTHON} -c "$(echo "$2" | sed s/sys.maxsize/2147483647/)" ;;'
    python = python_with(tmp_path / "python of 32 bits", small)
    refused = refusal("install", tmp_path / "system", python)
    assert "expected the 64-bit Raspberry Pi OS" in refused
    assert laid_down(tmp_path / "system") == set()


# --- what is installed; these use one installation, so they stand together


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Lay the table down; folder and Python have names with all in them that make or a shell reads.

    Its virtual environment sees the packages that are here: pip and what builds need are not unpacked anew. Only the
    program itself is compiled.
    """
    folder = tmp_path_factory.mktemp("installed") / NASTY
    folder.mkdir()
    python = python_with(
        folder / "python 3",
        f""""-m venv "*)
    {BASE_PYTHON} -m venv --without-pip "$3" && cd "$3"/lib/python3*/site-packages &&
        echo "{Path(pip.__file__).parents[1]}" >ours.pth ;;
"-m compileall "*) exec {BASE_PYTHON} "$@/captains_table" ;;""",
    )
    made("install", folder / "system", python, profile="pico-8x8", PIP_NO_BUILD_ISOLATION="0")
    yield folder / "system"
    shutil.rmtree(folder / "system")


def files_of_the_program() -> dict[Path, Path]:
    """Return where a wheel has each file of the package and each build, by where the checkout has it."""
    package = (ROOT / "controller" / "captains_table").rglob("*")
    files = [path.relative_to(ROOT) for path in package if path.is_file() and "__pycache__" not in path.parts]
    builds = {path.relative_to(ROOT): path.name for path in (ROOT / "hardware" / "profiles").glob("*.toml")}
    assert builds
    return {path: path.relative_to("controller") for path in files} | {
        path: Path("captains_table_builds", name) for path, name in builds.items()
    }


def test_the_source_archive_carries_all_that_a_wheel_is_built_of() -> None:
    carried = {Path(file.distribution_path) for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    assert files_of_the_program().keys() | {Path("README.md"), Path("LICENSE")} <= carried


def test_nothing_the_program_is_made_of_is_a_symbolic_link() -> None:
    # A checkout on Windows and an unpacked zip have a text file in its place.
    folders = [ROOT / name for name in ("controller", "firmware", "hardware", "systemd")]
    assert not [path for folder in folders for path in folder.rglob("*") if path.is_symlink()]


def test_exactly_the_listed_files_and_all_of_the_program_are_laid_down(installed: Path) -> None:
    assert laid_down(installed) == listed("operations.md")
    program = installed / PROGRAM
    of_ours = [path for name in ("captains_table", "captains_table_builds") for path in (program / name).rglob("*")]
    files = {path.relative_to(program) for path in of_ours if path.is_file() and "__pycache__" not in path.parts}
    assert files == set(files_of_the_program().values())


def test_the_build_named_at_installation_is_in_the_configuration(installed: Path) -> None:
    said = run(installed, "run", "--check", str(installed / CONFIG))
    assert said.returncode == 0, said.stderr
    assert said.stdout.endswith("config.toml is in order: pico-8x8, 8 x 8 squares on a Pico.\n")


def test_the_installed_program_needs_nothing_of_the_source_tree(installed: Path) -> None:
    tape = ROOT / "tests" / "tapes" / "hold-roll.tape"
    assert run(installed, "replay", str(tape)).returncode == 0
    texts = (installed / PROGRAM).rglob("*.py")
    assert not [path for path in texts if str(ROOT).encode() in path.read_bytes()]


def test_no_file_remembers_where_it_was_laid_down_first(installed: Path) -> None:
    compiled = next((installed / PROGRAM / "captains_table" / "cli" / "__pycache__").glob("main.*.pyc")).read_bytes()
    assert b"/opt/captains-table/lib/captains_table/cli/main.py" in compiled
    assert str(installed).encode() not in compiled


def test_everybody_may_read_what_the_service_needs(installed: Path) -> None:
    for path in installed.rglob("*"):
        mode = path.stat().st_mode
        assert mode & 0o004, path
        assert not path.is_dir() or mode & 0o001, path


# --- again, and away: these change what is installed, so they come last


def test_installing_again_keeps_a_configuration_that_was_edited(installed: Path, python: Path) -> None:
    edited = (installed / CONFIG).read_text(encoding="utf-8").replace('host = "0.0.0.0"', 'host = "127.0.0.1"')
    (installed / CONFIG).write_text(edited, encoding="utf-8")
    stale = installed / PROGRAM / "captains_table" / "removed_module.py"
    stale.touch()
    again = made("install", installed, python)
    assert (installed / PROGRAM / "captains_table" / "new_module.py").exists()
    assert (installed / CONFIG).read_text(encoding="utf-8") == edited
    assert "Its page is for this machine alone (host 127.0.0.1)" in again
    assert not stale.exists()
    assert laid_down(installed) == listed("operations.md")


@pytest.mark.parametrize(
    ("web", "is_told"),
    [
        ("port = 8377", True),  # as the program has it where nothing is written
        *((f'host = "{host}"', True) for host in ("127.0.0.1", "localhost")),
        *((f'host = "{host}"', False) for host in ("0.0.0.0", "192.0.2.7")),  # noqa: S104 - written, not listened on
    ],
)
def test_a_configuration_of_an_earlier_version_that_keeps_phones_out_is_told_of(
    web: str, *, is_told: bool, tmp_path: Path
) -> None:
    """The installer's own function, on a configuration that it keeps."""
    (tmp_path / "config.toml").write_text(f'[table]\nprofile = "simulated"\n\n[web]\n{web}\n')
    text = (ROOT / "systemd/install.sh").read_text(encoding="utf-8")
    function = text[text.index("tell_of_host() {") : text.index("\ninstall_settings() {")]
    settings = f"settings={shlex.quote(str(tmp_path))}; python={shlex.quote(sys.executable)}"
    script = f'set -eu; say() {{ printf "%s\\n" "$*"; }}; {settings}\n{function}\ntell_of_host'
    said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert ('host = "0.0.0.0"    under [web]' in said) == is_told
    assert ("this machine alone" in said) == is_told


def test_uninstalling_leaves_nothing_but_the_state(installed: Path) -> None:
    journal = installed / JOURNAL
    journal.parent.mkdir(parents=True)
    journal.touch()
    made("uninstall", installed)
    assert laid_down(installed) == {JOURNAL}
    assert [name for name in ("opt/captains-table", "etc/captains-table", COMMAND) if (installed / name).exists()] == []
    made("uninstall", installed)  # uninstalling twice is harmless
