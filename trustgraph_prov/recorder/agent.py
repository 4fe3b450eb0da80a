"""Record an agent run: steps, several at a time if it likes, and a conclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from pyoxigraph import Triple

from ..emitters import agent_final_triples, agent_iteration_triples, agent_session_triples
from ..emitters.node import several
from ..errors import AlreadyRecordedError, InvalidValueError
from ..terms import text
from ..uris import agent_final_uri, agent_iteration_uri, agent_session_uri
from .resume import Known
from .run import Run
from .step import Step

__all__ = ["AgentRun", "Parent"]

Parent: TypeAlias = "Step | Run | str"


@dataclass
class _Usage:
    model: str | None
    in_token: int | None
    out_token: int | None
    llm_duration_ms: float | None


class AgentRun(Run):
    """A run of an agent that thinks, acts and observes.

    A step follows by default every complete step that none follows yet: in a chain the one before;
    after two steps that were open at a time, both; at the start the question.

    Example:
        >>> from trustgraph_prov.recorder import Recorder
        >>> from trustgraph_prov.stores import open_store
        >>> with Recorder(open_store("memory:")).agent("Capital of France?", session_id="7") as run:
        ...     step = run.analysis("Look it up.", "search", {"q": "France"}, "Paris")
        ...     answer = run.conclusion("Paris")
        >>> step.uri, answer
        ('urn:trustgraph:agent:7/i1', 'urn:trustgraph:agent:7/final')
    """

    kind = "agent"
    mint = staticmethod(agent_session_uri)
    emit = staticmethod(agent_session_triples)

    _steps: dict[int, Step]
    _tips: dict[str, bool]  # steps that none follows > whether complete

    def analysis(
        self,
        thought: str | None = None,
        action: str | None = None,
        arguments: object = None,
        observation: object = None,
        *,
        parents: Parent | Sequence[Parent] | None = None,
        error: BaseException | str | None = None,
        tool_candidates: Iterable[str] | None = None,
        llm_duration_ms: float | None = None,
        tool_duration_ms: float | None = None,
        model: str | None = None,
        in_token: int | None = None,
        out_token: int | None = None,
        number: int | None = None,
        at: datetime | str | None = None,
    ) -> Step:
        """Record a step that is over.

        Args:
            thought, action: what the agent thought, and the tool it called.
            arguments: what it called it with; kept as JSON text.
            observation: what came back; a text, or else kept as JSON text.
            parents: steps it rests on, if not the default.
            error: the tool's error, an exception or words.
            tool_candidates: names of the tools it could choose from.
            llm_duration_ms, tool_duration_ms: milliseconds.
            model, in_token, out_token: the model, and tokens it read and wrote.
            number: its place, counted from 1, if not the next.
            at: when it was over, if not now.

        Raises:
            RunFinishedError: the run has ended.
            AlreadyRecordedError: there is a step of that number.
            StoreError: it could not be written; nothing was.
        """
        with self.lock:
            moment = self.writer.moment(at)
            step = self._add(
                number,
                parents,
                thought,
                action,
                arguments,
                tool_candidates,
                _Usage(model, in_token, out_token, llm_duration_ms),
                lambda step: step.outcome(observation, error, tool_duration_ms, moment),
            )
            step.open = False
            self.completed(step)
        return step

    def begin(
        self,
        thought: str | None = None,
        action: str | None = None,
        arguments: object = None,
        *,
        parents: Parent | Sequence[Parent] | None = None,
        tool_candidates: Iterable[str] | None = None,
        llm_duration_ms: float | None = None,
        model: str | None = None,
        in_token: int | None = None,
        out_token: int | None = None,
        number: int | None = None,
        at: datetime | str | None = None,
    ) -> Step:
        """Record a step before its tool is called; `Step.observe` or `Step.fail` completes it.

        The arguments and errors are those of `analysis`; `at` is when it began, and what lies
        between that and the observation is the tool's duration unless one is given.
        """
        with self.lock:
            began = self.writer.moment(at)
            step = self._add(
                number,
                parents,
                thought,
                action,
                arguments,
                tool_candidates,
                _Usage(model, in_token, out_token, llm_duration_ms),
                lambda step: (),
            )
            step.began = began
        return step

    def conclusion(
        self,
        answer: str | None,
        *,
        parents: Parent | Sequence[Parent] | None = None,
        termination_reason: str = "final-answer",
        document_id: str | None = None,
        model: str | None = None,
        in_token: int | None = None,
        out_token: int | None = None,
        llm_duration_ms: float | None = None,
        at: datetime | str | None = None,
    ) -> str:
        """Record the answer, which ends the run.

        Args:
            answer: the text; None where a node of your own holds it.
            parents: steps it rests on, if not all that none follows yet.
            termination_reason: why the agent stopped.
            document_id: IRI of the node that holds the text.
            model, in_token, out_token, llm_duration_ms: the call that wrote it.
            at: when, if not now.

        Returns:
            IRI of the conclusion.

        Raises:
            RunFinishedError: the run has ended.
            StoreError: it could not be written; nothing was, and the run goes on.
        """
        masking = self.writer.masking

        def build(moment: datetime | str) -> list[Triple]:
            return agent_final_triples(
                agent_final_uri(self.session_id),
                self._parents(parents, tuple(self._tips)),
                masking.text("answer", answer),
                document_id=None if document_id is None else masking.iri(document_id),
                termination_reason=masking.text("termination_reason", termination_reason),
                model=masking.text("model", model),
                in_token=in_token,
                out_token=out_token,
                llm_duration_ms=llm_duration_ms,
                generated_at=moment,
                trace=self.uri,
                strict=self.writer.strict,
            )

        return self._finish(agent_final_uri(self.session_id), build, at)

    def step(self, number: int) -> Step:
        """Find a step of this run.

        Raises:
            InvalidValueError: it has none of that number.
        """
        with self.lock:
            if not isinstance(number, int) or number not in self._steps:
                raise InvalidValueError("step", number, f"the number of a step of {self.uri}")
            return self._steps[number]

    def _add(
        self,
        number: int | None,
        parents: Parent | Sequence[Parent] | None,
        thought: str | None,
        action: str | None,
        arguments: object,
        tool_candidates: Iterable[str] | None,
        usage: _Usage,
        outcome: Callable[[Step], Sequence[Triple]],
    ) -> Step:
        if number is None:
            number = max(self._steps, default=0) + 1
        elif isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise InvalidValueError("number", number, "a whole number from 1")
        step = Step(self, number)
        if number in self._steps:
            raise AlreadyRecordedError(step.uri, f"step {number}")
        self._check()
        above = self._parents(parents, tuple(tip for tip, done in self._tips.items() if done))
        masking = self.writer.masking
        said = masking.json(arguments)
        triples = agent_iteration_triples(
            step.uri,
            above,
            masking.text("thought", thought),
            masking.text("action", action),
            None if said is None else text(said),
            step_number=number,
            tool_candidates=masking.texts("tool_candidates", tool_candidates),
            llm_duration_ms=usage.llm_duration_ms,
            model=masking.text("model", usage.model),
            in_token=usage.in_token,
            out_token=usage.out_token,
            trace=self.uri,
            strict=self.writer.strict,
        )
        self.writer.write([*triples, *outcome(step)])
        self._steps[number] = step
        for parent in above:
            self._tips.pop(parent, None)
        self._tips[step.uri] = False
        return step

    def completed(self, step: Step) -> None:
        """Take note that a step is complete, so that others may follow it."""
        if step.uri in self._tips:
            self._tips[step.uri] = True

    def _parents(
        self, given: Parent | Sequence[Parent] | None, default: tuple[str, ...]
    ) -> tuple[str, ...]:
        if given is None:
            return default or (self.uri,)
        every = [given] if isinstance(given, (str, Step, Run)) else given
        return tuple(map(_uri, several("parents", every, "steps, runs or IRIs"))) or (self.uri,)

    def _unanswered(
        self, reason: str, error: str | None, moment: datetime | str
    ) -> Sequence[Triple]:
        return agent_final_triples(
            agent_final_uri(self.session_id),
            tuple(self._tips) or self.uri,
            None,
            termination_reason=reason,
            error=error,
            generated_at=moment,
            trace=self.uri,
            strict=self.writer.strict,
        )

    def restore(self, known: Known) -> None:
        super().restore(known)
        self._steps, self._tips = {}, {}
        for uri, number in sorted(known.nodes.items(), key=lambda item: item[1] or 0):
            if number is None or uri != agent_iteration_uri(self.session_id, number):
                continue
            self._steps[number] = step = Step(self, number)
            step.open = uri not in known.complete
            if uri not in known.parents:
                self._tips[uri] = True


def _uri(parent: Parent) -> str:
    uri = parent.uri if isinstance(parent, (Step, Run)) else parent
    if not isinstance(uri, str):
        raise InvalidValueError("parents", parent, "a step, a run or an IRI")
    return uri
