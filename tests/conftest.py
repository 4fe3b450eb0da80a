"""One `store` fixture over every engine: a test that asks for it runs on each, and names none.

`pytest --engines memory,rdflib` picks some. Servers that this machine lacks are left out, and named
in the header line; `--engines all` fails without them.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path

import pyoxigraph as ox
import pytest
from cli_cases import Shell
from hypothesis import HealthCheck, settings
from outbox_cases import Endpoint
from servers import SERVERS, Server
from servers.faults import fault_of
from servers.tally import tallies_of

from trustgraph_prov import resources
from trustgraph_prov.stores import Store, open_store


def _on_server(name: str, folder: Path) -> str:
    server = server_of(name, "store")
    server.clear()
    return server.url


ENGINES: dict[str, Callable[[Path], str]] = {
    "memory": lambda folder: "memory:",
    "folder": lambda folder: str(folder / "store"),
    "rdflib": lambda folder: "rdflib:",
    **{name: partial(_on_server, name) for name in SERVERS},
}
"""How each engine is named to `open_store`, given an empty folder; a server is emptied for it."""

_running: dict[tuple[str, str], Server] = {}

# A slow machine fails nothing; where a change is checked, the same examples come each time.
settings.register_profile(
    "any machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("any machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--engines",
        default="",
        help=f"engines the `store` fixture runs on, of: {', '.join(ENGINES)}; or all "
        "(default: all that this machine has)",
    )


def pytest_report_header(config: pytest.Config) -> str:
    names = _engines(config)
    known = [_called(name) for name in names]
    absent = [
        f"{name} ({server.missing()})" for name, server in SERVERS.items() if name not in names
    ]
    left_out = f"; left out: {', '.join(absent)}" if absent and not _asked(config) else ""
    return f"engines: {', '.join(known)}{left_out}"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", _engines(metafunc.config), scope="session")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        callspec = getattr(item, "callspec", None)
        engine = callspec and callspec.params.get("engine")
        if not engine:
            continue
        item.user_properties.append(("engine", engine))
        fault = fault_of(engine, item.name)
        if fault is not None:
            reason = f"{engine}: {fault.why}"
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """A line for each engine: what was run on it, and what its own faults make impossible."""
    engines = {name: _called(name) for name in _engines(config)}
    if tallies := tallies_of(engines, terminalreporter.stats):
        terminalreporter.section("engines")
        for line in tallies:
            terminalreporter.write_line(line)


def pytest_unconfigure() -> None:
    while _running:
        _running.popitem()[1].stop()


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
    name = (
        server_of(engine, "loaded_once").url
        if engine in SERVERS
        else ENGINES[engine](tmp_path_factory.mktemp(engine))
    )
    with open_store(name) as opened:
        opened.insert(example_quads())
        yield opened


@pytest.fixture
def here() -> Iterator[Store]:
    """An empty store in memory: for tests of what no engine changes."""
    with open_store("memory:") as opened:
        yield opened


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[Endpoint]:
    """A store in a process of its own, which can be killed and started again."""
    server = Endpoint(tmp_path / "server").start()
    yield server
    server.kill()


@pytest.fixture(params=["trig", "nq"])
def dataset(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Where a dataset in a file is to be; once for each of two formats."""
    return tmp_path / f"runs.{request.param}"


@pytest.fixture
def dataset_name(dataset: Path) -> str:
    """How `open_store` calls that dataset."""
    return f"rdflib:{dataset}"


@pytest.fixture
def journal(dataset: Path) -> Path:
    """Where the calls of that dataset are until they are in its file."""
    return dataset.with_name(f"{dataset.name}.journal")


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


def server_of(name: str, purpose: str) -> Server:
    """A server, started when it is first asked for and ended with the session.

    Args:
        name: of the engine.
        purpose: uses that must not see each other's data have processes of their own.
    """
    running = _running.get((name, purpose))
    if running is None or not running.running:
        running = SERVERS[name](Path(tempfile.mkdtemp(prefix=f"{name}-")))
        _running[name, purpose] = running
    return running


def end_servers(purpose: str) -> None:
    """End those servers; the next test that asks for one has a new one started."""
    for key in [key for key in _running if key[1] == purpose]:
        _running.pop(key).stop()


def _called(name: str) -> str:
    """An engine with its version."""
    if name in SERVERS:
        return SERVERS[name].version()
    package = "rdflib" if name == "rdflib" else "pyoxigraph"
    return f"{name} ({package} {version(package)})"


def _asked(config: pytest.Config) -> str:
    asked: str = config.getoption("engines")
    return asked.strip()


def _engines(config: pytest.Config) -> list[str]:
    asked = _asked(config)
    lacking = {name: why for name, server in SERVERS.items() if (why := server.missing())}
    if asked in ("", "all"):
        required = {n: why for n, why in lacking.items() if SERVERS[n].required}
        if asked and required:
            raise pytest.UsageError(f"--engines all: {_told(required)}")
        return [name for name in ENGINES if name not in lacking]
    names = [name.strip() for name in asked.split(",") if name.strip()]
    unknown = sorted(set(names) - set(ENGINES))
    if unknown or not names:
        raise pytest.UsageError(f"--engines {unknown}: not one of {', '.join(ENGINES)}")
    if wanted := {name: lacking[name] for name in names if name in lacking}:
        raise pytest.UsageError(f"--engines {asked}: {_told(wanted)}")
    return names


def _told(lacking: dict[str, str]) -> str:
    return ", ".join(f"{name} ({why})" for name, why in lacking.items())
