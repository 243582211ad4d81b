"""The middleware, against a stub with FastMCP's interface."""

from __future__ import annotations

import dataclasses
import sys
import types
import unittest
from typing import Any

from assentry.testing import FakeHuman, Rule, approve, fake_human, refuse


class ToolError(Exception):
    pass


class Middleware:
    async def __call__(self, context: Any, call_next: Any) -> Any:
        if context.method == "tools/call":
            return await self.on_call_tool(context, call_next)
        return await call_next(context)

    async def on_call_tool(self, context: Any, call_next: Any) -> Any:
        return await call_next(context)


def stub(name: str, **members: Any) -> None:
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


stub("fastmcp")
stub("fastmcp.exceptions", ToolError=ToolError)
stub("fastmcp.server")
stub("fastmcp.server.middleware", Middleware=Middleware)

from assentry.fastmcp import ApprovalMiddleware


class Model:
    """As much of a model of pydantic as the middleware uses."""

    def __init__(self, **members: Any) -> None:
        self.__dict__.update(members)

    def model_copy(self, *, update: dict[str, Any]) -> Model:
        return Model(**{**self.__dict__, **update})

    def model_dump(self, *, exclude_none: bool) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if value is not None or not exclude_none}


@dataclasses.dataclass(frozen=True)
class Context:
    message: Any
    fastmcp_context: Any
    method: str = "tools/call"

    def copy(self, **members: Any) -> Context:
        return dataclasses.replace(self, **members)


class Server:
    async def get_tool(self, name: str) -> Model:
        annotations = Model(title=None, readOnlyHint=True, audience=["user"])
        parameters = {"type": "object", "properties": {"amount": {"type": "integer", "maximum": 2**63}}}
        return Model(title=None, description="Moves money.", annotations=annotations, parameters=parameters)


class Middlewares(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.runs: list[dict[str, Any]] = []

    async def call(self, human: FakeHuman, arguments: dict[str, Any] | None = None, method: str = "tools/call") -> Any:
        middleware = ApprovalMiddleware(human.async_client, requester=lambda _: "alice")
        message = Model(name="transfer", arguments=arguments)
        context = Context(message, Model(fastmcp=Server(), session_id="s1"), method)

        async def call_next(passed: Context) -> str:
            self.runs.append(passed.message.arguments)
            return "done"

        return await middleware(context, call_next)

    async def test_an_approved_call_runs_once_with_the_approved_arguments(self) -> None:
        human = fake_human(Rule(approve(arguments={"amount": 50})))
        self.assertEqual(await self.call(human, {"amount": 100}), "done")
        self.assertEqual(self.runs, [{"amount": 50}])

    async def test_a_tool_that_claims_to_read_is_held_with_its_claim(self) -> None:
        human = fake_human(Rule(approve()))
        await self.call(human)
        question, _ = human.questions[0]
        self.assertEqual(question["tool"]["annotations"], {"readOnlyHint": True})
        self.assertEqual(question["audience"], "approvers")
        self.assertRegex(question["tool"]["schemaDigest"], "^[0-9a-f]{64}$")

    async def test_a_refused_call_ends_with_a_sentence_for_the_model(self) -> None:
        with self.assertRaisesRegex(ToolError, "Declined; nothing was run. Reason: too much Do not do the same"):
            await self.call(fake_human(Rule(refuse("too much"))))
        self.assertEqual(self.runs, [])

    async def test_an_equal_call_asks_again_after_the_first_has_ended(self) -> None:
        human = fake_human(Rule(approve()))
        await self.call(human)
        await self.call(human)
        self.assertEqual((len(human.questions), len(self.runs)), (2, 2))

    async def test_arguments_that_json_cannot_carry_are_refused(self) -> None:
        with self.assertRaisesRegex(ToolError, "amount: Give a finite number"):
            await self.call(fake_human(), {"amount": float("nan")})

    async def test_what_is_no_call_passes(self) -> None:
        self.assertEqual(await self.call(fake_human(), method="tools/list"), "done")
