import { afterAll, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import type { Pipe } from '../peers.ts';
import { requestsTo } from './request-pipe.ts';
import { framesOf, Session } from './session.ts';
import { requestServer, runBy, ways } from './ways.ts';

const server = await startTestServer();
afterAll(() => server.stop());
await server.newUser('approver');
const resources = 'policy: resources\nmatch: { tool: assentry.resource }\nallow: { ceiling: medium }\n';
await server.applyPolicies(['policy: free\nmatch: {}\nallow: { ceiling: medium }\n', resources]);

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'by hand', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};
const accepted = { action: 'accept', content: { sure: true } };

/** Everything a client of 2026-07-28 can do with this server, one after the other. */
async function runEverything(pipe: Pipe, done: () => string[]) {
  const session = new Session(pipe, meta);
  await pipe.start();
  const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
  for (const method of ['server/discover', ...lists]) await session.ask(method);
  await complete(session);
  await session.ask('resources/read', { uri: 'note://of/red' });
  await session.ask('resources/read', { uri: 'note://none' });
  await session.ask('prompts/get', { name: 'paint', arguments: { colour: 'red' } });
  for (const more of [{ progressToken: 'p' }, { progressToken: 7, 'io.modelcontextprotocol/logLevel': 'warning' }]) {
    await session.ask('tools/call', { name: 'report', arguments: {}, _meta: more });
  }
  const slow = await session.send('tools/call', { name: 'slow', arguments: {} });
  await until(() => done().includes('began'));
  await session.cancel(slow);
  await until(() => done().includes('was cancelled'));
  await answerRounds(session);
  await useTasks(session);
  await listen(session);
  await session.ask('no/such');
  await pipe.close();
  return framesOf(pipe);
}

async function complete(session: Session): Promise<void> {
  const refs = [
    { type: 'ref/prompt', name: 'paint' },
    { type: 'ref/resource', uri: 'note://of/{colour}' },
    { type: 'ref/prompt', name: 'none' },
  ];
  for (const ref of refs) {
    await session.ask('completion/complete', {
      ref,
      argument: { name: 'colour', value: 'r' },
      context: { arguments: {} },
    });
  }
}

/** The state is the server's own, or the gateway's for it: the client only sends it back. */
async function answerRounds(session: Session): Promise<void> {
  const begun = [
    ['tools/call', { name: 'confirm', arguments: {} }],
    ['prompts/get', { name: 'asks' }],
    ['resources/read', { uri: 'note://asks' }],
  ] as const;
  for (const [method, params] of begun) {
    let { result } = await session.ask(method, params);
    for (let round = 0; round < 3 && result?.['resultType'] === 'input_required'; round += 1) {
      const { requestState, inputRequests } = result;
      const inputResponses = Object.fromEntries(Object.keys(inputRequests as object).map((key) => [key, accepted]));
      ({ result } = await session.ask(method, { ...params, requestState, inputResponses }));
    }
  }
}

async function useTasks(session: Session): Promise<void> {
  const start = async (): Promise<unknown> =>
    (await session.ask('tools/call', { name: 'work', arguments: {} })).result?.['taskId'];
  const [first, second] = [await start(), await start()];
  await session.ask('tasks/get', { taskId: first });
  await session.ask('tasks/update', { taskId: first, inputResponses: { sure: accepted } });
  await session.ask('tasks/get', { taskId: first });
  await session.ask('tasks/cancel', { taskId: second });
  await session.ask('tasks/get', { taskId: second });
  await session.ask('tasks/get', { taskId: 'none' });
}

/** Two subscriptions, each told of what it asked for. */
async function listen(session: Session): Promise<void> {
  const some = { toolsListChanged: true, resourceSubscriptions: ['note://first'] };
  const all = { promptsListChanged: true, resourcesListChanged: true };
  const first = await session.send('subscriptions/listen', { notifications: some });
  await session.heard('notifications/subscriptions/acknowledged', 1);
  await session.send('subscriptions/listen', { notifications: all });
  await session.heard('notifications/subscriptions/acknowledged', 2);
  await session.ask('tools/call', { name: 'change', arguments: {} });
  for (const method of changes) await session.heard(method, 1);
  await session.cancel(first);
  await session.ask('tools/call', { name: 'change', arguments: {} });
  await session.heard('notifications/resources/list_changed', 2);
}

const changes = [
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
];

test.each(ways)('through %s a client of 2026-07-28 sees the same as directly', async (way) => {
  const [own, other] = [requestServer(), requestServer()];
  const client = createClient({ url: server.url, apiKey: await server.newServerKey(`notes-${ways.indexOf(way)}`) }); // joins no call of another test
  const settings = { client, pipeAt: requestsTo };
  const direct = await runBy(null, own, { ...settings, script: (pipe) => runEverything(pipe, own.done) });
  let received = '';
  const script = async (pipe: Pipe) => {
    const frames = await runEverything(pipe, other.done);
    received = JSON.stringify(pipe.seen);
    return frames;
  };
  const gated = await runBy(way, other, { ...settings, script });
  expect(gated).toEqual(direct);
  expect(other.done()).toEqual(own.done());
  expect(received).toContain(JSON.stringify('Server "notes": Sure?'));
});
