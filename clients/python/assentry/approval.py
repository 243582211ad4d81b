"""Asks, claims and completes: each step once, for the client that blocks and for the one that does not.

A flow yields what to do with a client, and gets the result back. So there is one flow for both clients.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from .canonical import plain, run_digest
from .problem import AlreadyExecuted, Problem, Running
from .question import Claim, Elicitation, Question

if TYPE_CHECKING:
    from .client import Assentry, AsyncAssentry

__all__ = ["Approval", "AsyncApproval", "AsyncExecution", "Execution"]

T = TypeVar("T")
Step = Callable[[Any], Any]
Flow = Generator[Step, Any, T]
Show = Callable[[str, "str | None"], None]

LONGEST_POLL = 25.0
RECORD_TIME = 10.0
"""Seconds the caller waits for the record of the end."""
POLL_INTERVAL = 1.0
"""Seconds between two looks at a run in another process."""
FINAL = frozenset({"not-found", "unauthenticated", "forbidden", "INVALID_INPUT"})
"""What asking again cannot change. Any other error is an outage, and a wait survives outages."""
ANSWERS = frozenset(
    {
        "already-closed",
        "already-executed",
        "approval-lapsed",
        "digest-mismatch",
        "forbidden",
        "INVALID_INPUT",
        "not-claimed",
        "not-found",
        "not-now",
        "outcome-unknown",
        "stopped",
        "unauthenticated",
    }
)
"""The answers of Assentry after which an attempt holds no claim."""

log = logging.getLogger("assentry")


def waiting(id_: str, timeout: float | None) -> Flow[Elicitation]:
    """The closed request, or the open one after the time."""
    end: float | None = None
    while True:
        now = yield lambda client: client._now()
        end = end if end is not None or timeout is None else now + timeout
        rest = LONGEST_POLL if end is None else min(LONGEST_POLL, max(0.0, end - now))
        try:
            state: Elicitation = yield partial(_read, id_, rest)
        except Problem as problem:
            if problem.code in FINAL or (end is not None and now + rest >= end):
                raise
            yield lambda client: client._pause(POLL_INTERVAL)
            continue
        if not state.is_open or (end is not None and now + rest >= end):
            return state


def _read(id_: str, rest: float, client: Any) -> Any:
    return client.get(id_, wait=rest)


def asking(question: Question, timeout: float | None, show: Show | None) -> Flow[Elicitation]:
    """The accepted request. Raises Declined, TimedOut or another Problem."""
    state: Elicitation = yield lambda client: client.open(question)
    if state.is_open and state.url is not None and show is not None:
        show(state.url, state.code)
    if state.is_open:
        state = yield lambda client: client.wait(state.id, timeout=timeout)
    refusal = state.refusal(question)
    if refusal is not None:
        raise refusal
    return state


def claiming(tool_call: str, attempt: str, run: str, lease: float) -> Flow[Claim]:
    """An execution that may have been taken, and will not be used, is given back."""
    try:
        claim: Claim = yield lambda client: client.claim(tool_call, attempt=attempt, run=run, lease=lease)
        return claim
    except BaseException as error:
        if not isinstance(error, Problem) or error.code not in ANSWERS:
            yield lambda client: client._give_back(tool_call, attempt)
        raise


def recording(tool_call: str, attempt: str, ending: Mapping[str, Any], is_delivered: bool) -> Flow[None]:
    """Records the end. Without a record the call counts as running, and does not run again."""
    try:
        yield lambda client: client._record(tool_call, attempt, ending, is_delivered)
    except Problem as problem:
        if problem.code == "body-too-large" and "returned" in ending:
            yield from recording(
                tool_call, attempt, {"threw": "It has run; its result was too large to keep."}, is_delivered
            )
            return
        log.warning("The end of call %s is not recorded: %s", tool_call, problem)


class _Flows:
    """What is common to an approval of either client."""

    def __init__(self, question: Question, state: Elicitation, lease: float, is_delivered: bool) -> None:
        self.question = question
        self.state = state
        self._lease = lease
        self._is_delivered = is_delivered

    @property
    def arguments(self) -> dict[str, Any]:
        """The approved arguments, which people may have edited."""
        return dict(self.question.arguments if self.state.arguments is None else self.state.arguments)

    @property
    def comment(self) -> str | None:
        """The note of the person who approved."""
        return self.state.comment

    def _claim(self, attempt: str) -> Flow[Claim]:
        run = run_digest(self.question.tool, self.arguments, self.question.requester)
        return (yield from claiming(self.state.tool_call, attempt, run, self._lease))

    def _enter(self, attempt: str) -> Flow[dict[str, Any]]:
        claim = yield from self._claim(attempt)
        if claim.state == "running":
            raise Running(claim.since or 0)
        if claim.state == "completed":
            raise _executed(claim.result)
        return self.arguments

    def _enter_or_wait(self, attempt: str) -> Flow[tuple[bool, Any]]:
        """Whether this attempt runs, or else what another one returned."""
        while True:
            claim = yield from self._claim(attempt)
            if claim.state == "claimed":
                return True, None
            if claim.state == "completed":
                executed = _executed(claim.result)
                if executed.threw is not None:
                    raise executed
                return False, executed.result
            yield lambda client: client._pause(POLL_INTERVAL)

    def _end(self, attempt: str, kept: Any, error: BaseException | None) -> Flow[None]:
        if error is not None:
            ending = {"threw": str(error) or type(error).__name__}
        else:
            try:
                ending = {"returned": plain(kept, ("result",))}
            except Problem as problem:
                ending = {"threw": f"It has run; its result cannot be kept. {problem}"}
        yield from recording(self.state.tool_call, attempt, ending, self._is_delivered)


def _executed(result: Any) -> AlreadyExecuted:
    if isinstance(result, Mapping) and "returned" in result:
        return AlreadyExecuted(result=result["returned"])
    if isinstance(result, Mapping) and isinstance(result.get("threw"), str):
        return AlreadyExecuted(threw=result["threw"])
    return AlreadyExecuted(result=result)


class Approval(_Flows):
    """An approved call, which runs once."""

    def __init__(self, client: Assentry, question: Question, state: Elicitation, lease: float, delivered: bool) -> None:
        super().__init__(question, state, lease, delivered)
        self._client = client

    def execution(self) -> Execution:
        """Claims the one execution, gives the approved arguments, and completes at exit.

        Raises AlreadyExecuted or Running if another attempt has it. An error in the block does not release it: the
        call has run, and the record says with which error.
        """
        return Execution(self)

    def run(self, function: Callable[..., T]) -> T:
        """Runs the function with the approved arguments: one attempt of the call does, others get its result."""
        attempt = secrets.token_hex(16)
        runs, earlier = self._client._drive(self._enter_or_wait(attempt))
        if not runs:
            return earlier  # type: ignore[no-any-return]
        result: Any = None
        error: BaseException | None = None
        try:
            result = function(**self.arguments)
        except BaseException as raised:
            error = raised
            raise
        finally:
            self._client._drive(self._end(attempt, result, error))
        return result  # type: ignore[no-any-return]


class Execution(AbstractContextManager["dict[str, Any]"]):
    """The one execution of an approved call."""

    def __init__(self, approval: Approval) -> None:
        self._approval = approval
        self._attempt = secrets.token_hex(16)
        self._kept: Any = None

    def keep(self, result: Any) -> None:
        """Keeps a result of JSON for another attempt of the same call."""
        self._kept = plain(result, ("result",))

    def __enter__(self) -> dict[str, Any]:
        return self._approval._client._drive(self._approval._enter(self._attempt))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._approval._client._drive(self._approval._end(self._attempt, self._kept, error))


class AsyncApproval(_Flows):
    """An approved call, which runs once."""

    def __init__(
        self, client: AsyncAssentry, question: Question, state: Elicitation, lease: float, delivered: bool
    ) -> None:
        super().__init__(question, state, lease, delivered)
        self._client = client

    def execution(self) -> AsyncExecution:
        """As ``Approval.execution``, for ``async with``."""
        return AsyncExecution(self)

    async def run(self, function: Callable[..., Awaitable[T]]) -> T:
        """As ``Approval.run``, for a coroutine."""
        attempt = secrets.token_hex(16)
        runs, earlier = await self._client._drive(self._enter_or_wait(attempt))
        if not runs:
            return earlier  # type: ignore[no-any-return]
        result: Any = None
        error: BaseException | None = None
        try:
            result = await function(**self.arguments)
        except BaseException as raised:
            error = raised
            raise
        finally:
            await self._client._drive(self._end(attempt, result, error))
        return result  # type: ignore[no-any-return]


class AsyncExecution(AbstractAsyncContextManager["dict[str, Any]"]):
    """The one execution of an approved call."""

    def __init__(self, approval: AsyncApproval) -> None:
        self._approval = approval
        self._attempt = secrets.token_hex(16)
        self._kept: Any = None

    def keep(self, result: Any) -> None:
        """Keeps a result of JSON for another attempt of the same call."""
        self._kept = plain(result, ("result",))

    async def __aenter__(self) -> dict[str, Any]:
        return await self._approval._client._drive(self._approval._enter(self._attempt))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._approval._client._drive(self._approval._end(self._attempt, self._kept, error))
