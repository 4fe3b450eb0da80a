#+ summary: Put texts in their place that came before the nodes that say them
#+ description: >
#+   The text of a node goes to its document, and where it has none to the node, from where it goes on
#+   once a document comes: till then it waits as well. That of a thought goes to the document of the
#+   node that tg:thought points at. The texts of nodes that are not there, and of documents that no
#+   node points at, wait on.
#+   OPTIONAL names its graph: in an update, RDFLib 7 forgets that of the group around it.
#+ tags: [update]
#+ params:
#+   node: {type: iri, description: "some nodes, else any"}
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX tg: <https://trustgraph.ai/ns/>
PREFIX tgp: <https://w3id.org/trustgraph-prov/>

DELETE { GRAPH <urn:graph:retrieval> { ?document tgp:waitingText ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?document tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> { ?document tgp:waitingText ?text . ?node tg:document ?document }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:waitingThought ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?node tgp:waitingText ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> { ?node tgp:waitingThought ?text ; rdf:type tg:Thought }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:waitingText ?text ; tg:content ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?document tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> { ?node tgp:waitingText ?text ; tg:document ?document }
} ;

INSERT { GRAPH <urn:graph:retrieval> { ?node tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> {
    ?node tgp:waitingText ?text ; rdf:type|tg:query|prov:wasDerivedFrom|prov:wasGeneratedBy ?known .
  }
} ;

DELETE {
  GRAPH <urn:graph:retrieval> { ?node tgp:waitingThought ?text . ?thought tg:content ?text }
}
INSERT { GRAPH <urn:graph:retrieval> { ?document tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> {
    ?node tgp:waitingThought ?text ; tg:thought ?thought .
    ?thought tg:document ?document .
  }
} ;

INSERT { GRAPH <urn:graph:retrieval> { ?thought tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> {
    ?node tgp:waitingThought ?text ; tg:thought ?thought .
    ?thought rdf:type ?type .
  }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:waitingIn ?trace } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> { ?node tgp:waitingIn ?trace }
  OPTIONAL { GRAPH <urn:graph:retrieval> { ?node tgp:waitingText|tgp:waitingThought ?waiting } }
  FILTER(!BOUND(?waiting))
}
