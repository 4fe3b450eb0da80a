#+ summary: Put each dated run into the collection > day > hour tree
#+ description: >
#+   For stores without Python, and for starts in UTC (`…Z`), typed or as text; other offsets are left
#+   to `tg-prov index`. Runs that do not say whose they are get the user and collection given.
#+   Running it twice changes nothing.
#+ tags: [update]
#+ params:
#+   user: {type: string, description: for runs that name no user}
#+   collection: {type: string, description: for runs that name no collection}
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX tg: <https://trustgraph.ai/ns/>
PREFIX tgp: <https://w3id.org/trustgraph-prov/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>

INSERT {
  GRAPH <urn:graph:retrieval> {
    ?trace tgp:inHour ?hour ; tgp:startedAt ?startedAt ; tgp:user ?ofUser ; tgp:collection ?ofName .
    ?place a tgp:Collection ; tgp:ofUser ?ofUser ; tgp:ofName ?ofName ; tgp:hasDay ?day .
    ?day a tgp:Day ; tgp:periodStart ?dayStart ; tgp:hasHour ?hour .
    ?hour a tgp:Hour ; tgp:periodStart ?hourStart .
  }
} WHERE {
  VALUES ?user { "trustgraph" }   # param
  VALUES ?collection { "default" }   # param
  GRAPH <urn:graph:retrieval> {
    ?trace tg:query ?question ; prov:startedAtTime ?started .
    MINUS { ?trace tgp:inHour ?known }
    OPTIONAL { ?trace tgp:user ?itsUser }
    OPTIONAL { ?trace tgp:collection ?itsName }
  }
  FILTER(REGEX(STR(?started), "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+]00:00)$"))
  BIND(COALESCE(?itsUser, ?user) AS ?ofUser)
  BIND(COALESCE(?itsName, ?collection) AS ?ofName)
  BIND(STRDT(REPLACE(STR(?started), "[+]00:00$", "Z"), xsd:dateTime) AS ?startedAt)
  BIND(CONCAT(ENCODE_FOR_URI(?ofUser), ":", ENCODE_FOR_URI(?ofName)) AS ?whose)
  BIND(SUBSTR(STR(?started), 1, 10) AS ?date)
  BIND(SUBSTR(STR(?started), 1, 13) AS ?toHour)
  BIND(IRI(CONCAT("urn:trustgraph-prov:collection:", ?whose)) AS ?place)
  BIND(IRI(CONCAT("urn:trustgraph-prov:day:", ?whose, ":", ?date)) AS ?day)
  BIND(IRI(CONCAT("urn:trustgraph-prov:hour:", ?whose, ":", ?toHour)) AS ?hour)
  BIND(STRDT(CONCAT(?date, "T00:00:00Z"), xsd:dateTime) AS ?dayStart)
  BIND(STRDT(CONCAT(?toHour, ":00:00Z"), xsd:dateTime) AS ?hourStart)
}
