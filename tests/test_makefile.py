"""What a target of the Makefile runs finds what the target installs, on a clean clone too."""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[1]
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
