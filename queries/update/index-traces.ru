#+ summary: Give each node that leads to one question only the tgp:trace of its run
#+ description: >
#+   For stores without Python. Nodes that lead to several questions, where runs call runs, are left
#+   out: `tg-prov index` works out whose they are. Running it twice changes nothing.
#+ tags: [update]
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX tg: <https://trustgraph.ai/ns/>
PREFIX tgp: <https://w3id.org/trustgraph-prov/>

INSERT { GRAPH <urn:graph:retrieval> { ?node tgp:trace ?trace } } WHERE {
  {
    SELECT ?node (SAMPLE(?question) AS ?trace) WHERE {
      GRAPH <urn:graph:retrieval> {
        ?question tg:query ?text .
        ?node (prov:wasDerivedFrom|prov:wasGeneratedBy|^tg:selectedEdge|^tg:selectedChunk)* ?question .
        ?node prov:wasDerivedFrom|prov:wasGeneratedBy|tg:query|tg:edge|tg:document ?link .
        MINUS { ?node tgp:trace ?known }
      }
    } GROUP BY ?node
      HAVING(COUNT(DISTINCT ?question) = 1)
  }
}
