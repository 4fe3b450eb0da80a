#+ summary: Remove what `tg-prov doctor` wrote to probe a store
#+ description: Its three nodes, in a graph of their own.
#+ tags: [update]
#+ params: {node: {type: iri, required: true, description: the nodes of the probe}}
DELETE { GRAPH <urn:trustgraph-prov:probe> { ?node ?property ?value } } WHERE {
  VALUES ?node { <urn:trustgraph-prov:probe:1> }   # param
  GRAPH <urn:trustgraph-prov:probe> { ?node ?property ?value }
}
