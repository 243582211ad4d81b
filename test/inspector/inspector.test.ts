import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findRequest, textOf } from '../sdk/mcp/peers.ts';
import { kill, startProcess, type McpProcess } from '../sdk/mcp-v2/peers.ts';
import { compiled } from '../support/compiled.ts';
import { startTestServer } from '../support/nodes/server.ts';
import { letIn, newVisitor } from '../support/nodes/visitor.ts';
import { startInspector, type Pending, type Said } from './inspector.ts';

const programs = {
  before: ['examples/server.ts'],
  since: ['examples/conformance-server/main.ts'],
  travel: ['test/sdk/mcp-v2/three-questions-server.ts', '--ledger', '/dev/null'],
} as const;

const processes: McpProcess[] = [];

const server = await startTestServer();
const approver = await server.newUser('approver');
const env: Record<string, string> = {
  ASSENTRY_URL: server.url,
  ASSENTRY_API_KEY: await server.newServerKey('example'),
};
const inspector = await startInspector();
afterAll(async () => {
  await inspector.stop();
  await Promise.all(processes.map(kill));
  await server.stop();
});

/** How the Inspector reaches one of our servers. */
type Reach = (program: keyof typeof programs) => Promise<string[]>;

const reaches = {
  stdio: async (program) => {
    const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const [file, ...args] = programs[program];
    const command = [process.execPath, compiled(file), ...args, '--stdio'];
    return ['--transport', 'stdio', ...variables, '--', ...command];
  },
  http: async (program) => {
    const [file, ...args] = programs[program];
    const started = await startProcess(file, program === 'travel' ? args : ['--port', '0'], env);
    processes.push(started);
    return ['--transport', 'http', started.url];
  },
} satisfies Record<string, Reach>;

const call = (connection: string, tool: string, ...args: string[]) =>
  inspector.run(connection, 'tools/call', tool, ...(args.length > 0 ? args : ['{}']));

/** Answers what the call waits with, and resolves with what comes of it. */
const respond = (connection: string, { pending, text }: Said, ...answer: string[]): Promise<Said> => {
  if (!pending) throw new TypeError(`No one was asked: ${text}`);
  return inspector.run(connection, 'elicitation/respond', pending.elicitationId, ...answer);
};

const textIn = ({ result, text }: Said): string => (result ? textOf(result) : text);

/** Answers on our page, as the person at the client would. */
async function fillIn({ url = '', message }: Partial<Pending> = {}, iban: string): Promise<void> {
  const visitor = newVisitor();
  await letIn(visitor, url, /code (\d{3} \d{3})$/.exec(message ?? '')?.[1] ?? '');
  await visitor.send(url, { action: 'accept', 'field.iban': iban });
}

describe.each(['stdio', 'http'] as const)("the Inspector's client over %s", (kind) => {
  const before = `before-${kind}`;
  const since = `since-${kind}`;

  beforeAll(async () => {
    const [old, modern] = await Promise.all([reaches[kind]('before'), reaches[kind]('since')]);
    expect((await inspector.connect(before, ...old)).code).toBe(0);
    expect((await inspector.connect(since, '--era', 'modern', ...modern)).code).toBe(0);
  });

  test('answers a form that is pushed', async () => {
    const request = await call(before, 'onboard_employee', 'name:=Ada');
    expect(request.pending).toMatchObject({ mode: 'form', origin: 'server-request' });
    const fields = ['email:=ada@example.com', 'start:=2026-03-31', 'team:=Finance', 'equipment:=["Phone"]'];
    const answered = await respond(before, request, ...fields, 'hours:=30', 'remote:=true');
    expect(textIn(answered)).toBe('Ada starts on 2026-03-31 in Finance.');
  });

  test.each(['decline', 'cancel'])('may %s it', async (action) => {
    const request = await call(before, 'onboard_employee', 'name:=Eve');
    expect(textIn(await respond(before, request, `--${action}`))).toBe(`Eve was not set up (${action}).`);
  });

  test('shows the address of our page, and hears what was answered there', async () => {
    const request = await call(before, 'link_account');
    expect(request.pending).toMatchObject({ mode: 'url', url: expect.stringContaining(`${server.url}/e/`) });
    const answered = respond(before, request, '--done');
    await fillIn(request.pending, 'DE01');
    expect(textIn(await answered)).toBe('DE01 is linked.');
  });

  test('takes error -32042 for the address it brings, and calls again when that is done', async () => {
    const request = await call(before, 'link_account', 'isRequired:=true');
    expect(request.pending).toMatchObject({ mode: 'url', url: expect.stringContaining(`${server.url}/e/`) });
    await fillIn(request.pending, 'DE02');
    expect(textIn(await respond(before, request, '--done'))).toBe('DE02 is linked.');
    const again = await respond(before, await call(before, 'link_account', 'isRequired:=true'), '--cancel');
    expect(again.error?.message).toBe('Tool call cancelled: required URL elicitation was cancelled.');
  });

  test('goes through the rounds of a call, and is asked again where an answer does not fit', async () => {
    const tool = 'test_input_required_result_multi_round';
    const first = await call(since, tool);
    expect(first.pending).toMatchObject({ message: 'Step 1: What is your name?', origin: 'input-required' });
    const unfit = await respond(since, first, 'name:=7');
    expect(unfit.pending?.message).toBe(
      'Step 1: What is your name?\nThe answer does not fit yet.\nname: Expected string, received number',
    );
    const second = await respond(since, unfit, 'name:=Ada');
    expect(second.pending?.message).toBe('Step 2: What is your favorite color?');
    expect(textIn(await respond(since, second, 'color:=red'))).toBe('Ada likes red.');
  });

  test('shows the address of our page in a round, and calls again when that is done', async () => {
    const request = await call(since, 'link_account');
    expect(request.pending).toMatchObject({
      mode: 'url',
      origin: 'input-required',
      url: expect.stringContaining(`${server.url}/e/`),
    });
    await fillIn(request.pending, 'DE03');
    expect(textIn(await respond(since, request, '--done'))).toBe('DE03 is linked.');
  });

  test('answers the questions of a task one after the other', async () => {
    const names: Record<string, string> = { 'Who begins?': 'Ada', 'Who ends?': 'Eve' };
    const answer = (request: Awaited<ReturnType<typeof call>>) =>
      respond(since, request, `name:=${names[request.pending?.message ?? '']}`, 'confirm:=true');
    const first = await call(since, 'multi_input'); // both are open; which one comes first is open, too
    expect(first.pending?.origin).toBe('task-input-required');
    expect(textIn(await answer(await answer(first)))).toBe('From Ada to Eve.');
  });

  test('waits while approvers decide on a held call', async () => {
    const pending = call(before, 'delete_account', `id:=held-${kind}`);
    const { id } = await findRequest(approver, `Delete the account held-${kind}?`);
    await approver.vote(id, 'accept', { confirmed: true });
    expect(textIn(await pending)).toBe(`Account held-${kind} is deleted.`);
  });
});

test("the Inspector's client polls a task until approvers have decided", async () => {
  await inspector.connect('travel', '--era', 'modern', ...(await reaches.http('travel')));
  const waiting = call('travel', 'book_by_approvers', 'trip:=t1');
  for (const step of ['From', 'To', 'When']) {
    const { id } = await findRequest(approver, `${step}, for t1?`);
    await approver.vote(id, 'accept', { text: step.toLowerCase() });
  }
  expect(textIn(await waiting)).toBe('From from, To to, When when');
});

describe("what the Inspector's clients cannot do", () => {
  test('decline an address: that is theirs to cancel', async () => {
    const request = await call('before-http', 'link_account');
    const declined = await respond('before-http', request, '--decline');
    expect(declined.error).toMatchObject({ code: 'invalid_params', message: expect.stringContaining('--cancel') });
    expect(textIn(await respond('before-http', request, '--cancel'))).toBe('Nothing was linked (cancel).');
  });

  test('call another tool on a connection whose person is asked', async () => {
    const request = await call('before-http', 'onboard_employee', 'name:=Bea');
    const second = await call('before-http', 'onboard_employee', 'name:=Cid');
    expect(second.error).toMatchObject({ code: 'elicitation_pending' });
    await respond('before-http', request, '--cancel');
  });

  test('be asked by the client of one command: it declares nothing, and gets the link of a page', async () => {
    const [, , url = ''] = await reaches.http('before');
    const command = ['--transport', 'http', '--method', 'tools/call', '--tool-name', 'link_account'];
    const once = await inspector.runOnce(url, ...command);
    expect(once.text).toContain(`Ask the person you work for to open ${server.url}/e/`);
  });
});
