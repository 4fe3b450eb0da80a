#+ summary: Remove a run
#+ description: >
#+   Its nodes; the statements, documents and chunks that it points at, where nothing else in either
#+   graph uses them; what ties runs it called to it, so that they are listed from then on; and texts
#+   that wait for it. Of an IRI of something else, the texts that wait at that.
#+ tags: [update]
#+ params:
#+   trace: {type: iri, required: true, description: "the run's question, or several"}
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX tg: <https://trustgraph.ai/ns/>
PREFIX tgp: <https://w3id.org/trustgraph-prov/>

DELETE { GRAPH <urn:graph:retrieval> { ?node ?property ?value } } WHERE {
  {
    SELECT ?node ?property ?value WHERE {
      VALUES ?trace { <urn:trustgraph:agent:0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01> }   # param
      GRAPH <urn:graph:retrieval> { ?node tgp:trace ?trace ; ?property ?value }
    }
  } UNION {
    SELECT ?node ?property ?value WHERE {
      {
        SELECT ?node WHERE {
          VALUES ?trace { <urn:trustgraph:agent:0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01> }   # param
          GRAPH <urn:graph:retrieval> {
            ?holder tgp:trace ?trace ; tg:edge|tg:document|tg:selectedChunk ?node .
            ?user ?uses ?node .
          }
          FILTER(ISIRI(?node))
          OPTIONAL { GRAPH <urn:graph:retrieval> { ?node tgp:trace ?owned } }
          OPTIONAL { GRAPH <urn:graph:source> { ?source ?from ?node } }
        } GROUP BY ?node
          HAVING(COUNT(DISTINCT ?user) = COUNT(DISTINCT ?holder)
                 && COUNT(?owned) = 0 && COUNT(?source) = 0)
      }
      OPTIONAL { GRAPH <urn:graph:retrieval> { ?node ?property ?value } }
    }
  } UNION {
    SELECT ?node ?property ?value WHERE {
      VALUES ?trace { <urn:trustgraph:agent:0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01> }   # param
      GRAPH <urn:graph:retrieval> { ?value tgp:trace ?trace . ?node ?property ?value }
      FILTER(?property IN (tgp:calledFrom, prov:wasInformedBy))
    }
  } UNION {
    SELECT ?node ?property ?value WHERE {
      VALUES ?trace { <urn:trustgraph:agent:0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01> }   # param
      GRAPH <urn:graph:retrieval> { ?node tgp:waitingIn ?trace ; ?property ?value }
      FILTER(?property IN (tgp:waitingIn, tgp:waitingContent, tgp:waitingText, tgp:waitingThought))
    }
  } UNION {
    SELECT (?trace AS ?node) ?property ?value WHERE {
      VALUES ?trace { <urn:trustgraph:agent:0c6e1f1a-52f5-4a8f-9a52-6f2d3c1b7e01> }   # param
      GRAPH <urn:graph:retrieval> { ?trace ?property ?value }
      FILTER(?property IN (tgp:waitingIn, tgp:waitingContent, tgp:waitingText, tgp:waitingThought))
    }
  }
}
