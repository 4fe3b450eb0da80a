"""Who may import whom, read from the source, and what a command loads, seen from outside."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_cases import CLI, PACKAGE, modules

GROUND = {
    "characters",
    "curies",
    "defaults",
    "errors",
    "extras",
    "graphs",
    "json_text",
    "lexical",
    "n_quads",
    "namespaces",
    "resources",
    "statement",
    "strict_json",
    "terms",
    "uris",
    "wording",
}
MODEL = {
    "answers",
    "characters",
    "curies",
    "lexical",
    "wording",
    "emitters",
    "queries",
    "stores.base",
    "stores.drafts",
    "defaults",
    "errors",
    "extras",
    "graphs",
    "json_text",
    "statement",
    "strict_json",
    "terms",
    "uris",
    "namespaces",
    "bare_text",
    "vocabulary",
}
ALLOWED = {
    **dict.fromkeys(GROUND, GROUND),
    "vocabulary": {"namespaces", "resources"},
    "bare_text": {"namespaces", "terms", "uris", "vocabulary"},
    "context": {"curies", "namespaces", "resources"},
    "queries": {"errors", "query_header", "resources", "terms"},
    "query_header": {"errors"},
    "answers": {"errors", "queries", "stores.base"},
    "stores": {"characters", "errors", "lexical", "n_quads", "namespaces", "strict_json", "terms"},
    "emitters": GROUND,
    "recorder": MODEL | {"ownership"},
    "explain": MODEL | {"calls", "ownership"},
    "render": GROUND | {"explain", "vocabulary"},
    "validate": MODEL | {"explain", "resources", "stores"},
    "ownership": MODEL,
    "calls": MODEL | {"ownership"},
    "text_places": MODEL | {"calls"},
    "indexing": MODEL | {"calls", "ownership", "text_places"},
    "users": MODEL | {"calls"},
    "deletion": MODEL | {"calls", "explain", "indexing"},
    "exchange": MODEL | {"explain", "indexing", "n_quads", "resources", "stores.faults"},
    "outbox": MODEL
    | {
        "n_quads",
        "stores.drafts",
        "stores.faults",
        "stores.guard",
        "stores.interrupt",
        "stores.lease",
        "stores.opened",
    },
    "extraction": MODEL | {"explain", "render"},
    "trustgraph": MODEL | {"exchange", "indexing", "text_places", "users"},
    "demo": MODEL | {"recorder"},
    "doctor": MODEL | {"exchange", "outbox"},
    "messages": {"bare_text", "defaults", "errors", "namespaces", "strict_json", "terms"},
    "agent": MODEL
    | {"indexing", "messages", "recorder", "stores.sparql_presets", "stores.sparql_text", "users"},
}
"""What each part of the package may import, besides itself. The root may import everything."""

HEAVY = {"rdflib", "SPARQLWrapper", "pyshacl"}
MAY_USE = {
    "rdflib": re.compile(r"stores/rdflib_\w*\.py|validate\.py"),
    "SPARQLWrapper": re.compile(r"stores/sparql\.py"),
    "pyshacl": re.compile(r"validate\.py"),
}
APART = {
    "stores.base",
    "stores.drafts",
    "stores.faults",
    "stores.guard",
    "stores.interrupt",
    "stores.lease",
    "stores.opened",
    "stores.sparql_presets",
    "stores.sparql_text",
}
"""Modules that others may import without the rest of their package."""


def imports(path: Path, root: Path) -> Iterator[str]:
    """Every import of a file, as the absolute name of a module."""
    package = (root.name, *path.relative_to(root).parts[:-1])
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unused = {inner for node in ast.walk(tree) if for_types(node) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if node in unused:
            continue
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *((node.module,) if node.module else ())])
            for name in node.names:
                whole = f"{module}.{name.name}"
                yield whole if is_module(whole) else module


def for_types(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def is_module(name: str) -> bool:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or path.is_dir()


def part(module: str) -> str:
    """`trustgraph_prov.stores.base` is `stores.base`, most others go by their first name."""
    inner = module.removeprefix("trustgraph_prov.")
    return inner if inner in APART else inner.split(".")[0]


@pytest.mark.parametrize("path", modules(PACKAGE), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_each_part_imports_only_what_it_may(path: Path) -> None:
    here = path.relative_to(PACKAGE).with_suffix("").parts[0]
    if here == "__init__":
        return
    wanted = {
        part(name)
        for name in imports(path, PACKAGE)
        if name.startswith("trustgraph_prov.") and name.split(".")[1] != here
    }
    assert wanted <= ALLOWED[here], f"{path.name} imports {sorted(wanted - ALLOWED[here])}"


@pytest.mark.parametrize("path", modules(CLI), ids=lambda p: str(p.relative_to(CLI)))
def test_the_command_line_knows_only_the_root(path: Path) -> None:
    inner = {
        node.module
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
    }
    assert not [name for name in inner if name.startswith("trustgraph_prov.")]


@pytest.mark.parametrize("path", modules(PACKAGE), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_heavy_libraries_stay_where_they_belong(path: Path) -> None:
    place = path.relative_to(PACKAGE).as_posix()
    for library in {name.split(".")[0] for name in imports(path, PACKAGE)} & HEAVY:
        assert MAY_USE[library].fullmatch(place), library


@pytest.mark.parametrize("path", modules(PACKAGE), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_the_command_line_reads_the_environment(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not read & {"environ", "getenv"}


@pytest.mark.parametrize(
    "code",
    [
        "import trustgraph_prov",
        "from trustgraph_prov_cli.app import app\n"
        "assert app(['--help'], standalone_mode=False) == 0",
        "from trustgraph_prov_cli.app import app\n"
        "app(['list', '-s', 'memory:'], standalone_mode=False)",
        "from trustgraph_prov_cli.app import app\napp(['show', '-h'], standalone_mode=False)",
    ],
    ids=["root", "help", "list", "show help"],
)
def test_starting_loads_nothing_heavy(code: str) -> None:
    check = f"\nimport sys\nloaded = sys.modules.keys() & {HEAVY!r}\nassert not loaded, loaded"
    run = subprocess.run(
        [sys.executable, "-c", code + check],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert run.returncode == 0, run.stderr


def test_help_loads_no_engine() -> None:
    code = (
        "import sys\nfrom trustgraph_prov_cli.app import app\n"
        "app(['--help'], standalone_mode=False)\n"
        "assert 'trustgraph_prov.stores' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
