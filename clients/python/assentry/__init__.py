"""Holds a tool call until the right person has answered, and runs it at most once."""

from .approval import Approval, AsyncApproval, AsyncExecution, Execution
from .canonical import Agent, Requester, Tool, canonical, run_digest
from .client import Assentry, AsyncAssentry
from .decorator import approve, approve_async, requires_approval
from .problem import AlreadyExecuted, Declined, Problem, Running, TimedOut
from .question import Claim, Elicitation, Question, connection, payment, secret, signature

__all__ = [
    "Agent",
    "AlreadyExecuted",
    "Approval",
    "Assentry",
    "AsyncApproval",
    "AsyncAssentry",
    "AsyncExecution",
    "Claim",
    "Declined",
    "Elicitation",
    "Execution",
    "Problem",
    "Question",
    "Requester",
    "Running",
    "TimedOut",
    "Tool",
    "approve",
    "approve_async",
    "canonical",
    "connection",
    "payment",
    "requires_approval",
    "run_digest",
    "secret",
    "signature",
]
