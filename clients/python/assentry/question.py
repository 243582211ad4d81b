"""What is asked, how it ends, and what a person is expected to do at a provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .canonical import Requester, Tool, as_requester, as_tool, without_none
from .problem import Declined, Problem, TimedOut

__all__ = ["Claim", "Elicitation", "Question", "connection", "payment", "secret", "signature"]

EMPTY_FORM: Mapping[str, Any] = {"type": "object", "properties": {}}


@dataclass(frozen=True)
class Question:
    """A request, as docs/http.md describes it. Times are in seconds."""

    tool: str | Tool
    arguments: Mapping[str, Any]
    message: str
    requester: str | Requester
    audience: str | None = None
    """``approvers`` or ``requester``; by default as the policies say."""
    schema: Mapping[str, Any] | None = None
    """The form of MCP that is filled in; an empty one by default."""
    url: str | None = None
    """Where the requester is sent."""
    expects: Mapping[str, Any] | None = None
    """What the requester does at a provider: ``connection()``, ``payment()``, ``signature()`` or ``secret()``."""
    facts: Mapping[str, str] | None = None
    """What people see next to the buttons: for each label a JSON Pointer, as in {"Amount": "/amount"}."""
    reason: str | None = None
    """The words of the agent, shown as unverified."""
    session: str | None = None
    call: str | None = None
    """Names the call: the same name finds the same request."""
    once: bool | None = None
    """Once a call of this name has run, the name opens nothing more."""
    tool_call: str | None = None
    step: str | None = None
    attempt: str | None = None
    ttl: float | None = None
    takes_edits: bool = False
    """Approvers may edit the arguments: you run with those of the outcome."""
    after: Sequence[str] | None = None
    not_before: int | None = None
    supersede: str | None = None
    access_token: str | None = field(default=None, repr=False)

    def to_json(self) -> dict[str, Any]:
        is_outside = self.url is not None or self.expects is not None
        facts = self.facts and [{"label": label, "path": path} for label, path in self.facts.items()]
        return without_none(
            {
                "tool": as_tool(self.tool).to_json(),
                "arguments": self.arguments,
                "message": self.message,
                "requester": as_requester(self.requester).to_json(),
                "audience": "requester" if is_outside else self.audience,
                "mode": "url" if is_outside else None,
                "schema": self.schema or (None if is_outside else EMPTY_FORM),
                "url": self.url,
                "expects": self.expects,
                "facts": facts,
                "reason": self.reason,
                "session": self.session,
                "call": self.call,
                "once": self.once,
                "toolCall": self.tool_call,
                "step": self.step,
                "attempt": self.attempt,
                "ttl": None if self.ttl is None else round(self.ttl * 1000),
                "takesEdits": self.takes_edits or None,
                "after": self.after,
                "notBefore": self.not_before,
                "supersede": self.supersede,
                "accessToken": self.access_token,
            }
        )


def connection(provider: str, scopes: Sequence[str] = (), *, resource: str | None = None) -> dict[str, Any]:
    """The requester connects what they have at a provider."""
    return without_none({"kind": "connection", "provider": provider, "scopes": list(scopes), "resource": resource})


def payment(
    provider: str,
    *,
    amount: str,
    currency: str,
    for_: str,
    payee: str | None = None,
    made: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The requester pays: a decimal such as ``"100.00"`` and a currency of ISO 4217."""
    paid = {"kind": "payment", "provider": provider, "amount": amount, "currency": currency, "for": for_}
    return without_none({**paid, "payee": payee, "made": made})


def signature(
    provider: str,
    *,
    for_: str,
    template: str | None = None,
    values: Mapping[str, str] | None = None,
    made: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The requester signs."""
    signed = {"kind": "signature", "provider": provider, "for": for_}
    return without_none({**signed, "template": template, "values": values, "made": made})


def secret(label: str, *, keep: str = "call") -> dict[str, Any]:
    """The requester enters a secret, for one ``call`` or ``until-removed``."""
    return {"kind": "secret", "label": label, "keep": keep}


DECLINED: Mapping[str, str] = {
    "connection": "connection-declined",
    "secret": "secret-declined",
    "payment": "payment-declined",
    "signature": "signature-declined",
}
OUTSIDE: Mapping[str, str] = {
    "connection-declined": "Tell the person you work for: nothing was connected, so this cannot go on.",
    "secret-declined": "Tell the person you work for: it was not entered, so this cannot go on.",
    "payment-declined": "Tell the person you work for: it was not paid, so this cannot go on.",
    "payment-mismatch": "Tell the person you work for: something else was paid than was asked. Nothing was run.",
    "signature-declined": "Tell the person you work for: it was not signed, so this cannot go on.",
    "provider-outcome-unknown": "Look at the provider before anyone tries again: no one knows yet whether it happened.",
}
ENDS: Mapping[str, tuple[str, str]] = {
    "declined": (
        "Declined; nothing was run.",
        "Do not do the same in another way: ask the person you work for how to go on.",
    ),
    "cancelled": (
        "The request was withdrawn; nothing was run.",
        "Make this call again only if the person you work for wants it.",
    ),
}


@dataclass(frozen=True)
class Elicitation:
    """The state of a request."""

    id: str
    tool_call: str
    status: str
    """``open``, ``accepted``, ``declined``, ``cancelled`` or ``expired``."""
    comment: str | None
    """The note of the person who decided."""
    content: Mapping[str, Any] | None
    """What the person filled in."""
    arguments: Mapping[str, Any] | None
    """The arguments that must be used, if people edited them."""
    run: str | None
    url: str | None
    """Where to send the requester, while it is open."""
    code: str | None
    """Shown to the requester alone, where the agent runs."""
    joined: bool
    """An earlier, equal request was found."""
    deadline_at: int
    """Milliseconds since 1970."""
    document: Mapping[str, Any] = field(repr=False)
    """All members, as in ``/openapi.json``."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Elicitation:
        try:
            return cls(
                id=document["id"],
                tool_call=document["toolCall"],
                status=document["status"],
                comment=document["comment"],
                content=document.get("content"),
                arguments=document.get("arguments"),
                run=document.get("run"),
                url=document.get("url"),
                code=document.get("code"),
                joined=document.get("joined", False),
                deadline_at=document["deadlineAt"],
                document=document,
            )
        except KeyError as missing:
            raise not_assentry() from missing

    @property
    def is_open(self) -> bool:
        return self.status == "open"

    def refusal(self, question: Question) -> Problem | None:
        """The error of a request that ended; None if it was accepted."""
        if self.status == "accepted":
            return None
        if self.status == "open":
            return TimedOut("Ask again later with the same call: no one has answered yet.")
        if self.status == "expired":
            return TimedOut("Ask again: no one answered in time. Nothing was run.")
        if question.expects is not None:
            code = self._code_outside(str(question.expects["kind"]))
            return Declined(code, OUTSIDE[code], reason=self.comment)
        sentence, advice = ENDS[self.status]
        reason = "" if self.comment is None else f" Reason: {self.comment}"
        return Declined("forbidden", f"{sentence}{reason} {advice}", reason=self.comment)

    def _code_outside(self, kind: str) -> str:
        cause = self.document.get("cause")
        if cause == "unsettled":
            return "provider-outcome-unknown"
        return "payment-mismatch" if cause == "mismatch" and kind == "payment" else DECLINED[kind]


@dataclass(frozen=True)
class Claim:
    """``claimed``, ``running`` with ``since``, or ``completed`` with ``result``."""

    state: str
    since: int | None = None
    result: Any = None

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Claim:
        if document.get("state") not in ("claimed", "running", "completed"):
            raise not_assentry()
        return cls(document["state"], document.get("since"), document.get("result"))


def not_assentry() -> Problem:
    detail = "Check ASSENTRY_URL: the server there is not Assentry, or not a version that this package understands."
    return Problem("unavailable", detail)
