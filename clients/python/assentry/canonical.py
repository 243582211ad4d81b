"""Canonical JSON (RFC 8785) and the run digest: what an approval is bound to."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .problem import Path, invalid

__all__ = ["Agent", "Requester", "Tool", "canonical", "digest_of", "known_hints", "plain", "run_digest", "run_text"]

MAX_SAFE = 2**53 - 1
"""The largest whole number that each JSON parser reads exactly."""

HINTS: Mapping[str, type] = {
    "title": str,
    "readOnlyHint": bool,
    "destructiveHint": bool,
    "idempotentHint": bool,
    "openWorldHint": bool,
}
"""The hints of MCP. The server refuses any other."""


@dataclass(frozen=True)
class Agent:
    """The program that works for the requester."""

    name: str
    version: str | None = None


@dataclass(frozen=True)
class Requester:
    """The person for whom the tool runs. ``verified`` only if you have checked who they are."""

    subject: str
    issuer: str | None = None
    verified: bool = False
    client: Agent | None = None

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Requester:
        client = document.get("client")
        agent = client and Agent(client["name"], client.get("version"))
        return cls(document["subject"], document.get("issuer"), document.get("verified", False), agent)

    def to_json(self) -> dict[str, Any]:
        client = self.client and without_none({"name": self.client.name, "version": self.client.version})
        named = without_none({"subject": self.subject, "issuer": self.issuer, "client": client})
        return {**named, "verified": self.verified}


@dataclass(frozen=True)
class Tool:
    """A tool as people and policies see it."""

    name: str
    title: str | None = None
    description: str | None = None
    annotations: Mapping[str, Any] | None = None
    """The hints of MCP: they can raise the risk, and are never believed by themselves."""
    schema_digest: str | None = None
    """SHA-256 of the canonical input schema, in hexadecimal."""
    reaches: str | None = None
    """What the server of the tool runs, or where it is."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Tool:
        names = ("title", "description", "annotations", "schemaDigest", "reaches")
        return cls(document["name"], *(document.get(name) for name in names))

    def to_json(self) -> dict[str, Any]:
        annotations = self.annotations and _checked_hints(self.annotations)
        return without_none(
            {
                "name": self.name,
                "title": self.title,
                "description": self.description,
                "annotations": annotations,
                "schemaDigest": self.schema_digest,
                "reaches": self.reaches,
            }
        )


def known_hints(annotations: Mapping[str, Any]) -> dict[str, Any]:
    """The hints of MCP alone, of a tool that has more."""
    return {name: annotations[name] for name in HINTS if annotations.get(name) is not None}


def _checked_hints(annotations: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in annotations.items():
        path: Path = ("tool", "annotations", name)
        if name not in HINTS:
            raise invalid(path, f"Leave it out: MCP has no such hint, only {', '.join(HINTS)}.")
        if not isinstance(value, HINTS[name]):
            raise invalid(path, "Give a text." if HINTS[name] is str else "Give True or False.")
    return dict(annotations)


def without_none(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def plain(value: Any, path: Path = ()) -> Any:
    """The value as JSON has it. Anything that would arrive as something else is refused, with its path."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if abs(value) > MAX_SAFE:
            raise invalid(path, "Give it as a text: JSON parsers do not read so large a whole number exactly.")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise invalid(path, "Give a finite number: JSON has no NaN and no infinity.")
        return float(value)
    if isinstance(value, str):
        return joined_pairs(value)
    if isinstance(value, (list, tuple)):
        return [plain(item, (*path, place)) for place, item in enumerate(value)]
    if not isinstance(value, Mapping):
        raise invalid(path, f"Give a value of JSON: a {type(value).__name__} is none.")
    members: dict[str, Any] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise invalid((*path, str(key)), f"Give a text as key: {key!r} is none.")
        name = joined_pairs(key)
        if name in members:
            raise invalid((*path, name), "Give this key once.")
        members[name] = plain(item, (*path, name))
    return members


def joined_pairs(text: str) -> str:
    """The text with each pair of surrogates as its one character, as other languages have it."""
    if text.isascii():
        return str.__str__(text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def canonical(value: Any) -> str:
    """The RFC 8785 text of a value: as ECMAScript writes it, with keys in the order of their UTF-16 code units."""
    return _write(plain(value))


def _write(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list):
        return "[" + ",".join(map(_write, value)) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{_string(key)}:{_write(value[key])}" for key in keys) + "}"


def _number(value: int | float) -> str:
    """As ECMAScript writes a number; Python's repr has the same shortest digits."""
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(float(value))).as_tuple()
    assert isinstance(exponent, int)  # `plain` has refused NaN and infinity
    text = "".join(map(str, digits)).rstrip("0")
    point = len(digits) + exponent  # where the point stands among the digits
    if len(text) <= point <= 21:
        shown = text + "0" * (point - len(text))
    elif 0 < point <= 21:
        shown = f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        shown = f"0.{'0' * -point}{text}"
    else:
        fraction = f".{text[1:]}" if len(text) > 1 else ""
        shown = f"{text[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return f"-{shown}" if sign else shown


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def _string(value: str) -> str:
    return '"' + "".join(map(_character, value)) + '"'


def _character(character: str) -> str:
    code = ord(character)
    if code < 0x20 or 0xD800 <= code <= 0xDFFF:
        return _ESCAPES.get(character, f"\\u{code:04x}")
    return _ESCAPES.get(character, character)


def digest_of(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def run_text(tool: str | Tool, arguments: Mapping[str, Any], requester: str | Requester) -> str:
    """The text whose SHA-256 is the run digest."""
    sent = as_tool(tool).to_json()
    who = as_requester(requester)
    described: dict[str, Any] = {name: sent[name] for name in ("title", "description", "reaches") if name in sent}
    run: dict[str, Any] = {
        "tool": sent["name"],
        **described,
        "schemaDigest": sent.get("schemaDigest"),
        "annotations": sent.get("annotations", {}),
        "arguments": plain(arguments, ("arguments",)),
        "requester": {"subject": who.subject, "issuer": who.issuer, "verified": who.verified},
        "agent": who.client and {"name": who.client.name, "version": who.client.version},
    }
    return f"assentry/run/v1\n{canonical(run)}"


def run_digest(tool: str | Tool, arguments: Mapping[str, Any], requester: str | Requester) -> str:
    """The run digest that a claim carries. Compute it from what your code is about to use."""
    return digest_of(run_text(tool, arguments, requester))


def as_tool(tool: str | Tool) -> Tool:
    return Tool(tool) if isinstance(tool, str) else tool


def as_requester(requester: str | Requester) -> Requester:
    return Requester(requester) if isinstance(requester, str) else requester
