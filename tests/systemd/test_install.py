"""`make install` lays down what docs/operations.md lists and nothing else; `make uninstall` leaves only the state."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.installing import BASE_PYTHON, CONFIG, PROGRAM, ROOT, laid_down, make, python_that_fetches_nothing
from tests.support.patience import PATIENCE_S
from tests.support.systemd_analyze import analyze
from tests.support.table_process import COMMAND as COMMAND_HERE, run_here

STATE = "var/lib/captains-table/journal.sqlite3"
COMMAND = "usr/local/bin/captains-table"


NASTY = """O'Hara's "new" table & co. | 50% #1 $HOME `id` *?[x] {a,b} ~ \\n \\ ; -x=(é)"""


def listed() -> set[str]:
    """Return what is laid down by docs/operations.md, "What is laid down"."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    section = text.partition("### What is laid down")[2].partition("\n#")[0]
    return {path.strip("/") for path in re.findall(r"^\| `(/[^`]+)`", section, re.MULTILINE)}


def run(destdir: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command, with nothing but the system's own paths."""
    command = [str(destdir / COMMAND), *words]
    return subprocess.run(
        command, cwd="/", env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )


@pytest.fixture(scope="module")
def folder_of_any_name(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("anywhere") / NASTY
    folder.mkdir()
    return folder


# --- any path

PATHS = [
    "my table.toml",
    "  two  blanks  .toml",
    "a&b|c;d.toml",
    "#1.toml",
    "O'Hara's \"new\" one.toml",
    "back\\slash\\n\\1.toml",
    "50% of $HOME ${x} $(id) `id`.toml",
    "-rf.toml",
    "no suffix",
    NASTY,
]


@pytest.fixture(scope="module")
def fetching_nothing(folder_of_any_name: Path) -> Path:
    return python_that_fetches_nothing(folder_of_any_name)


@pytest.mark.parametrize("name", PATHS)
def test_a_profile_at_any_path_is_the_one_the_configuration_names_and_the_program_finds(
    name: str, tmp_path: Path, fetching_nothing: Path
) -> None:
    build = (tmp_path / "builds" / "of mine" / name).absolute()
    build.parent.mkdir(parents=True)
    shutil.copy(ROOT / "hardware/profiles/gpio-9x8.toml", build)
    laying = make("install", tmp_path / name / "system", fetching_nothing, profile=str(build))
    assert laying.returncode == 0, laying.stderr
    config = tmp_path / name / "system" / CONFIG
    assert tomllib.loads(config.read_text(encoding="utf-8"))["table"]["profile"] == str(build)
    checked = run_here("run", "--check", config)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "9 x 8 squares on the Pi's own pins" in checked.stdout
    assert make("uninstall", tmp_path / name / "system").returncode == 0
    assert laid_down(tmp_path / name / "system") == set()
    assert build.exists()


def test_what_the_laid_down_unit_starts_finds_the_profile(tmp_path: Path, fetching_nothing: Path) -> None:
    build, destdir = tmp_path / NASTY / "my build.toml", tmp_path / NASTY / "system"
    build.parent.mkdir()
    shutil.copy(ROOT / "hardware/profiles/pico-9x8.toml", build)
    assert make("install", destdir, fetching_nothing, profile=str(build)).returncode == 0
    units = destdir / "etc/systemd/system"
    (start,) = re.findall(r"^ExecStart=(.+)$", (units / "captains-table.service").read_text("utf-8"), re.MULTILINE)
    words = [word.replace("%E", str(destdir / "etc")) for word in shlex.split(start)]
    environment = {"PATH": f"{COMMAND_HERE.parent}:/usr/bin:/bin"}
    started = subprocess.run(
        [*words, "--check"], cwd="/", env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert started.returncode == 0, started.stderr
    assert started.stdout.endswith("is in order: my build, 9 x 8 squares on a Pico.\n")
    for unit in sorted(units.glob("*.service")):
        shutil.copy(unit, tmp_path)
        verdict = analyze("verify", "--recursive-errors=no", tmp_path / unit.name)
        assert (verdict.returncode, verdict.stdout, verdict.stderr) == (0, "", "")


def test_a_relative_path_is_meant_from_where_make_is_called(tmp_path: Path, fetching_nothing: Path) -> None:
    laying = make("install", tmp_path, fetching_nothing, profile="hardware/profiles/one-button.toml")
    assert laying.returncode == 0, laying.stderr
    named = tomllib.loads((tmp_path / CONFIG).read_text(encoding="utf-8"))["table"]["profile"]
    assert named == str(ROOT / "hardware/profiles/one-button.toml")


@pytest.mark.parametrize("name", ["DESTDIR", "PROFILE", "SYSTEM_PYTHON"])
@pytest.mark.parametrize("character", ["\n", "\x07", "\x7f"])
def test_a_name_of_several_lines_is_refused_before_anything_is_laid_down(
    name: str, character: str, tmp_path: Path
) -> None:
    path = tmp_path / f"two{character}lines.toml"
    path.touch()
    given = {"DESTDIR": str(tmp_path / "system"), "SYSTEM_PYTHON": "/bin/false", "PROFILE": ""} | {name: str(path)}
    refused = make("install", given["DESTDIR"], given["SYSTEM_PYTHON"], profile=given["PROFILE"])
    assert refused.returncode != 0
    assert f"{name} holds a line break or another control character: expected a name of one line" in refused.stderr
    assert laid_down(tmp_path) == {path.name}


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    build = tmp_path / os.fsdecode(b"caf\xe9.toml")
    build.touch()
    refused = make("install", tmp_path / "system", profile=str(build))
    assert refused.returncode != 0
    assert "PROFILE or SYSTEM_PYTHON is not UTF-8" in refused.stderr
    assert not (tmp_path / "system").exists()


def test_a_profile_the_service_could_not_read_is_refused_before_the_system_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fetching_nothing: Path
) -> None:
    # Should it ever get past that, it gets no further: nothing is fetched by a program of that name.
    for name, script in {"id": "echo 0", "apt-get": "exit 1", "mktemp": "exit 1"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "mine.toml").touch()
    refused = make("install", "", fetching_nothing, profile=f"{tmp_path}/mine.toml")
    assert refused.returncode != 0
    assert f"the service cannot read '{tmp_path}/mine.toml': expected a file that everybody may read" in refused.stderr


def test_a_build_that_does_not_exist_is_refused_before_anything_is_laid_down(tmp_path: Path) -> None:
    refused = make("install", tmp_path, profile="pico-7x7")
    assert refused.returncode != 0
    assert "no profile 'pico-7x7': expected one of gpio-8x8 gpio-9x8 one-button pico-8x8" in refused.stderr
    assert laid_down(tmp_path) == set()


def test_the_system_itself_is_only_changed_by_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # `id` is asked who we are; a false one in front of it answers for somebody else.
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    (tmp_path / "id").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    refused = make("install", "", python="/bin/false")  # should it ever get past that, it gets no further
    assert refused.returncode != 0
    assert "run 'sudo make install'" in refused.stderr


def test_a_32_bit_system_is_refused_before_anything_is_fetched(tmp_path: Path) -> None:
    python = tmp_path / "python of 32 bits"
    python.write_text(
        f"""#!/bin/sh
case "$*" in *maxsize*) exec {BASE_PYTHON} -c "$(echo "$2" | sed s/sys.maxsize/2147483647/)" ;; esac
exec {BASE_PYTHON} "$@"
""",
        encoding="utf-8",
    )
    python.chmod(0o755)
    refused = make("install", tmp_path / "system", python)
    assert refused.returncode != 0
    assert "expected the 64-bit Raspberry Pi OS" in refused.stderr
    assert laid_down(tmp_path / "system") == set()


# --- what is installed; these use one installation, so they stand together


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fetch what both installations need once: the network is slow, and no part of what is tested."""
    folder = tmp_path_factory.mktemp("wheels")
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(folder), f"{ROOT}[pi]", *build]
    tried = {**os.environ, "PIP_CONSTRAINT": str(ROOT / "systemd" / "constraints.txt")}
    subprocess.run(command, env=tried, check=True, capture_output=True, timeout=5 * PATIENCE_S)
    own = next(folder.glob("captains_table-*.whl"))
    own.rename(folder.with_name("own.whl"))  # the installation makes its own
    return folder


def python_by_another_path(folder: Path) -> Path:
    python = folder / "python 3"
    python.write_text(f'#!/bin/sh\nexec {BASE_PYTHON} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    return python


@pytest.fixture(scope="module")
def installed(folder_of_any_name: Path, wheels: Path) -> Iterator[Path]:
    """Lay the table down; the folders, Python and the wheels have names with all in them that make or a shell reads."""
    destdir = folder_of_any_name / "system"
    laying = make("install", destdir, python_by_another_path(folder_of_any_name), wheels, profile="pico-8x8")
    assert laying.returncode == 0, laying.stderr
    yield destdir
    shutil.rmtree(destdir)


def files_of_the_program() -> set[Path]:
    """Return every file of the package, and every build, where a wheel has them."""
    package = ROOT / "controller" / "captains_table"
    files = {path.relative_to(package.parent) for path in package.rglob("*") if path.is_file()}
    builds = {Path("captains_table_builds", path.name) for path in (ROOT / "hardware" / "profiles").glob("*.toml")}
    assert builds
    return {path for path in files if "__pycache__" not in path.parts} | builds


def carried_by(wheel: Path) -> set[Path]:
    """Return every file of a wheel that is laid down, but what describes it."""
    with zipfile.ZipFile(wheel) as archive:
        return {Path(name) for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheel_carries_every_file_of_the_package_profiles_templates_and_art_included(wheels: Path) -> None:
    assert carried_by(wheels.with_name("own.whl")) == files_of_the_program()


def test_a_wheel_made_from_the_source_archive_carries_the_same(tmp_path: Path) -> None:
    unpacked = tmp_path / "unpacked"

    def build(what: str, folder: Path) -> None:
        making = f"from hatchling.build import build_{what}; build_{what}({str(tmp_path)!r})"
        subprocess.run([sys.executable, "-c", making], cwd=folder, check=True, capture_output=True)

    build("sdist", ROOT)
    unpacked.mkdir()
    subprocess.run(["tar", "-xzf", next(tmp_path.glob("*.tar.gz")), "-C", unpacked], check=True)
    build("wheel", next(unpacked.iterdir()))
    assert carried_by(next(tmp_path.glob("*.whl"))) == files_of_the_program()


def test_nothing_the_program_is_made_of_is_a_symbolic_link() -> None:
    # A checkout on Windows and an unpacked zip have a text file in its place.
    folders = [ROOT / name for name in ("controller", "firmware", "hardware", "systemd")]
    assert not [path for folder in folders for path in folder.rglob("*") if path.is_symlink()]


def test_exactly_the_listed_files_are_laid_down(installed: Path) -> None:
    assert laid_down(installed) == listed()


def test_the_build_named_at_installation_is_in_the_configuration(installed: Path) -> None:
    said = run(installed, "run", "--check", str(installed / CONFIG))
    assert said.returncode == 0, said.stderr
    assert said.stdout.endswith("config.toml is in order: pico-8x8, 8 x 8 squares on a Pico.\n")


def test_the_installed_program_needs_nothing_of_the_source_tree(installed: Path) -> None:
    for name in ("gpio-8x8", "pico-9x8", "simulated"):
        config = installed.parent / f"{name}.toml"
        config.write_text(f'[table]\nprofile = "{name}"\n', encoding="utf-8")
        assert run(installed, "run", "--check", str(config)).returncode == 0
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


def test_installing_again_keeps_a_configuration_that_was_edited(installed: Path, tmp_path: Path) -> None:
    edited = (installed / CONFIG).read_text(encoding="utf-8").replace('host = "0.0.0.0"', 'host = "127.0.0.1"')
    (installed / CONFIG).write_text(edited, encoding="utf-8")
    stale = installed / PROGRAM / "captains_table" / "removed_module.py"
    stale.touch()
    again = make("install", installed, python_that_fetches_nothing(tmp_path))
    assert again.returncode == 0, again.stderr
    assert (installed / PROGRAM / "captains_table" / "new_module.py").exists()
    assert (installed / CONFIG).read_text(encoding="utf-8") == edited
    assert "Its page is for this machine alone (host 127.0.0.1)" in again.stdout
    assert not stale.exists()
    assert laid_down(installed) == listed()


@pytest.mark.parametrize(
    ("web", "is_told"),
    [
        ('[web]\nhost = "127.0.0.1"\n', True),
        ("[web]\nport = 8377\n", True),  # as the program has it where nothing is written
        ('[web]\nhost = "localhost"\n', True),
        ('[web]\nhost = "0.0.0.0"\n', False),
        ('[web]\nhost = "192.0.2.7"\n', False),
    ],
)
def test_a_configuration_of_an_earlier_version_that_keeps_phones_out_is_told_of(
    web: str, *, is_told: bool, tmp_path: Path
) -> None:
    """The installer's own function, on a configuration that it keeps."""
    (tmp_path / "config.toml").write_text(f'[table]\nprofile = "simulated"\n\n{web}')
    text = (ROOT / "systemd/install.sh").read_text(encoding="utf-8")
    function = text[text.index("tell_of_host() {") : text.index("\ninstall_settings() {")]
    settings = f"settings={shlex.quote(str(tmp_path))}; python={shlex.quote(sys.executable)}"
    script = f'set -eu; say() {{ printf "%s\\n" "$*"; }}; {settings}\n{function}\ntell_of_host'
    said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout
    assert ('host = "0.0.0.0"    under [web]' in said) == is_told
    assert ("this machine alone" in said) == is_told


def test_uninstalling_leaves_nothing_but_the_state(installed: Path) -> None:
    journal = installed / STATE
    journal.parent.mkdir(parents=True)
    journal.touch()
    assert make("uninstall", installed).returncode == 0
    assert laid_down(installed) == {STATE}
    assert not (installed / "opt" / "captains-table").exists()
    assert not (installed / "etc" / "captains-table").exists()
    assert not (installed / "usr" / "local" / "bin" / "captains-table").exists()
    assert make("uninstall", installed).returncode == 0, "uninstalling twice is harmless"
