"""Read runs back: what was asked, what was done, and what was answered."""

from .model import Answer, Node, Question, Source, Trace, TraceSummary
from .trace import trace

__all__ = ["Answer", "Node", "Question", "Source", "Trace", "TraceSummary", "trace"]
