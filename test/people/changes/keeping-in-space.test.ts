import { afterAll, expect, test } from '@jest/globals';
import { eraseOutlived } from '#keeping/content/verbs/erase';
import { applyPolicies } from '#policies/verbs/apply';
import { addSpace, moveToSpace } from '#people/spaces/verbs';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { verify } from '../../support/nodes/log.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const day = 86_400_000;
let now = Date.parse('2026-08-03T08:00:00Z');
const sessions = { idle: 1e12, longest: 1e12 };
const server = await startTestServer({ now: () => now, sessions });
afterAll(() => server.stop());

test('a policy of a space that asks more does not keep content longer than the global one that decided as well', async () => {
  const { engine } = server;
  const ada = await openBrowser(server);
  const asking = askingAt(server.url, await server.newServerKey('billing'));
  const space = await addSpace(engine, 'operator', 'Payments');
  const { servers } = await engine.directory.read();
  await moveToSpace(engine, 'operator', { space, server: servers.find(({ name }) => name === 'billing')!.id });
  const policy = (name: string, tool: string, terms: string) => `policy: ${name}\nmatch: { tool: ${tool} }\n${terms}\n`;
  const stages = 'require: { stages: [{ name: One, approvers: anyone }] }';
  const keeping = ['allow: { ceiling: medium }', 'confirm: {}', stages].map((terms, at) =>
    policy(`keeps-${at}`, `keeps-${at}`, `keep: 7d\n${terms}`),
  );
  await applyPolicies(engine, [...keeping, policy('keeps-no-more', 'forever', 'allow: { ceiling: medium }')]);
  const tools = ['keeps-0', 'keeps-1', 'keeps-2', 'forever'];
  await applyPolicies(
    engine,
    tools.map((tool) => policy(`here-${tool}`, tool, stages)),
    { space },
  );
  const requests = await Promise.all(tools.map((tool) => asking.open({ tool: { name: tool } })));
  for (const request of requests) {
    const bob = await openBrowser(server);
    await ada.vote(request);
    await bob.vote(request);
  }
  const erased = async () => {
    await eraseOutlived(engine);
    const rows = await Promise.all(requests.map(({ id }) => engine.reader.elicitation(id)));
    return rows.map((row) => [row?.status === 'open', row?.dataKey === null]);
  };
  now += 6 * day;
  expect(await erased()).toEqual(tools.map(() => [false, false]));
  now += 2 * day;
  expect(await erased()).toEqual([
    [false, true],
    [false, true],
    [false, true],
    [false, false],
  ]);
  expect((await verify(engine)).fault).toBeNull();
});
