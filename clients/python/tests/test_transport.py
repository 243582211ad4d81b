"""Retries, nodes and problems: against a local server, and against a script of answers."""

from __future__ import annotations

import json
import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from assentry import Assentry, AsyncAssentry, Problem, Question
from assentry.transport import Answer, Sending

STATE = {
    "id": "eli_1",
    "toolCall": "tc_1",
    "status": "accepted",
    "comment": None,
    "cause": None,
    "deadlineAt": 1,
}
QUESTION = Question("transfer", {"amount": 100.0}, "Transfer the money?", "alice")

Reply = "tuple[int, dict[str, str], Any] | None"


class StubServer:
    """Answers each request with the next reply; None closes the connection without an answer."""

    def __init__(self, *replies: Any) -> None:
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        waiting = list(replies)
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            def serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                requests.append((self.command, self.path, headers, body))
                reply = waiting.pop(0)
                if reply is None:
                    self.close_connection = True
                    return
                status, more, document = reply
                sent = b"" if document is None else json.dumps(document).encode()
                self.send_response(status)
                for name, value in {**more, "content-length": str(len(sent))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(sent)

            do_GET = do_POST = serve

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> StubServer:
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()


class Clock:
    """Stands still but while something sleeps."""

    def __init__(self) -> None:
        self.time = 0.0
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        self.pauses.append(seconds)

    def now(self) -> float:
        return self.time


def client_of(url: str, clock: Clock, **options: Any) -> Assentry:
    return Assentry(url, "asn_key", sleep=clock.sleep, clock=clock.now, **options)


def problem(status: int, code: str, headers: dict[str, str] | None = None, **more: Any) -> Any:
    return status, headers or {}, {"status": status, "code": code, "title": f"Title of {code}.", **more}


def code_of(act: Callable[[], Any]) -> str:
    try:
        act()
    except Problem as refusal:
        return refusal.code
    return "none"


class OverTheWire(unittest.TestCase):
    def test_an_opening_is_sent_again_with_the_same_key(self) -> None:
        clock = Clock()
        busy = problem(503, "overloaded", {"retry-after": "1"})
        with StubServer(busy, None, problem(502, "x")[:2] + (None,), (201, {}, STATE)) as server:
            state = client_of(server.url, clock).open(QUESTION)
        self.assertEqual(state.status, "accepted")
        keys = {headers["idempotency-key"] for _, _, headers, _ in server.requests}
        self.assertEqual((len(server.requests), len(keys)), (4, 1))
        self.assertGreaterEqual(clock.pauses[0], 1.0)
        self.assertEqual({headers["authorization"] for _, _, headers, _ in server.requests}, {"Bearer asn_key"})

    def test_the_body_is_canonical(self) -> None:
        with StubServer((201, {}, STATE)) as server:
            client_of(server.url, Clock()).open(QUESTION)
        self.assertIn(b'"arguments":{"amount":100}', server.requests[0][3])

    def test_an_empty_answer_is_no_fault(self) -> None:
        with StubServer((204, {}, None)) as server:
            client_of(server.url, Clock()).complete("tc_1", attempt="a", result={"n": 1})
        self.assertEqual(json.loads(server.requests[0][3]), {"attempt": "a", "delivered": False, "result": {"n": 1}})

    def test_a_redirect_does_not_take_the_key_along(self) -> None:
        with StubServer() as other, StubServer((302, {"location": f"{other.url}/v1"}, None)) as server:
            self.assertEqual(code_of(lambda: client_of(server.url, Clock(), retries=0).get("eli_1")), "unavailable")
        self.assertEqual(other.requests, [])

    def test_the_next_node_is_called_when_one_is_away(self) -> None:
        with StubServer() as away:
            gone = away.url
        with StubServer((200, {}, STATE), (200, {}, STATE)) as server:
            client = client_of(f"{gone}, {server.url}", Clock())
            client.get("eli_1")
            client.get("eli_1")
        self.assertEqual(len(server.requests), 2)

    def test_a_wait_polls_until_the_request_is_closed(self) -> None:
        still = {**STATE, "status": "open"}
        with StubServer((200, {}, still), problem(500, "internal"), (200, {}, STATE)) as server:
            state = client_of(server.url, Clock()).wait("eli_1")
        self.assertEqual(state.status, "accepted")
        self.assertEqual([path for _, path, _, _ in server.requests], ["/v1/elicitations/eli_1?wait=25"] * 3)

    def test_a_wait_ends_at_what_asking_again_cannot_change(self) -> None:
        with StubServer(problem(404, "not-found")) as server:
            self.assertEqual(code_of(lambda: client_of(server.url, Clock()).wait("eli_1")), "not-found")

    def test_a_wait_without_time_reads_once(self) -> None:
        with StubServer((200, {}, {**STATE, "status": "open"})) as server:
            state = client_of(server.url, Clock()).wait("eli_1", timeout=0)
        self.assertTrue(state.is_open)

    def test_a_repeated_cancel_finds_its_first_try(self) -> None:
        with StubServer(problem(409, "already-closed"), (200, {}, {**STATE, "status": "cancelled"})) as server:
            self.assertEqual(client_of(server.url, Clock()).cancel("eli_1").status, "cancelled")

    def test_connections_and_secrets(self) -> None:
        answers: list[Any] = [
            {"state": "missing"},
            {"token": "t", "lasts": 1},
            {"state": "missing"},
            {"secret": "s", "lasts": 1},
        ]
        with StubServer(*((200, {}, answer) for answer in answers)) as server:
            client = client_of(server.url, Clock())
            self.assertEqual(client.connections.find("github", "alice", scopes=["repo"])["state"], "missing")
            self.assertEqual(client.connections.token("crd_1", "alice")["token"], "t")
            self.assertEqual(client.secrets.find("OpenAI key", "alice")["state"], "missing")
            self.assertEqual(client.secrets.text("crd_2", "alice")["secret"], "s")
        paths = ["/v1/connections", "/v1/connections/crd_1/token", "/v1/secrets", "/v1/secrets/crd_2/text"]
        self.assertEqual([path for _, path, _, _ in server.requests], paths)
        who = {"subject": "alice", "verified": False}
        self.assertEqual(
            json.loads(server.requests[0][3]), {"provider": "github", "requester": who, "scopes": ["repo"]}
        )


class OverTheWireAsync(unittest.IsolatedAsyncioTestCase):
    async def test_the_same_requests(self) -> None:
        with StubServer(
            (201, {}, {**STATE, "status": "open"}), (200, {}, STATE), (200, {}, {"state": "missing"})
        ) as server:
            client = AsyncAssentry(server.url, "asn_key")
            opened = await client.open(QUESTION)
            self.assertEqual((await client.wait(opened.id)).status, "accepted")
            self.assertEqual((await client.secrets.find("key", "alice"))["state"], "missing")
        self.assertEqual(len(server.requests), 3)


def scripted(*results: Any) -> tuple[list[Sending], Callable[[Sending], Answer]]:
    sendings: list[Sending] = []
    waiting = list(results)

    def send(sending: Sending) -> Answer:
        sendings.append(sending)
        result = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if isinstance(result, Exception):
            raise result
        status, headers, document = result
        return Answer(status, headers, b"" if document is None else json.dumps(document).encode())

    return sendings, send


class Faults(unittest.TestCase):
    def fault(self, *results: Any, **options: Any) -> tuple[Problem, list[Sending], Clock]:
        sendings, send = scripted(*results)
        clock = Clock()
        with self.assertRaises(Problem) as refused:
            client_of("http://a.example", clock, send=send, **options).get("eli_1")
        return refused.exception, sendings, clock

    def test_a_refusal_is_a_problem_of_the_closed_list(self) -> None:
        fault = {"path": ["arguments"], "message": "Give an object."}
        answer = problem(400, "INVALID_INPUT", detail="Correct it.", errors=[fault], errorId="err_1")
        refusal, sendings, _ = self.fault(answer)
        parts = (refusal.code, refusal.detail, refusal.errors, refusal.status, refusal.error_id)
        self.assertEqual(parts, ("INVALID_INPUT", "Correct it.", [fault], 400, "err_1"))
        self.assertEqual(str(refusal), "Correct it. arguments: Give an object. (INVALID_INPUT)")
        self.assertEqual(len(sendings), 1)

    def test_a_code_of_a_newer_server_is_known_by_its_status(self) -> None:
        self.assertEqual(self.fault(problem(403, "brand-new"))[0].code, "forbidden")

    def test_a_refused_key_names_its_variable(self) -> None:
        self.assertIn("ASSENTRY_API_KEY", self.fault(problem(401, "unauthenticated"))[0].detail)

    def test_an_outage_ends_after_the_retries(self) -> None:
        refusal, sendings, clock = self.fault(ConnectionResetError("reset"))
        self.assertEqual((refusal.code, len(sendings), len(clock.pauses)), ("unavailable", 13, 12))
        self.assertLess(clock.time, 70)

    def test_a_silent_node_is_given_up_after_two_tries(self) -> None:
        refusal, sendings, _ = self.fault(TimeoutError())
        self.assertEqual((refusal.code, len(sendings)), ("unavailable", 2))

    def test_a_node_that_wants_a_long_rest_is_given_up(self) -> None:
        refusal, sendings, _ = self.fault(problem(503, "database-unavailable", {"retry-after": "60"}))
        self.assertEqual((refusal.code, len(sendings)), ("database-unavailable", 1))

    def test_a_limit_that_ends_by_itself_is_waited_for(self) -> None:
        sendings, send = scripted(problem(429, "rate-limited", {"retry-after": "60"}), (200, {}, STATE))
        clock = Clock()
        client_of("http://a.example", clock, send=send).get("eli_1")
        self.assertGreaterEqual(clock.time, 60)

    def test_a_rest_that_cannot_be_read_is_none(self) -> None:
        for unreadable in ["soon", "inf", "-1", ""]:
            with self.subTest(value=unreadable):
                refusal, sendings, _ = self.fault(problem(503, "overloaded", {"retry-after": unreadable}), retries=1)
                self.assertEqual((refusal.code, len(sendings)), ("overloaded", 2))

    def test_a_limit_that_people_end_is_not(self) -> None:
        answer = problem(429, "rate-limited", {"retry-after": "60"}, detail="Decide the open requests first.")
        self.assertEqual(len(self.fault(answer)[1]), 1)

    def test_the_end_of_a_call_is_sent_for_an_hour(self) -> None:
        sendings, send = scripted(ConnectionRefusedError())
        clock = Clock()
        client = client_of("http://a.example", clock, send=send)
        self.assertEqual(code_of(lambda: client.complete("tc_1", attempt="a")), "unavailable")
        self.assertGreater(clock.time, 3600)

    def test_what_is_not_assentry(self) -> None:
        self.assertIn("ASSENTRY_URL", self.fault((200, {}, ["a", "list"]))[0].detail)
        self.assertIn("ASSENTRY_URL", self.fault((200, {}, {"hello": "world"}))[0].detail)

    def test_settings_that_are_missing(self) -> None:
        for url, key in [
            ("", "asn_key"),
            ("ftp://a.example", "asn_key"),
            ("http://a.example", " "),
            ("http://a", "a\nb"),
        ]:
            with self.subTest(url=url, key=key):
                self.assertEqual(code_of(lambda: Assentry(url, key)), "config-invalid")
