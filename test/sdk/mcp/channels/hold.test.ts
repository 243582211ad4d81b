import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createClient } from '#sdk/client/client';
import { onRequest, type ElicitResult } from '#sdk/mcp/assentry';
import { claimStored } from '../../../support/nodes/asking.ts';
import { until } from '../../../support/poll.ts';
import { publish } from '../../../support/requests/policies.ts';
import { freshDatabase } from '../../../support/databases/database.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { callTool, findRequest, pendingOf, startMcpServer, textOf } from '../peers.ts';

const approved = z.object({ confirmed: z.boolean() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** What the tools really did. */
let ledger: string[];
/** Whose callers the tools saw leave. */
let departed: string[];
let release: () => void;
let mayFinish: Promise<void>;

const server = await startTestServer();
const approver = await server.newUser('approver');
const apiKey = await server.newServerKey('bank');
const register: Parameters<typeof startMcpServer>[0] = (tools) => {
  const inputSchema = { id: z.string() };
  tools.registerTool(
    'delete_account',
    { inputSchema, annotations: { destructiveHint: true } },
    async ({ id }, { elicit }) => {
      const answer: ElicitResult<{ confirmed: boolean }> = await elicit(`Delete ${id}?`, approved);
      if (answer.status !== 'accept') return say(`${answer.status} ${answer.comment ?? ''}`.trim());
      ledger.push(id);
      return say(`deleted ${id}, confirmed ${answer.content.confirmed}`);
    },
  );
  tools.registerTool('slow', { inputSchema }, async ({ id }, { elicit, signal }) => {
    signal.addEventListener('abort', () => departed.push(id));
    await elicit(`Slow ${id}?`, approved, { approval: true });
    ledger.push(id);
    await mayFinish;
    return say(`slow ${id}`);
  });
  tools.registerTool('transfer', { inputSchema }, async (_, { elicit }) => {
    await elicit('Transfer?', approved, { approval: true });
    return say('transferred');
  });
  tools.registerTool('drop', { title: 'Drop a table', inputSchema, approval: true }, async ({ id }) => {
    ledger.push(id);
    return say(`dropped ${id}`);
  });
  tools.registerTool('twice', { inputSchema }, async ({ id }, { elicit }) => {
    await elicit(`First ${id}?`, approved, { audience: 'approvers' });
    await elicit(`Second ${id}?`, approved, { audience: 'approvers', key: 'second' });
    ledger.push(id);
    return say(`both ${id}`);
  });
  tools.registerTool('mixed', { inputSchema }, async ({ id }, { elicit }) => {
    await elicit(`Sure about ${id}?`, approved);
    await elicit(`Approve ${id}?`, approved, { approval: true });
    ledger.push(id);
    return say(`both said yes to ${id}`);
  });
  tools.registerTool('fails', { inputSchema }, async ({ id }, { elicit }) => {
    await elicit(`Fail ${id}?`, approved, { approval: true });
    throw new TypeError('The bank is closed.');
  });
  const outputSchema = { done: z.boolean() };
  tools.registerTool('structured', { inputSchema, outputSchema }, async ({ id }, { elicit }) => {
    await elicit(`Structure ${id}?`, approved, { approval: true });
    return { ...say('done'), structuredContent: { done: true } };
  });
};
const mcp = await startMcpServer(register, { url: server.url, apiKey, progressIntervalMs: 40 });
const impatient = await startMcpServer(register, { url: server.url, apiKey, holdTimeoutMs: 150, leaseMs: 60_000 });
afterAll(async () => {
  await mcp.stop();
  await impatient.stop();
  await server.stop();
});
beforeEach(() => {
  ledger = [];
  departed = [];
  mayFinish = new Promise((resolve) => (release = resolve));
});

const accept = async (message: string): Promise<void> => {
  const { id } = await findRequest(approver, message);
  const response = await approver.vote(id, 'accept', { confirmed: true });
  expect(response.ok).toBe(true);
};

describe('a call held for approvers', () => {
  test("runs the tool once a vote accepts, with the voter's content", async () => {
    const call = callTool(await mcp.connect(), 'delete_account', { id: 'a1' });
    const request = await findRequest(approver, 'Delete a1?');
    expect(request).toMatchObject({ tool: 'delete_account', audience: 'approvers', caller: 'waiting' });
    expect(request.requester).toEqual({ issuer: null, subject: 'client:agent', verified: false, verifiedBy: null });
    expect(ledger).toEqual([]);
    await accept('Delete a1?');
    expect(textOf(await call)).toBe('deleted a1, confirmed true');
    expect(ledger).toEqual(['a1']);
  });

  test('tells the tool of a declining vote and its comment', async () => {
    const call = callTool(await mcp.connect(), 'delete_account', { id: 'a2' });
    const { id } = await findRequest(approver, 'Delete a2?');
    await approver.vote(id, 'decline');
    expect(textOf(await call)).toBe('decline not now');
    expect(ledger).toEqual([]);
  });

  test('of a tool registered with approval runs its handler only after a yes', async () => {
    const client = await mcp.connect();
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'drop')).not.toHaveProperty('approval');
    const declined = callTool(client, 'drop', { id: 'd1' });
    const { id, tool } = await findRequest(approver, 'Run Drop a table?');
    expect(tool).toBe('drop');
    await approver.vote(id, 'decline');
    expect(await declined).toMatchObject({ isError: true, _meta: { code: 'declined' } });
    expect(textOf(await declined)).toMatch(
      /^Declined; nothing was run\.\nReason: not now\nDo not do the same in another way: ask /,
    );
    expect(ledger).toEqual([]);
    const call = callTool(client, 'drop', { id: 'd2' });
    await approver.vote((await findRequest(approver, 'Run Drop a table?')).id, 'accept');
    expect(textOf(await call)).toBe('dropped d2');
    expect(ledger).toEqual(['d2']);
  });

  test('asks again when the same call comes again after its end', async () => {
    const client = await mcp.connect();
    for (const round of [1, 2]) {
      const call = callTool(client, 'delete_account', { id: 'again' });
      await accept('Delete again?');
      expect(textOf(await call)).toBe('deleted again, confirmed true');
      expect(ledger).toHaveLength(round);
    }
  });

  test('shows its approver the very arguments', async () => {
    const args = { id: 'ä "<b>" \u202e\t' };
    const call = callTool(await mcp.connect(), 'transfer', args);
    const { id } = await findRequest(approver, 'Transfer?');
    expect(JSON.parse((await approver.show(id)).arguments)).toEqual(args);
    await accept('Transfer?');
    expect(textOf(await call)).toBe('transferred');
  });
});

describe('progress', () => {
  test('increases from each to the next while the call is held', async () => {
    const progressValues: { progress: number; message?: string | undefined }[] = [];
    const call = callTool(
      await mcp.connect(),
      'delete_account',
      { id: 'p1' },
      { onprogress: (item) => void progressValues.push(item) },
    );
    await until(() => progressValues.length >= 4);
    await accept('Delete p1?');
    await call;
    const values = progressValues.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
    expect(progressValues[0]?.message).toBe('Waiting for approval of delete_account');
  });

  test('is not sent to a caller that gave no token', async () => {
    const client = await mcp.connect();
    const errors: Error[] = [];
    const notes: unknown[] = [];
    client.onerror = (error) => errors.push(error);
    client.fallbackNotificationHandler = async (note) => void notes.push(note);
    const call = callTool(client, 'delete_account', { id: 'p2' });
    const values: unknown[] = [];
    const answer = callTool(
      await mcp.connect(),
      'delete_account',
      { id: 'p3' },
      { onprogress: (item) => void values.push(item) },
    );
    await until(() => values.length >= 4);
    await accept('Delete p2?');
    await accept('Delete p3?');
    await Promise.all([call, answer]);
    expect(errors).toEqual([]);
    expect(notes).toEqual([]);
  });
});

describe('a call whose hold ends', () => {
  test('gets a pending result, and the same call again re-attaches to the same request', async () => {
    const client = await impatient.connect();
    const first = await callTool(client, 'delete_account', { id: 'b1' });
    const pending = pendingOf(first);
    expect(first.isError).toBeUndefined();
    expect(textOf(first)).toContain('or the same tool again with the same arguments');
    const { id } = await findRequest(approver, 'Delete b1?');
    expect(pending).toMatchObject({ elicitId: id, message: 'Delete b1?', statusUrl: `${server.url}/requests/${id}` });
    expect(pending?.schema).toMatchObject({ properties: { confirmed: { type: 'boolean' } } });
    expect(pendingOf(await callTool(client, 'delete_account', { id: 'b1' }))?.elicitId).toBe(id);
    await accept('Delete b1?');
    expect(textOf(await callTool(client, 'delete_account', { id: 'b1' }))).toBe('deleted b1, confirmed true');
    expect(ledger).toEqual(['b1']);
  });

  test('is found again by another session of the same principal, but not with other arguments', async () => {
    await callTool(await impatient.connect(), 'delete_account', { id: 'b2' });
    await accept('Delete b2?');
    const other = await impatient.connect();
    expect(pendingOf(await callTool(other, 'delete_account', { id: 'b2 ' }))?.message).toBe('Delete b2 ?');
    expect(textOf(await callTool(other, 'delete_account', { id: 'b2' }))).toBe('deleted b2, confirmed true');
  });

  test('continues after its first approval where it stopped, without running twice', async () => {
    const client = await impatient.connect();
    await callTool(client, 'twice', { id: 'b3' });
    await accept('First b3?');
    expect(pendingOf(await callTool(client, 'twice', { id: 'b3' }))?.message).toBe('Second b3?');
    await accept('Second b3?');
    expect(textOf(await callTool(client, 'twice', { id: 'b3' }))).toBe('both b3');
    expect(ledger).toEqual(['b3']);
  });

  test('says so as an error only where the client would refuse anything else', async () => {
    const result = await callTool(await impatient.connect(), 'structured', { id: 'b4' });
    expect(result.isError).toBe(true);
    expect(pendingOf(result)?.message).toBe('Structure b4?');
    expect(textOf(result)).toContain('Not decided yet');
  });
});

describe('a caller that goes away', () => {
  test('is shown as gone, and finds its answer when it comes back', async () => {
    const client = await mcp.connect();
    const leaving = new AbortController();
    const call = callTool(client, 'delete_account', { id: 'c1' }, { signal: leaving.signal });
    const { id } = await findRequest(approver, 'Delete c1?');
    leaving.abort();
    await expect(call).rejects.toThrow();
    await until(async () => (await approver.show(id)).caller === 'gone');
    await accept('Delete c1?');
    expect(ledger).toEqual([]);
    expect(textOf(await callTool(client, 'delete_account', { id: 'c1' }))).toBe('deleted c1, confirmed true');
    expect(ledger).toEqual(['c1']);
  });

  test('while the tool runs gets the kept result of that run', async () => {
    const client = await mcp.connect();
    const leaving = new AbortController();
    const call = callTool(client, 'slow', { id: 'c2' }, { signal: leaving.signal });
    await accept('Slow c2?');
    await until(() => ledger.length === 1);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await until(() => departed.includes('c2'));
    release();
    expect(textOf(await callTool(client, 'slow', { id: 'c2' }))).toBe('slow c2');
    expect(ledger).toEqual(['c2']);
    const next = callTool(await impatient.connect(), 'slow', { id: 'c2' });
    expect(pendingOf(await next)?.message).toBe('Slow c2?'); // the kept result was given once; now it asks again
  });
});

describe('two equal calls at once', () => {
  test('run the tool once and both get its result', async () => {
    const [first, second] = [await mcp.connect(), await mcp.connect()];
    const calls = [first, second].map((client) => callTool(client, 'slow', { id: 'd1' }));
    await findRequest(approver, 'Slow d1?');
    await accept('Slow d1?');
    await until(() => ledger.length === 1);
    release();
    expect((await Promise.all(calls)).map(textOf)).toEqual(['slow d1', 'slow d1']);
    expect(ledger).toEqual(['d1']);
  });

  test('wait while another process is at work', async () => {
    const client = createClient({ url: server.url, apiKey });
    const opened = await otherProcessApproves(client, 'd2');
    expect(await claimStored(client, opened, 'elsewhere')).toEqual({ state: 'claimed' });
    const waiting = await callTool(await impatient.connect(), 'slow', { id: 'd2' });
    expect(textOf(waiting)).toContain('The tool is running');
    await client.complete(opened, { attempt: 'elsewhere', delivered: false, result: say('from elsewhere') });
    expect(textOf(await callTool(await impatient.connect(), 'slow', { id: 'd2' }))).toBe('from elsewhere');
    expect(ledger).toEqual([]);
  });

  test('end with outcome-unknown where the other is dead, and the next asks again', async () => {
    const grim = await startMcpServer(registerSlow, { url: server.url, apiKey, holdTimeoutMs: 150, leaseMs: 1 });
    try {
      const client = createClient({ url: server.url, apiKey });
      const opened = await otherProcessApproves(client, 'd3', grim);
      await claimStored(client, opened, 'died');
      const result = await callTool(await grim.connect(), 'slow', { id: 'd3' });
      expect(result).toMatchObject({ isError: true, _meta: { code: 'outcome-unknown' } });
      expect(ledger).toEqual([]);
      expect(pendingOf(await callTool(await grim.connect(), 'slow', { id: 'd3' }))?.message).toBe('Slow d3?');
    } finally {
      await grim.stop();
    }
  });

  test('end with outcome-unknown as soon as the other is dead, while they are held', async () => {
    const patient = await startMcpServer(registerSlow, {
      url: server.url,
      apiKey,
      holdTimeoutMs: 600_000,
      leaseMs: 1_500,
    });
    try {
      const client = createClient({ url: server.url, apiKey });
      const opened = await otherProcessApproves(client, 'd5');
      await claimStored(client, opened, 'died');
      const result = await callTool(await patient.connect(), 'slow', { id: 'd5' });
      expect(result).toMatchObject({ isError: true, _meta: { code: 'outcome-unknown' } });
      expect(ledger).toEqual([]);
    } finally {
      await patient.stop();
    }
  });

  test('end with already-executed where the other has delivered its result', async () => {
    const client = createClient({ url: server.url, apiKey });
    const opened = await otherProcessApproves(client, 'd4');
    await claimStored(client, opened, 'elsewhere');
    const heard: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void heard.push(message);
    const call = callTool(await mcp.connect(), 'slow', { id: 'd4' }, { onprogress });
    await until(() => heard.includes('Approved; another run of slow is at work'));
    await client.complete(opened, { attempt: 'elsewhere', delivered: true });
    expect(await call).toMatchObject({ isError: true, _meta: { code: 'already-executed' } });
    expect(ledger).toEqual([]);
  });

  test('get an execution each if a policy allows them, though the first has ended before the other can run', async () => {
    await publish(server, 'policy: ticks\nmatch: { tool: tick }\nallow: { ceiling: medium }');
    const client = createClient({ url: server.url, apiKey });
    const opened: string[] = [];
    const endElsewhere = onRequest.did('storePendingRecord', async ({ elicitation: { toolCall, status } }) => {
      expect(status).toBe('accepted');
      if (opened.push(toolCall) > 2) return;
      await claimStored(client, toolCall, 'elsewhere');
      await client.complete(toolCall, { attempt: 'elsewhere', delivered: true });
    });
    const slowed = await startMcpServer(
      (tools) =>
        tools.registerTool('tick', { inputSchema: {}, approval: true }, async () => {
          ledger.push('tick');
          return say('ticked');
        }),
      { url: server.url, apiKey, hooks: [endElsewhere] },
    );
    try {
      expect(textOf(await callTool(await slowed.connect(), 'tick', {}))).toBe('ticked');
      expect([new Set(opened).size, ledger]).toEqual([3, ['tick']]);
    } finally {
      await slowed.stop();
    }
  });

  const registerSlow: Parameters<typeof startMcpServer>[0] = (tools) =>
    tools.registerTool('slow', { inputSchema: { id: z.string() } }, async ({ id }, { elicit }) => {
      await elicit(`Slow ${id}?`, approved, { approval: true });
      ledger.push(id);
      return say(`slow ${id}`);
    });

  /** The call as this process opened it, approved, and left to another process to claim. */
  async function otherProcessApproves(
    client: ReturnType<typeof createClient>,
    id: string,
    peer = impatient,
  ): Promise<string> {
    const pending = pendingOf(await callTool(await peer.connect(), 'slow', { id }));
    await accept(`Slow ${id}?`);
    return (await client.get(pending?.elicitId ?? '')).toolCall;
  }
});

describe('another principal', () => {
  test('never joins a call, nor gets what was approved for the first', async () => {
    const as = (subject: string) =>
      startMcpServer(
        (tools) =>
          tools.registerTool('read_salary', { inputSchema: { id: z.string() } }, async ({ id }, { elicit }) => {
            await elicit(`Read ${id} for ${subject}?`, approved, { approval: true });
            return say(`salary for ${subject}`);
          }),
        { url: server.url, apiKey, holdTimeoutMs: 150, principal: () => ({ subject, verified: true }) },
      );
    const [ada, eve] = [await as('ada'), await as('eve')];
    try {
      const hers = pendingOf(await callTool(await ada.connect(), 'read_salary', { id: '7' }));
      await accept('Read 7 for ada?');
      const other = pendingOf(await callTool(await eve.connect(), 'read_salary', { id: '7' }));
      expect(other?.message).toBe('Read 7 for eve?');
      expect(other?.elicitId).not.toBe(hers?.elicitId);
      expect(textOf(await callTool(await ada.connect(), 'read_salary', { id: '7' }))).toBe('salary for ada');
      expect((await approver.show(hers?.elicitId ?? '')).requester).toMatchObject({ subject: 'ada', verified: true });
    } finally {
      await ada.stop();
      await eve.stop();
    }
  });
});

test('a call that asks its requester and then its approvers is one call, and asks both again the next time', async () => {
  let count = 0;
  const client = await mcp.connect(() => ({ action: 'accept', content: { confirmed: (count += 1) > 0 } }));
  for (const round of [1, 2]) {
    const call = callTool(client, 'mixed', { id: 'g1' });
    await accept('Approve g1?');
    expect(textOf(await call)).toBe('both said yes to g1');
    expect([count, ledger.length]).toEqual([round, round]);
  }
});

test('a call outlasts a restart of the orchestrator', async () => {
  const database = await freshDatabase();
  const first = await startTestServer({ databaseUrl: database.url });
  const user = await first.newUser();
  const own = await startMcpServer(
    (tools) =>
      tools.registerTool('restart', {}, async ({ elicit }) =>
        say((await elicit('Restart?', approved, { approval: true })).status),
      ),
    { url: first.url, apiKey: await first.newServerKey() },
  );
  const call = callTool(await own.connect(), 'restart');
  const { id } = await findRequest(user, 'Restart?');
  await first.stop();
  const second = await startTestServer({ databaseUrl: database.url, port: Number(new URL(first.url).port) });
  try {
    expect((await user.vote(id, 'accept', { confirmed: true })).ok).toBe(true);
    expect(textOf(await call)).toBe('accept');
  } finally {
    await own.stop();
    await second.stop();
    await database.drop();
  }
});

test('an error of the tool itself reaches the caller, and the next equal call asks again', async () => {
  const client = await mcp.connect();
  const call = callTool(client, 'fails', { id: 'e1' });
  await accept('Fail e1?');
  const result = await call;
  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe('The bank is closed.');
  const again = callTool(client, 'fails', { id: 'e1' });
  await accept('Fail e1?');
  expect(textOf(await again)).toBe('The bank is closed.');
});
