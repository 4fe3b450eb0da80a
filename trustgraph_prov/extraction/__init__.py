"""What was made of a document: its pages, chunks, and the edges extracted from them, as a tree."""

from .drawing import mermaid
from .printing import json, text, to_dict
from .tree import Extract, Recorded, sources

__all__ = ["Extract", "Recorded", "json", "mermaid", "sources", "text", "to_dict"]
