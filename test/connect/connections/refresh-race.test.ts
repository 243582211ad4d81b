import { expect, test } from '@jest/globals';
import type { ConnectionToken, FoundConnection } from '#connect/connections/contract';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { json } from '../../support/json.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { leaveBy, newVisitor } from '../../support/nodes/visitor.ts';
import { startFakeProvider } from '../../support/connect/fake-provider.ts';
import { expects } from './house.ts';

test('50 calls at two nodes renew a rotating token once', async () => {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const provider = await startFakeProvider({ now });
  provider.expiresIn(120);
  const connectProviders = [provider.settings({ servers: ['payments'] })];
  const house = await startTwoNodes({ connectProviders, now });
  const requester = { subject: 'client:race' };
  try {
    const { asking, nodes } = house;
    const question = { mode: 'url', message: 'Connect.', schema: undefined, audience: undefined, requester, expects };
    const { url = '', code = '' } = (await asking.open(question)) as OpenedElicitation;
    const visitor = newVisitor();
    await visitor.get((await provider.visit(await leaveBy(visitor, url, code))).href);
    const find = { provider: 'fake', scopes: ['repo'], requester };
    const answer = await json<FoundConnection>(asking.call('POST', '/v1/connections', find));
    const id = answer.state === 'stored' ? answer.connection.id : '';
    ahead = 61_000;
    const tokens = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        json<ConnectionToken>(
          asking.at(nodes[at % 2 === 0 ? 0 : 1].url).call('POST', `/v1/connections/${id}/token`, { requester }),
        ),
      ),
    );
    const distinct = new Set(tokens.map(({ token }) => token));
    expect([distinct.size, provider.refreshes(), provider.reuses()]).toEqual([1, 1, 0]);
    expect(provider.isLive([...distinct][0] ?? '')).toBe(true);
  } finally {
    await house.stop();
    await provider.close();
  }
});
