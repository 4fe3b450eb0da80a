"""Every IRI the project writes or reads, under the names TrustGraph gives them.

`TG` holds the terms of TrustGraph and nothing of ours is minted in it; `TGP` holds what we add.
A constant is the IRI as text, so that it can be concatenated, compared and put into an emitter.

Example:
    >>> TG_QUERY
    'https://trustgraph.ai/ns/query'
    >>> TGP_TRACE
    'https://w3id.org/trustgraph-prov/trace'
"""

from __future__ import annotations

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDF_TYPE = RDF + "type"
RDF_STATEMENT = RDF + "Statement"
RDF_SUBJECT = RDF + "subject"
RDF_PREDICATE = RDF + "predicate"
RDF_OBJECT = RDF + "object"
RDF_REIFIES = RDF + "reifies"
RDF_LANG_STRING = RDF + "langString"
RDF_DIR_LANG_STRING = RDF + "dirLangString"

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
RDFS_LABEL = RDFS + "label"

OWL = "http://www.w3.org/2002/07/owl#"

XSD = "http://www.w3.org/2001/XMLSchema#"
XSD_STRING = XSD + "string"
XSD_BOOLEAN = XSD + "boolean"
XSD_INTEGER = XSD + "integer"
XSD_DECIMAL = XSD + "decimal"
XSD_DOUBLE = XSD + "double"
XSD_DATE_TIME = XSD + "dateTime"

PROV = "http://www.w3.org/ns/prov#"
PROV_ENTITY = PROV + "Entity"
PROV_ACTIVITY = PROV + "Activity"
PROV_AGENT = PROV + "Agent"
PROV_SOFTWARE_AGENT = PROV + "SoftwareAgent"
PROV_WAS_DERIVED_FROM = PROV + "wasDerivedFrom"
PROV_WAS_GENERATED_BY = PROV + "wasGeneratedBy"
PROV_WAS_INFORMED_BY = PROV + "wasInformedBy"
PROV_WAS_ASSOCIATED_WITH = PROV + "wasAssociatedWith"
PROV_WAS_ATTRIBUTED_TO = PROV + "wasAttributedTo"
PROV_USED = PROV + "used"
PROV_STARTED_AT_TIME = PROV + "startedAtTime"
PROV_ENDED_AT_TIME = PROV + "endedAtTime"
PROV_GENERATED_AT_TIME = PROV + "generatedAtTime"

DC = "http://purl.org/dc/elements/1.1/"
DC_TITLE = DC + "title"
DC_SOURCE = DC + "source"
DC_DATE = DC + "date"
DC_CREATOR = DC + "creator"

SCHEMA = "https://schema.org/"
SCHEMA_DIGITAL_DOCUMENT = SCHEMA + "DigitalDocument"
SCHEMA_DESCRIPTION = SCHEMA + "description"
SCHEMA_KEYWORDS = SCHEMA + "keywords"
SCHEMA_NAME = SCHEMA + "name"

SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOS_DEFINITION = SKOS + "definition"

SH = "http://www.w3.org/ns/shacl#"

TG = "https://trustgraph.ai/ns/"

# Classes
TG_EDGE_SELECTION = TG + "EdgeSelection"
TG_CHUNK_SELECTION = TG + "ChunkSelection"
TG_DOCUMENT_TYPE = TG + "Document"
TG_PAGE_TYPE = TG + "Page"
TG_SECTION_TYPE = TG + "Section"
TG_CHUNK_TYPE = TG + "Chunk"
TG_IMAGE_TYPE = TG + "Image"
TG_SUBGRAPH_TYPE = TG + "Subgraph"
TG_QUESTION = TG + "Question"
TG_GROUNDING = TG + "Grounding"
TG_EXPLORATION = TG + "Exploration"
TG_FOCUS = TG + "Focus"
TG_SYNTHESIS = TG + "Synthesis"
TG_ANALYSIS = TG + "Analysis"
TG_CONCLUSION = TG + "Conclusion"
TG_DECOMPOSITION = TG + "Decomposition"
TG_FINDING = TG + "Finding"
TG_PLAN_TYPE = TG + "Plan"
TG_STEP_RESULT = TG + "StepResult"
TG_ANSWER_TYPE = TG + "Answer"
TG_REFLECTION_TYPE = TG + "Reflection"
TG_THOUGHT_TYPE = TG + "Thought"
TG_OBSERVATION_TYPE = TG + "Observation"
TG_TOOL_USE = TG + "ToolUse"
TG_GRAPH_RAG_QUESTION = TG + "GraphRagQuestion"
TG_DOC_RAG_QUESTION = TG + "DocRagQuestion"
TG_AGENT_QUESTION = TG + "AgentQuestion"
TG_PATTERN_DECISION = TG + "PatternDecision"
TG_ERROR_TYPE = TG + "Error"

# Classes of the first generation, read and no longer written
TG_AGENT_SESSION = TG + "AgentSession"
TG_AGENT_ITERATION = TG + "AgentIteration"
TG_AGENT_FINAL = TG + "AgentFinal"

# Properties
TG_CONTAINS = TG + "contains"
TG_PAGE_COUNT = TG + "pageCount"
TG_MIME_TYPE = TG + "mimeType"
TG_PAGE_NUMBER = TG + "pageNumber"
TG_CHUNK_INDEX = TG + "chunkIndex"
TG_CHAR_OFFSET = TG + "charOffset"
TG_CHAR_LENGTH = TG + "charLength"
TG_CHUNK_SIZE = TG + "chunkSize"
TG_CHUNK_OVERLAP = TG + "chunkOverlap"
TG_COMPONENT_VERSION = TG + "componentVersion"
TG_LLM_MODEL = TG + "llmModel"
TG_ONTOLOGY = TG + "ontology"
TG_EMBEDDING_MODEL = TG + "embeddingModel"
TG_SOURCE_TEXT = TG + "sourceText"
TG_SOURCE_CHAR_OFFSET = TG + "sourceCharOffset"
TG_SOURCE_CHAR_LENGTH = TG + "sourceCharLength"
TG_QUERY = TG + "query"
TG_CONCEPT = TG + "concept"
TG_ENTITY = TG + "entity"
TG_EDGE_COUNT = TG + "edgeCount"
TG_SELECTED_EDGE = TG + "selectedEdge"
TG_EDGE = TG + "edge"
TG_REASONING = TG + "reasoning"
TG_SCORE = TG + "score"
TG_DOCUMENT = TG + "document"
TG_CHUNK_COUNT = TG + "chunkCount"
TG_SELECTED_CHUNK = TG + "selectedChunk"
TG_ELEMENT_TYPES = TG + "elementTypes"
TG_TABLE_COUNT = TG + "tableCount"
TG_IMAGE_COUNT = TG + "imageCount"
TG_THOUGHT = TG + "thought"
TG_ACTION = TG + "action"
TG_ARGUMENTS = TG + "arguments"
TG_OBSERVATION = TG + "observation"
TG_SUBAGENT_GOAL = TG + "subagentGoal"
TG_PLAN_STEP = TG + "planStep"
TG_TOOL_CANDIDATE = TG + "toolCandidate"
TG_TERMINATION_REASON = TG + "terminationReason"
TG_STEP_NUMBER = TG + "stepNumber"
TG_PATTERN = TG + "pattern"
TG_TASK_TYPE = TG + "taskType"
TG_LLM_DURATION_MS = TG + "llmDurationMs"
TG_TOOL_DURATION_MS = TG + "toolDurationMs"
TG_TOOL_ERROR = TG + "toolError"
TG_IN_TOKEN = TG + "inToken"
TG_OUT_TOKEN = TG + "outToken"
TG_ANSWER = TG + "answer"
TG_CONTENT = TG + "content"

TGP = "https://w3id.org/trustgraph-prov/"
SHAPES = TGP + "shapes#"

TGP_COLLECTION_TYPE = TGP + "Collection"
TGP_DAY_TYPE = TGP + "Day"
TGP_HOUR_TYPE = TGP + "Hour"
TGP_TRACE = TGP + "trace"
TGP_IN_HOUR = TGP + "inHour"
TGP_STARTED_AT = TGP + "startedAt"
TGP_USER = TGP + "user"
TGP_COLLECTION = TGP + "collection"
TGP_CALLED_FROM = TGP + "calledFrom"
TGP_RANK = TGP + "rank"
TGP_ERROR_MESSAGE = TGP + "errorMessage"
TGP_OMITTED_BYTES = TGP + "omittedBytes"
TGP_SHA256 = TGP + "sha256"
TGP_STANDING_TEXT = TGP + "standingText"
TGP_WAITING_CONTENT = TGP + "waitingContent"
TGP_WAITING_TEXT = TGP + "waitingText"
TGP_WAITING_THOUGHT = TGP + "waitingThought"
TGP_WAITING_IN = TGP + "waitingIn"
TGP_OF_USER = TGP + "ofUser"
TGP_OF_NAME = TGP + "ofName"
TGP_HAS_DAY = TGP + "hasDay"
TGP_HAS_HOUR = TGP + "hasHour"
TGP_PERIOD_START = TGP + "periodStart"

# Nodes of ours that are no part of a run, and the blank nodes that got a name
OURS = "urn:trustgraph-prov:"
GENID = OURS + "genid:"

# Named graphs. The default graph holds domain knowledge.
GRAPH_DEFAULT = ""
GRAPH_RETRIEVAL = "urn:graph:retrieval"
GRAPH_SOURCE = "urn:graph:source"
GRAPH_ONTOLOGY = TGP + "ontology"
GRAPH_PROBE = OURS + "probe"

PREFIXES = {
    "rdf": RDF,
    "rdfs": RDFS,
    "xsd": XSD,
    "prov": PROV,
    "dc": DC,
    "skos": SKOS,
    "sh": SH,
    "schema": SCHEMA,
    "tg": TG,
    "tgp": TGP,
}
"""Prefixes in the order they are written, for serialisers and for display."""
