"""The documents keep their word: their commands, outputs and examples are the real ones."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from pathlib import Path

import pytest
from docs_cases import (
    ALIASES,
    ROOT,
    command_names,
    console_blocks,
    help_of,
    on_terminal,
    python_blocks,
    replay,
)
from hypothesis import given
from hypothesis import strategies as st
from trustgraph_prov_cli.graph import MOST
from trustgraph_prov_cli.options import DEFAULT_COLLECTION, DEFAULT_USER, RDF_FORMATS
from trustgraph_prov_cli.text import counted, iso

from trustgraph_prov import FORMATS, defaults, lexical, queries, wording

README = (ROOT / "README.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
OPTION = re.compile(r"(?<![\w-])--?[a-zA-Z][a-z-]*")


@pytest.fixture(scope="module")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("docs") / "demo"
    on_terminal("tg-prov demo", store)
    assert store.is_dir()
    return store


def test_readme_has_examples_to_check() -> None:
    assert len(python_blocks(README)) >= 1
    assert len(console_blocks(README)) >= 3


@pytest.mark.parametrize("session", console_blocks(README), ids=lambda text: text.split("\n")[0])
def test_readme_shows_what_the_commands_print(session: str, demo_store: Path) -> None:
    assert replay(session, demo_store) == session


@pytest.mark.parametrize("block", python_blocks(README), ids=lambda text: text.split("\n")[0])
def test_readme_python_runs(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102 - our own example
    said = re.findall(r"# prints: (.*)", block)
    assert capsys.readouterr().out.splitlines() == said


@pytest.mark.parametrize("command", ["tg-prov", *ALIASES])
def test_reference_has_every_command(command: str) -> None:
    assert f"\n## {command}\n" in REFERENCE


def test_reference_has_every_subcommand_and_no_other() -> None:
    documented = re.findall(r"^## tg-prov ([a-z-]+)$", REFERENCE, re.M)
    assert documented == command_names()


@pytest.mark.parametrize("command", re.findall(r"^## (.+)$", REFERENCE, re.M))
def test_reference_has_the_real_options(command: str) -> None:
    """By their names: how help is wrapped and how types are called differs between versions."""
    section = REFERENCE.split(f"\n## {command}\n", 1)[1].split("\n## ", 1)[0]
    real = help_of(command)
    assert set(OPTION.findall(section)) == set(OPTION.findall(real))


@pytest.mark.parametrize("name", command_names())
def test_readme_or_reference_link_each_command(name: str) -> None:
    assert f"tg-prov {name}" in README + REFERENCE


def test_links_between_documents_lead_somewhere() -> None:
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    for document in documents:
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


@given(st.integers(0, 10**9), st.datetimes(timezones=st.just(timezone.utc)))
def test_what_the_command_line_says_again_is_what_the_library_says(
    count: int, moment: datetime
) -> None:
    """It writes them without loading the library, or knows its root alone."""
    assert counted(count, "run") == wording.counted(count, "run")
    assert iso(moment) == lexical.utc_form(moment)
    assert MOST == queries.MOST


def test_help_names_the_formats_and_the_owner_that_there_are() -> None:
    assert RDF_FORMATS.replace(" or ", ", ").split(", ") == list(FORMATS)
    assert (DEFAULT_USER, DEFAULT_COLLECTION) == (
        defaults.DEFAULT_USER,
        defaults.DEFAULT_COLLECTION,
    )
