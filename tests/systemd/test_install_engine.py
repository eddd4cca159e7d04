"""`make fairy` and `make install ENGINE=...`: an engine for Captain's Chess is built or named."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.tools import program
from tests.systemd.installing import BASE_PYTHON, CONFIG, ROOT, called, laid_down, made, refusal, write_script

BUILT = "opt/captains-table/bin/fairy-stockfish"


def named(destdir: Path) -> str | None:
    """Return the engine that the configuration of an installation names."""
    engine = tomllib.loads((destdir / CONFIG).read_text(encoding="utf-8"))["table"].get("engine")
    assert engine is None or isinstance(engine, str)
    return engine


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Return an engine that is there already."""
    path = tmp_path / "engines" / "O'Hara's \"large\" one"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_one_is_built_and_named_stays_with_an_update_and_goes_with_the_program(tmp_path: Path, python: Path) -> None:
    destdir = tmp_path / "my system"
    made("install", destdir, python, ENGINE="1")
    built = destdir / BUILT
    assert subprocess.run([built], check=True, capture_output=True, text=True).stdout == "an engine\n"
    assert built.stat().st_mode & 0o777 == 0o755
    assert built.parent.stat().st_mode & 0o005 == 0o005
    assert named(destdir) == f"/{BUILT}"
    config = (destdir / CONFIG).read_text(encoding="utf-8")
    made("install", destdir, python)
    assert built.exists()
    assert (destdir / CONFIG).read_text(encoding="utf-8") == config
    made("uninstall", destdir)
    assert laid_down(destdir) == set()


def edit(destdir: Path, *lines: str) -> str:
    """Write the configuration that comes with the program, with other lines under [table]; return it."""
    template = (ROOT / "systemd" / "config.toml").read_text(encoding="utf-8")
    text = template.replace("[table]\n", "\n".join(["[table]", *lines, ""]))
    (destdir / CONFIG).parent.mkdir(parents=True)
    (destdir / CONFIG).write_text(text, encoding="utf-8")
    return text


def name_engine(folder: Path, engine: str) -> str:
    """Let the installer's own functions name an engine; return what they say."""
    script = write_script(folder, "install.sh", "find_python\nfind_engine\ninstall_settings\nname_engine")
    given = {
        "DESTDIR": str(folder / "system"),
        "SYSTEM_PYTHON": BASE_PYTHON,
        "ENGINE": engine,
        "PATH": os.environ["PATH"],
    }
    return subprocess.run(["sh", script], env=given, capture_output=True, text=True, check=True).stdout


def test_without_asking_for_one_none_is_named(tmp_path: Path) -> None:
    name_engine(tmp_path, "0")
    assert named(tmp_path / "system") is None


def test_one_that_is_there_is_named_in_a_configuration_that_was_edited_too(tmp_path: Path, mine: Path) -> None:
    config = tmp_path / "system" / CONFIG
    before = edit(tmp_path / "system", "# a note of our own")
    name_engine(tmp_path, str(mine))
    assert named(tmp_path / "system") == str(mine)
    added = [line for line in config.read_text(encoding="utf-8").splitlines() if line not in before]
    assert len(added) == 1
    assert config.stat().st_mode & 0o777 == 0o644


def test_a_configuration_that_names_another_is_left_as_it_is(tmp_path: Path, mine: Path) -> None:
    edit(tmp_path / "system", 'engine = "/another"')
    assert "names the engine /another already: that stays." in name_engine(tmp_path, str(mine))
    assert named(tmp_path / "system") == "/another"


def test_one_that_is_not_there_is_refused_before_anything_is_laid_down(tmp_path: Path, python: Path) -> None:
    refused = refusal("install", tmp_path / "system", python, ENGINE=str(tmp_path / "nothing"))
    assert f"no program '{tmp_path}/nothing': expected ENGINE=1, which builds one, or the path of" in refused
    assert not (tmp_path / "system").exists()


# --- building -------------------------------------------------------------------------------------------------------


def build(python: Path, engine: str, folder: Path, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    return called(program("sh"), ROOT / "systemd" / "fairy.sh", python, engine, cwd=folder, env={"PATH": path})


def test_it_is_built_where_it_is_asked_for_seen_from_where_that_is_said(tmp_path: Path, python: Path) -> None:
    done = build(python, "bin of mine/engine", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        subprocess.run([tmp_path / "bin of mine" / "engine"], check=True, capture_output=True).stdout == b"an engine\n"
    )


def test_without_a_compiler_it_is_said_what_to_install(tmp_path: Path, python: Path) -> None:
    refused = build(python, "engine", tmp_path, path=str(tmp_path))
    assert refused.returncode == 1
    assert refused.stderr == "captains-table: no C++ compiler is here: install Debian's package g++\n"


def test_what_cannot_be_fetched_or_compiled_leaves_no_engine(tmp_path: Path, python: Path) -> None:
    engine = tmp_path / "engine"
    fetching = build(Path("/bin/false"), str(engine), tmp_path)
    assert fetching.returncode == 1
    assert "pip could not fetch the sources of pyffish==" in fetching.stderr
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "c++").write_text("#!/bin/sh\necho no room >&2; exit 1\n", encoding="utf-8")
    (tools / "c++").chmod(0o755)
    compiling = build(python, str(engine), tmp_path, path=f"{tools}:{os.environ['PATH']}")
    assert compiling.returncode == 1
    assert "the compiler failed" in compiling.stderr
    assert not engine.exists()


def test_the_sources_are_those_the_independent_judge_is_made_of() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (pinned,) = [each for each in project["optional-dependencies"]["dev"] if each.startswith("pyffish")]
    (sources,) = [
        line for line in (ROOT / "systemd" / "fairy.sh").read_text("utf-8").splitlines() if "SOURCES=" in line
    ]
    version = sources.strip("'").partition("==")[2]
    assert f">={version}" in pinned
    assert (Path(sys.prefix) / "bin" / "fairy-stockfish").exists(), "run make fairy, as `make test` does"
