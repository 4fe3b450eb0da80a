#+ summary: Bring runs of earlier releases into the form of today, in place
#+ description: >
#+   Sessions without types and agents of the first release get the classes of today, beside those
#+   they have; dates and numbers written as text get their datatypes. What is not a date or a number
#+   stays text. Running it twice changes nothing.
#+ tags: [update]
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX tg: <https://trustgraph.ai/ns/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>

INSERT { GRAPH <urn:graph:retrieval> { ?node a tg:Question, tg:GraphRagQuestion } }
WHERE {
  GRAPH <urn:graph:retrieval> { ?node tg:query ?other }
  FILTER(STRSTARTS(STR(?node), "urn:trustgraph:session:"))
} ;

INSERT { GRAPH <urn:graph:retrieval> { ?node a tg:Exploration } }
WHERE {
  GRAPH <urn:graph:retrieval> { ?node prov:wasGeneratedBy ?other }
  FILTER(STRSTARTS(STR(?node), "urn:trustgraph:prov:retrieval:"))
} ;

INSERT { GRAPH <urn:graph:retrieval> { ?node a tg:Focus } }
WHERE {
  GRAPH <urn:graph:retrieval> { ?node prov:wasDerivedFrom ?other }
  FILTER(STRSTARTS(STR(?node), "urn:trustgraph:prov:selection:"))
} ;

INSERT { GRAPH <urn:graph:retrieval> { ?node a tg:Synthesis } }
WHERE {
  GRAPH <urn:graph:retrieval> { ?node prov:wasDerivedFrom ?other }
  FILTER(STRSTARTS(STR(?node), "urn:trustgraph:prov:answer:"))
} ;

INSERT { GRAPH <urn:graph:retrieval> { ?node a tg:EdgeSelection } }
WHERE {
  GRAPH <urn:graph:retrieval> { ?node tg:edge|tg:reasoning ?other }
  FILTER(STRSTARTS(STR(?node), "urn:trustgraph:prov:edge:"))
  MINUS { GRAPH <urn:graph:retrieval> {
    ?node a ?class
    FILTER(STRSTARTS(STR(?class), "https://trustgraph.ai/ns/") || ?class = rdf:Statement)
  } }
} ;

INSERT { GRAPH <urn:graph:retrieval> { ?node a prov:Activity, tg:Question, tg:AgentQuestion } }
WHERE {
  GRAPH <urn:graph:retrieval> { ?node a tg:AgentSession }
} ;

INSERT { GRAPH <urn:graph:retrieval> { ?node a prov:Entity, tg:Analysis } }
WHERE {
  GRAPH <urn:graph:retrieval> { ?node a tg:AgentIteration }
} ;

INSERT { GRAPH <urn:graph:retrieval> { ?node a prov:Entity, tg:Conclusion } }
WHERE {
  GRAPH <urn:graph:retrieval> { ?node a tg:AgentFinal }
} ;

DELETE { GRAPH ?graph { ?node ?property ?old } }
INSERT { GRAPH ?graph { ?node ?property ?new } }
WHERE {
  VALUES ?graph { <urn:graph:retrieval> <urn:graph:source> }
  VALUES ?property {
    prov:startedAtTime prov:endedAtTime prov:generatedAtTime
  }
  GRAPH ?graph { ?node ?property ?old }
  FILTER(DATATYPE(?old) = xsd:string && !CONTAINS(STR(?old), "\n"))
  FILTER(REGEX(STR(?old), "^[1-8][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))?$"))
  FILTER(!REGEX(STR(?old), "^.....(02-3|(02|04|06|09|11)-31)"))
  FILTER(!REGEX(STR(?old), "^.....02-29") || REGEX(STR(?old), "^([0-9]{2}(0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26])00)"))
  BIND(IF(REGEX(STR(?old), "(Z|[+-][0-9]{2}:[0-9]{2})$"), "", "Z") AS ?zone)
  BIND(STRDT(CONCAT(REPLACE(STR(?old), " ", "T"), ?zone), xsd:dateTime) AS ?new)
} ;

DELETE { GRAPH ?graph { ?node ?property ?old } }
INSERT { GRAPH ?graph { ?node ?property ?new } }
WHERE {
  VALUES ?graph { <urn:graph:retrieval> <urn:graph:source> }
  VALUES ?property {
    tg:stepNumber tg:edgeCount tg:chunkCount tg:inToken tg:outToken tg:llmDurationMs
    tg:toolDurationMs tg:pageCount tg:pageNumber tg:chunkIndex tg:charOffset tg:charLength
    tg:chunkSize tg:chunkOverlap tg:tableCount tg:imageCount
  }
  GRAPH ?graph { ?node ?property ?old }
  FILTER(DATATYPE(?old) = xsd:string && REGEX(STR(?old), "^(0|[1-9][0-9]{0,17})$") && !CONTAINS(STR(?old), "\n"))
  BIND(STRDT(STR(?old), xsd:integer) AS ?new)
} ;

DELETE { GRAPH ?graph { ?node ?property ?old } }
INSERT { GRAPH ?graph { ?node ?property ?new } }
WHERE {
  VALUES ?graph { <urn:graph:retrieval> <urn:graph:source> }
  VALUES ?property {
    tg:score
  }
  GRAPH ?graph { ?node ?property ?old }
  FILTER(DATATYPE(?old) = xsd:string && REGEX(STR(?old), "^-?[0-9]+([.][0-9]+)?$") && !CONTAINS(STR(?old), "\n"))
  BIND(STRDT(STR(?old), xsd:decimal) AS ?new)
} ;

DELETE { GRAPH ?graph { ?node ?property ?old } }
INSERT { GRAPH ?graph { ?node ?property ?new } }
WHERE {
  VALUES ?graph { <urn:graph:retrieval> <urn:graph:source> }
  VALUES ?property {
    tg:score
  }
  GRAPH ?graph { ?node ?property ?old }
  FILTER(DATATYPE(?old) = xsd:string && REGEX(STR(?old), "^-?[0-9]+([.][0-9]+)?[eE][+-]?[0-9]{1,2}$") && !CONTAINS(STR(?old), "\n"))
  BIND(STRDT(STR(?old), xsd:double) AS ?new)
}
