"""What `index` does with texts that came before their node, its document or what points at it."""

from __future__ import annotations

import pytest
from listing_cases import derive, objects, question, say
from pyoxigraph import Literal

from trustgraph_prov import namespaces as ns
from trustgraph_prov.indexing import IndexReport, index
from trustgraph_prov.stores import Store

AT = "2026-03-02T12:00:00Z"


def test_of_nodes_alone_the_texts_are_placed(store: Store) -> None:
    for node in ("urn:q", "urn:r"):
        store.insert(question(node, AT))
        store.insert(say(node, (ns.TGP_WAITING_TEXT, Literal("So."))))
    assert index(store, nodes=["urn:q"]) == IndexReport(texts=1)
    assert objects(store, ns.TG_CONTENT) == {"urn:q": {"So."}}
    assert objects(store, ns.TGP_WAITING_TEXT) == {"urn:r": {"So."}}


def test_a_text_goes_on_from_its_node_to_a_document_that_comes_later(store: Store) -> None:
    for node in ("urn:q", "urn:r"):
        store.insert(question(node, AT))
        store.insert(say(node, (ns.TGP_WAITING_TEXT, Literal("So."))))
    assert index(store) == IndexReport(texts=2)
    store.insert(say("urn:q", (ns.TG_DOCUMENT, "urn:doc:1")))
    assert index(store, nodes=["urn:q"]) == IndexReport(texts=1)
    assert objects(store, ns.TG_CONTENT) == {"urn:doc:1": {"So."}, "urn:r": {"So."}}
    assert objects(store, ns.TGP_STANDING_TEXT) == {"urn:r": {"So."}}
    assert objects(store, ns.TGP_WAITING_TEXT) == {}
    assert index(store) == IndexReport()


@pytest.mark.parametrize("all_nodes", [True, False])
def test_the_text_of_a_document_waits_for_the_node_that_points_at_it(
    store: Store, all_nodes: bool
) -> None:
    store.insert(question("urn:q", AT))
    for document in ("urn:doc:1", "urn:doc:2"):
        store.insert(say(document, (ns.TGP_WAITING_CONTENT, Literal("So."))))
        store.insert(say(document, (ns.TGP_WAITING_IN, document)))
    nodes = None if all_nodes else ["urn:q"]
    assert index(store, nodes=nodes) == IndexReport()
    store.insert(say("urn:q", (ns.TG_DOCUMENT, "urn:doc:1")))
    assert index(store, nodes=nodes) == IndexReport(texts=1)
    assert objects(store, ns.TG_CONTENT) == {"urn:doc:1": {"So."}}
    assert objects(store, ns.TGP_WAITING_CONTENT) == {"urn:doc:2": {"So."}}
    assert objects(store, ns.TGP_WAITING_IN) == {"urn:doc:2": {"urn:doc:2"}}


def test_a_thought_known_as_such_only_later_gets_its_text(store: Store) -> None:
    store.insert(question("urn:q", AT))
    store.insert(say("urn:t", (ns.TGP_WAITING_THOUGHT, Literal("Hm."))))
    assert index(store) == IndexReport()
    derive(store, "urn:t", "urn:q", kind=ns.TG_THOUGHT_TYPE)
    assert index(store, nodes=["urn:t"]) == IndexReport(nodes=1, texts=1)
    assert objects(store, ns.TG_CONTENT) == {"urn:t": {"Hm."}}
    store.insert(say("urn:t", (ns.TG_DOCUMENT, "urn:doc:1")))
    assert index(store) == IndexReport(texts=1)
    assert objects(store, ns.TG_CONTENT) == {"urn:doc:1": {"Hm."}}
    for property in (ns.TGP_WAITING_TEXT, ns.TGP_WAITING_THOUGHT, ns.TGP_STANDING_TEXT):
        assert objects(store, property) == {}


def test_the_text_of_a_thought_goes_on_to_a_document_that_comes_later(store: Store) -> None:
    store.insert(question("urn:q", AT))
    derive(store, "urn:i1", "urn:q")
    store.insert(say("urn:i1", (ns.TG_THOUGHT, "urn:t")))
    store.insert(say("urn:i1", (ns.TGP_WAITING_THOUGHT, Literal("Hm."))))
    derive(store, "urn:t", "urn:i1", kind=ns.TG_THOUGHT_TYPE)
    assert index(store).texts == 1
    assert objects(store, ns.TG_CONTENT) == {"urn:t": {"Hm."}}
    store.insert(say("urn:t", (ns.TG_DOCUMENT, "urn:doc:1")))
    assert index(store) == IndexReport(texts=1)
    assert objects(store, ns.TG_CONTENT) == {"urn:doc:1": {"Hm."}}
    for property in (ns.TGP_WAITING_THOUGHT, ns.TGP_STANDING_TEXT):
        assert objects(store, property) == {}


def test_what_data_state_themselves_of_a_node_with_a_document_stays(store: Store) -> None:
    store.insert(say("urn:q", (ns.TGP_WAITING_TEXT, Literal("So."))))
    stated = [
        *question("urn:q", AT),
        *say("urn:q", (ns.TG_CONTENT, Literal("So.")), (ns.TG_DOCUMENT, "urn:doc:1")),
    ]
    store.insert(stated)
    assert index(store) == IndexReport(texts=1)
    before = set(store.quads())
    assert set(stated) <= before
    store.insert(stated)
    assert index(store) == IndexReport()
    assert set(store.quads()) == before


def test_the_texts_of_a_node_are_put_in_place_each(store: Store) -> None:
    store.insert(question("urn:q", AT))
    derive(store, "urn:i1", "urn:q")
    store.insert(say("urn:i1", (ns.TG_THOUGHT, "urn:t"), (ns.TGP_WAITING_TEXT, Literal("So."))))
    store.insert(say("urn:i1", (ns.TGP_WAITING_THOUGHT, Literal("Hm."))))
    derive(store, "urn:t", "urn:i1", kind=ns.TG_THOUGHT_TYPE)
    assert index(store).texts == 2
    assert objects(store, ns.TG_CONTENT) == {"urn:i1": {"So."}, "urn:t": {"Hm."}}


@pytest.mark.parametrize("thought", [True, False])
def test_a_node_known_by_a_document_that_no_iri_names_has_its_text(
    store: Store, thought: bool
) -> None:
    store.insert(question("urn:q", AT))
    derive(store, "urn:i1", "urn:q")
    if thought:
        store.insert(say("urn:i1", (ns.TG_THOUGHT, "urn:t")))
        store.insert(say("urn:i1", (ns.TGP_WAITING_THOUGHT, Literal("Hm."))))
    else:
        store.insert(say("urn:t", (ns.TGP_WAITING_TEXT, Literal("Hm."))))
    store.insert(say("urn:t", (ns.TG_DOCUMENT, Literal("document 7"))))
    assert index(store).texts == 1
    assert objects(store, ns.TG_CONTENT) == {"urn:t": {"Hm."}}
    assert index(store).texts == 0


def test_a_text_stands_on_a_node_with_a_document_that_no_iri_names_whatever_else_comes(
    store: Store,
) -> None:
    store.insert(question("urn:q", AT))
    store.insert(say("urn:q", (ns.TGP_WAITING_TEXT, Literal("So."))))
    store.insert(say("urn:q", (ns.TG_DOCUMENT, Literal("document 7"))))
    assert index(store).texts == 1
    store.insert(question("urn:r", AT))
    store.insert(say("urn:r", (ns.TGP_WAITING_TEXT, Literal("Yes."))))
    assert index(store).texts == 1
    assert objects(store, ns.TG_CONTENT) == {"urn:q": {"So."}, "urn:r": {"Yes."}}


def test_what_waits_at_a_document_for_another_reason_still_goes_with_its_run(store: Store) -> None:
    store.insert(say("urn:t", (ns.TGP_WAITING_CONTENT, Literal("So."))))
    store.insert(say("urn:t", (ns.TGP_WAITING_THOUGHT, Literal("Hm."))))
    store.insert(say("urn:t", (ns.TGP_WAITING_IN, "urn:q")))
    store.insert(question("urn:q", AT))
    store.insert(say("urn:q", (ns.TG_DOCUMENT, "urn:t")))
    assert index(store).texts == 1
    assert objects(store, ns.TGP_WAITING_IN) == {"urn:t": {"urn:q"}}
    assert objects(store, ns.TGP_WAITING_THOUGHT) == {"urn:t": {"Hm."}}


def test_a_document_of_two_nodes_gets_its_text_once(store: Store) -> None:
    store.insert(say("urn:doc:1", (ns.TGP_WAITING_CONTENT, Literal("So."))))
    store.insert(say("urn:doc:1", (ns.TGP_WAITING_IN, "urn:q")))
    store.insert(question("urn:q", AT))
    derive(store, "urn:i1", "urn:q")
    for node in ("urn:q", "urn:i1"):
        store.insert(say(node, (ns.TG_DOCUMENT, "urn:doc:1")))
    assert index(store, nodes=["urn:q"]).texts == 1
    assert objects(store, ns.TGP_WAITING_IN) == objects(store, ns.TGP_WAITING_CONTENT) == {}


def test_a_thought_that_comes_after_its_step_gets_the_text_that_waited(store: Store) -> None:
    store.insert(question("urn:q", AT))
    derive(store, "urn:i1", "urn:q")
    store.insert(say("urn:i1", (ns.TGP_WAITING_THOUGHT, Literal("Hm."))))
    store.insert(say("urn:i1", (ns.TG_THOUGHT, "urn:i1/thought")))
    assert index(store, nodes=["urn:q", "urn:i1"]) == IndexReport(nodes=1)
    derive(store, "urn:i1/thought", "urn:i1", kind=ns.TG_THOUGHT_TYPE)
    store.insert(say("urn:i1/thought", (ns.TG_DOCUMENT, "urn:doc:1")))
    assert index(store, nodes=["urn:i1/thought"]) == IndexReport(nodes=1, texts=1)
    assert objects(store, ns.TG_CONTENT) == {"urn:doc:1": {"Hm."}}
    assert objects(store, ns.TGP_WAITING_THOUGHT) == {}
