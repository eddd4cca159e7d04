"""`python -m tests.weight`: print how much code there is, which methods only delegate, and which names are ambiguous.

Code is all lines but blank lines, comments and docstrings; imports count. A method only delegates if all it does is to
call the method of the same name of one of its object's attributes, with the same arguments. A public name is ambiguous
if two modules define a class, a type alias or a function by it.
"""

import ast
import io
import statistics
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PRODUCT: Final = ROOT / "controller" / "captains_table"
SLIGHT: Final = 60
NO_CODE: Final = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Function = ast.FunctionDef | ast.AsyncFunctionDef
SAME_THING: Final = frozenset({"State", "T", "add", "create_app", "main"})
"""Names that mean the same in every module: a game's state, a type variable, a command, a web app, an entry point."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What a tree of Python files weighs.

    Attributes:
        modules: how many files.
        slight: how many of them have at most 60 lines, blank ones and comments among them.
        lines: all lines.
        code: lines of code.
        functions: the lines of code of each function, its docstring aside.
        handing_on: `module:line Class.method` of each method that only hands on.
        ambiguous: each public name that several modules define, with these modules.
    """

    modules: int
    slight: int
    lines: int
    code: int
    functions: Sequence[int]
    handing_on: Sequence[str]
    ambiguous: Mapping[str, Sequence[str]]


def weigh(folder: Path) -> Weight:
    """Weigh all Python files below a folder."""
    files = sorted(folder.rglob("*.py"))
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    code = {file: lines_of_code(text) for file, text in texts.items()}
    trees = {file: ast.parse(text) for file, text in texts.items()}
    return Weight(
        modules=len(files),
        slight=sum(len(text.splitlines()) <= SLIGHT for text in texts.values()),
        lines=sum(len(text.splitlines()) for text in texts.values()),
        code=sum(map(len, code.values())),
        functions=sorted(
            sum(line in code[file] for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))
            for file, tree in trees.items()
            for node in ast.walk(tree)
            if isinstance(node, Function)
        ),
        handing_on=[
            f"{file.relative_to(folder)}:{where}" for file, tree in trees.items() for where in handing_on(tree)
        ],
        ambiguous=ambiguous_names({str(file.relative_to(folder)): tree for file, tree in trees.items()}),
    )


def ambiguous_names(trees: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """Return the public classes, type aliases and functions that several modules define, with these modules."""
    definers = defaultdict[str, list[str]](list)
    for module, tree in trees.items():
        for name in _public_names(tree):
            definers[name].append(module)
    return {name: modules for name, modules in sorted(definers.items()) if len(modules) > 1 and name not in SAME_THING}


def _public_names(tree: ast.Module) -> set[str]:
    defined = {node.name for node in tree.body if isinstance(node, ast.ClassDef | Function)}
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    aliases = {
        each.id for each in targets if isinstance(each, ast.Name) and each.id[:1].isupper() and not each.id.isupper()
    }
    return {name for name in defined | aliases if not name.startswith("_")}


def lines_of_code(text: str) -> set[int]:
    """Return the numbers of the lines, from 1, that hold code."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {line for token in tokens if token.type not in NO_CODE for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, Scope) and ast.get_docstring(node, clean=False) is not None:
            words = node.body[0]
            lines -= set(range(words.lineno, (words.end_lineno or words.lineno) + 1))
    return lines


def handing_on(tree: ast.Module) -> Iterator[str]:
    """Yield `line Class.method` of each method that only hands on."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef):
            for method in owner.body:
                if isinstance(method, Function) and _hands_on(method):
                    yield f"{method.lineno} {owner.name}.{method.name}"


def _hands_on(method: Function) -> bool:
    body = method.body[1:] if ast.get_docstring(method) is not None else method.body
    if len(body) != 1 or not isinstance(body[0], ast.Return | ast.Expr) or body[0].value is None:
        return False
    given = {each.arg for each in (*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs)}
    called = body[0].value.value if isinstance(body[0].value, ast.Await) else body[0].value
    if isinstance(called, ast.Attribute):  # a property
        return called.attr == method.name and isinstance(called.value, ast.Attribute)
    return (
        isinstance(called, ast.Call)
        and isinstance(called.func, ast.Attribute)
        and called.func.attr == method.name
        and isinstance(called.func.value, ast.Attribute)
        and all(
            isinstance(each, ast.Name) and each.id in given
            for each in (*called.args, *(word.value for word in called.keywords))
        )
    )


def main() -> None:
    """Print it."""
    weight = weigh(Path(sys.argv[1]).resolve() if sys.argv[1:] else PRODUCT)
    ninth = statistics.quantiles(weight.functions, n=10)[8]
    print(f"{weight.code:,} lines of code ({weight.lines:,} in all)")
    print(f"{weight.modules} modules, {weight.slight} of them of at most {SLIGHT} lines")
    print(f"functions: {statistics.median(weight.functions):.0f} lines in the middle, p90 {ninth:.0f}")
    print(f"{len(weight.handing_on)} methods only hand on:")
    print("\n".join(f"  {where}" for where in weight.handing_on))
    print(f"{len(weight.ambiguous)} public names stand for several things:")
    print("\n".join(f"  {name}: {', '.join(modules)}" for name, modules in weight.ambiguous.items()))


if __name__ == "__main__":
    main()
