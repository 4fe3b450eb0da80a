#+ summary: Remove the texts that waited for nodes
#+ description: For texts that have been moved to where those nodes point.
#+ tags: [update]
#+ params:
#+   node: {type: iri, required: true, description: the nodes}
PREFIX tgp: <https://w3id.org/trustgraph-prov/>

DELETE { GRAPH <urn:graph:retrieval> { ?node ?property ?value } } WHERE {
  VALUES ?node { <urn:trustgraph:agent:0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01/final> }   # param
  VALUES ?property { tgp:waitingText tgp:waitingThought tgp:waitingIn }
  GRAPH <urn:graph:retrieval> { ?node ?property ?value }
}
