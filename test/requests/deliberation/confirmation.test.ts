import { afterAll, describe, expect, test } from '@jest/globals';
import { textToType } from '#requests/facts/contract/orders';
import { json } from '../../support/json.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const policyOf = (tool: string, terms: string, when = '') =>
  `policy: ${tool}${when === '' ? '' : '-again'}\nmatch: { tool: ${tool} }\n${when}require: { stages: [{ name: One, approvers: anyone }], ${terms} }`;
const policies = [
  policyOf('drop', 'confirmation: { path: /name }, editable: { name: { type: string } }'),
  policyOf('wipe', 'confirmation: { text: delete everything }'),
  policyOf('purge', 'confirmation: { text: purge }'),
  policyOf('purge', 'confirmation: { path: /name }', 'when: request.args.missing == 1\n'),
];

const two = await startTwoNodes();
afterAll(() => two.stop());
const [ada, bob] = [await openBrowser(two.nodes[0]), await openBrowser(two.nodes[1])];
await two.nodes[0].applyPolicies(policies);

type Asked = { id: string; digest: string };
const ask = (tool: string, args: Record<string, unknown> = { name: 'prod-db' }): Promise<Asked> =>
  two.asking.open({ tool: { name: tool }, arguments: args });
const approve = async (request: Asked, typed?: string[], by = ada) => {
  const response = await by.vote(request, { typed });
  const { code, errors } = await json<{ code?: string; errors?: { path: unknown[]; message: string }[] }>(response);
  return [response.status, code, ...(errors ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)];
};
const refused = (text: string) => [400, 'INVALID_INPUT', `typed: Type ${text} to approve.`];

describe('a policy that has approvers type what is at stake', () => {
  test('takes no approval without the value of the argument, and none with another value', async () => {
    const request = await ask('drop');
    expect(await approve(request)).toEqual(refused('prod-db'));
    for (const typed of [[], [''], ['prod'], ['PROD-DB'], ['prod-db-2'], ['drop'], ['/name']])
      expect(await approve(request, typed, bob)).toEqual(refused('prod-db'));
    expect((await ada.show(request.id)).status).toBe('open');
    expect(await approve(request, [' prod-db '])).toEqual([200, undefined]);
    expect((await ada.show(request.id)).status).toBe('accepted');
  });

  test('takes a fixed text, and needs nothing typed to decline', async () => {
    const request = await ask('wipe');
    expect(await approve(request, ['prod-db'])).toEqual(refused('delete everything'));
    const no = await bob.vote(request, { action: 'decline', comment: 'no', content: undefined });
    expect(no.status).toBe(200);
    expect(await approve(await ask('wipe'), ['delete everything'])).toEqual([200, undefined]);
  });

  test('asks for the edited value after an edit', async () => {
    const request = await two.asking.open({ tool: { name: 'drop' }, arguments: { name: 'prod-db' } });
    const edit = { digest: request.digest, arguments: { name: 'test-db' } };
    expect((await bob.call('POST', `/api/elicitations/${request.id}/edit`, edit)).status).toBe(200);
    const { digest } = await ada.show(request.id);
    const edited = { id: request.id, digest };
    expect(await approve(edited, ['prod-db'])).toEqual(refused('test-db'));
    expect(await approve(edited, ['test-db'])).toEqual([200, undefined]);
  });

  test('with another that holds as well, asks for both texts', async () => {
    const request = await ask('purge');
    expect(await approve(request, ['purge'])).toEqual(refused('prod-db'));
    expect(await approve(request, ['prod-db'])).toEqual(refused('purge'));
    expect(await approve(request, ['prod-db', 'purge'])).toEqual([200, undefined]);
  });

  test('refuses it among several at once, too', async () => {
    const { id, digest } = await ask('wipe');
    const body = { items: [{ id, digest }], action: 'accept' };
    const { results } = await json<{ results: unknown[] }>(await ada.call('POST', '/api/elicitations/votes', body));
    expect(results).toMatchObject([{ id, status: 'open', problem: { code: 'INVALID_INPUT' } }]);
  });
});

test.each([
  ['/name', 'prod-db'],
  ['/name~1x', 'odd'],
  ['/count', '12'],
  ['/isAll', 'true'],
  ['/list/0', 'first'],
  ['/padded', 'in the middle'],
  ['/gone', 'tool'],
  ['/list', 'tool'],
  ['/empty', 'tool'],
  ['/nothing', 'tool'],
  ['/hidden', 'tool'],
  ['/lines', 'tool'],
  ['/long', 'tool'],
  ['/__proto__', 'tool'],
])('the value of %s is typed as %s', (path, text) => {
  const args = {
    name: 'prod-db',
    'name/x': 'odd',
    count: 12,
    isAll: true,
    list: ['first'],
    padded: '  in the middle ',
    empty: ' ',
    nothing: null,
    hidden: 'prod\u202edb',
    lines: 'a\nb',
    long: 'x'.repeat(201),
  };
  expect(textToType({ path, text: null }, args, 'tool')).toBe(text);
});
