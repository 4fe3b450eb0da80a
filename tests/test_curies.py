"""Prefixes written and read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustgraph_prov import PREFIXES, compress, expand

IN_IRIS = st.characters(exclude_categories=["C", "Z"], exclude_characters='<>"{}|\\^`')


@given(st.sampled_from(sorted(PREFIXES.values())), st.text(IN_IRIS, min_size=1))
def test_what_is_compressed_expands_to_the_same(namespace: str, local: str) -> None:
    curie = compress(namespace + local)
    assert curie is not None
    assert expand(curie) == namespace + local


@pytest.mark.parametrize("iri", ["", "urn:a", *PREFIXES.values()])
def test_what_has_no_prefix_or_nothing_behind_it_stays(iri: str) -> None:
    assert compress(iri) is None


@pytest.mark.parametrize(
    "text",
    [
        "tg: hello there",
        "tg:a b",
        "tg:a\nb",
        "tg:<a>",
        "",
        "tg",
        "a tg:query",
        "urn:a",
        "https://trustgraph.ai/ns/query",
    ],
)
def test_what_starts_with_no_prefix_is_not_expanded(text: str) -> None:
    assert expand(text) is None
