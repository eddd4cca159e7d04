"""The contract of a game as docs/contracts.md shows it: generated from the code, so that both agree."""

import inspect
from collections.abc import Iterator
from enum import EnumType
from types import ModuleType
from typing import Any

from captains_table.games.contract import display, game, turns
from captains_table.games.contract.game import Game
from captains_table.games.contract.turns import Option

DECLARATIONS = ("on_board", "confirm", "opens_menu", "keeps_move_open", "secret")
MODULES = (turns, display)


def contract_block() -> str:
    """Return the contract whole, as Python in outline."""
    return "\n".join(
        ["```python", *_game_lines(), *(line for module in MODULES for line in _module_lines(module)), "```"]
    )


def _game_lines() -> Iterator[str]:
    yield "# game"
    yield "class Game(ABC, Generic[S]):  # S: a frozen, hashable value"
    for name, kind in Game.__annotations__.items():
        default = f" = {getattr(Game, name)!r}" if hasattr(Game, name) else ""
        yield f"    {name}: {_plain(kind)}{default}"
    for name, method in vars(Game).items():
        if inspect.isfunction(method) and not name.startswith("_"):
            if name in Game.__abstractmethods__:
                yield "    @abstractmethod"
            yield f"    def {name}{_signature(method)}: ...  # {_first_sentence(method)}"


def _module_lines(module: ModuleType) -> Iterator[str]:
    yield ""
    yield f"# {module.__name__.rpartition('.')[2]}"
    for name, value in vars(module).items():
        if isinstance(value, type) and value.__module__ == module.__name__ and not name.startswith("_"):
            yield from _class_lines(value)
        elif isinstance(value, Option):
            yield f"{name} = {_option(value)}"


def _class_lines(kind: type) -> Iterator[str]:
    if isinstance(kind, EnumType):
        yield f"class {kind.__name__}(StrEnum):  # {_first_sentence(kind)}"
        yield "    " + ", ".join(str(member) for member in kind)  # type: ignore[var-annotated]
        return
    fields = {name: _plain(annotation) for name, annotation in kind.__annotations__.items()}
    shown = ", ".join(f"{name}: {annotation}" for name, annotation in fields.items())
    base = f"({kind.__bases__[0].__name__})" if issubclass(kind, Exception) else ""
    yield (
        f"class {kind.__name__}{base}({shown})  # {_first_sentence(kind)}"
        if shown
        else (f"class {kind.__name__}{base}  # {_first_sentence(kind)}")
    )


def _option(option: Option) -> str:
    declared = [
        name for name in ("on_board", "confirm", "opens_menu", "keeps_move_open", "secret") if getattr(option, name)
    ]
    return ", ".join([f"Option({option.id!r}", repr(option.label), *(f"{name}=True" for name in declared)]) + ")"


def _signature(method: Any) -> str:  # noqa: ANN401 - any function
    return _plain(inspect.signature(method))


def _plain(annotation: object) -> str:
    """Return an annotation without the names of the modules it comes from."""
    text = (
        annotation.__name__ if isinstance(annotation, type) and not hasattr(annotation, "__args__") else str(annotation)
    )
    for module in (game, *MODULES):
        text = text.replace(f"{module.__name__}.", "")
    for prefix in ("captains_table.games.contract.options.", "collections.abc.", "typing.", "~"):
        text = text.replace(prefix, "")
    return text.replace("'", "")


def _first_sentence(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0].rstrip(".")
