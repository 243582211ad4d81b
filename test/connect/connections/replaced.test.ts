import { afterAll, expect, test } from '@jest/globals';
import type { ConnectionToken } from '#connect/connections/contract';
import { withdrawConnections } from '#connect/connections/verbs/tokens';
import { dumpDatabase } from '../../support/databases/database-dump.ts';
import { json } from '../../support/json.ts';
import { newVisitor } from '../../support/nodes/visitor.ts';
import { startFakeProvider } from '../../support/connect/fake-provider.ts';
import { expects, openHouse } from './house.ts';

const provider = await startFakeProvider();
const oneToken = {
  url: `${provider.url}/applications/{clientId}/token`,
  method: 'DELETE',
  authentication: 'basic',
  member: 'access_token',
};
const servers = ['payments'];
afterAll(() => provider.close());

test.each([
  ['withdraws the former token where the provider ends it alone', { revoke: oneToken }, false],
  ['leaves the former token where the provider would end the new one with it', {}, true],
])('connecting again %s', async (_name, parts, isLive) => {
  const house = await openHouse(provider, { connectProviders: [provider.settings({ servers }, parts)] });
  const requester = { subject: 'client:again' };
  const connect = async (scopes: string[]): Promise<string> => {
    const [question, visitor] = [await house.ask(requester, { expects: { ...expects, scopes } }), newVisitor()];
    await visitor.get(await house.consent(await house.leave(visitor, question)));
    const answer = await house.find(requester, { scopes });
    const id = answer.state === 'stored' ? answer.connection.id : '';
    return (await json<ConnectionToken>(house.asking.call('POST', `/v1/connections/${id}/token`, { requester }))).token;
  };
  const [former, next] = [await connect(['repo']), await connect(['repo', 'read:user'])];
  const left = await house.server.engine.connections.withdrawals(); // whatever becomes of this node
  expect(left).toHaveLength(isLive ? 0 : 1);
  await withdrawConnections(house.server.engine);
  expect([provider.isLive(former), provider.isLive(next)]).toEqual([isLive, true]);
  expect(await house.server.engine.connections.withdrawals()).toEqual([]);
  const dump = await dumpDatabase(house.server.databaseUrl);
  expect([dump.includes('"isReplacing":false'), dump.includes('"isReplacing":true')]).toEqual([true, true]);
  await house.server.stop();
});
