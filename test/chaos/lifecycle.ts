import { setTimeout as sleep } from 'node:timers/promises';
import { Problem, runDigest, type AssentryClient, type OpenedElicitation } from '#sdk/client/client';
import type { History } from './history.ts';

export interface Voter {
  user: string;
  /** Sends one vote, once; rejects if there was no answer. */
  vote(request: Pick<OpenedElicitation, 'id' | 'digest'>, action: 'accept' | 'decline'): Promise<Answer>;
}

interface Answer {
  status: number;
  code: string | null;
  /** Milliseconds after which to come again, if the answer says so. */
  wait: number | null;
}

/** Who takes part in a lifecycle. */
export interface Cast {
  history: History;
  /** The processes of one MCP server: each reaches the nodes by a way of its own. */
  callers: { name: string; client: AssentryClient }[];
  voters: Voter[];
}

type Ballots = ('accept' | 'decline')[];

/** How a lifecycle goes, by the place in the run. */
export interface Course {
  tool: string;
  /** What each voter votes, all at the same time. */
  ballots: Ballots;
  /** How many processes of the caller ask, wait and claim at the same time. */
  processes: 1 | 2;
  /** Is it withdrawn while people vote? */
  isCancelled?: boolean;
  /** Milliseconds; else so long that it never expires. */
  ttl?: number;
}

/** The tool `wire` needs two people. */
export const courses: readonly Course[] = [
  { tool: 'refund', ballots: ['accept'], processes: 1 },
  { tool: 'refund', ballots: ['accept'], processes: 2 },
  { tool: 'wire', ballots: ['accept', 'accept'], processes: 1 },
  { tool: 'refund', ballots: ['accept', 'decline'], processes: 1 },
  { tool: 'wire', ballots: ['accept', 'accept'], processes: 2 },
  { tool: 'refund', ballots: ['decline'], processes: 1 },
  { tool: 'refund', ballots: ['accept'], processes: 1, isCancelled: true },
  { tool: 'wire', ballots: ['accept'], processes: 1, ttl: 4000 },
];

/** One request from its opening to its end; every answer goes into the history. */
export async function runLifecycle(cast: Cast, name: string, course: Course): Promise<void> {
  cast.history.add({ kind: 'began', name });
  const question = questionOf(name, course);
  const callers = cast.callers.slice(0, course.processes);
  // All ask before any of them runs: a name that has run asks again.
  const opened = await Promise.all(callers.map((caller) => open(cast, name, caller, question)));
  const [first] = opened;
  const voting = first
    ? course.ballots.map((action, at) => castBallot(cast, name, cast.voters[at], first, action))
    : [];
  const heard = await Promise.all(
    callers.map((caller, at) => opened[at] && hear(cast, name, caller, opened[at], course)),
  );
  // At the same moment, so that they race.
  const running = callers.map(
    (caller, at) =>
      heard[at] === 'accepted' && opened[at] && execute(cast, name, caller, opened[at].toolCall, question),
  );
  await Promise.all([...voting, ...running]);
  cast.history.add({ kind: 'ended', name });
}

type Caller = Cast['callers'][number];

async function open(
  cast: Cast,
  name: string,
  caller: Caller,
  question: Question,
): Promise<OpenedElicitation | undefined> {
  const opened = await say(cast, name, 'open', () => caller.client.open(question));
  if (!opened) return undefined;
  const { id, toolCall, deadlineAt } = opened;
  cast.history.add({ kind: 'opened', name, by: caller.name, id, toolCall, deadlineAt });
  return opened;
}

/** Waits for the outcome. */
async function hear(
  cast: Cast,
  name: string,
  caller: Caller,
  { id }: OpenedElicitation,
  course: Course,
): Promise<string | undefined> {
  const { client } = caller;
  if (course.isCancelled) await say(cast, name, 'cancel', () => client.cancel(id), ['already-closed']);
  const outcome = await say(cast, name, 'wait', () => client.waitForOutcome(id, { timeout: patience }));
  if (outcome) cast.history.add({ kind: 'heard', id, by: caller.name, status: outcome.status });
  return outcome?.status;
}

/** Milliseconds a caller waits for an outcome; longer than any fault lasts. */
const patience = 120_000;

const questionOf = (name: string, { tool, ttl = 3_600_000 }: Course) => ({
  tool: { name: tool },
  arguments: { name },
  message: `Do ${name}?`,
  schema: { type: 'object', properties: { sure: { type: 'boolean' } } },
  requester: { subject: 'alice' },
  audience: 'approvers' as const,
  call: name,
  ttl,
});

type Question = ReturnType<typeof questionOf>;

/** The tool's own side effect is a line in the history. */
async function execute(
  cast: Cast,
  name: string,
  { name: process, client }: Caller,
  toolCall: string,
  question: Question,
): Promise<void> {
  const attempt = `${name}-${process}`;
  const run = await runDigest(question);
  const claim = async (): Promise<string> => (await client.claim(toolCall, { attempt, run })).state;
  const answer = await say(cast, name, 'claim', () => codeOf(claim, 'already-executed'));
  if (answer === undefined) return;
  cast.history.add({ kind: 'claimed', toolCall, attempt, answer });
  if (answer !== 'claimed') return;
  cast.history.add({ kind: 'ran', toolCall, attempt });
  const end = { attempt, delivered: true, result: { done: name } };
  const isDone = await say(cast, name, 'complete', async () => (await client.complete(toolCall, end), true));
  if (isDone) cast.history.add({ kind: 'completed', toolCall, attempt });
}

/** The answer, or this code if the problem has it. */
const codeOf = (send: () => Promise<string>, code: Problem['code']): Promise<string> =>
  send().catch((error: unknown) => {
    if (error instanceof Problem && error.code === code) return code;
    throw error;
  });

/** Undefined if it was refused: the history then says so, unless the code is expected. */
async function say<T>(
  { history }: Cast,
  name: string,
  verb: string,
  send: () => Promise<T>,
  expected: Problem['code'][] = [],
): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    const code = error instanceof Problem ? error.code : String(error);
    if (!expected.includes(code as Problem['code'])) history.add({ kind: 'refused', name, verb, code });
    return undefined;
  }
}

/** Votes until there is an answer that is no fault. */
async function castBallot(
  { history }: Cast,
  name: string,
  voter: Voter | undefined,
  request: OpenedElicitation,
  action: 'accept' | 'decline',
): Promise<void> {
  if (!voter) return;
  for (;;) {
    const answer = await voter.vote(request, action).catch(() => null);
    if (answer && !passing.has(answer.status)) {
      if (answer.status >= 500) history.add({ kind: 'refused', name, verb: 'vote', code: answer.code ?? '500' });
      const { status, code } = answer;
      return history.add({ kind: 'voted', id: request.id, user: voter.user, action, status, code });
    }
    await sleep(answer?.wait ?? 500);
  }
}

const passing = new Set([429, 503]);
