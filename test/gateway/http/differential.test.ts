import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from '../../../src/client/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { connect, kinds, startGate, startNotes, type Agent, type HttpNotes, type NotesGateway } from './peers.ts';

let server: TestServer;
let notes: HttpNotes;
let gateway: NotesGateway;

beforeAll(async () => {
  server = await startTestServer();
  await server.newUser('approver');
  const client = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
  await server.applyPolicies(['policy: free\nmatch: {}\nallow: { ceiling: medium }\n']);
  notes = await startNotes();
  gateway = await startGate({ client, url: notes.url });
});
afterAll(async () => {
  await gateway?.close();
  await notes?.close();
  await server?.stop();
});

interface Frame {
  id?: number;
  method?: string;
  params?: object;
  result?: { tools?: { name: string }[] };
  error?: object;
}

/** What the client's side was sent, without the tool that the gateway adds. */
const framesOf = ({ seen }: Agent): string[] =>
  (seen as Frame[])
    .map(({ result, ...frame }) => {
      const tools = result?.tools?.filter(({ name }) => name !== 'awaitElicitationResult');
      return JSON.stringify({ ...frame, result: result && { ...result, ...(tools && { tools }) } });
    })
    .toSorted();

/** Everything a client can do with this server. */
async function runScript(url: string, kind: (typeof kinds)[number]): Promise<string[]> {
  const agent = await connect(url, kind);
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
  await client.readResource({ uri: 'note://first' });
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

test.each(kinds)('%s: one script gives the same frames directly and through the gateway', async (kind) => {
  const direct = await runScript(notes.url, kind);
  const gated = await runScript(gateway.notes, kind);
  expect(direct.length).toBeGreaterThan(9);
  expect(direct.filter((frame) => frame.includes('notifications/progress'))).toHaveLength(2);
  expect(withoutUnknown(gated)).toEqual(withoutUnknown(direct));
  expect(gateway.warnings).toEqual([]);
});
