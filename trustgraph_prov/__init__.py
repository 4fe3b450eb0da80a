"""Record RAG and agent runs as PROV-O in a triplestore, and explain them with stored SPARQL."""
