import pytest
from jinja2 import Environment

from captains_table.table.model.view import Phase, View
from captains_table.web.render import Renderer
from captains_table.web.scene import Scene


def test_what_one_renderer_compiled_another_need_not(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(View(phase=Phase.IDLE))
    first = Renderer().fragments("table", scene)

    def compiled_again(*_: object) -> None:
        raise AssertionError("a template was compiled again")

    monkeypatch.setattr(Environment, "_compile", compiled_again)
    assert Renderer().fragments("table", scene) == first
