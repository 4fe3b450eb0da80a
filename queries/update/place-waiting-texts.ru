#+ summary: Put texts in their place that came before what they belong to
#+ description: >
#+   The text of a node goes to its document. Where the node has none, it stands on the node, and goes
#+   on once a document comes. That of a thought goes the same way from the node that tg:thought
#+   points at, and that of a document to the document once a node points at it. The rest waits on.
#+   OPTIONAL names its graph: in an update, RDFLib 7 forgets that of the group around it.
#+ tags: [update]
#+ params:
#+   node: {type: iri, description: "some nodes, else any"}
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX tg: <https://trustgraph.ai/ns/>
PREFIX tgp: <https://w3id.org/trustgraph-prov/>

DELETE { GRAPH <urn:graph:retrieval> { ?document tgp:waitingContent ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?document tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> { ?document tgp:waitingContent ?text . ?node tg:document ?document }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:waitingThought ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?node tgp:waitingText ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> { ?node tgp:waitingThought ?text ; rdf:type tg:Thought }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:standingText ?text ; tg:content ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?document tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> {
    ?node tgp:standingText ?text ; tg:document ?document
    FILTER(ISIRI(?document))
  }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:waitingText ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?document tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> {
    ?node tgp:waitingText ?text ; tg:document ?document
    FILTER(ISIRI(?document))
  }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:waitingText ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?node tgp:standingText ?text ; tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> {
    ?node tgp:waitingText ?text ; rdf:type|tg:document|tg:query ?known .
  }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:waitingThought ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?document tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> {
    ?node tgp:waitingThought ?text ; tg:thought ?thought .
    ?thought tg:document ?document
    FILTER(ISIRI(?document))
  }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:waitingThought ?text } }
INSERT { GRAPH <urn:graph:retrieval> { ?thought tgp:standingText ?text ; tg:content ?text } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> {
    ?node tgp:waitingThought ?text ; tg:thought ?thought .
    ?thought rdf:type|tg:document|tg:query ?known .
  }
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:waitingIn ?trace } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> { ?node tgp:waitingIn ?trace }
  OPTIONAL { GRAPH <urn:graph:retrieval> {
    ?node tgp:waitingText|tgp:waitingThought|tgp:waitingContent ?waiting
  } }
  FILTER(!BOUND(?waiting))
} ;

DELETE { GRAPH <urn:graph:retrieval> { ?document tgp:waitingIn ?trace } }
WHERE {
  VALUES ?node { UNDEF }   # param
  GRAPH <urn:graph:retrieval> { ?document tgp:waitingIn ?trace . ?node tg:document ?document }
  OPTIONAL { GRAPH <urn:graph:retrieval> {
    ?document tgp:waitingText|tgp:waitingThought|tgp:waitingContent ?waiting
  } }
  FILTER(!BOUND(?waiting))
}
