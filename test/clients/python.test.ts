import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { applyPolicies } from '#policies/verbs/apply';
import { problemSentences } from '#platform/model/problem';
import { findRequest } from '../sdk/mcp/peers.ts';
import { newFolder } from '../support/new-folder.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { drawn } from '../support/runs.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const approver = await server.newUser();
await applyPolicies(server.engine, [
  `policy: edited
match: { tool: edited, audience: approvers }
require: { editable: { amount: { type: number, maximum: 100 } }, stages: [{ name: One, approvers: anyone }] }`,
  'policy: free\nmatch: { tool: free }\nallow: { ceiling: medium }',
]);
const key = await server.newServerKey('payments');
const ledger = path.join(newFolder('python'), 'ledger');
writeFileSync(ledger, '');

/** Arguments of the runs of a call. */
const runsOf = (call: string): unknown[] =>
  readFileSync(ledger, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as [string, unknown])
    .flatMap(([name, args]) => (name === call ? [args] : []));

interface Job {
  call: string;
  tool?: string;
  /** JSON text, since 20.0 is a number of its own in Python. */
  arguments?: string;
  annotations?: object;
  /** The step at which the process stays. */
  stay?: string;
}

interface Step {
  step: string;
  kind?: string;
  code?: string;
  reason?: string | null;
  result?: unknown;
}

const processes: ChildProcess[] = [];
afterEach(() => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
});

const env = {
  PATH: process.env.PATH,
  PYTHONPATH: path.resolve('clients/python'),
  PYTHONDONTWRITEBYTECODE: '1',
  ASSENTRY_URL: server.url,
  ASSENTRY_API_KEY: key,
};

/** A process that asks and runs; `until` resolves when it says this step, or has ended. */
function startPython(job: Job) {
  const sent = JSON.stringify({ tool: 'transfer', arguments: '{"amount": 100}', ledger, ...job });
  const child = spawn('python3', ['test/clients/transfer.py', sent], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  processes.push(child);
  let isOver = false;
  const ended = once(child, 'close').then(() => (isOver = true));
  const steps: Step[] = [];
  let faults = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (faults += text));
  const lines = createInterface(child.stdout).on('line', (line) => steps.push(JSON.parse(line) as Step));
  return {
    async until(step: string): Promise<void> {
      while (!isOver && !steps.some((each) => each.step === step)) await Promise.race([once(lines, 'line'), ended]);
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
    /** What it said last. */
    async end(): Promise<Step> {
      await ended;
      expect(faults).toBe('');
      return steps.at(-1) as Step;
    },
  };
}

async function approve(call: string): Promise<void> {
  const { id } = await findRequest(approver, call);
  expect((await approver.vote(id, 'accept', {})).status).toBe(200);
}

describe('a call of a Python program', () => {
  test('is held, and runs once when it was approved', async () => {
    const python = startPython({ call: 'held' });
    const { id } = await findRequest(approver, 'held');
    expect([runsOf('held'), (await approver.show(id)).tool.name]).toEqual([[], 'transfer']);
    await approve('held');
    expect(await python.end()).toEqual({ step: 'returned', result: { amount: 100 } });
    expect(await startPython({ call: 'held' }).end()).toEqual({ step: 'found', result: { amount: 100 } });
    expect(runsOf('held')).toEqual([{ amount: 100 }]);
  });

  test('runs with the arguments as approvers edited them', async () => {
    const python = startPython({ call: 'edited', tool: 'edited' });
    const { id, digest } = await findRequest(approver, 'edited').then((request) => approver.show(request.id));
    const edit = { digest, arguments: { amount: 50 } };
    expect((await approver.call('POST', `/api/elicitations/${id}/edit`, edit)).status).toBe(200);
    await approve('edited');
    expect(await python.end()).toEqual({ step: 'returned', result: { amount: 50 } });
    expect(runsOf('edited')).toEqual([{ amount: 50 }]);
  });

  test('does not run when it was declined, and says why', async () => {
    const python = startPython({ call: 'declined' });
    await approver.vote((await findRequest(approver, 'declined')).id, 'decline');
    expect(await python.end()).toEqual({ step: 'refused', kind: 'Declined', code: 'forbidden', reason: 'not now' });
    expect(runsOf('declined')).toEqual([]);
  });

  test('runs at once if a policy allows it', async () => {
    expect((await startPython({ call: 'free', tool: 'free' }).end()).step).toBe('returned');
  });
});

const inputs: [name: string, parts: Partial<Job>][] = [
  ['a fraction of zero', { arguments: '{"amount": 20.0}' }],
  ['a large fraction of zero', { arguments: '{"amount": 100.0}' }],
  ['a small number', { arguments: '{"amount": 1e-7}' }],
  ['large numbers', { arguments: '{"amount": 1e21, "most": 9007199254740991}' }],
  ['a negative zero', { arguments: '{"amount": -0.0}' }],
  ['keys beyond U+FFFF', { arguments: '{"\\ud83d\\ude00": 1, "\\uffff": 2}' }],
  ['nothing', { arguments: '{}' }],
  ['nested values', { arguments: '{"lines": [{"n": 1.50}, null, true, "caf\\u00e9"]}' }],
  [
    'every hint of MCP',
    {
      annotations: {
        title: 'T',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
  ],
];

test.each(inputs)('an approval of %s is not void', async (call, parts) => {
  const python = startPython({ call, ...parts });
  await approve(call);
  expect((await python.end()).step).toBe('returned');
  expect(runsOf(call)).toHaveLength(1);
});

test.each([
  ['a whole number beyond the exact ones', { arguments: '{"amount": 9007199254740993}' }],
  ['a number that is none', { arguments: '{"amount": NaN}' }],
  ['a hint that MCP does not have', { annotations: { dangerousHint: true } }],
])('%s is refused before anyone is asked', async (call, parts) => {
  expect(await startPython({ call, ...parts }).end()).toMatchObject({ step: 'refused', code: 'INVALID_INPUT' });
});

/** Steps at which a process dies, and what another process with the same call then sees. */
const deaths: [step: string, second: Partial<Step>, ran: number][] = [
  ['approved', { step: 'returned' }, 1],
  ['before claim', { step: 'returned' }, 1],
  ['after claim', { kind: 'Running' }, 0],
  ['before run', { kind: 'Running' }, 0],
  ['after run', { kind: 'Running' }, 1],
  ['before complete', { kind: 'Running' }, 1],
  ['after complete', { step: 'found', result: { amount: 100 } }, 1],
];

test.each(deaths)('killed at "%s", it is not run twice', async (stay, second, ran) => {
  const call = `killed at ${stay}`;
  const python = startPython({ call, stay });
  await approve(call);
  await python.until(stay);
  await python.kill();
  expect(await startPython({ call }).end()).toMatchObject(second);
  expect(runsOf(call)).toHaveLength(ran);
});

const races = Array.from({ length: 200 }, (_, round) => ({ round, step: deaths[round % deaths.length]?.[0] ?? '' }));

test.each(drawn('killed Python', races, { least: 5 }))(
  'killed in round $round after "$step", it runs at most once',
  async ({ round, step }) => {
    const call = `killed in round ${round}`;
    const python = startPython({ call });
    await approve(call);
    await python.until(step);
    await python.kill();
    const last = await startPython({ call }).end();
    expect(['returned', 'found', 'Running']).toContain(last.kind ?? last.step);
    expect(runsOf(call).length).toBeLessThanOrEqual(1);
  },
);

test('the example of the docs runs', async () => {
  const example = /```python\n([^]*?)```/.exec(readFileSync('docs/python.md', 'utf8'))?.[1] ?? '';
  const child = spawn('python3', ['-c', example], { env });
  processes.push(child);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await approve('Transfer the money?');
  await once(child, 'close');
  expect(printed).toBe('100 EUR are on their way.\n');
});

test('the client knows the closed list of codes', async () => {
  const child = spawn('python3', ['-c', 'import assentry.problem as p; print("\\n".join(p.CODES))'], { env });
  processes.push(child);
  let codes = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (codes += text));
  await once(child, 'close');
  expect(codes.trim().split('\n').toSorted()).toEqual(Object.keys(problemSentences).toSorted());
});
