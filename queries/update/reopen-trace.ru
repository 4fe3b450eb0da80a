#+ summary: Take the end from a run that ended without an answer and goes on
#+ description: Removes prov:endedAtTime of one question; the recorder writes a new one when the run ends again.
#+ tags: [update]
#+ params:
#+   trace: {type: iri, required: true, description: the run's question}
PREFIX prov: <http://www.w3.org/ns/prov#>

DELETE { GRAPH <urn:graph:retrieval> { ?trace prov:endedAtTime ?ended } }
WHERE {
  VALUES ?trace { <urn:trustgraph:agent:0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01> }   # param
  GRAPH <urn:graph:retrieval> { ?trace prov:endedAtTime ?ended }
}
