"""Sends requests to Assentry, and sends them again after faults that pass: each has its effect only once."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

from .canonical import canonical
from .problem import CODES, Problem

__all__ = ["Answer", "Request", "Send", "Sending", "Transport"]

FIRST_DELAY = 0.25
MAX_DELAY = 8.0
MAX_RETRY_AFTER = 2.0
"""Seconds. A node that wants a longer rest is given up, unless another one can be called."""
MAX_SILENCES = 2
"""Tries without an answer after which a node counts as down."""
LIMIT_TIME = 300.0
"""Seconds to wait for the end of a limit on calls, which lasts a minute and may be shared."""
PASSING = frozenset({408, 429, 502, 503, 504})

BY_STATUS: Mapping[int, str] = {
    400: "INVALID_INPUT",
    401: "unauthenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    408: "unavailable",
    412: "digest-mismatch",
    413: "body-too-large",
    415: "unsupported-media-type",
    429: "rate-limited",
}
"""For codes of a newer Assentry."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    hold: float = 0.0
    """Seconds the server may take on purpose, as a long poll does."""
    time: float = 0.0
    """Seconds during which it is sent again after any number of failures."""


@dataclass(frozen=True)
class Sending:
    """One try of a request, as it goes out."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout: float


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


Send = Callable[[Sending], Answer]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key along."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def send_by_urllib(sending: Sending) -> Answer:
    """Sends it, through the proxy of the environment if there is one."""
    request = urllib.request.Request(
        sending.url, data=sending.body, headers=dict(sending.headers), method=sending.method
    )
    try:
        with _opener.open(request, timeout=sending.timeout) as response:
            return Answer(response.status, _lowered(response.headers), response.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, _lowered(error.headers), error.read())


def _lowered(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


@dataclass(frozen=True)
class _Failure:
    problem: Problem
    is_passing: bool
    retry_after: float | None = None
    is_silence: bool = False
    is_of_pace: bool = False
    """A limit on calls that ends by itself."""


class Transport:
    """Calls one node until it fails, and then the next."""

    def __init__(
        self,
        urls: list[str],
        read_key: Callable[[], str],
        *,
        retries: int,
        request_timeout: float,
        send: Send = send_by_urllib,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._urls = urls
        self._place = 0
        self._lock = threading.Lock()
        self._read_key = read_key
        self._retries = retries
        self._request_timeout = request_timeout
        self._send = send
        self.sleep = sleep
        self.clock = clock

    def exchange(self, request: Request) -> Any:
        """The JSON of the answer, None if it is empty. Raises the Problem that the answer, or its absence, is."""
        start = self.clock()
        failures = silences = 0
        while True:
            url = self._urls[self._place]
            result = self._try(url, request)
            if not isinstance(result, _Failure):
                return result[0]
            spent = self.clock() - start
            rest = result.retry_after or 0.0
            if result.is_of_pace and self._retries > 0 and spent + rest < LIMIT_TIME:
                self.sleep(rest + random.uniform(0.0, 2.0))
                continue
            silences += result.is_silence
            has_time = self._retries > 0 and spent < request.time
            is_over = failures >= self._retries or silences >= MAX_SILENCES * len(self._urls)
            if not result.is_passing or (is_over and not has_time):
                raise result.problem
            is_of_node = result.problem.code != "rate-limited"  # the limits of a caller go with it
            if is_of_node:
                self._leave(url)
            if is_of_node and failures + 1 < len(self._urls):
                rest = 0.0  # the next node may have capacity
            if rest > MAX_RETRY_AFTER and not has_time:
                raise result.problem
            self.sleep(rest + random.uniform(0.0, min(MAX_DELAY, FIRST_DELAY * 2.0 ** min(failures, 16))))
            failures += 1

    def _leave(self, url: str) -> None:
        with self._lock:
            if self._urls[self._place] == url:
                self._place = (self._place + 1) % len(self._urls)

    def _try(self, url: str, request: Request) -> tuple[Any] | _Failure:
        timeout = self._request_timeout + request.hold
        try:
            answer = self._send(self._sending(url, request, timeout))
        except (OSError, http.client.HTTPException) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            is_silence = isinstance(reason, TimeoutError)
            return _Failure(_fault_of(reason, timeout), is_passing=True, is_silence=is_silence)
        if 200 <= answer.status < 300:
            return _read(answer)
        document = _json(answer.body)
        problem = problem_of(answer.status, document)
        is_foreign = answer.status == 404 and problem.code == "unavailable"
        return _Failure(
            problem,
            is_passing=answer.status in PASSING or is_foreign,
            retry_after=_retry_after(answer.headers.get("retry-after")),
            is_of_pace=problem.code == "rate-limited" and not _has(document, "detail"),
        )

    def _sending(self, url: str, request: Request, timeout: float) -> Sending:
        headers = {"accept": "application/json", "authorization": f"Bearer {self._read_key()}", **request.headers}
        if request.body is None:
            return Sending(request.method, f"{url.rstrip('/')}{request.path}", headers, None, timeout)
        headers["content-type"] = "application/json"
        body = canonical(request.body).encode("utf-8")
        return Sending(request.method, f"{url.rstrip('/')}{request.path}", headers, body, timeout)


def problem_of(status: int, document: Any) -> Problem:
    """The Problem of an answer. One without a document is from a proxy on the way, and says nothing of the request."""
    if not _has(document, "code"):
        return _foreign(status)
    code = document["code"]
    if code not in CODES:
        code = BY_STATUS.get(status, "unavailable" if status > 500 else "internal")
    detail = document.get("detail") or document.get("title") or "Check the request."
    if code == "unauthenticated":
        detail = "Check ASSENTRY_API_KEY: Assentry does not accept the key."
    errors = document.get("errors", [])
    return Problem(code, detail, errors=errors, status=status, error_id=document.get("errorId"))


def _foreign(status: int) -> Problem:
    if status == 429:
        return Problem("rate-limited", "Wait, then try again: there were too many requests.", status=status)
    if status == 413:
        return Problem(
            "body-too-large", "Let the proxy on the way pass bodies of 1 MiB: it answered 413.", status=status
        )
    if status in PASSING:
        detail = f"Try again later: something on the way to Assentry, such as a proxy, has answered {status}."
        return Problem("unavailable", detail, status=status)
    detail = f"Check ASSENTRY_URL and what is on the way to it, such as a proxy: {status} was not answered by Assentry."
    return Problem("unavailable", detail, status=status)


def _fault_of(reason: object, timeout: float) -> Problem:
    if isinstance(reason, TimeoutError):
        return Problem("unavailable", f"Try again later: Assentry did not answer within {timeout:g} seconds.")
    if isinstance(reason, ConnectionRefusedError):
        return Problem("unavailable", "Check that Assentry runs, or try again later: nothing listens there.")
    return Problem("unavailable", f"Try again later: Assentry cannot be reached ({reason}).")


def _read(answer: Answer) -> tuple[Any] | _Failure:
    if answer.status == 204 or not answer.body:
        return (None,)
    document = _json(answer.body)
    if isinstance(document, dict):
        return (document,)
    detail = "Check ASSENTRY_URL: the server at this address is not Assentry."
    return _Failure(Problem("unavailable", detail, status=answer.status), is_passing=False)


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _has(document: Any, member: str) -> bool:
    return isinstance(document, dict) and isinstance(document.get(member), str)


def _retry_after(value: str | None) -> float | None:
    """Seconds, from a number or a date; None if it is unusable."""
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def addresses_of(listed: str) -> list[str]:
    """The addresses of the nodes, with commas between them."""
    urls = [url.strip() for url in listed.split(",") if url.strip()]
    parts = [urllib.parse.urlsplit(url) for url in urls]
    if not urls or not all(part.scheme in ("http", "https") and part.hostname for part in parts):
        detail = "Set ASSENTRY_URL, or give url: the address of Assentry, such as http://127.0.0.1:4700."
        raise Problem("config-invalid", detail)
    return urls
