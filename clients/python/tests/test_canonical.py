"""Canonical JSON and run digests. test/vectors has the vectors that all languages share."""

from __future__ import annotations

import datetime
import decimal
import unittest
from typing import Any

from assentry import Problem, Tool, canonical, run_digest
from assentry.canonical import known_hints, run_text


def fault_of(value: Any) -> tuple[str, list[str | int]]:
    """The code and the path of the refusal."""
    try:
        canonical(value)
    except Problem as problem:
        return problem.code, problem.errors[0]["path"]
    raise AssertionError("It was not refused.")


class Canonical(unittest.TestCase):
    def test_numbers_are_those_of_ecmascript(self) -> None:
        numbers = [20.0, 100.0, 1e-7, -0.0, 1e21, 0.1, 2**53 - 1, 5e-324, True]
        written = "[20,100,1e-7,0,1e+21,0.1,9007199254740991,5e-324,true]"
        self.assertEqual(canonical(numbers), written)

    def test_keys_are_in_the_order_of_utf_16(self) -> None:
        self.assertEqual(canonical({"\uffff": 2, "\U0001f600": 1}), '{"\U0001f600":1,"\uffff":2}')

    def test_a_pair_of_surrogates_is_its_character(self) -> None:
        self.assertEqual(canonical("\ud83d\ude00"), '"\U0001f600"')
        self.assertEqual(canonical("\ud83d"), '"\\ud83d"')

    def test_a_tuple_is_a_list(self) -> None:
        self.assertEqual(canonical({"a": (1, 2)}), '{"a":[1,2]}')

    def test_what_json_cannot_carry_is_refused_with_its_path(self) -> None:
        cases: list[tuple[Any, list[str | int]]] = [
            ({"a": [float("nan")]}, ["a", 0]),
            ({"a": float("-inf")}, ["a"]),
            ({"a": {"b": 2**53}}, ["a", "b"]),
            ([-(2**53)], [0]),
            ({"a": decimal.Decimal("1.5")}, ["a"]),
            ({"a": datetime.date(2030, 1, 1)}, ["a"]),
            ({"a": {1, 2}}, ["a"]),
            ({"a": b"text"}, ["a"]),
            ({"a": {1: 2}}, ["a", "1"]),
            ({"\ud83d\ude00": 1, "\U0001f600": 2}, ["\U0001f600"]),
        ]
        for value, path in cases:
            with self.subTest(value=repr(value)):
                self.assertEqual(fault_of(value), ("INVALID_INPUT", path))

    def test_the_text_of_a_problem_has_the_path(self) -> None:
        with self.assertRaisesRegex(Problem, r"arguments\.amount: Give it as a text"):
            run_digest("transfer", {"amount": 2**60}, "alice")


class Hints(unittest.TestCase):
    def test_are_part_of_the_run(self) -> None:
        tool = Tool("refund", annotations={"destructiveHint": True})
        self.assertIn('"annotations":{"destructiveHint":true}', run_text(tool, {}, "alice"))

    def test_that_mcp_does_not_have_are_refused(self) -> None:
        for hints, path in [
            ({"dangerousHint": True}, ["tool", "annotations", "dangerousHint"]),
            ({"readOnlyHint": 1}, ["tool", "annotations", "readOnlyHint"]),
            ({"title": True}, ["tool", "annotations", "title"]),
        ]:
            with self.subTest(hints=hints), self.assertRaises(Problem) as refused:
                run_digest(Tool("refund", annotations=hints), {}, "alice")
            self.assertEqual(refused.exception.errors[0]["path"], path)

    def test_of_a_foreign_tool_can_be_reduced(self) -> None:
        hints = {"readOnlyHint": False, "openWorldHint": None, "audience": ["user"]}
        self.assertEqual(known_hints(hints), {"readOnlyHint": False})
