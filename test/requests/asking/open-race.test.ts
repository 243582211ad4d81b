import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { OpenedElicitation, ToolCallClaim } from '#requests/asking/contract/open';
import { openElicitation } from '#requests/asking/verbs/ask';
import type { ServerId } from '#platform/model/id';
import type { Opening } from '#requests/asking/store/opening';
import { openBrowser } from '../../support/nodes/console.ts';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';
import { wholeServer } from '#people/directory/verbs/scope';

/** The second node's clock is ahead, as clocks of machines are. */
const two = await startTwoNodes({}, { now: () => Date.now() + 7 });
afterAll(() => two.stop());

const at = (index: number) => two.asking.at(two.nodes[index % 2 ? 1 : 0].url);

describe('one name for a call', () => {
  test('asked from twenty connections at two nodes opens one elicitation, and the others join it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const call = randomUUID();
      const opened = await Promise.all(Array.from({ length: 20 }, (_, index) => at(index).open({ call })));
      expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
      expect(opened.filter(({ joined }) => !joined)).toHaveLength(1);
      const id = opened[0]?.id ?? '';
      expect(await two.query('SELECT count(*)::int FROM tool_call WHERE id = $1', [opened[0]?.toolCall])).toEqual([1]);
      expect((await entriesOf(two, id)).map(({ type }) => type)).toEqual(['elicitation.opened']);
    }
  });

  test('with different questions opens one, and refuses every other question', async () => {
    const call = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        at(index).call('POST', '/v1/elicitations', { ...question, call, message: `Question ${index % 4}` }),
      ),
    );
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as OpenedElicitation[];
    const ids = new Set(bodies.flatMap(({ id }) => id ?? []));
    expect(ids.size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201, ...Array(9).fill(409)]);
  });

  test('of another requester or another server is another call', async () => {
    const call = randomUUID();
    const key = await two.nodes[0].newServerKey(`other-${call}`);
    const opened = [
      await at(0).open({ call }),
      await at(1).open({ call, requester: { subject: 'bob' } }),
      await askingAt(two.nodes[0].url, key).open({ call }),
    ];
    expect(new Set(opened.map(({ id }) => id)).size).toBe(3);
  });
});

describe('P26 the same without a name', () => {
  const alone = (requester: string) => ({ call: undefined, requester: { subject: requester } });
  const count = `SELECT count(*)::int FROM elicitation WHERE id = ANY($1) UNION ALL
    SELECT count(*)::int FROM tool_call t WHERE NOT EXISTS (SELECT FROM elicitation e WHERE e.tool_call_id = t.id)`;

  test('asked from twenty connections at two nodes opens one elicitation, and the others join it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const opened = await Promise.all(Array.from({ length: 20 }, (_, index) => at(index).open(alone(`r${round}`))));
      expect(new Set(opened.map(({ toolCall }) => toolCall)).size).toBe(1);
      expect(opened.filter(({ joined }) => !joined)).toHaveLength(1);
      expect(await two.query(count, [opened.map(({ id }) => id)])).toEqual([1, 0]); // and no call without a question
      expect((await entriesOf(two, opened[0]?.id ?? '')).map(({ type }) => type)).toEqual(['elicitation.opened']);
    }
  });

  test('that looked before the other was stored joins it all the same', async () => {
    const [first, second] = two.nodes;
    const server = { ...wholeServer(await serverId()), kind: 'server', name: 'payments' } as const;
    const requester = { subject: 'looked', verified: false };
    const request = { ...question, audience: 'approvers', mode: 'form', step: '0', requester } as const;
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const transactor = {
      ...first.engine.transactor,
      open: (opening: Opening) => gate.then(() => first.engine.transactor.open(opening)),
    };
    const late = openElicitation({ ...first.engine, transactor }, server, request);
    const early = await openElicitation(second.engine, server, request);
    release();
    expect(await late).toMatchObject({ id: early.id, joined: true });
  });

  test('joins none whose time is over, though no one has looked at it since', async () => {
    const { engine } = two.nodes[0];
    const server = { ...wholeServer(await serverId()), kind: 'server', name: 'payments' } as const;
    const requester = { subject: 'over', verified: false };
    const request = { ...question, audience: 'approvers', mode: 'form', step: '0', requester, ttl: 60_000 } as const;
    const over = await openElicitation(engine, server, request);
    const later = { ...engine, now: () => Date.now() + 60_001 };
    expect(await openElicitation(later, server, request)).toMatchObject({ status: 'open', joined: false });
    expect(await engine.reader.elicitation(over.id)).toMatchObject({ status: 'expired' });
  });

  test('leaves those that have names to themselves', async () => {
    const { requester } = alone('both');
    const opened = await Promise.all(
      Array.from({ length: 12 }, (_, index) => at(index).open(index < 6 ? { requester } : alone('both'))),
    );
    expect(opened.slice(0, 6).map(({ joined }) => joined)).toEqual(Array(6).fill(false));
    expect(opened.slice(6).filter(({ joined }) => !joined).length).toBeLessThanOrEqual(1);
  });
});

describe('one pending question to a requester', () => {
  test.each(['session', 'call'] as const)('in a %s: of those that race the newest stays', async (supersede) => {
    for (let round = 0; round < 12; round += 1) {
      const [session, call] = [randomUUID(), randomUUID()];
      const terms = { audience: 'requester', supersede, session };
      const opened = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          at(index).open({ ...terms, call: supersede === 'call' ? call : randomUUID(), step: `${index}` }),
        ),
      );
      const ids = opened.map(({ id }) => id);
      const newest = opened.reduce((a, b) => (isNewer(b, a) ? b : a));
      const open = `SELECT id FROM elicitation WHERE id = ANY($1) AND status = 'open'`;
      expect(await two.query(open, [ids])).toEqual([newest.id]);
      const causes = `SELECT DISTINCT status || ' ' || cause FROM elicitation WHERE id = ANY($1) AND status <> 'open'`;
      expect(await two.query(causes, [ids])).toEqual(['cancelled superseded']);
    }
  });

  test('an older one that is stored after a newer one gives way, and learns that', async () => {
    const [first, second] = two.nodes;
    const server = { ...wholeServer(await serverId()), kind: 'server', name: 'payments' } as const;
    const session = randomUUID();
    const request = { ...question, audience: 'requester', mode: 'form', step: '0', session } as const;
    const requester = { subject: 'alice', verified: false };
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const transactor = {
      ...first.engine.transactor,
      open: (opening: Opening) => gate.then(() => first.engine.transactor.open(opening)),
    };
    const older = openElicitation({ ...first.engine, transactor }, server, { ...request, requester });
    const newer = await openElicitation({ ...second.engine, now: () => Date.now() + 5_000 }, server, {
      ...request,
      requester,
    });
    release();
    expect(await older).toMatchObject({ status: 'cancelled', cause: 'superseded' });
    expect(await second.engine.reader.elicitation(newer.id)).toMatchObject({ status: 'open' });
  });

  test('leaves other sessions and approvers alone', async () => {
    const session = randomUUID();
    const others = [
      await at(0).open({ audience: 'requester', session: randomUUID() }),
      await at(0).open({ session }),
      await at(0).open({ audience: 'requester' }),
    ];
    await at(1).open({ audience: 'requester', session });
    const statuses = 'SELECT DISTINCT status FROM elicitation WHERE id = ANY($1)';
    expect(await two.query(statuses, [others.map(({ id }) => id)])).toEqual(['open']);
  });

  test('the first answer counts', async () => {
    const session = randomUUID();
    const { id } = await at(0).open({ audience: 'requester', session });
    const [answer] = await Promise.all([
      at(1).call('POST', `/v1/elicitations/${id}/answer`, { action: 'accept', content: {} }),
      at(0).open({ audience: 'requester', session }),
    ]);
    const [status] = await two.query('SELECT status FROM elicitation WHERE id = $1', [id]);
    expect([answer.status, status]).toEqual(answer.ok ? [200, 'accepted'] : [409, 'cancelled']);
  });
});

describe('P12 one execution for an approval', () => {
  test('of fifty claims at once at two nodes one gets it, and the others hear that it runs', async () => {
    const { id, toolCall, digest } = await at(0).open();
    const early = await at(0).claim(toolCall, 'early');
    expect(early.status).toBe(409);
    const browser = await openBrowser(two.nodes[0]);
    await browser.vote({ id, digest });
    const claims = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const response = await at(index).claim(toolCall, `a${index}`);
        return await json<ToolCallClaim>(response);
      }),
    );
    expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ state }) => state === 'running')).toHaveLength(49);
    const attempt = `a${claims.findIndex(({ state }) => state === 'claimed')}`;
    const again = await at(1).claim(toolCall, attempt);
    expect(await again.json()).toEqual({ state: 'claimed' });
    const claimed = (await entriesOf(two, id)).filter(({ type }) => type === 'call.claimed');
    expect(claimed).toMatchObject([{ attempt }]);
  });
});

async function serverId(): Promise<ServerId> {
  const [id] = await two.query(`SELECT id FROM server WHERE name = 'payments'`);
  return id as ServerId;
}

const isNewer = (a: OpenedElicitation, b: OpenedElicitation): boolean =>
  a.openedAt > b.openedAt || (a.openedAt === b.openedAt && a.id > b.id);
