import { afterAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createClient } from '#sdk/client/client';
import { callTool, findRequest, listRequests, makeClient, textOf } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { newFolder } from '../../support/new-folder.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { connect, startGate, startNotes } from '../http/peers.ts';
import { notesServer, startWrapped } from '../peers.ts';

const everything = 'policy: everything\nmatch: { tool: "*" }\nallow: { ceiling: medium }\n';

const editing = `policy: editing
match: { tool: report }
require:
  stages: [{ name: Anyone, approvers: anyone }]
  editable: { text: { type: string } }
`;
const gatedNotes = `policy: gated
match: { tool: assentry.resource }
when: request.args.uri.contains("gated")
require:
  stages: [{ name: Anyone, approvers: anyone }]
  editable: { uri: { type: string } }
`;

const stdio = notesServer();
const open = closedAfterEach();

const server = await startTestServer();
const approver = await server.newUser('approver');
const key = await server.newServerKey('notes');
const assentry = createClient({ url: server.url, apiKey: key });
await server.applyPolicies([everything, editing, gatedNotes]);
const served = await startNotes();
afterAll(async () => {
  await served.close();
  await server.stop();
});
const directory = path.join(newFolder('own'), 'assentry');
mkdirSync(path.join(directory, 'gateway', 'keys'), { recursive: true });
writeFileSync(path.join(directory, 'gateway', 'keys', 'notes'), `${key}\n`);

interface Way {
  client: Client;
  warnings: string[];
  done(): string[];
}

async function throughWrap(): Promise<Way> {
  const wrapped = startWrapped(stdio.words, { client: assentry, directory });
  const client = makeClient();
  await client.connect(wrapped as unknown as Transport);
  open.push(() => wrapped.close());
  return { client, warnings: wrapped.warnings, done: stdio.done };
}

async function throughGateway(kind: 'session' | '2026'): Promise<Way> {
  const gateway = await startGate({ client: assentry, upstream: { url: served.url }, directory });
  const agent = await connect(gateway.notes, kind === '2026' ? '2026' : '2025 on the first SDK');
  open.push(
    () => gateway.close(),
    () => agent.client.close(),
  );
  return { client: agent.client, warnings: gateway.warnings, done: () => served.done };
}

const ways: [string, () => Promise<Way>][] = [
  ['wrap', throughWrap],
  ['the gateway with sessions', () => throughGateway('session')],
  ['the gateway without sessions', () => throughGateway('2026')],
];

async function logged(type: string): Promise<number> {
  const database = new pg.Client({ connectionString: server.databaseUrl });
  await database.connect();
  const sql = `SELECT count(*)::int FROM audit_log WHERE type = $1 AND entry ->> 'tool' = 'assentry.refusal'`;
  const { rows } = await database.query(sql, [type]).finally(() => database.end());
  return (rows[0] as { count: number }).count;
}

describe.each(ways)("through %s, Assentry's own files", (_, enter) => {
  test('are out of reach of a tool that only reads and of any policy, and the log has the refusal', async () => {
    const { client, warnings, done } = await enter();
    const [file, before] = [path.join(directory, 'set-up-link'), await logged('elicitation.cancelled')];
    for (const text of [file, `file://${file}`, `cat "${directory}"/set-up-link`]) {
      const call = callTool(client, 'count_notes', { text });
      await expect(call).rejects.toThrow(
        "it leads into Assentry's own files, which no call may reach. Nothing was run.",
      );
    }
    expect(done()).not.toContain(`counted ${file}`);
    expect(warnings.join('\n')).toContain(
      `A call of count_notes is refused: it leads into Assentry's own files by "${file}"`,
    );
    await until(async () => (await logged('elicitation.cancelled')) > before);
  });

  test('are out of reach of a reading', async () => {
    const { client } = await enter();
    await expect(client.readResource({ uri: `file://${directory}/secret` })).rejects.toThrow('no call may reach');
  });

  test('are out of reach by a link', async () => {
    const { client } = await enter();
    const link = path.join(newFolder('link'), 'notes');
    symlinkSync(directory, link);
    await expect(callTool(client, 'read_note', { text: `${link}/secret` })).rejects.toThrow('no call may reach');
  });

  test('are out of reach of what an approver makes of the arguments', async () => {
    const { client, done } = await enter();
    const call = callTool(client, 'report', { text: 'a note' });
    const { id } = await findRequest(approver, 'Run report on notes?');
    const { digest } = await approver.show(id);
    const edit = { digest, arguments: { text: path.join(directory, 'secret') } };
    expect((await approver.call('POST', `/api/elicitations/${id}/edit`, edit)).status).toBe(200);
    await approver.vote(id, 'accept');
    expect(await call).toMatchObject({ isError: true, _meta: { code: 'forbidden' } });
    expect(textOf(await call)).toContain('no call may reach');
    expect(done().join()).not.toContain(directory);
  });

  test('are out of reach of what an approver makes of a reading, which else is what is read', async () => {
    const { client } = await enter();
    const read = async (uri: string) => {
      const reading = client.readResource({ uri: 'file:///gated/draft' });
      reading.catch(() => {});
      const { id } = await findRequest(approver, 'Pass resources/read to notes?');
      const { digest } = await approver.show(id);
      const edit = { digest, arguments: { uri } };
      expect((await approver.call('POST', `/api/elicitations/${id}/edit`, edit)).status).toBe(200);
      await approver.vote(id, 'accept');
      return reading;
    };
    expect((await read('file:///notes/first')).contents).toMatchObject([{ text: 'one' }]);
    await expect(read(`file://${directory}/secret`)).rejects.toThrow('no call may reach');
  });

  test('are out of reach of a link that leads elsewhere once the call is approved', async () => {
    const { client, done } = await enter();
    const link = path.join(newFolder('link'), 'gated');
    symlinkSync(newFolder('harmless'), link);
    const call = callTool(client, 'report', { text: `${link}/secret` });
    const reading = client.readResource({ uri: `file://${link}/secret` });
    const refused = expect(reading).rejects.toThrow('no call may reach');
    const requests = [
      await findRequest(approver, 'Run report on notes?'),
      await findRequest(approver, 'Pass resources/read to notes?'),
    ];
    rmSync(link);
    symlinkSync(directory, link);
    for (const { id } of requests) await approver.vote(id, 'accept');
    expect(textOf(await call)).toContain('no call may reach');
    await refused;
    expect(done().join()).not.toContain(link);
  });

  test('keep their secrets, whatever a result says and how', async () => {
    const { client, warnings } = await enter();
    for (const text of [key, Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex')]) {
      const call = callTool(client, 'read_note', { text: `x ${text} y` });
      await expect(call).rejects.toThrow('it carries a secret of Assentry (gateway/keys/notes)');
    }
    expect(warnings.join('\n')).not.toContain(key);
    expect(textOf(await callTool(client, 'read_note', { text: 'asn_k1_another' }))).toBe('read asn_k1_another');
  });

  test('keep a secret that was made after the start', async () => {
    const { client } = await enter();
    const link = `https://a.example/setup#link=${'x'.repeat(20)}${Math.round(performance.now())}`;
    writeFileSync(path.join(directory, 'set-up-link'), `${link}\n`);
    const secret = link.split('#link=')[1] ?? '';
    await expect(callTool(client, 'read_note', { text: secret })).rejects.toThrow('a secret of Assentry (set-up-link)');
    expect(readFileSync(path.join(directory, 'set-up-link'), 'utf8')).toContain(secret);
  });
});

test('people find the refusal in the history, with the path, and can decide nothing', async () => {
  const { client } = await throughWrap();
  const file = path.join(directory, 'serving');
  await expect(callTool(client, 'read_note', { text: file })).rejects.toThrow('no call may reach');
  const refused = await until(async () => {
    const shown = await Promise.all((await listRequests(approver, 'done')).map(({ id }) => approver.show(id)));
    return shown.find((detail) => JSON.stringify(detail).includes(file));
  });
  expect(JSON.stringify(refused)).toContain("read_note on notes was refused: it leads into Assentry's own files.");
  expect((await approver.vote(refused.id, 'accept')).ok).toBe(false);
});
