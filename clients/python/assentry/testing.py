"""A fake person for tests: answers questions from a script, without a server.

    human = fake_human(Rule(tool="transfer", reply=approve()))
    transfer_with(client=human.client)

Digests, claims and results are checked as Assentry does it; the answers come from the first rule that fits.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from .canonical import Requester, Tool, canonical, run_digest
from .client import Assentry, AsyncAssentry
from .problem import Problem
from .transport import Answer, Sending

__all__ = ["FakeHuman", "Reply", "Rule", "accept", "approve", "cancel", "decline", "fake_human", "refuse", "time_out"]


@dataclass(frozen=True)
class Reply:
    """An approver's vote, the requester's answer, or nothing until it expires."""

    status: str
    audience: str | None = None
    """Who replies; None for a time-out."""
    content: Mapping[str, Any] | None = None
    arguments: Mapping[str, Any] | None = None
    comment: str | None = None


def approve(
    content: Mapping[str, Any] | None = None,
    *,
    arguments: Mapping[str, Any] | None = None,
    comment: str | None = None,
) -> Reply:
    """The approvers say yes, with this in the form, and with these arguments if they edited them."""
    return Reply("accepted", "approvers", content, arguments, comment)


def refuse(comment: str | None = None) -> Reply:
    """The approvers say no."""
    return Reply("declined", "approvers", comment=comment)


def accept(content: Mapping[str, Any] | None = None) -> Reply:
    """The requester accepts."""
    return Reply("accepted", "requester", content)


def decline(comment: str | None = None) -> Reply:
    """The requester declines."""
    return Reply("declined", "requester", comment=comment)


def cancel() -> Reply:
    """The requester withdraws."""
    return Reply("cancelled", "requester")


def time_out() -> Reply:
    """No one answers in time."""
    return Reply("expired")


@dataclass(eq=False)
class Rule:
    """The questions that match all given members, and the reply to them; several are used up one after the other."""

    reply: Reply | Sequence[Reply] | Callable[[Mapping[str, Any]], Reply]
    message: str | re.Pattern[str] | None = None
    tool: str | None = None
    audience: str | None = None
    uses: int = field(default=0, init=False)

    def fits(self, question: Mapping[str, Any]) -> bool:
        is_spent = isinstance(self.reply, Sequence) and self.uses >= len(self.reply)
        if isinstance(self.message, re.Pattern):
            is_said = self.message.search(question["message"]) is not None
        else:
            is_said = self.message in (None, question["message"])
        is_meant = self.tool in (None, question["tool"]["name"])
        return not is_spent and is_said and is_meant and self.audience in (None, question.get("audience"))

    def next_reply(self, question: Mapping[str, Any]) -> Reply:
        place, self.uses = self.uses, self.uses + 1
        if callable(self.reply):
            return self.reply(question)
        return self.reply[place] if isinstance(self.reply, Sequence) else self.reply


class FakeHuman:
    """``client`` and ``async_client`` stand in for those of Assentry."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._house = _House(self._answer)
        self.questions: list[tuple[Mapping[str, Any], Reply]] = []
        """Every question so far, as it was sent, with its reply."""
        self.client = Assentry("http://assentry.invalid", "asn_fake", send=self._house.send, sleep=lambda _: None)
        self.async_client = AsyncAssentry(over=self.client)

    def unused(self) -> list[Rule]:
        """The rules that have answered nothing yet."""
        return [rule for rule in self._rules if rule.uses == 0]

    def _answer(self, question: Mapping[str, Any]) -> Reply:
        rule = next((rule for rule in self._rules if rule.fits(question)), None)
        if rule is None:
            raise Problem("not-found", f'Add a rule: none of the fake human answers "{question["message"]}".')
        reply = rule.next_reply(question)
        audience = question.get("audience") or "requester"
        if reply.audience not in (None, audience):
            names = "approve() or refuse()" if audience == "approvers" else "accept(), decline() or cancel()"
            raise Problem("forbidden", f'Reply with {names}: "{question["message"]}" is for the {audience}.')
        if reply.arguments is not None and not question.get("takesEdits"):
            raise Problem("forbidden", f'Reply without arguments: "{question["message"]}" takes no edits.')
        self.questions.append((question, reply))
        return reply


def fake_human(*rules: Rule) -> FakeHuman:
    """A person who answers by these rules; a question that fits none raises ``not-found``."""
    return FakeHuman(rules)


@dataclass
class _Call:
    state: dict[str, Any]
    sent: str
    """The run digest of what was sent."""
    run: str
    """The run digest of what was approved."""
    attempt: str | None = None
    since: int = 0
    released: set[str] = field(default_factory=set)
    kept: list[Any] = field(default_factory=list)
    is_settled: bool = False


class _House:
    """Answers requests as Assentry does, in memory."""

    def __init__(self, answer: Callable[[Mapping[str, Any]], Reply]) -> None:
        self._answer = answer
        self._calls: dict[str, _Call] = {}
        self._lock = threading.Lock()

    def send(self, sending: Sending) -> Answer:
        _, _, *path = urlsplit(sending.url).path.split("/")
        body = json.loads(sending.body) if sending.body else {}
        with self._lock:
            return self._serve(sending, path, body)

    def _serve(self, sending: Sending, path: list[str], body: Mapping[str, Any]) -> Answer:
        if path == ["elicitations"]:
            return self._open(sending.headers["idempotency-key"], body)
        if path[0] == "elicitations":
            state = next((call.state for call in self._calls.values() if call.state["id"] == path[1]), None)
            if state is None:
                return _refused(404, "not-found")
            return _answered(state) if sending.method == "GET" else _refused(409, "already-closed")
        if path[0] == "tool-calls":
            call = next((call for call in self._calls.values() if call.state["toolCall"] == path[1]), None)
            if call is None:
                return _refused(404, "not-found")
            return {"claim": _claim, "complete": _complete, "release": _release}[path[2]](call, body)
        if path in (["connections"], ["secrets"]):
            return _answered({"state": "missing"})
        return _refused(404, "not-found")

    def _open(self, key: str, question: Mapping[str, Any]) -> Answer:
        name = question.get("call") or key
        call = self._calls.get(name)
        if call and call.is_settled and question.get("once"):
            return _refused(409, "already-executed")
        if call and not call.is_settled:
            if call.sent != _run_of(question, question["arguments"]):
                return _refused(409, "idempotency-mismatch")
            return _answered({**call.state, "joined": True})
        reply = self._answer(question)
        arguments = reply.arguments if reply.arguments is not None else question["arguments"]
        now = time.time_ns() // 1_000_000
        run = _run_of(question, arguments)
        state: dict[str, Any] = {
            "id": f"eli_{secrets.token_hex(8)}",
            "toolCall": f"tc_{secrets.token_hex(8)}",
            "status": reply.status,
            "comment": reply.comment,
            "cause": "user" if reply.status == "cancelled" else None,
            "deadlineAt": now,
            "run": run,
            **({} if reply.content is None else {"content": reply.content}),
            **({} if reply.arguments is None else {"arguments": reply.arguments}),
        }
        self._calls[name] = _Call(state, _run_of(question, question["arguments"]), run)
        return _answered({**state, "joined": False})


def _run_of(question: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    return run_digest(Tool.of(question["tool"]), arguments, Requester.of(question["requester"]))


def _claim(call: _Call, body: Mapping[str, Any]) -> Answer:
    if body["run"] != call.run:
        return _refused(412, "digest-mismatch")
    if call.is_settled:
        return _refused(409, "already-executed")
    if call.kept:
        return _answered({"state": "completed", "result": call.kept[0]})
    if call.state["status"] != "accepted":
        return _refused(409, "already-closed")
    if body["attempt"] in call.released:
        return _refused(409, "not-claimed")
    if call.attempt not in (None, body["attempt"]):
        return _answered({"state": "running", "since": call.since})
    call.attempt = body["attempt"]
    call.since = time.time_ns() // 1_000_000
    return _answered({"state": "claimed"})


def _complete(call: _Call, body: Mapping[str, Any]) -> Answer:
    if call.attempt != body["attempt"]:
        return _refused(409, "not-claimed")
    if body["delivered"]:
        call.is_settled = True
    elif not call.kept:
        call.kept.append(body.get("result"))
    return Answer(204, {}, b"")


def _release(call: _Call, body: Mapping[str, Any]) -> Answer:
    call.released.add(body["attempt"])
    if call.attempt == body["attempt"]:
        call.attempt = None
    return Answer(204, {}, b"")


def _answered(document: Mapping[str, Any]) -> Answer:
    return Answer(200, {}, canonical(document).encode("utf-8"))


def _refused(status: int, code: str) -> Answer:
    document = {"status": status, "code": code, "title": f"Look at the test: the fake human refuses with {code}."}
    return Answer(status, {}, canonical(document).encode("utf-8"))
