"""Rows in the four formats: a table for people, JSON lines, CSV and TSV for programs."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from .failures import note
from .options import TableFormat
from .table import table
from .text import iso, json_text, visible

__all__ = ["Cell", "chosen", "write_json", "write_rows"]

Cell: TypeAlias = (
    str | int | float | bool | datetime | NamedNode | BlankNode | Literal | Triple | None
)

_NUMBERS = {"xsd:" + name for name in ("integer", "decimal", "double", "float", "long", "int")}

_JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")  # RFC 8259, section 6


def chosen(format: TableFormat | None) -> TableFormat:
    """Choose a format: the one asked for, or a table on a terminal and JSON lines in a pipe."""
    if format is not None:
        return format
    return TableFormat.table if sys.stdout.isatty() else TableFormat.json


def write_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    format: TableFormat | None,
    *,
    headings: Mapping[str, str] | None = None,
    terms: bool = False,
    nothing: str = "no rows",
) -> None:
    """Write rows to stdout as they come; a table, once all are there.

    Args:
        columns: the keys of JSON and the headings of CSV and TSV.
        rows: as many cells as there are columns.
        format: as for `chosen`.
        headings: of a table, where they differ.
        terms: the rows answer a query, so TSV writes RDF terms and `?` headings (SPARQL 1.1 Query
            Results CSV and TSV Formats, section 4).
        nothing: what stderr is told in place of a table without rows.
    """
    kind = chosen(format)
    if kind is TableFormat.table:
        cells = [[_shown(cell) for cell in row] for row in rows]
        if not cells:
            note(nothing)
            return
        lines = table([(headings or {}).get(column, column) for column in columns], cells)
    elif kind is TableFormat.json:
        lines = (_json_line(columns, row) for row in rows)
    elif kind is TableFormat.csv:
        lines = _csv_lines(columns, rows)
    else:
        lines = _tsv_lines(columns, rows, terms)
    end = "\r\n" if kind is TableFormat.csv else "\n"
    separated = kind in (TableFormat.csv, TableFormat.tsv)
    for line in lines:
        sys.stdout.write((visible(line) if separated and sys.stdout.isatty() else line) + end)


def write_json(text: str) -> None:
    """Write JSON to stdout, harmless for a terminal and with every value exact."""
    sys.stdout.write(json_text(text).rstrip("\n") + "\n")


def _json_line(columns: Sequence[str], row: Sequence[Cell]) -> str:
    members = (
        f"{json.dumps(name, ensure_ascii=False)}: {_json_value(cell)}"
        for name, cell in zip(columns, row, strict=True)
    )
    return json_text("{" + ", ".join(members) + "}")


def _json_value(cell: Cell) -> str:
    datatype = _short(cell.datatype.value) if isinstance(cell, Literal) else ""
    if isinstance(cell, Literal) and datatype in _NUMBERS:
        return cell.value if _is_json_number(cell.value) else json.dumps(cell.value)
    if isinstance(cell, Literal) and datatype == "xsd:boolean":
        return {"true": "true", "1": "true", "false": "false", "0": "false"}.get(
            cell.value, json.dumps(cell.value)
        )
    if cell is None or isinstance(cell, (bool, int, float)):
        return json.dumps(cell)
    return json.dumps(_lexical(cell), ensure_ascii=False)


def _is_json_number(text: str) -> bool:
    return bool(_JSON_NUMBER.fullmatch(text)) and math.isfinite(float(text))


def _csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="")
    for row in chain([columns], rows):
        writer.writerow([_lexical(cell) for cell in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _tsv_lines(
    columns: Sequence[str], rows: Iterable[Sequence[Cell]], terms: bool
) -> Iterator[str]:
    yield "\t".join(f"?{column}" if terms else column for column in columns)
    for row in rows:
        yield "\t".join(_tsv_cell(cell, terms) for cell in row)


def _tsv_cell(cell: Cell, terms: bool) -> str:
    if terms and isinstance(cell, (NamedNode, BlankNode, Literal, Triple)):
        return str(cell).replace("\t", "\\t")
    text = _lexical(cell).replace("\\", "\\\\").replace("\t", "\\t")
    return text.replace("\n", "\\n").replace("\r", "\\r")


def _lexical(cell: Cell) -> str:
    """Write a value as CSV does: IRIs and literals bare (same document, section 3.2)."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, datetime):
        return iso(cell)
    if isinstance(cell, (NamedNode, Literal)):
        return cell.value
    return str(cell)


def _shown(cell: Cell) -> str:
    if isinstance(cell, datetime):
        return cell.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(cell, NamedNode):
        return _short(cell.value)
    return _lexical(cell)


def _short(iri: str) -> str:
    from trustgraph_prov import compress

    curie = compress(iri)
    return curie if curie and curie.partition(":")[2].isidentifier() else iri
