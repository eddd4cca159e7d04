"""Documents are true where that can be checked: links, commands, options, examples, the drawing of the rooms."""

import inspect
import io
import os
import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from enum import EnumType
from types import ModuleType

import pytest

from captains_table.catalog import ENTRIES
from captains_table.cli.main import build_parser
from captains_table.games.contract import display, game, turns
from captains_table.games.contract.game import Game
from captains_table.games.contract.turns import Option
from captains_table.games.registry import GAMES
from captains_table.runtime.config import SECTIONS, parse_table_config
from captains_table.runtime.tape_player import replay_lines
from tests.support.commands import broken_commands, commands_of, make_targets
from tests.support.documents import ARCHITECTURE, CONTRACTS, PACKAGE, ROOT, Document, anchor, read_documents
from tests.support.four_games import FOUR_GAMES
from tests.support.noise_mix import rate_lines

DOCUMENTS = read_documents()
LONGEST_README = 150
LONGEST_ARCHITECTURE = 250
FOLDERS = frozenset({"controller", "docs", "firmware", "hardware", "systemd", "tests"})
PLACEHOLDER = re.compile(r"(^|/)(X|KEY)(/|\.|$)")
PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]*")


def broken_links(document: Document, documents: Mapping[str, Document]) -> list[str]:
    """Return which relative links and pictures of a document lead nowhere."""
    broken = []
    for link in document.links():
        if re.match(r"\w+:", link):
            continue  # elsewhere
        target, _, fragment = link.partition("#")
        path = (ROOT / document.path).parent / target
        meant = documents.get(path.resolve().relative_to(ROOT).as_posix()) if target else document
        if not path.exists() or (fragment and (meant is None or fragment not in meant.anchors)):
            broken.append(link)
    return broken


def missing_paths(document: Document) -> Iterator[str]:
    """Yield the files and folders that a document names and that are not there."""
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    for code in document.code():
        for path in PATH.findall(code):
            if path != code or path.partition("/")[0] not in FOLDERS | rooms:
                continue  # an address, a command, or a part of something longer
            if PLACEHOLDER.search(path):
                continue  # such as games/X
            places = (ROOT, PACKAGE, (ROOT / document.path).parent)
            if not any((place / path).exists() for place in places):
                yield path


@pytest.mark.parametrize(("path", "longest"), [("README.md", LONGEST_README), (ARCHITECTURE, LONGEST_ARCHITECTURE)])
def test_the_pages_that_lead_are_short(path: str, longest: int) -> None:
    assert len(DOCUMENTS[path].text.splitlines()) <= longest


@pytest.mark.parametrize("path", DOCUMENTS)
def test_every_link_picture_command_file_and_folder_of_a_document_is_there(path: str) -> None:
    document = DOCUMENTS[path]
    assert broken_links(document, DOCUMENTS) == []
    assert broken_commands(document.code()) == []
    assert list(missing_paths(document)) == []


def test_every_document_can_be_reached_from_the_readme() -> None:
    reached, waiting = set[str](), ["README.md"]
    while waiting:
        path = waiting.pop()
        if path in reached or path not in DOCUMENTS:
            continue
        reached.add(path)
        folder = (ROOT / path).parent
        targets = [folder / link.partition("#")[0] for link in DOCUMENTS[path].links() if not re.match(r"\w+:|#", link)]
        waiting += [target.resolve().relative_to(ROOT).as_posix() for target in targets]
    assert reached == set(DOCUMENTS)


def test_every_picture_is_shown_and_every_target_of_make_is_explained() -> None:
    shown = {link.rpartition("/")[2] for document in DOCUMENTS.values() for link in document.links()}
    assert {path.name for path in (ROOT / "docs").glob("*.png")} <= shown
    text = "\n".join(document.text for document in DOCUMENTS.values())
    assert [target for target in make_targets() if f"make {target}" not in text] == []


# --- the drawing of the rooms ---------------------------------------------------------------------------------------


def drawn_folders(document: Document) -> set[str]:
    """Return the folders and modules in the drawing of the rooms."""
    return set(re.findall(r"^ *([\w/.]+)  +\S", document.block("cli/"), re.MULTILINE))


def is_of_one_game(room: str) -> bool:
    """Return whether a room is one game's own: a new game need not be drawn."""
    floor, _, name = room.rstrip("/").partition("/")
    return floor in {"games", "players"} and bool(name) and name.split("/")[0] not in {"contract", "common"}


def test_the_drawing_of_the_rooms_is_the_package() -> None:
    folders = {f"{path.parent.relative_to(PACKAGE).as_posix()}/" for path in PACKAGE.rglob("__init__.py")} - {"./"}
    modules = {path.name for path in PACKAGE.glob("*.py") if not path.name.startswith("__")}
    of_one_game = {room for room in folders if is_of_one_game(room)}
    drawn = drawn_folders(DOCUMENTS[ARCHITECTURE])
    assert drawn - of_one_game == (folders - of_one_game) | modules
    assert drawn <= folders | modules


def test_the_rooms_are_drawn_in_the_order_that_imports_are_held_to() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = [contract["layers"] for contract in contracts if contract["name"].startswith("the rooms")]
    held = [room.strip().removeprefix("captains_table.") for layer in layers for room in layer.split("|")]
    drawn = re.findall(r"^    (\w+)(?:/|\.py) ", DOCUMENTS[ARCHITECTURE].block("cli/"), re.MULTILINE)
    assert drawn == held


def test_the_contract_of_a_game_is_shown_whole() -> None:
    page = ROOT / CONTRACTS
    text = page.read_text(encoding="utf-8")
    shown = re.search(r"(?<=between these two marks. -->\n\n).*?(?=\n\n<!-- The game contract: end)", text, re.DOTALL)
    assert shown is not None
    if os.environ.get("UPDATE_GOLDEN"):
        page.write_text(text.replace(shown.group(), contract_block()), encoding="utf-8")
    assert shown.group() == contract_block(), "write it anew with UPDATE_GOLDEN=1"


# --- tables that repeat what the code says --------------------------------------------------------------------------


def test_the_rates_of_the_noise_are_those_of_the_realistic_mix() -> None:
    assert "\n".join(rate_lines()) in DOCUMENTS["docs/recognition.md"].text


def test_of_every_game_in_the_table_of_options_all_are_listed() -> None:
    section = DOCUMENTS["docs/operations.md"].text.partition("## Options of the games")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| ([A-Z][^|]*?) \| (.*) \|$", section, re.MULTILINE))
    listed = {key: row for key, game in GAMES.items() for title, row in rows.items() if game.title.startswith(title)}
    assert listed.keys() >= FOUR_GAMES.keys()
    for key, row in listed.items():
        assert set(re.findall(r"`(\w+)=", row)) == {option.name for option in GAMES[key].options}, key


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "docs/operations.md"])
def test_how_many_may_play_the_dice_games_is_told_as_it_is(name: str) -> None:
    told = re.findall(r"one to ([a-z-]+) players", DOCUMENTS[name].text)
    assert {GAMES[key].seats for key in ("ship-captain-crew", "swashbuckle")} == {range(1, 33)}
    assert told
    assert set(told) == {"thirty-two"}


def test_every_key_of_the_configuration_is_listed() -> None:
    block = DOCUMENTS["docs/operations.md"].block("[table]")
    listed = re.findall(r"^ *(?:# )?(\w+) = ", block, re.MULTILINE)
    assert sorted(listed) == sorted(key for keys in SECTIONS.values() for key in keys)


def test_every_command_is_in_the_guides_table_of_commands() -> None:
    section = DOCUMENTS["docs/operations.md"].text.partition("\n## Commands")[2].partition("\n## ")[0]
    named = set(re.findall(r"`captains-table (\w+)", section))
    assert named == {command.partition(" ")[0].partition("-")[0] for command in commands_of(build_parser())}


def test_the_guide_tells_what_advice_every_game_of_the_house_has() -> None:
    section = DOCUMENTS["docs/operations.md"].text.partition("\n## Odds and advice")[2].partition("\n## ")[0]
    told = dict(re.findall(r"^- \*\*([^*]+)\*\*: (.*)$", section, re.MULTILINE))
    for entry in ENTRIES:
        words = next((told[title] for title in told if entry.game.title.startswith(title)), None)
        has_advice = entry.adviser is not None or entry.move_adviser is not None
        expected = f"docs/operations.md, Odds and advice: expected a line on {entry.game.title}, or that it has none"
        assert (words is not None) == has_advice, expected
        assert (f"{entry.game.title} has none." in section) != has_advice, expected
        assert entry.move_adviser is None or re.search(r"(?i)\bmove\b.*highest level would", words or "")


def test_how_far_boreas_looks_is_the_same_on_both_pages() -> None:
    looks = re.search(r"median of (\d+) moves ahead, at least (\d+)", DOCUMENTS["docs/opponents.md"].text)
    measured = re.search(r"median (\d+) moves ahead in 2 s, fewest (\d+)", DOCUMENTS["docs/figures.md"].text)
    assert looks is not None
    assert measured is not None
    assert looks.groups() == measured.groups()


# --- the checkers themselves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("make sail", "make has no target sail"),
        ("sudo make install PROFILE=pico-7x7", "there is no profile pico-7x7"),
        ('make play ARGS="draughts --players Anne"', "there is no game draughts"),
        ('make play ARGS="--sails 3"', "there is no option --sails"),
        ("captains-table matches burn 3", "there is no command burn"),
        ("captains-table matches export 3 --form pdf", "--form takes no pdf"),
        ("captains-table simulate swashbuckle masts=3", "the game has no option masts"),
        (".venv/bin/captains-table doctor --cure", "there is no option --cure"),
        ("python -m tests.nothing", "there is no module tests.nothing"),
    ],
)
def test_a_command_that_cannot_be_given_is_named(line: str, wrong: str) -> None:
    assert broken_commands([line]) == [f"{line}: {wrong}"]


def test_placeholders_and_other_programs_are_let_pass() -> None:
    assert broken_commands(["captains-table odds GAME", "make ARGS=...", "apt install make sail", "make"]) == []


def test_a_link_that_leads_nowhere_and_a_folder_that_is_not_there_are_named() -> None:
    text = "# Here\n[a](#here) [b](#there) [c](README.md#play) [d](README.md#work) ![e](docs/none.png) [f](https://a.b/c)\n"
    assert broken_links(Document("X.md", text), DOCUMENTS) == ["#there", "README.md#work", "docs/none.png"]
    text = "`docs/` and `games/legend/` and `tests/nowhere/` and `/table` and `controller/none.py`.\n"
    assert list(missing_paths(Document("X.md", text))) == ["tests/nowhere/", "controller/none.py"]


def test_links_and_headings_in_code_are_none_and_headings_are_named_as_web_pages_name_them() -> None:
    document = Document("X.md", "# One\n\n    # two [x](y)\n\n```\n## three\n```\n`[a](b)` [c](d)\n")
    assert document.links() == ["d"]
    assert document.headings == ("One",)
    assert anchor("Contract 6: tapes") == "contract-6-tapes"
    assert anchor("Resuming, and power cuts") == "resuming-and-power-cuts"
    assert Document("X.md", "# A\n\n# A\n").anchors == {"a", "a-1"}


def test_the_purpose_of_each_module_that_tests_share_is_told() -> None:
    table = DOCUMENTS["docs/development.md"].text.partition("### What tests share")[2].partition("###")[0]
    shared = {path.stem for path in (ROOT / "tests" / "support").iterdir() if not path.name.startswith("__")}
    assert set(re.findall(r"`(\w+)`", table)) == shared


# --- examples --------------------------------------------------------------------------------------------------------

OPERATIONS = DOCUMENTS["docs/operations.md"]
EXCERPT = re.compile(r"^```\w+\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)  # its first line names the file


def test_the_tape_plays_and_its_expectations_hold() -> None:
    tape = textwrap.dedent(OPERATIONS.block("game legend")).splitlines()
    out, err = io.StringIO(), io.StringIO()
    assert replay_lines("operations.md", tape, out, err) == 0, err.getvalue()


def test_the_configuration_is_read() -> None:
    config = parse_table_config(tomllib.loads(textwrap.dedent(OPERATIONS.block("[table]"))))
    assert config.players == ("Anne", "Bart")
    assert config.settings.slide_ms == 300


def test_code_in_the_guide_to_a_new_game_is_that_of_the_files_it_names() -> None:
    excerpts = EXCERPT.findall(DOCUMENTS["docs/adding-a-game.md"].text)
    assert len(excerpts) >= 8
    for path, code in excerpts:
        assert code in (ROOT / path).read_text(encoding="utf-8"), f"{path}:\n{code}"


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
            yield f"    def {name}{_plain(inspect.signature(method))}: ...  # {_first_sentence(method)}"


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
    yield f"class {kind.__name__}{base}{shown and f'({shown})'}  # {_first_sentence(kind)}"


def _option(option: Option) -> str:
    declared = [name for name in DECLARATIONS if getattr(option, name)]
    return ", ".join([f"Option({option.id!r}", repr(option.label), *(f"{name}=True" for name in declared)]) + ")"


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
