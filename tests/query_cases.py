"""Compare what a query returns by value: engines agree on rows, not on how they write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import yaml

from trustgraph_prov import resources, terms
from trustgraph_prov.namespaces import XSD
from trustgraph_prov.queries import stored_query
from trustgraph_prov.stores import Store

TESTS = Path(__file__).parent
GOLDEN = TESTS / "golden"
NUMBERS = {XSD + name for name in ("integer", "decimal", "double", "float", "int", "long")}


@dataclass(frozen=True)
class Case:
    """A query, what is in the store, its parameters, and the rows it must return.

    Attributes:
        query: name of the stored query.
        path: the file of the case.
        data: `examples`, or files beside the tests.
        params: what is bound; nothing runs the file as it stands.
        rows: terms in N-Triples form, None where a column is unbound.
    """

    query: str
    path: Path
    data: tuple[str, ...]
    params: dict[str, Any]
    rows: list[list[str | None]]

    @property
    def quads(self) -> list[ox.Quad]:
        found: list[ox.Quad] = []
        for name in self.data:
            files = [TESTS / name]
            if name == "examples":
                files = sorted((resources.folder("ontology") / "examples").glob("*.trig"))
            assert files, f"{self.path}: no data"
            found += [quad for file in files for quad in ox.parse(path=str(file))]
        return found

    @property
    def text(self) -> str:
        query = stored_query(self.query)
        return query.bind(**self.params) if self.params else query.text


def cases() -> list[Case]:
    """Read every case of `golden/`: a folder a query, a file a case."""
    files = sorted(GOLDEN.rglob("*.yaml"))
    assert len(files) > 60, f"{GOLDEN} holds {len(files)} cases, so little would be tested"
    found = []
    for path in files:
        case = yaml.safe_load(path.read_text(encoding="utf-8"))
        query = path.parent.relative_to(GOLDEN).as_posix()
        params = case.get("params") or {}
        found.append(Case(query, path, tuple(case["data"]), params, case["rows"]))
    return found


def value(term: Any) -> object:
    """Read a term as what it means: dates as instants, numbers as numbers."""
    if not isinstance(term, ox.Literal):
        return term if term is None else str(term)
    kind = term.datatype.value
    if kind == XSD + "dateTime":
        return terms.instant(term.value)
    if kind in NUMBERS:
        return round(Decimal(term.value), 6)
    return str(term)


def term(text: str | None) -> Any:
    """Read a term from its N-Triples form."""
    if text is None:
        return None
    quad = next(iter(ox.parse(f"<urn:s> <urn:p> {text} .", format=ox.RdfFormat.N_TRIPLES)))
    return quad.object


def rows(store: Store, text: str) -> list[tuple[Any, ...]]:
    """Run a SELECT or CONSTRUCT and list its rows or triples."""
    answer = store.query(text)
    if isinstance(answer, ox.QuerySolutions):
        names = [variable.value for variable in answer.variables]
        return [tuple(solution[name] for name in names) for solution in answer]
    assert isinstance(answer, ox.QueryTriples)
    return [(triple.subject, triple.predicate, triple.object) for triple in answer]


def values(found: Iterable[Iterable[Any]]) -> Counter[tuple[object, ...]]:
    """Compare rows as a multiset of values."""
    return Counter(tuple(value(one) for one in row) for row in found)
