"""The clients: ``Assentry`` blocks, ``AsyncAssentry`` does not. Both have the same methods."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import os
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from .approval import (
    RECORD_TIME,
    Approval,
    AsyncApproval,
    Flow,
    Show,
    asking,
    waiting,
)
from .canonical import Requester, Tool, as_requester, without_none
from .problem import Problem
from .question import Claim, Elicitation, Question
from .transport import Request, Send, Transport, addresses_of, send_by_urllib

__all__ = ["Assentry", "AsyncAssentry"]

T = TypeVar("T")

REPORT_TIME = 3600.0
"""Seconds during which the end of a call is sent again."""
GIVE_BACK_TIME = 5.0
"""Seconds to wait until an execution is given back; after that it goes on in the background."""
LEASE = 600.0
"""Seconds after which a run that never reported its end counts as dead."""


class Assentry:
    """Assentry as a server sees it. Methods raise Problem; a request that failed on the way is sent again.

    ``url`` and ``key`` are ASSENTRY_URL and ASSENTRY_API_KEY by default; several nodes are separated by commas.
    ``token`` reads the token of a workload, in place of a key. ``send`` sends one try, in place of ``urllib``.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        token: Callable[[], str] | None = None,
        retries: int = 12,
        request_timeout: float = 30.0,
        send: Send = send_by_urllib,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        own = (os.environ.get("ASSENTRY_API_KEY", "") if key is None else key).strip()
        if token is None and not (own and own.isascii() and own.isprintable() and " " not in own):
            detail = "Set ASSENTRY_API_KEY, or give key: the key of this server, which starts with asn_."
            raise Problem("config-invalid", detail)
        self._transport = Transport(
            addresses_of(os.environ.get("ASSENTRY_URL", "") if url is None else url),
            token or (lambda: own),
            retries=retries,
            request_timeout=request_timeout,
            send=send,
            sleep=sleep,
            clock=clock,
        )
        self.connections = Connections(self)
        self.secrets = Secrets(self)

    def open(self, question: Question, *, idempotency_key: str | None = None) -> Elicitation:
        """Asks, or joins the same question of the same call. The key, random by default, makes a repetition safe."""
        headers = {"idempotency-key": idempotency_key or secrets.token_hex(16)}
        return Elicitation.of(self._post("/v1/elicitations", question.to_json(), headers=headers))

    def get(self, id_: str, *, wait: float = 0.0) -> Elicitation:
        """The state of a request. With ``wait``, seconds up to 25, it answers early only if the request closes."""
        query = f"?{urlencode({'wait': f'{min(wait, 25.0):g}'})}" if wait > 0 else ""
        return Elicitation.of(self._call("GET", f"/v1/elicitations/{_id(id_)}{query}", hold=wait))

    def wait(self, id_: str, *, timeout: float | None = None) -> Elicitation:
        """The closed request, or the open one after the time. It survives outages."""
        return self._drive(waiting(id_, timeout))

    def cancel(self, id_: str, *, cause: str = "user") -> Elicitation:
        """Withdraws a request."""
        try:
            return Elicitation.of(self._post(f"/v1/elicitations/{_id(id_)}/cancel", {"cause": cause}))
        except Problem as problem:
            if problem.code != "already-closed":
                raise
            state = self.get(id_)  # the first try of a repeated request may have done it
            if state.status != "cancelled":
                raise
            return state

    def claim(self, tool_call: str, *, attempt: str, run: str, lease: float | None = None) -> Claim:
        """Takes the one execution. ``digest-mismatch`` if another run was approved; then the approval is void."""
        body = {"attempt": attempt, "run": run, "leaseMs": None if lease is None else round(lease * 1000)}
        return Claim.of(self._post(f"/v1/tool-calls/{_id(tool_call)}/claim", without_none(body)))

    def complete(self, tool_call: str, *, attempt: str, delivered: bool = False, result: Any = None) -> None:
        """Completes what this attempt has claimed. Without ``delivered`` the result is kept for the next attempt."""
        body = {"attempt": attempt, "delivered": delivered, **({} if delivered else {"result": result})}
        self._post(f"/v1/tool-calls/{_id(tool_call)}/complete", body, time=REPORT_TIME)

    def release(self, tool_call: str, *, attempt: str) -> None:
        """Gives back an execution that this attempt has not used, and never can claim again."""
        self._post(f"/v1/tool-calls/{_id(tool_call)}/release", {"attempt": attempt}, time=REPORT_TIME)

    def identify(self) -> Mapping[str, Any]:
        """The server to which the key belongs."""
        return self._call("GET", "/v1/identity")  # type: ignore[no-any-return]

    def ask(self, question: Question, *, timeout: float | None = None, show: Show | None = None) -> Elicitation:
        """Asks, and returns what was accepted. Raises Declined, TimedOut or another Problem.

        ``show(url, code)`` gets the page of a question that sends the requester somewhere.
        """
        return self._drive(asking(question, timeout, show))

    def approve(
        self,
        tool: str | Tool,
        arguments: Mapping[str, Any],
        *,
        message: str,
        requester: str | Requester,
        call: str | None = None,
        once: bool | None = None,
        delivered: bool = False,
        timeout: float | None = None,
        lease: float = LEASE,
        takes_edits: bool = True,
        facts: Mapping[str, str] | None = None,
        reason: str | None = None,
        session: str | None = None,
        ttl: float | None = None,
        after: Sequence[str] | None = None,
    ) -> Approval:
        """Asks approvers, waits, and returns the approval, which runs once. Raises Declined, TimedOut or a Problem.

        ``call`` names the call: another process that asks with the same name finds the same request, and what the run
        kept. It runs once, unless ``once`` is False. ``delivered`` keeps no result: the next equal call asks again.
        """
        question = _approvers(
            Question(
                tool,
                arguments,
                message,
                requester,
                audience="approvers",
                call=call,
                once=once,
                takes_edits=takes_edits,
                facts=facts,
                reason=reason,
                session=session,
                ttl=ttl,
                after=after,
            )
        )
        return Approval(self, question, self.ask(question, timeout=timeout), lease, delivered)

    def _call(self, method: str, path: str, **parts: Any) -> Any:
        return self._transport.exchange(Request(method, path, **parts))

    def _post(self, path: str, body: Any, **parts: Any) -> Any:
        return self._call("POST", path, body=body, **parts)

    def _drive(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    value = step(self)
                except BaseException as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(value)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _now(self) -> float:
        return self._transport.clock()

    def _pause(self, seconds: float) -> None:
        self._transport.sleep(seconds)

    def _give_back(self, tool_call: str, attempt: str) -> None:
        try:
            _at_most(GIVE_BACK_TIME, lambda: self.release(tool_call, attempt=attempt))
        except Problem:
            pass  # it is settled, or its claim counts as dead in time

    def _record(self, tool_call: str, attempt: str, ending: Mapping[str, Any], delivered: bool) -> None:
        _at_most(RECORD_TIME, lambda: self.complete(tool_call, attempt=attempt, delivered=delivered, result=ending))


class Connections:
    """What requesters have connected at providers for this server."""

    def __init__(self, client: Assentry) -> None:
        self._client = client

    def find(
        self,
        provider: str,
        requester: str | Requester,
        *,
        scopes: Sequence[str] = (),
        resource: str | None = None,
        access_token: str | None = None,
    ) -> Mapping[str, Any]:
        """``{"state": "stored", "connection"}``, or ``missing`` or ``refused``: then ask with ``connection()``."""
        sought = {"provider": provider, "scopes": list(scopes), "resource": resource}
        body = {**without_none(sought), **_person(requester, access_token)}
        return self._client._post("/v1/connections", body)  # type: ignore[no-any-return]

    def token(self, id_: str, requester: str | Requester, *, access_token: str | None = None) -> Mapping[str, Any]:
        """``{"token", "lasts"}``: it may be sent for so many milliseconds, to the hosts of the connection alone."""
        path = f"/v1/connections/{_id(id_)}/token"
        return self._client._post(path, _person(requester, access_token))  # type: ignore[no-any-return]

    def refuse(self, id_: str, requester: str | Requester, *, access_token: str | None = None) -> None:
        """Reports that the provider did not take the token."""
        self._client._post(f"/v1/connections/{_id(id_)}/refused", _person(requester, access_token))


class Secrets:
    """What requesters have entered for this server."""

    def __init__(self, client: Assentry) -> None:
        self._client = client

    def find(self, label: str, requester: str | Requester, *, access_token: str | None = None) -> Mapping[str, Any]:
        """``{"state": "stored", "id"}``, or ``missing`` or ``refused``: then ask with ``secret()``."""
        body = {"label": label, **_person(requester, access_token)}
        return self._client._post("/v1/secrets", body)  # type: ignore[no-any-return]

    def text(self, id_: str, requester: str | Requester, *, access_token: str | None = None) -> Mapping[str, Any]:
        """``{"secret", "lasts"}``: it may be sent for so many milliseconds."""
        path = f"/v1/secrets/{_id(id_)}/text"
        return self._client._post(path, _person(requester, access_token))  # type: ignore[no-any-return]

    def refuse(self, id_: str, requester: str | Requester, *, access_token: str | None = None) -> None:
        """Reports that the secret does not work."""
        self._client._post(f"/v1/secrets/{_id(id_)}/refused", _person(requester, access_token))


class AsyncAssentry:
    """As ``Assentry``, for ``await``. Each request is sent in a thread of its own."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        token: Callable[[], str] | None = None,
        retries: int = 12,
        request_timeout: float = 30.0,
        send: Send = send_by_urllib,
        over: Assentry | None = None,
    ) -> None:
        """``over`` is a client that sends the requests."""
        self._blocking = over or Assentry(
            url, key, token=token, retries=retries, request_timeout=request_timeout, send=send
        )
        self.connections = AsyncConnections(self._blocking.connections)
        self.secrets = AsyncSecrets(self._blocking.secrets)

    async def open(self, question: Question, *, idempotency_key: str | None = None) -> Elicitation:
        return await _in_thread(lambda: self._blocking.open(question, idempotency_key=idempotency_key))

    async def get(self, id_: str, *, wait: float = 0.0) -> Elicitation:
        return await _in_thread(lambda: self._blocking.get(id_, wait=wait))

    async def wait(self, id_: str, *, timeout: float | None = None) -> Elicitation:
        return await self._drive(waiting(id_, timeout))

    async def cancel(self, id_: str, *, cause: str = "user") -> Elicitation:
        return await _in_thread(lambda: self._blocking.cancel(id_, cause=cause))

    async def claim(self, tool_call: str, *, attempt: str, run: str, lease: float | None = None) -> Claim:
        return await _in_thread(lambda: self._blocking.claim(tool_call, attempt=attempt, run=run, lease=lease))

    async def complete(self, tool_call: str, *, attempt: str, delivered: bool = False, result: Any = None) -> None:
        await _in_thread(
            lambda: self._blocking.complete(tool_call, attempt=attempt, delivered=delivered, result=result)
        )

    async def release(self, tool_call: str, *, attempt: str) -> None:
        await _in_thread(lambda: self._blocking.release(tool_call, attempt=attempt))

    async def identify(self) -> Mapping[str, Any]:
        return await _in_thread(self._blocking.identify)

    async def ask(self, question: Question, *, timeout: float | None = None, show: Show | None = None) -> Elicitation:
        return await self._drive(asking(question, timeout, show))

    async def approve(
        self,
        tool: str | Tool,
        arguments: Mapping[str, Any],
        *,
        message: str,
        requester: str | Requester,
        call: str | None = None,
        once: bool | None = None,
        delivered: bool = False,
        timeout: float | None = None,
        lease: float = LEASE,
        takes_edits: bool = True,
        facts: Mapping[str, str] | None = None,
        reason: str | None = None,
        session: str | None = None,
        ttl: float | None = None,
        after: Sequence[str] | None = None,
    ) -> AsyncApproval:
        question = _approvers(
            Question(
                tool,
                arguments,
                message,
                requester,
                audience="approvers",
                call=call,
                once=once,
                takes_edits=takes_edits,
                facts=facts,
                reason=reason,
                session=session,
                ttl=ttl,
                after=after,
            )
        )
        return AsyncApproval(self, question, await self.ask(question, timeout=timeout), lease, delivered)

    async def _drive(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    value = step(self)
                    if inspect.isawaitable(value):
                        value = await value
                except BaseException as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(value)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _now(self) -> float:
        return self._blocking._now()

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _give_back(self, tool_call: str, attempt: str) -> None:
        await _in_thread(lambda: self._blocking._give_back(tool_call, attempt))

    async def _record(self, tool_call: str, attempt: str, ending: Mapping[str, Any], delivered: bool) -> None:
        await _in_thread(lambda: self._blocking._record(tool_call, attempt, ending, delivered))


class AsyncConnections:
    """As ``Connections``, for ``await``."""

    def __init__(self, blocking: Connections) -> None:
        self._blocking = blocking

    async def find(
        self,
        provider: str,
        requester: str | Requester,
        *,
        scopes: Sequence[str] = (),
        resource: str | None = None,
        access_token: str | None = None,
    ) -> Mapping[str, Any]:
        return await _in_thread(
            lambda: self._blocking.find(
                provider, requester, scopes=scopes, resource=resource, access_token=access_token
            )
        )

    async def token(
        self, id_: str, requester: str | Requester, *, access_token: str | None = None
    ) -> Mapping[str, Any]:
        return await _in_thread(lambda: self._blocking.token(id_, requester, access_token=access_token))

    async def refuse(self, id_: str, requester: str | Requester, *, access_token: str | None = None) -> None:
        await _in_thread(lambda: self._blocking.refuse(id_, requester, access_token=access_token))


class AsyncSecrets:
    """As ``Secrets``, for ``await``."""

    def __init__(self, blocking: Secrets) -> None:
        self._blocking = blocking

    async def find(
        self, label: str, requester: str | Requester, *, access_token: str | None = None
    ) -> Mapping[str, Any]:
        return await _in_thread(lambda: self._blocking.find(label, requester, access_token=access_token))

    async def text(self, id_: str, requester: str | Requester, *, access_token: str | None = None) -> Mapping[str, Any]:
        return await _in_thread(lambda: self._blocking.text(id_, requester, access_token=access_token))

    async def refuse(self, id_: str, requester: str | Requester, *, access_token: str | None = None) -> None:
        await _in_thread(lambda: self._blocking.refuse(id_, requester, access_token=access_token))


def _approvers(question: Question) -> Question:
    """A named call runs once, unless its author says otherwise."""
    if question.once is not None or question.call is None:
        return question
    return dataclasses.replace(question, once=True)


def _person(requester: str | Requester, access_token: str | None) -> dict[str, Any]:
    return without_none({"requester": as_requester(requester).to_json(), "accessToken": access_token})


def _id(text: str) -> str:
    return quote(text, safe="")


def _start(work: Callable[[], None]) -> threading.Thread:
    """Starts work in a thread that keeps no process alive."""
    thread = threading.Thread(target=work, name="assentry", daemon=True)
    thread.start()
    return thread


def _at_most(seconds: float, work: Callable[[], None]) -> None:
    """Waits for the work at most this long; it goes on after that."""
    failures: list[Problem] = []

    def attempt() -> None:
        try:
            work()
        except Problem as problem:
            failures.append(problem)

    thread = _start(attempt)
    thread.join(seconds)
    if failures:
        raise failures[0]
    if thread.is_alive():
        raise Problem("unavailable", "Try again later: Assentry has not answered yet.")


async def _in_thread(work: Callable[[], T]) -> T:
    """Runs the work in a thread of its own: many may wait, and none holds up another, or the end of the process."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return  # its caller has left
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result: T | None = None
        failure: BaseException | None = None
        try:
            result = work()
        except BaseException as error:
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            pass  # the loop is closed: its caller has left

    _start(run)
    return await future
