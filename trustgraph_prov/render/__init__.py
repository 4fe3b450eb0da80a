"""Show a run: on a terminal, as JSON, as a web page, as a drawing."""

from .dot import dot
from .html import html
from .json import json, to_dict
from .mermaid import mermaid
from .text import text

__all__ = ["dot", "html", "json", "mermaid", "text", "to_dict"]
