"""A run on a terminal, at any width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ..characters import one_line, visible
from ..explain.model import Status, Trace
from ..wording import counted
from .fields import Field
from .view import (
    DEEPEST,
    SIGNS,
    Edge,
    Kept,
    Step,
    answer_text,
    command,
    head,
    paths,
    question_fields,
    source_name,
    status,
    step,
    too_deep,
)

__all__ = ["text"]

_STYLES: dict[Status, str] = {
    "finished": "green",
    "failed": "bold red",
    "cancelled": "yellow",
    "unfinished": "yellow",
}
_NAME_WIDTH = 18
_NARROW = 30


def text(
    trace: Trace,
    console: Console,
    *,
    max_answer: int | None = None,
    show_provenance: bool = False,
) -> None:
    """Print a run.

    Args:
        trace: the run.
        console: where to print; its width is used whole, and only a command is not wrapped at it.
        max_answer: characters of an answer to show; the rest is counted.
        show_provenance: print what each selected edge or chunk came from, as far as the run was
            read with it.

    Example:
        >>> from trustgraph_prov.explain.assemble import assemble
        >>> from trustgraph_prov.namespaces import TG_QUERY
        >>> from trustgraph_prov.terms import text as literal
        >>> run = assemble("urn:trustgraph:agent:7", {
        ...     "urn:trustgraph:agent:7": {TG_QUERY: [literal("Why?")]}})
        >>> text(run, Console(width=60))
        Why?
        Agent · no start recorded
        … unfinished: still running, or died without a word
        urn:trustgraph:agent:7
    """
    console.print(_Indent(_Run(trace, max_answer, show_provenance).whole(), ""), end="")
    for run in too_deep(trace):
        line = _plain(f"Too deep to be shown here: {command(run)}", "dim")
        console.print(line, soft_wrap=True)  # a command is copied


class _Run:
    def __init__(
        self, trace: Trace, max_answer: int | None, show_provenance: bool, depth: int = 0
    ) -> None:
        self.trace = trace
        self.max_answer = max_answer
        self.show_provenance = show_provenance
        self.depth = depth

    def whole(self) -> RenderableType:
        trace, parts = self.trace, list(self._head())
        if self.depth > DEEPEST:
            return Group(*parts, _plain("too deep to be shown here; see the end", "dim"))
        for number, node in enumerate((trace.question, *trace.steps)):
            shown = step(node, trace, provenance=self.show_provenance)
            if number:
                parts += ["", *self._step(shown, number)]
            parts += [one for run in node.called for one in ("", self._called(run))]
        answers = list(self._answers())
        return Group(*parts, *(["", *answers] if answers else []))

    def _head(self) -> Iterator[RenderableType]:
        trace = self.trace
        yield _plain(trace.question.query or "(no question was recorded)", "bold")
        yield _plain(" · ".join(head(trace)), "dim")
        yield _plain(f"{SIGNS[trace.status]} {status(trace)}", _STYLES[trace.status])
        yield _plain(trace.uri, "dim")
        yield from _table(question_fields(trace))

    def _step(self, shown: Step, number: int | None) -> Iterator[RenderableType]:
        title = Text()
        if number is not None:
            title.append(f"{number}  ", "cyan")
        title.append(one_line(shown.title), "bold red" if shown.failed else "bold")
        if shown.kind:
            title.append(f"  {one_line(shown.kind)}", "cyan")
        yield title
        body: list[RenderableType] = []
        if shown.facts:
            body.append(_plain(" · ".join(shown.facts), "dim"))
        body += _table(shown.fields)
        body += [self._kept(kept, place) for place, kept in enumerate(shown.kept, 1)]
        for part in shown.parts:
            body += self._step(part, None)
        if body:
            yield _Indent(Group(*body), "   ")

    def _kept(self, kept: Kept, place: int) -> RenderableType:
        names = [_edge(edge) for edge in kept.edges]
        names += [_plain(kept.name.text)] if kept.name else []
        lines: list[RenderableType] = [*names]
        if kept.score:
            lines[-1:] = [_Beside(names[-1], one_line(f"score {kept.score}"))]
        if kept.reasoning:
            lines.append(_plain(kept.reasoning, "italic"))
        lines += [
            _plain(f"{note.name}: {', '.join(value.text for value in note.values)}", "dim")
            for note in kept.notes
        ]
        if self.show_provenance:
            every = [path for source in kept.sources for path in paths(source)]
            lines += [_plain(f"from {' > '.join(map(source_name, path))}", "dim") for path in every]
            lines += [] if every else [_plain("no source recorded", "dim")]
        grid = _grid(4)
        grid.add_row(Text(f"{place}.", "cyan"), Group(*lines))
        return grid

    def _called(self, run: Trace) -> RenderableType:
        nested = _Run(run, self.max_answer, self.show_provenance, self.depth + 1)
        title = Text("called", "magenta")
        return _Indent(Group(title, nested.whole()), "   │ ", "magenta")

    def _answers(self) -> Iterator[RenderableType]:
        every = [one for one in self.trace.answers if answer_text(one)]
        for number, answer in enumerate(every, 1):
            title = "Answer" if len(every) == 1 else f"Answer {number} of {len(every)}"
            yield Text(title, "bold green" if answer.text is not None else "bold")
            yield _Indent(_plain(self._cut(answer_text(answer))), "   ")
        if not every and self.trace.status == "finished":
            yield _plain("No text of an answer was recorded.", "dim")

    def _cut(self, answer: str) -> str:
        most = self.max_answer
        if most is None or len(answer) <= most:
            return answer
        return f"{answer[:most]}… ({counted(len(answer) - most, 'more character')})"


class _Indent:
    """Put something to the right of a prefix, with no blanks at the end of a line.

    Where runs are nested so deep that little is left to write on, the prefix is cut.
    """

    def __init__(self, inside: RenderableType, prefix: str, style: str = "") -> None:
        self.inside = inside
        self.prefix = prefix
        self.style = style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.max_width
        prefix = self.prefix if room >= _NARROW else self.prefix.strip()[: room // 12]
        width = room - len(prefix)
        for line in console.render_lines(self.inside, options.update(width=width), pad=False):
            while line and not line[-1].text.strip():
                line.pop()
            if line:
                line[-1] = Segment(line[-1].text.rstrip(), line[-1].style)
            yield Segment(prefix if line else prefix.rstrip(), Style.parse(self.style))
            yield from line
            yield Segment.line()


class _Beside:
    """Put a note behind a line, or whole below it where there is no room."""

    def __init__(self, line: Text, note: str) -> None:
        self.line = line
        self.note = Text(note, "dim", overflow="fold")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        both = Text.assemble(self.line, "   ", self.note, overflow="fold")
        yield from [both] if both.cell_len <= options.max_width else [self.line, self.note]


def _plain(content: str, style: str = "") -> Text:
    return Text(visible(content).expandtabs(4), style, overflow="fold")


def _grid(width: int) -> Table:
    grid = Table.grid(padding=0)
    grid.add_column(width=width, no_wrap=False, overflow="fold")
    grid.add_column(overflow="fold", ratio=1)
    return grid


def _table(fields: Iterable[Field]) -> list[RenderableType]:
    rows = list(fields)
    if not rows:
        return []
    grid = _grid(min(max(len(field.name) for field in rows), _NAME_WIDTH) + 2)
    for field in rows:
        style = {"error": "red", "code": "cyan"}.get(field.style, "")
        texts = [value.text for value in field.values]
        if field.style == "terms":
            shown: RenderableType = _plain(", ".join(texts), style)
        elif len(texts) == 1:
            shown = _plain(texts[0], style)
        else:
            shown = Group(*(_plain(f"• {one}", style) for one in texts))
        grid.add_row(_plain(field.name, "dim"), shown)
    return [grid]


def _edge(edge: Edge) -> Text:
    line = Text(overflow="fold")
    line.append(one_line(edge.subject.text), "bold")
    line.append(f" — {one_line(edge.predicate.text)} → ", "cyan")
    line.append(visible(edge.object.text), "bold")
    return line
