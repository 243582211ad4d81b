import { Session } from 'node:inspector/promises';
import { createClient, runDigest } from '#sdk/client/client';
import { startTestServer } from '../support/nodes/server.ts';
import { callTool, findRequest } from '../sdk/mcp/peers.ts';
import { connect, startGate, startNotes } from '../gateway/http/peers.ts';

/** The files of `src` of which a function runs while this does. Functions that run when a file is loaded do not count. */
async function walk(work: () => Promise<unknown>): Promise<Set<string>> {
  await session.post('Profiler.takePreciseCoverage'); // sets the counts to zero
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
  return new Set(ran.flatMap(({ url }) => /\/\.compiled\/(src\/.*)\.js$/.exec(url)?.[1] ?? []));
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const server = await startTestServer();
const approver = await server.newUser('approver');
const client = createClient({ url: server.url, apiKey: await server.newServerKey('payments') });
const notesClient = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });

const form = {
  message: 'Pay?',
  schema: { type: 'object', properties: {} },
  tool: { name: 'pay', description: 'Pays.' },
  arguments: { amount: 5 },
  requester: { subject: 'ada@example.com' },
  audience: 'approvers',
  mode: 'form',
} as const;
const open = () => client.open(form);

const notes = await startNotes();
const gateway = await startGate({ client: notesClient, upstream: { url: notes.url } });
const { client: agent } = await connect(gateway.notes);
let count = 0;
async function holdCall(): Promise<void> {
  const text = `note ${(count += 1)}`;
  const result = callTool(agent, 'write_note', { text });
  const { id } = await findRequest(approver, 'Run write_note on notes?');
  await approver.vote(id, 'accept');
  await result;
}

const walks: Record<string, () => Promise<Set<string>>> = {
  opening: () => walk(open),
  async vote() {
    const { id } = await open();
    return walk(() => approver.vote(id, 'accept'));
  },
  async claim() {
    const { id, toolCall } = await open();
    await approver.vote(id, 'accept');
    const run = await runDigest(form);
    return walk(() => client.claim(toolCall, { attempt: 'one', run }));
  },
  'held gateway call': () => walk(holdCall),
};

for (const [name, take] of Object.entries(walks)) {
  await take(); // what is done once, and kept, is no part of the walk
  const files = await take();
  console.log(`${name.padEnd(18)}${files.size} files`);
  if (process.argv.includes('--files')) for (const file of [...files].sort()) console.log(`  ${file}`);
}

await agent.close();
await gateway.close();
await notes.close();
await server.stop();
