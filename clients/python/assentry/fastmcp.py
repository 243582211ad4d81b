"""Approvals in front of the tools of a FastMCP server.

    server.add_middleware(ApprovalMiddleware(requester="alice"))

It needs ``fastmcp`` 2.9 or later. Its tests speak FastMCP's interface with a stub, not with FastMCP itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fastmcp.exceptions import ToolError  # type: ignore[import-not-found, unused-ignore]
from fastmcp.server.middleware import Middleware  # type: ignore[import-not-found, unused-ignore]

from .canonical import Requester, Tool, as_requester, canonical, digest_of, known_hints, plain
from .client import LEASE, AsyncAssentry
from .problem import AlreadyExecuted, Problem

__all__ = ["ApprovalMiddleware"]

MAX_TITLE = 200
MAX_DESCRIPTION = 8000


class ApprovalMiddleware(Middleware):  # type: ignore[misc, unused-ignore]
    """Holds each ``tools/call`` until approvers or a policy say yes, and runs it once with the approved arguments.

    Every tool is held: what one claims about itself, such as ``readOnlyHint``, goes to the policies, which decide. The
    same call of the same session finds the request that waits. A call that is not approved ends with a sentence for the
    model. ``requester`` may be a function of the context of the middleware; verify who calls before you name them.
    """

    def __init__(
        self,
        client: AsyncAssentry | None = None,
        *,
        requester: str | Requester | Callable[[Any], str | Requester],
        message: Callable[[str, dict[str, Any]], str] = lambda name, _: f"Run {name}?",
        timeout: float | None = None,
        lease: float = LEASE,
    ) -> None:
        super().__init__()
        self._client = client or AsyncAssentry()
        self._requester = requester
        self._message = message
        self._timeout = timeout
        self._lease = lease

    async def on_call_tool(self, context: Any, call_next: Callable[[Any], Any]) -> Any:
        name, arguments = context.message.name, dict(context.message.arguments or {})
        try:
            requester = as_requester(self._requester(context) if callable(self._requester) else self._requester)
            tool = described(name, await context.fastmcp_context.fastmcp.get_tool(name))
            session = session_of(context)
            approval = await self._client.approve(
                tool,
                arguments,
                message=self._message(name, arguments),
                requester=requester,
                call=digest_of(canonical(["assentry/fastmcp/v1", session, tool.to_json(), arguments])),
                once=False,
                delivered=True,
                session=session,
                timeout=self._timeout,
                lease=self._lease,
            )
        except Problem as problem:
            raise ToolError(str(problem)) from problem
        executing = approval.execution()
        try:
            approved = await executing.__aenter__()
        except AlreadyExecuted as problem:
            raise ToolError("Call the tool again only if it must run once more: this call has run.") from problem
        except Problem as problem:
            raise ToolError(str(problem)) from problem
        failure: BaseException | None = None
        try:
            message = context.message.model_copy(update={"arguments": approved})
            return await call_next(context.copy(message=message))
        except BaseException as error:
            failure = error
            raise
        finally:
            await executing.__aexit__(type(failure) if failure else None, failure, None)


def described(name: str, tool: Any) -> Tool:
    """The tool as its server declares it. Hints that MCP does not have are left out."""
    annotations = tool.annotations.model_dump(exclude_none=True) if tool.annotations else {}
    schema = json.loads(json.dumps(tool.parameters), parse_int=float)
    return Tool(
        name,
        title=tool.title[:MAX_TITLE] if tool.title else None,
        description=tool.description[:MAX_DESCRIPTION] if tool.description else None,
        annotations=known_hints(annotations) or None,
        schema_digest=digest_of(canonical(plain(schema, ("tool", "schema")))),
    )


def session_of(context: Any) -> str | None:
    """The session of MCP; None where the server keeps none."""
    try:
        session = context.fastmcp_context.session_id
    except RuntimeError:
        return None
    return None if session is None else str(session)
