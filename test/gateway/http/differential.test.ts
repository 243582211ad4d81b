import { afterAll, afterEach, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { canonicalText } from '#platform/model/hashed-text';
import { startTestServer } from '../../support/nodes/server.ts';
import { everything, runScript as runEverything } from '../everything-script.ts';
import { notesServer, startDirect, withoutOwn } from '../peers.ts';
import {
  commandOf,
  connect,
  connectBy,
  faultsIn,
  kinds,
  pipeTo,
  startGate,
  startNotes,
  type Agent,
  type Kind,
  type NotesGateway,
} from './peers.ts';

let gateway: NotesGateway | undefined;

const server = await startTestServer();
await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
const resources = 'policy: resources\nmatch: { tool: assentry.resource }\nallow: { ceiling: medium }\n';
await server.applyPolicies(['policy: free\nmatch: {}\nallow: { ceiling: medium }\n', resources]);
const notes = await startNotes();
afterAll(async () => {
  await notes.close();
  await server.stop();
});
afterEach(() => gateway?.close());

async function start(upstream: Record<string, unknown>): Promise<NotesGateway> {
  gateway = await startGate({ client: assentry, upstream });
  return gateway;
}

interface Frame {
  id?: number;
  method?: string;
  params?: object;
  result?: { tools?: { name: string }[] };
  error?: object;
}

/** What the client's side was sent, without the tool that the gateway adds, and whatever the order of members. */
const framesOf = ({ seen }: Agent): string[] =>
  (seen as Frame[])
    .map(({ result, ...frame }) => {
      const tools = result?.tools && withoutOwn(result.tools);
      return canonicalText({ ...frame, ...(result && { result: { ...result, ...(tools && { tools }) } }) });
    })
    .toSorted();

/** Everything a client can do with this server. */
async function runScript(agent: Agent, kind: Kind): Promise<string[]> {
  const { client } = agent;
  const call = (name: string, text: string, options?: object) =>
    client
      .callTool(
        { name, arguments: { text } },
        ...((kind === kinds[0] ? [undefined, options] : [options]) as unknown as []),
      )
      .catch((error: Error) => error);
  await client.listTools();
  await client.listResources();
  await client.readResource({ uri: 'file:///notes/first' });
  await client.readResource({ uri: 'note://none' }).catch(() => {});
  await call('read_note', 'a');
  await call('write_note', 'b');
  await call('report', 'p', { onprogress: () => {} });
  await call('fails', 'c');
  await call('none', 'd');
  await Promise.all(['e', 'f', 'g'].map((text) => call('read_note', text)));
  if (kind !== '2026') await client.ping();
  await client.close();
  return framesOf(agent);
}

/** The gateway itself refuses a tool that is not in the list. */
const withoutUnknown = (frames: string[]): string[] => frames.filter((frame) => !/none/.test(frame));

function expectEqual(gated: string[], direct: string[]): void {
  expect(direct.length).toBeGreaterThan(9);
  expect(direct.filter((frame) => frame.includes('notifications/progress'))).toHaveLength(2);
  expect(withoutUnknown(gated)).toEqual(withoutUnknown(direct));
  expect(gateway && faultsIn(gateway)).toEqual([]);
}

test.each(kinds)('%s: one script gives the same frames directly and through the gateway', async (kind) => {
  const { notes: url } = await start({ url: notes.url });
  const direct = await runScript(await connect(notes.url, kind), kind);
  expectEqual(await runScript(await connect(url, kind), kind), direct);
});

test.each(kinds)('%s: of a server over stdio, too', async (kind) => {
  const [first, other] = [notesServer(), notesServer()];
  const { notes: url } = await start(commandOf(other.words));
  const direct = await runScript(await connectBy(await startDirect(first.words), kind), kind);
  expectEqual(await runScript(await connect(url, kind), kind), direct);
  expect(other.done()).toEqual(first.done());
});

test('server-everything over stdio is the same through the gateway: questions, sampling, roots, progress, cancelling', async () => {
  const { notes: url } = await start(commandOf(everything));
  const direct = await runEverything(await startDirect(everything));
  expect(await runEverything(pipeTo(url))).toEqual(direct);
});
