"""Asks for one call and runs it, and says on standard output how far it is. It stays at the step `stay` until it is killed."""

import json
import sys

import assentry
from assentry.transport import send_by_urllib

job = json.loads(sys.argv[1])


def say(step, **more):
    print(json.dumps({"step": step, **more}), flush=True)
    if step == job.get("stay"):
        sys.stdin.read()


def send(sending):
    name = sending.url.rpartition("/")[2]
    say(f"before {name}")
    answer = send_by_urllib(sending)
    say(f"after {name}")
    return answer


try:
    approval = assentry.Assentry(send=send).approve(
        assentry.Tool(job["tool"], annotations=job.get("annotations")),
        json.loads(job["arguments"]),
        message=job["call"],
        requester="alice",
        call=job["call"],
    )
    say("approved")
    execution = approval.execution()
    with execution as arguments:
        say("before run")
        with open(job["ledger"], "a") as ledger:
            ledger.write(f"{json.dumps([job['call'], arguments])}\n")
        say("after run")
        execution.keep(arguments)
    say("returned", result=arguments)
except assentry.AlreadyExecuted as problem:
    say("found", result=problem.result)
except assentry.Problem as problem:
    say("refused", kind=type(problem).__name__, code=problem.code, reason=getattr(problem, "reason", None))
