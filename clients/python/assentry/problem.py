"""Problems: the errors of Assentry, by code. The text of each begins with what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["CODES", "AlreadyExecuted", "Declined", "Problem", "Running", "TimedOut", "invalid"]

CODES: frozenset[str] = frozenset(
    {
        "INVALID_INPUT",
        "ELICITATION_NOT_SUPPORTED",
        "ELICITATION_TIMEOUT",
        "already-closed",
        "not-now",
        "already-voted",
        "digest-mismatch",
        "idempotency-mismatch",
        "already-executed",
        "not-claimed",
        "approval-lapsed",
        "connection-declined",
        "secret-declined",
        "payment-declined",
        "payment-mismatch",
        "signature-declined",
        "provider-outcome-unknown",
        "provider-not-configured",
        "provider-unavailable",
        "stopped",
        "outcome-unknown",
        "write-conflict",
        "not-found",
        "unauthenticated",
        "forbidden",
        "reason-needed",
        "fresh-sign-in-needed",
        "second-factor-needed",
        "passkey-needed",
        "passkey-refused",
        "cross-site",
        "token-invalid",
        "sealed-unreadable",
        "content-erased",
        "unproven",
        "rate-limited",
        "overloaded",
        "body-too-large",
        "unsupported-media-type",
        "method-not-allowed",
        "config-invalid",
        "database-unavailable",
        "migration-failed",
        "already-exists",
        "unavailable",
        "shutting-down",
        "policy-invalid",
        "policy-unreadable",
        "policy-denied",
        "unsatisfiable",
        "proof-invalid",
        "internal",
    }
)
"""The closed list. A code never changes its meaning."""

Path = tuple["str | int", ...]


class Problem(Exception):
    """What Assentry, or this package in its place, refuses. ``errors`` has each fault of the input with its path."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        errors: Sequence[dict[str, Any]] = (),
        status: int | None = None,
        error_id: str | None = None,
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.errors = list(errors)
        self.status = status
        """The status of HTTP; None if there was no answer."""
        self.error_id = error_id
        """Finds the occurrence in the log of the node."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        faults = "".join(f" {'.'.join(map(str, fault['path']))}: {fault['message']}" for fault in self.errors)
        return f"{self.detail}{faults} ({self.code})"


def _restored(kind: type[Problem], args: tuple[Any, ...], members: dict[str, Any]) -> Problem:
    problem = kind.__new__(kind, *args)
    problem.__dict__.update(members)
    return problem


class Declined(Problem):
    """People or a policy said no, or the request was withdrawn. Nothing was run."""

    def __init__(self, code: str, detail: str, *, reason: str | None = None) -> None:
        super().__init__(code, detail)
        self.reason = reason
        """What the person wrote."""


class TimedOut(Problem):
    """No one answered in time. Nothing was run."""

    def __init__(self, detail: str) -> None:
        super().__init__("ELICITATION_TIMEOUT", detail)


class AlreadyExecuted(Problem):
    """Another attempt has run the call. ``result`` is what it kept, ``threw`` the message of its error."""

    def __init__(self, *, result: Any = None, threw: str | None = None) -> None:
        what = "Use its result" if threw is None else f"Look at what happened: it ended with {threw!r}"
        super().__init__("already-executed", f"{what}: this call has run, and runs once.")
        self.result = result
        self.threw = threw


class Running(Problem):
    """Another attempt runs the call at this moment, or died less than a lease ago."""

    def __init__(self, since: int) -> None:
        super().__init__("not-now", "Try again later with the same call: another attempt runs it.")
        self.since = since
        """Milliseconds since 1970."""


def invalid(path: Path, message: str) -> Problem:
    """The problem with one value of the input."""
    fault = {"path": list(path), "message": message}
    return Problem("INVALID_INPUT", "Check the request: a value in it is invalid.", errors=[fault])
