"""Approvals, executions and the decorator, answered by the fake human."""

from __future__ import annotations

import asyncio
import pickle
import re
import threading
import unittest
from typing import Any

import assentry
from assentry import AlreadyExecuted, Declined, Problem, Question, Running, TimedOut, requires_approval
from assentry.testing import Rule, accept, approve, decline, fake_human, refuse, time_out
from assentry.transport import Answer, Sending

ASKED: dict[str, Any] = {"message": "Transfer the money?", "requester": "alice"}


class Approvals(unittest.TestCase):
    def test_runs_once_with_what_was_approved(self) -> None:
        human = fake_human(Rule(approve()))
        approval = human.client.approve("transfer", {"amount": 100.0}, **ASKED, call="order-7")
        with approval.execution() as arguments:
            self.assertEqual(arguments, {"amount": 100.0})
        question, _ = human.questions[0]
        self.assertEqual((question["audience"], question["once"], question["takesEdits"]), ("approvers", True, True))
        with self.assertRaises(AlreadyExecuted), approval.execution():
            self.fail("It ran twice.")

    def test_runs_with_edited_arguments(self) -> None:
        human = fake_human(Rule(approve(arguments={"amount": 50})))
        with human.client.approve("transfer", {"amount": 100}, **ASKED).execution() as arguments:
            self.assertEqual(arguments, {"amount": 50})

    def test_numbers_and_keys_of_python_are_what_was_approved(self) -> None:
        for arguments in [{"a": 20.0}, {"a": 1e-7}, {"a": -0.0}, {"\U0001f600": 1, "\uffff": 2}, {"a": (1, None)}]:
            with self.subTest(arguments=arguments):
                with fake_human(Rule(approve())).client.approve("transfer", arguments, **ASKED).execution():
                    pass

    def test_another_process_finds_what_was_kept(self) -> None:
        human = fake_human(Rule([approve()]))
        first = human.client.approve("transfer", {}, **ASKED, call="order-7").execution()
        with first:
            first.keep({"id": 7})
        again = human.client.approve("transfer", {}, **ASKED, call="order-7")
        with self.assertRaises(AlreadyExecuted) as ran, again.execution():
            self.fail("It ran twice.")
        self.assertEqual((ran.exception.code, ran.exception.result), ("already-executed", {"id": 7}))
        self.assertEqual(again.run(lambda: self.fail("It ran twice.")), {"id": 7})

    def test_an_error_does_not_release_it(self) -> None:
        human = fake_human(Rule([approve()]))
        approval = human.client.approve("transfer", {}, **ASKED, call="order-7")
        with self.assertRaisesRegex(ValueError, "broken"), approval.execution():
            raise ValueError("broken")
        with self.assertRaises(AlreadyExecuted) as ran, approval.execution():
            self.fail("It ran twice.")
        self.assertEqual(ran.exception.threw, "broken")
        with self.assertRaises(AlreadyExecuted):
            approval.run(lambda: self.fail("It ran twice."))

    def test_a_second_attempt_while_it_runs(self) -> None:
        human = fake_human(Rule(approve()))
        approval = human.client.approve("transfer", {}, **ASKED)
        with approval.execution():
            with self.assertRaises(Running), approval.execution():
                self.fail("It ran twice.")

    def test_a_result_that_json_cannot_hold_has_run(self) -> None:
        approval = fake_human(Rule(approve())).client.approve("transfer", {}, **ASKED)
        unkept = object()
        self.assertIs(approval.run(lambda: unkept), unkept)
        with self.assertRaises(AlreadyExecuted) as ran:
            approval.run(lambda: self.fail("It ran twice."))
        self.assertIn("It has run", ran.exception.threw or "")

    def test_changed_arguments_are_refused(self) -> None:
        arguments = {"amount": 100}
        approval = fake_human(Rule(approve())).client.approve("transfer", arguments, **ASKED)
        arguments["amount"] = 1_000_000
        with self.assertRaises(Problem) as refused, approval.execution():
            self.fail("Something else ran.")
        self.assertEqual(refused.exception.code, "digest-mismatch")

    def test_a_refusal_has_its_reason(self) -> None:
        with self.assertRaises(Declined) as declined:
            fake_human(Rule(refuse("too much"))).client.approve("transfer", {}, **ASKED)
        self.assertEqual((declined.exception.code, declined.exception.reason), ("forbidden", "too much"))
        self.assertIn("Declined; nothing was run. Reason: too much", str(declined.exception))

    def test_a_refusal_goes_to_another_process_as_it_is(self) -> None:
        for problem in [Declined("forbidden", "No.", reason="too much"), TimedOut("Late."), Running(7)]:
            copied = pickle.loads(pickle.dumps(problem))
            self.assertEqual((type(copied), str(copied), vars(copied)), (type(problem), str(problem), vars(problem)))

    def test_a_time_out(self) -> None:
        with self.assertRaises(TimedOut):
            fake_human(Rule(time_out())).client.approve("transfer", {}, **ASKED)

    def test_another_question_of_the_same_call(self) -> None:
        human = fake_human(Rule(approve()))
        human.client.approve("transfer", {"amount": 1}, **ASKED, call="order-7")
        with self.assertRaises(Problem) as refused:
            human.client.approve("transfer", {"amount": 2}, **ASKED, call="order-7")
        self.assertEqual(refused.exception.code, "idempotency-mismatch")

    def test_a_claim_whose_answer_is_lost_is_given_back(self) -> None:
        human = fake_human(Rule(approve()))
        inner, paths = human._house.send, []

        def send(sending: Sending) -> Answer:
            path = sending.url.rpartition("/")[2]
            paths.append(path)
            answer = inner(sending)
            if path == "claim" and "release" not in paths:
                raise KeyboardInterrupt
            return answer

        client = assentry.Assentry("http://a.example", "asn_fake", send=send)
        approval = client.approve("transfer", {}, **ASKED)
        with self.assertRaises(KeyboardInterrupt), approval.execution():
            self.fail("It ran.")
        self.assertEqual(paths[-1], "release")
        with approval.execution() as arguments:
            self.assertEqual(arguments, {})


class OutsideSteps(unittest.TestCase):
    def test_a_payment_ends_with_its_own_code(self) -> None:
        expects = assentry.payment("stripe", amount="10.00", currency="EUR", for_="Order 7")
        question = Question("buy", {}, "Pay?", "alice", expects=expects)
        self.assertEqual(fake_human(Rule(accept())).client.ask(question).status, "accepted")
        with self.assertRaises(Declined) as declined:
            fake_human(Rule(decline())).client.ask(question)
        self.assertEqual(declined.exception.code, "payment-declined")
        sent = question.to_json()
        self.assertEqual((sent["mode"], sent["audience"], sent["expects"]["for"]), ("url", "requester", "Order 7"))
        self.assertNotIn("schema", sent)


class AsyncApprovals(unittest.IsolatedAsyncioTestCase):
    async def test_runs_once_with_what_was_approved(self) -> None:
        human = fake_human(Rule([approve(arguments={"amount": 50})]))
        approval = await human.async_client.approve("transfer", {"amount": 100}, **ASKED, call="order-7")
        execution = approval.execution()
        async with execution as arguments:
            self.assertEqual(arguments, {"amount": 50})
            execution.keep("done")
        again = await assentry.approve_async(
            "transfer", {"amount": 100}, client=human.async_client, **ASKED, call="order-7"
        )

        async def never(**_: Any) -> str:
            self.fail("It ran twice.")

        self.assertEqual(await again.run(never), "done")

    async def test_a_refusal(self) -> None:
        with self.assertRaises(Declined):
            await fake_human(Rule(refuse())).async_client.approve("transfer", {}, **ASKED)

    async def test_cancelled_in_its_claim_it_is_given_back(self) -> None:
        human = fake_human(Rule(approve()))
        loop, claiming, released = asyncio.get_running_loop(), asyncio.Event(), threading.Event()
        paths: list[str] = []

        def send(sending: Sending) -> Answer:
            path = sending.url.rpartition("/")[2]
            if path == "claim" and "claim" not in paths:
                loop.call_soon_threadsafe(claiming.set)
                released.wait()
            paths.append(path)
            return human._house.send(sending)

        client = assentry.AsyncAssentry("http://a.example", "asn_fake", send=send)
        approval = await client.approve("transfer", {}, **ASKED)
        task = asyncio.create_task(approval.execution().__aenter__())
        await claiming.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertEqual(paths[-1], "release")
        released.set()
        async with approval.execution() as arguments:
            self.assertEqual(arguments, {})

    async def test_cancelled_in_its_block_it_has_run(self) -> None:
        approval = await fake_human(Rule(approve())).async_client.approve("transfer", {}, **ASKED)
        entered = asyncio.Event()

        async def run() -> None:
            async with approval.execution():
                entered.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(run())
        await entered.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        with self.assertRaises(AlreadyExecuted) as ran:
            async with approval.execution():
                self.fail("It ran twice.")
        self.assertEqual(ran.exception.threw, "CancelledError")


class Decorated(unittest.IsolatedAsyncioTestCase):
    def test_a_function(self) -> None:
        human = fake_human(Rule(approve(arguments={"amount": 50, "currency": "EUR"}), tool="transfer"))

        @requires_approval(
            message=lambda amount, currency: f"Transfer {amount} {currency}?",
            requester="alice",
            facts={"Amount": "/amount"},
            client=human.client,
        )
        def transfer(amount: int, currency: str = "EUR") -> str:
            """Moves money."""
            return f"{amount} {currency}"

        self.assertEqual(transfer(100), "50 EUR")
        question, _ = human.questions[0]
        self.assertEqual(question["message"], "Transfer 100 EUR?")
        self.assertEqual(question["tool"], {"name": "transfer", "description": "Moves money."})
        self.assertEqual(question["facts"], [{"label": "Amount", "path": "/amount"}])

    async def test_a_coroutine(self) -> None:
        human = fake_human(Rule(approve()))

        @requires_approval(message="Delete?", requester="alice", client=human.client)
        async def delete(name: str) -> str:
            return f"deleted {name}"

        self.assertEqual(await delete("a"), "deleted a")

    def test_a_refused_one_does_not_run(self) -> None:
        @requires_approval(message="Delete?", requester="alice", client=fake_human(Rule(refuse())).client)
        def delete() -> None:
            self.fail("It ran.")

        self.assertRaises(Declined, delete)

    def test_edits_that_do_not_fit_do_not_run(self) -> None:
        human = fake_human(Rule(approve(arguments={"other": 1})))

        @requires_approval(message="Delete?", requester="alice", client=human.client)
        def delete(name: str) -> None:
            self.fail("It ran.")

        with self.assertRaises(Problem) as refused:
            delete("a")
        self.assertEqual(refused.exception.code, "INVALID_INPUT")

    def test_parameters_without_names_are_refused(self) -> None:
        with self.assertRaisesRegex(TypeError, "Name each parameter"):
            requires_approval(message="Delete?", requester="alice")(lambda *names: None)


class FakeHumans(unittest.TestCase):
    def test_rules_are_used_up_in_order(self) -> None:
        human = fake_human(Rule([refuse(), approve()], message=re.compile("^Transfer")), Rule(approve(), tool="other"))
        self.assertRaises(Declined, human.client.approve, "transfer", {}, **ASKED)
        human.client.approve("transfer", {}, **ASKED)
        with self.assertRaises(Problem) as refused:
            human.client.approve("transfer", {}, **ASKED)
        self.assertEqual(refused.exception.code, "not-found")
        self.assertEqual([rule.tool for rule in human.unused()], ["other"])

    def test_only_a_vote_answers_approvers(self) -> None:
        with self.assertRaises(Problem) as refused:
            fake_human(Rule(accept())).client.approve("transfer", {}, **ASKED)
        self.assertEqual(refused.exception.code, "forbidden")

    def test_a_function_replies(self) -> None:
        human = fake_human(Rule(lambda question: approve() if question["arguments"]["amount"] < 10 else refuse()))
        human.client.approve("transfer", {"amount": 1}, **ASKED)
        self.assertRaises(Declined, human.client.approve, "transfer", {"amount": 100}, **ASKED)
