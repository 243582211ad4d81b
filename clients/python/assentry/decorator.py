"""``@requires_approval`` for functions and coroutines."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from .approval import Approval, AsyncApproval
from .canonical import Requester, Tool
from .client import LEASE, Assentry, AsyncAssentry
from .problem import Problem

__all__ = ["approve", "approve_async", "requires_approval"]

F = TypeVar("F", bound=Callable[..., Any])
V = TypeVar("V")


def approve(
    tool: str | Tool, arguments: Mapping[str, Any], *, client: Assentry | None = None, **options: Any
) -> Approval:
    """``Assentry.approve`` of a client that reads ASSENTRY_URL and ASSENTRY_API_KEY, or of this one."""
    return (client or Assentry()).approve(tool, arguments, **options)


async def approve_async(
    tool: str | Tool, arguments: Mapping[str, Any], *, client: AsyncAssentry | None = None, **options: Any
) -> AsyncApproval:
    """``AsyncAssentry.approve`` of a client that reads ASSENTRY_URL and ASSENTRY_API_KEY, or of this one."""
    return await (client or AsyncAssentry()).approve(tool, arguments, **options)


def requires_approval(
    *,
    message: str | Callable[..., str],
    requester: str | Requester | Callable[..., str | Requester],
    facts: Mapping[str, str] | None = None,
    call: Callable[..., str] | None = None,
    tool: str | Tool | None = None,
    client: Assentry | None = None,
    timeout: float | None = None,
    lease: float = LEASE,
) -> Callable[[F], F]:
    """Each call of the function asks approvers, and runs once with the approved arguments.

    ``message``, ``requester`` and ``call`` may be functions, which get the arguments of the call by name. The tool has
    the name of the function, and its docstring as description. A call that is not approved raises Declined or TimedOut.
    """

    def decorate(function: F) -> F:
        signature = _named(function)
        named_tool = tool or Tool(function.__name__, description=inspect.getdoc(function))

        def options(arguments: Mapping[str, Any]) -> dict[str, Any]:
            return {
                "message": _of(message, arguments),
                "requester": _of(requester, arguments),
                "facts": facts,
                "call": call(**arguments) if call else None,
                "timeout": timeout,
                "lease": lease,
            }

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def ask_async(*args: Any, **kwargs: Any) -> Any:
                arguments = _bound(signature, args, kwargs)
                asking = AsyncAssentry(over=client)
                approval = await asking.approve(named_tool, arguments, **options(arguments))
                _require_fit(signature, approval.arguments)
                return await approval.run(function)

            return ask_async  # type: ignore[return-value]

        @functools.wraps(function)
        def ask(*args: Any, **kwargs: Any) -> Any:
            arguments = _bound(signature, args, kwargs)
            approval = (client or Assentry()).approve(named_tool, arguments, **options(arguments))
            _require_fit(signature, approval.arguments)
            return approval.run(function)

        return ask  # type: ignore[return-value]

    return decorate


def _of(value: V | Callable[..., V], arguments: Mapping[str, Any]) -> V:
    return value(**arguments) if callable(value) else value


def _named(function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(function)
    nameless = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
    if any(parameter.kind in nameless for parameter in signature.parameters.values()):
        raise TypeError(f"Name each parameter of {function.__name__}: approvers read arguments by name.")
    return signature


def _bound(signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    arguments: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        is_rest = signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD
        arguments.update(value if is_rest else {name: value})
    return arguments


def _require_fit(signature: inspect.Signature, arguments: Mapping[str, Any]) -> None:
    try:
        signature.bind(**arguments)
    except TypeError as error:
        detail = f"Ask again: approvers edited the arguments, and the function does not take them: {error}."
        raise Problem("INVALID_INPUT", detail) from error
