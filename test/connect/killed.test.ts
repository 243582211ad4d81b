import { afterAll, afterEach, expect, test } from '@jest/globals';
import { startFakeProvider } from '../support/connect/fake-provider.ts';
import { startStatementProxy, type Boundary } from '../support/databases/statement-proxy.ts';
import { freePort } from '../support/nodes/free-port.ts';
import { spawnNode } from '../support/nodes/node-process.ts';
import { newVisitor, type Visitor } from '../support/nodes/visitor.ts';
import { drawn } from '../support/runs.ts';
import { openHouse, type Asked } from './connections/house.ts';

const provider = await startFakeProvider();
const [port, own] = [await freePort(), await freePort()];
const connectProviders = [provider.settings({ servers: ['payments'] })];
/** The node that goes on when the one at the public address has been killed. */
const publicUrl = `http://127.0.0.1:${port}`;
const house = await openHouse(provider, { publicUrl, port: own }, `http://127.0.0.1:${own}`);
const proxy = await startStatementProxy(house.server.databaseUrl);
afterEach(() => {
  proxy.reset();
  for (const path of ['/token', '/user']) provider.answers(path, null);
});
afterAll(async () => {
  proxy.stop();
  await house.server.stop();
  await provider.close();
});

let people = 0;

interface Way {
  requester: { subject: string };
  question: Asked;
  visitor: Visitor;
  /** The address at the node that will be killed. */
  back: string;
}

/** Someone who has agreed at the provider, and is about to come back. */
async function goThere(): Promise<Way> {
  const requester = { subject: `client:killed-${(people += 1)}` };
  const [question, visitor] = [await house.ask(requester), newVisitor()];
  const address = await house.leave(visitor, question);
  return { requester, question, visitor, back: (await provider.visit(address)).href };
}

/** Comes back to a node that `prepare` lets die; null if it was killed before it answered. */
async function comeBack({ visitor, back }: Way, prepare: (kill: () => void) => void): Promise<number | null> {
  const node = await spawnNode(proxy.url, { port, connectProviders });
  let killing: Promise<void> | undefined;
  prepare(() => void (killing ??= node.kill()));
  const status = await visitor.get(back).then(
    (answer) => answer.status,
    () => null,
  );
  await (killing ?? node.kill());
  return status;
}

/** Either all of it is there, or nothing is and the person goes again; true if it was there. */
async function expectWhole({ requester, question, visitor }: Way): Promise<boolean> {
  const [{ status, content }, connection] = [await house.state(question.id), await house.find(requester)];
  const isConnected = status === 'accepted';
  expect([status, connection.state]).toEqual(isConnected ? ['accepted', 'stored'] : ['open', 'missing']);
  const entries = await house.history(question.id);
  const answers = entries.filter(({ type, to }) => type === 'elicitation.answered' && to === 'accepted');
  expect(answers.length).toBe(isConnected ? 1 : 0);
  if (!isConnected) {
    await visitor.get(question.url);
    const again = await visitor.get(await house.consent(await house.goOn(visitor, question)));
    expect(again.status).toBe(303);
  } else if (connection.state === 'stored') {
    expect(content).toEqual({ connection: connection.connection.id, account: 'octo-ada' });
  }
  expect((await house.state(question.id)).status).toBe('accepted');
  const last = await house.find(requester);
  const id = last.state === 'stored' ? last.connection.id : '';
  const answer = await house.asking.call('POST', `/v1/connections/${id}/token`, { requester });
  expect(provider.isLive(((await answer.json()) as { token: string }).token)).toBe(true);
  expect((await house.server.engine.credentials.list()).length).toBe(people);
  return isConnected;
}

/** What a return reads and writes: its way, its request, its proof, and the accept with the tokens. */
const of = /"connection_attempt"|connection_attempt a\b|page_proof|e\.tool_call_id AS|WITH input AS/;
const statements = Array.from({ length: 6 }, (_, at) => at + 1);
const boundaries = statements.flatMap((nth): Boundary[] => [
  { nth, side: 'before', of },
  { nth, side: 'after', of },
]);

test('a return has so many statements', async () => {
  const way = await goThere();
  expect(await comeBack(way, () => proxy.stopAt({ nth: 0, side: 'before', of }, () => {}))).toBe(303);
  expect(proxy.count()).toBe(statements.length);
  expect(await expectWhole(way)).toBe(true);
});

test.each(drawn('killed at a statement', boundaries, { least: 3 }))(
  'a node that is killed $side the statement $nth of a return leaves all of it or nothing',
  async (boundary) => {
    const way = await goThere();
    expect(await comeBack(way, (kill) => proxy.stopAt(boundary, kill))).toBeNull();
    proxy.reset();
    expect(await expectWhole(way)).toBe(boundary.nth === statements.length && boundary.side === 'after');
  },
);

test.each([
  ['before the code is redeemed', '/token'],
  ['between the exchange and the commit', '/user'],
])('a node that is killed %s leaves the request open, and the person goes again', async (_name, path) => {
  const way = await goThere();
  const status = await comeBack(way, (kill) => {
    provider.answers(path, () => kill());
  });
  provider.answers(path, null);
  expect(status).toBeNull();
  expect(await expectWhole(way)).toBe(false);
});
