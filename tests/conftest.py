"""One `store` fixture over every engine: a test that asks for it runs on each, and names none.

`pytest --engines memory` or `--engines memory,rdflib` picks some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from cli_cases import Shell

from trustgraph_prov import resources
from trustgraph_prov.stores import Store, open_store

ENGINES: dict[str, Callable[[Path], str]] = {
    "memory": lambda folder: "memory:",
    "folder": lambda folder: str(folder / "store"),
    "rdflib": lambda folder: "rdflib:",
}
"""How each engine is named to `open_store`, given an empty folder."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--engines",
        default=",".join(ENGINES),
        help=f"engines the `store` fixture runs on, of: {', '.join(ENGINES)} (default: all)",
    )


def pytest_report_header(config: pytest.Config) -> str:
    return f"engines: {', '.join(_engines(config))}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", _engines(metafunc.config), scope="session")


@pytest.fixture
def store(engine: str, tmp_path: Path) -> Iterator[Store]:
    """An empty store, once for each engine."""
    with open_store(ENGINES[engine](tmp_path)) as opened:
        yield opened


@pytest.fixture
def loaded(store: Store) -> Store:
    """A store with every example of the ontology in it."""
    store.insert(example_quads())
    return store


@pytest.fixture(scope="session")
def loaded_once(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """As `loaded`, one for the whole session: for tests that only read."""
    with open_store(ENGINES[engine](tmp_path_factory.mktemp(engine))) as opened:
        opened.insert(example_quads())
        yield opened


@pytest.fixture
def tg(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """The commands, on a store that is not there yet."""
    return Shell(str(tmp_path / "store"), monkeypatch, capsys)


@pytest.fixture
def demo(tg: Shell) -> Shell:
    """The commands, on a store that holds the demo."""
    assert tg("demo").code == 0
    return tg


def example_quads() -> list[ox.Quad]:
    """Every quad of `ontology/examples/*.trig`."""
    files = sorted((resources.folder("ontology") / "examples").glob("*.trig"))
    assert files, "ontology/examples holds no *.trig, so nothing would be tested"
    return [quad for file in files for quad in ox.parse(path=str(file))]


def _engines(config: pytest.Config) -> list[str]:
    names = [name.strip() for name in config.getoption("engines").split(",") if name.strip()]
    unknown = sorted(set(names) - set(ENGINES))
    if unknown or not names:
        raise pytest.UsageError(f"--engines {unknown}: not one of {', '.join(ENGINES)}")
    return names
