"""What is laid down as root has versions that were tried: `systemd/constraints.txt` and pyproject.toml agree."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.systemd.installing import ROOT, asked_of_pip

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = ("club", "pi")
LINES = (ROOT / "systemd" / "constraints.txt").read_text(encoding="utf-8").splitlines()
PINNED = dict(line.split("==") for line in LINES if not line.startswith("#"))


def asked_for() -> Iterator[Requirement]:
    """Yield what the table, the club and their build ask for."""
    project = PROJECT["project"]
    extras = [text for extra in EXTRAS for text in project["optional-dependencies"][extra]]
    yield from map(Requirement, [*project["dependencies"], *extras, *PROJECT["build-system"]["requires"]])


def with_what_they_need(requirements: Iterator[Requirement]) -> Iterator[Requirement]:
    """Yield requirements, and those of the packages they name, as they are installed here."""
    waiting, seen = list(requirements), set[str]()
    while waiting:
        requirement = waiting.pop()
        yield requirement
        for extra in {"", *requirement.extras}:
            name = f"{canonicalize_name(requirement.name)}[{extra}]"
            if name in seen:
                continue
            seen.add(name)
            for text in distribution(requirement.name).requires or []:
                needed = Requirement(text)
                if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                    waiting.append(needed)


def test_every_package_that_is_laid_down_has_its_version() -> None:
    names = {canonicalize_name(requirement.name) for requirement in with_what_they_need(asked_for())}
    assert names <= PINNED.keys()


@pytest.mark.parametrize("requirement", list(asked_for()), ids=lambda requirement: requirement.name)
def test_a_version_that_is_laid_down_is_one_that_the_project_allows(requirement: Requirement) -> None:
    assert requirement.specifier.contains(Version(PINNED[canonicalize_name(requirement.name)]))


def test_what_drives_pins_and_keys_has_an_upper_bound() -> None:
    for requirement in asked_for():
        assert any(clause.operator in {"<", "==", "~="} for clause in requirement.specifier), str(requirement)


def test_the_list_names_no_place_to_fetch_from() -> None:
    assert not [line for line in LINES if "://" in line or line.startswith("-")]


@pytest.mark.slow
def test_the_installation_keeps_to_these_versions_and_builds_python_chess_and_itself_alone(laid: Path) -> None:
    _, how = asked_of_pip(laid)
    assert how.startswith("#systemd/constraints.txt ")
    wheels = re.search(r"--only-binary (\S+) ", how)
    assert wheels is not None
    assert set(wheels[1].split(",")) == PINNED.keys() - {"chess"}
