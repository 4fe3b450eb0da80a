"""The thread that sends what waits, in order, until the store has it."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from pyoxigraph import Quad
from tenacity import RetryCallState, Retrying, retry_if_exception, wait_random_exponential

from ..characters import message
from ..errors import ProvError, StoreError
from ..n_quads import decode
from ..stores.base import Store
from ..stores.lease import Lease
from ..wording import counted
from .bell import Bell
from .dead_letters import Refusal, keep_refused, keep_unreadable
from .faults import QueueError
from .journal import Call, Journal
from .refusals import Refusals

__all__ = ["Sender"]

BATCH_CALLS = 200
BATCH_BYTES = 1_000_000
"""What goes into one insert at most; a larger call goes alone."""

LEASE_POLL = 0.1
"""Seconds until it is asked again whether the process that sends has ended."""

IDLE_POLL = 2.0
"""Seconds until it is asked again whether a process has died with calls in the queue."""

_log = logging.getLogger("trustgraph_prov.outbox")

_Batch = Sequence[tuple[Call, list[Quad]]]


class _StoppedError(Exception):
    """The outbox is being closed; what was not sent stays in the queue."""


class Sender:
    """Sends from a queue, as long as no other process does.

    Args:
        store: opens the store, or returns it when it is open.
        journal: the queue.
        lease: the right to send from it.
        dead_letters: folder for what is refused for good.
        longest_pause: seconds between two attempts, at most.
        at_end: called once the thread has ended its last request.
    """

    def __init__(
        self,
        store: Callable[[], Store],
        journal: Journal,
        lease: Lease,
        dead_letters: Path,
        *,
        longest_pause: float,
        at_end: Callable[[], None],
    ) -> None:
        self._store = store
        self._journal = journal
        self._lease = lease
        self._dead_letters = dead_letters
        self._longest_pause = longest_pause
        self._at_end = at_end
        self._batch: list[Call] = []
        self._work = Bell()
        self._hurry = Bell()
        self._stopping = False
        self._waiting: list[Bell] = []
        self._error: BaseException | None = None
        self._sending = False
        self.failures = 0
        """Attempts that have failed here."""
        self._thread = threading.Thread(
            target=self._run, name="trustgraph-prov outbox", daemon=True
        )

    @property
    def trouble(self) -> str | None:
        """Why the last attempt failed, here or in the process that sends; None when it did not."""
        return None if self._error is None else _why(self._error)

    @property
    def fault(self) -> str | None:
        """What is wrong with the queue itself, if it is that."""
        return self.trouble if isinstance(self._error, QueueError) else None

    def start(self) -> None:
        """Begin to send, with what an earlier process has left."""
        self._thread.start()

    def wake(self) -> None:
        """Say that there is work."""
        self._work.ring()

    def hurry(self) -> None:
        """Try again now, instead of after the pause."""
        self._hurry.ring()
        self._work.ring()

    def failed_since(self, failures: int) -> bool:
        """Whether an attempt has failed since there were so many failures.

        Where another process sends, that is whether its last attempt has failed.
        """
        elsewhere = self.trouble is not None and not self._sending
        return self.failures > failures or elsewhere

    def await_progress(self, seconds: float) -> None:
        """Wait until something was sent or failed, at most so long."""
        bell = Bell()
        self._waiting.append(bell)
        try:
            bell.wait(seconds)
        finally:
            self._waiting.remove(bell)

    def stop(self, seconds: float) -> None:
        """End the thread; what it has not sent stays in the queue.

        Args:
            seconds: how long to wait for a request that is on its way; the thread ends after it.
        """
        self._stopping = True
        self.hurry()
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            self._send_on()
        finally:
            self._at_end()

    def _send_on(self) -> None:
        while not self._stopping:
            pause = IDLE_POLL
            try:
                if self._journal.newest():
                    pause = 0.0 if self._send_all() else LEASE_POLL
            except _StoppedError:
                break
            except Exception as error:  # a full disk, say; sending goes on once it can
                self._note(error)
                pause = self._longest_pause
            self._work.wait(pause)

    def _send_all(self) -> bool:
        if not self._lease.acquire():
            noted = self._journal.trouble()
            self._error = None if noted is None else StoreError(self._journal.target, noted)
            return False
        try:
            self._sending = True
            while self._next():
                self._retrying()(self._send, self._refusals())
                self._note(None)
        finally:
            self._sending = False
            self._lease.release()
        return True

    def _next(self) -> bool:
        self._batch = self._journal.oldest(BATCH_CALLS, BATCH_BYTES)
        if self._journal.trouble() is not None:  # of a process that has ended
            self._journal.note_trouble(None)
        self._error = None  # of that process, or of the queue, which could be read now
        return bool(self._batch)

    def _refusals(self) -> Refusals:
        return Refusals(
            self._journal.target, self._insert, lambda update: self._store().update(update)
        )

    def _retrying(self) -> Retrying:
        def failed(state: RetryCallState) -> None:
            if state.outcome is not None:
                self._note(state.outcome.exception())

        return Retrying(
            retry=retry_if_exception(lambda error: not isinstance(error, _StoppedError)),
            wait=wait_random_exponential(multiplier=0.1, max=self._longest_pause),
            sleep=self._pause,
            before_sleep=failed,
            reraise=True,
        )

    def _pause(self, seconds: float) -> None:
        self._hurry.wait(seconds)

    def _send(self, refusals: Refusals) -> None:
        """Send what is left of the batch: what an earlier try has delivered is not sent again."""
        self._go_on()
        read = [(call, self._read(call)) for call in list(self._batch)]
        batch = [(call, quads) for call, quads in read if quads]
        refusals.doubt()
        if batch:
            self._deliver(batch, refusals)

    def _read(self, call: Call) -> list[Quad]:
        try:
            return list(decode(call.payload))
        except Exception as error:  # whatever it is, the calls behind it must not wait for ever
            name = self._journal.target
            why = str(error) or type(error).__name__
            file = keep_unreadable(name, self._dead_letters, call, why)
            said = f"{name}: a call in the outbox is damaged; it is kept in {file}"
            _log.error("%s", message(said))
            self._remove([call])
            return []

    def _deliver(self, batch: _Batch, refusals: Refusals) -> None:
        """Send calls in one request; if that is refused, halve it until the culprit is alone."""
        sent = [quad for _, quads in batch for quad in quads]
        try:
            self._insert(sent)
        except ProvError as error:
            refusals.pass_on(error, sent)
            if len(batch) > 1:
                middle = len(batch) // 2
                self._deliver(batch[:middle], refusals)
                self._deliver(batch[middle:], refusals)
                return
            call, quads = batch[0]
            self._give_up(call, refusals.sift(quads, error))
        self._remove([call for call, _ in batch])
        self._tell()

    def _remove(self, calls: Sequence[Call]) -> None:
        self._journal.remove(calls)
        done = {call.id for call in calls}
        self._batch = [call for call in self._batch if call.id not in done]

    def _insert(self, quads: list[Quad]) -> None:
        self._go_on()
        self._store().insert(quads)

    def _go_on(self) -> None:
        if self._stopping:
            raise _StoppedError

    def _give_up(self, call: Call, refused: list[Refusal]) -> None:
        if not refused:  # the parts are taken where the whole was too large
            return
        name = self._journal.target
        file = keep_refused(name, self._dead_letters, call, refused)
        _log.error(
            "%s refused for good, kept in %s; %s",
            counted(len(refused), "statement"),
            message(str(file)),
            refused[0][1],
        )

    def _tell(self) -> None:
        for bell in list(self._waiting):
            bell.ring()

    def _note(self, error: BaseException | None) -> None:
        if self._stopping and error is not None:  # the end of the journal or the store is wanted
            return
        changed = _kind(error) != _kind(self._error)
        self._error = error
        self.failures += error is not None
        if changed:
            self._log(error)
            with contextlib.suppress(StoreError):  # a note for others, who can do without
                self._journal.note_trouble(self.trouble)
        self._tell()

    def _log(self, error: BaseException | None) -> None:
        if error is None:
            _log.info("%s: takes what is sent again", message(self._journal.target))
            return
        if isinstance(error, QueueError):
            _log.error("%s", error)
            return
        if not isinstance(error, ProvError):
            _log.error("sending failed unexpectedly; it is tried again", exc_info=error)
        _log.warning(
            "%s: %s; what is recorded waits in %s",
            message(self._journal.target),
            _why(error),
            message(str(self._journal.folder)),
        )


def _why(error: BaseException) -> str:
    if isinstance(error, ProvError):
        return error.why
    return message(str(error)) or type(error).__name__


def _kind(error: BaseException | None) -> type[BaseException] | None:
    """What is away or broken: a change is worth a line in the log."""
    if isinstance(error, ProvError):
        return QueueError if isinstance(error, QueueError) else StoreError
    return None if error is None else type(error)
