"""What names no statement."""

from __future__ import annotations

from typing import Any

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode

from trustgraph_prov.errors import InvalidTermError
from trustgraph_prov.statement import statement_iri


@pytest.mark.parametrize("place", ["subject", "object"])
def test_a_blank_node_names_no_statement(place: str) -> None:
    node: Any = BlankNode("b1")
    ends: dict[str, Any] = {"subject": NamedNode("urn:s"), "object": Literal("o"), place: node}
    with pytest.raises(InvalidTermError, match=r"'_:b1' is not valid: .*skolemise it"):
        statement_iri(ends["subject"], NamedNode("urn:p"), ends["object"])
