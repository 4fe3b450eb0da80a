#+ summary: Remove what was written to probe a store
#+ description: The nodes that `tg-prov doctor` or an outbox has written, in the graphs it has written to.
#+ tags: [update]
#+ params:
#+   node: {type: iri, required: true, description: the nodes of the probe}
#+   graph: {type: iri, required: true, description: the graphs that they were written to}
DELETE { GRAPH ?graph { ?node ?property ?value } } WHERE {
  VALUES ?node { <urn:trustgraph-prov:probe:1> }   # param
  VALUES ?graph { <urn:trustgraph-prov:probe> }   # param
  GRAPH ?graph { ?node ?property ?value }
}
