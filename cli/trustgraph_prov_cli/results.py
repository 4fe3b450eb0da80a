"""What a query answered, as rows."""

from __future__ import annotations

from pyoxigraph import QueryBoolean, QuerySolutions, QueryTriples

from .options import TableFormat
from .output import write_rows

__all__ = ["write_result"]


def write_result(
    result: QuerySolutions | QueryTriples | QueryBoolean, format: TableFormat | None
) -> None:
    """Write solutions as they are, triples as three columns, and a yes or no as one cell."""
    if isinstance(result, QuerySolutions):
        names = [variable.value for variable in result.variables]
        rows = ([row[name] for name in names] for row in result)
        write_rows(names, rows, format, terms=True)
    elif isinstance(result, QueryTriples):
        parts = ("subject", "predicate", "object")
        triples = ([triple.subject, triple.predicate, triple.object] for triple in result)
        write_rows(parts, triples, format, terms=True)
    else:
        write_rows(["boolean"], [[bool(result)]], format, terms=True)
