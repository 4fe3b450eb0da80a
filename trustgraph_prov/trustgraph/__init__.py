"""Take over runs that TrustGraph recorded: its explain messages and the texts they point at."""

from .files import read_documents, read_messages
from .ingest import Ingested, add_documents, import_messages, ingest

__all__ = [
    "Ingested",
    "add_documents",
    "import_messages",
    "ingest",
    "read_documents",
    "read_messages",
]
