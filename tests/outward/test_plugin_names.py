"""The names that a game of somebody else's may rely on stay as plugin_names.json has them, and the guide lists them."""

import json
import re
from importlib import import_module
from inspect import ismodule
from pathlib import Path

import pytest

from captains_table.games import contract
from captains_table.process.plugins import GROUP

NAMES: dict[str, list[str]] = json.loads((Path(__file__).parent / "plugin_names.json").read_text(encoding="utf-8"))
CONTRACT = "captains_table.games.contract"


@pytest.mark.parametrize("module", NAMES)
def test_a_plug_in_may_import(module: str) -> None:
    found = import_module(module)
    assert [name for name in NAMES[module] if not hasattr(found, name)] == []


def test_a_name_that_the_contract_gets_belongs_into_the_list() -> None:
    exported = {name for name, thing in vars(contract).items() if not name.startswith("_") and not ismodule(thing)}
    assert NAMES[CONTRACT] == sorted(exported)


def test_plug_ins_are_found_by_this_entry_point() -> None:
    assert GROUP == "captains_table.games"


def test_the_guide_lists_them() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    section = guide.partition("## What a plug-in may rely on")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([\w.]+)` \| (.*) \|$", section, re.MULTILINE)
    listed = {module: re.findall(r"`(\w+)`", names) for module, names in rows}
    assert listed == {module: names for module, names in NAMES.items() if module != CONTRACT}
    assert f"`{CONTRACT}`" in section
