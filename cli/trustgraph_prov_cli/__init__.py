"""The command line of trustgraph-prov."""
