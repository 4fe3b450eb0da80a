"""Every file of `malformed/` is reported by the shapes, and found by the audits, that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pyoxigraph as ox
import pytest
from narrowing import rows, subject, value
from ontology_cases import MALFORMED, ONTOLOGY, SHAPES, triples

from trustgraph_prov.namespaces import SH
from trustgraph_prov.queries import stored_query
from trustgraph_prov.stores import open_store
from trustgraph_prov.validate import validate

EXPECTS = re.compile(r"# expects: (?P<names>(?:(?:shapes:|audit/)[\w-]+ ?)+)\n")


def malformed() -> list[Path]:
    files = sorted(MALFORMED.glob("*.trig"))
    assert len(files) >= 70, f"{MALFORMED} holds {len(files)} files, so little would be tested"
    return files


def expected(path: Path) -> set[str]:
    match = EXPECTS.match(path.read_text(encoding="utf-8"))
    assert match, f"{path} opens with no `# expects:` line"
    return set(match["names"].split())


@pytest.mark.parametrize("path", malformed(), ids=lambda path: path.stem)
def test_a_fault_is_reported_by_the_intended_shape_and_no_other(path: Path) -> None:
    with open_store("memory:") as store:
        store.insert(ox.parse(path=path))
        results = validate(store).results
    reported = {r.shape.replace(SHAPES, "shapes:") for r in results if r.severity != "Info"}
    assert reported == {name for name in expected(path) if name.startswith("shapes:")}
    assert all(result.message for result in results)


@pytest.mark.parametrize(
    "path", [p for p in malformed() if "audit/" in p.read_text("utf-8")], ids=lambda p: p.stem
)
def test_a_fault_is_found_by_the_intended_audit(path: Path) -> None:
    with open_store("memory:") as store:
        store.insert(ox.parse(path=path))
        for name in expected(path):
            if name.startswith("audit/"):
                found = rows(store.query(stored_query(name).bind()))
                assert found, f"{name} finds nothing in {path.name}"


def test_the_shapes_of_the_model_each_have_a_fault_that_they_catch() -> None:
    caught = {name for path in malformed() for name in expected(path)}
    every = [
        subject(triple).replace(SHAPES, "shapes:")
        for triple in triples(ONTOLOGY / "shapes.ttl")
        if triple.predicate.value == SH + "minCount" and value(triple.object) == "1"
    ]
    helpers = {"shapes:Recorded-type", "shapes:Asked-query"}
    informations = {"shapes:QuestionForm-startedAtTime"}
    assert set(every) - helpers - informations - caught == set()
