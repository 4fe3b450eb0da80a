#+ summary: Forget whose each node is
#+ description: >
#+   Before `tg-prov index`, which works it out anew from all that is there: a run that came in parts
#+   may have been taken for a part of the run that called it.
#+ tags: [update]
PREFIX tgp: <https://w3id.org/trustgraph-prov/>

DELETE { GRAPH <urn:graph:retrieval> { ?node tgp:trace ?trace } }
WHERE { GRAPH <urn:graph:retrieval> { ?node tgp:trace ?trace } }
