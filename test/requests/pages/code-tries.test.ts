import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { MintedToken } from '#requests/pages/contract';
import { json } from '../../support/json.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { letIn, newVisitor, type Shown, type Visitor } from '../../support/nodes/visitor.ts';

/** Frozen: no window ends by itself. */
const start = Date.now();
let ahead = 0;
const now = () => start + ahead;
const two = await startTwoNodes({ now }, { now });
afterAll(() => two.stop());
afterEach(() => void (ahead = 0));
const { asking } = two;

const question = {
  tool: { name: 'book_table' },
  arguments: {},
  message: 'How many seats?',
  mode: 'url',
  schema: undefined,
  audience: 'requester',
  session: 'session-1',
  supersede: 'none',
  ttl: 86_400_000,
};
type Asked = OpenedElicitation & { url: string; code: string };
const ask = async (parts: Record<string, unknown> = {}): Promise<Asked> =>
  (await asking.open({ ...question, ...parts })) as Asked;
/** The client asks again: the same call joins its request. */
let calls = 0;
const named = () => ({ call: `call-${calls++}` });

const atSecond = (url: string): string => url.replace(two.nodes[0].url, two.nodes[1].url);
const wrong = (code: string, by = 1): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');
const prove = async (visitor: Visitor, url: string, code: string): Promise<Shown> => {
  const shown = await visitor.get(url);
  // A locked page has no form; one made by hand has the value of the page before.
  const proof = shown.hidden('proof') || proofs.get(visitor) || '';
  proofs.set(visitor, proof);
  return visitor.send(url, { action: 'prove', code, proof });
};
const proofs = new Map<Visitor, string>();
const strangers = async (count: number, url: string, code: string): Promise<Shown[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => prove(newVisitor(), at % 2 ? atSecond(url) : url, code)));
const isLocked = ({ html }: Shown): boolean => html.includes('Too many wrong codes');
const typesOf = async (id: string) => (await entriesOf(two, id)).map(({ type }) => type);
const minute = 60_000;

describe('a mistyped code', () => {
  test('locks its own browser after five tries, for ten minutes, and no other', async () => {
    const { url, code } = await ask();
    const [clumsy, owner] = [newVisitor(), newVisitor()];
    const tries: Shown[] = [];
    for (let count = 0; count < 6; count += 1) tries.push(await prove(clumsy, url, wrong(code)));
    expect(tries.map(isLocked)).toEqual([false, false, false, false, true, true]);
    expect(tries[3]?.html).toContain('1 try left');
    expect((await clumsy.get(atSecond(url))).html).toContain('accepts a code again in 10 minutes');
    expect(await prove(clumsy, url, code)).toMatchObject({ status: 403 });
    expect((await letIn(owner, url, code)).html).toContain('How many seats?');
    ahead += 9.5 * minute;
    expect((await clumsy.get(url)).html).toContain('accepts a code again in 1 minute.');
    ahead += 0.5 * minute;
    expect((await prove(clumsy, url, code)).status).toBe(303);
  });

  test('never locks out its owner: the client that asks again shows a link and a code that work at once', async () => {
    const call = named();
    const { id, url, code } = await ask(call);
    const visitor = newVisitor();
    for (let count = 0; count < 5; count += 1) await prove(visitor, url, wrong(code));
    expect(isLocked(await visitor.get(url))).toBe(true);
    const again = await ask(call);
    expect([again.id, again.code === code]).toEqual([id, false]);
    expect((await letIn(visitor, atSecond(again.url), again.code)).html).toContain('How many seats?');
  });

  test('renews the code of a page that is linked once more, but of no page with a try left to lose', async () => {
    const { id, url, code } = await ask();
    const mint = async () =>
      (await json<MintedToken>(
        asking.call('POST', '/v1/tokens', { session: 'session-1', purpose: 'page', elicitation: id }),
      )) as MintedToken & { code: string; pageUrl: string };
    await strangers(4, url, wrong(code));
    expect((await mint()).code).toBe(code);
    await strangers(1, url, wrong(code));
    const renewed = await mint();
    expect(renewed.code).not.toBe(code);
    expect((await prove(newVisitor(), renewed.pageUrl, code)).status).toBe(403);
    expect((await letIn(newVisitor(), renewed.pageUrl, renewed.code)).html).toContain('How many seats?');
  });

  test('is renewed once if the client asks at two nodes at the same time', async () => {
    const call = named();
    const { url, code } = await ask(call);
    await strangers(5, url, wrong(code));
    const nodes = Array.from({ length: 6 }, () => two.nodes).flat();
    const openings = await Promise.all(nodes.map((node) => asking.at(node.url).open({ ...question, ...call })));
    const codes = new Set(openings.map((opened) => opened.code));
    expect([codes.size, codes.has(code), codes.has(undefined)]).toEqual([1, false, false]);
  });
});

test('a browser without cookies is told to allow them, in its language, and uses up no try', async () => {
  const { id, url, code } = await ask();
  const visitor = newVisitor();
  const { hidden } = await visitor.get(url);
  visitor.cookies.clear();
  const fields = { action: 'prove', code, proof: hidden('proof') };
  const shown = await visitor.send(url, fields);
  expect([shown.status, shown.html]).toEqual([403, expect.stringContaining('Allow cookies for this page')]);
  visitor.cookies.clear();
  expect((await visitor.send(url, fields, { 'accept-language': 'de' })).html).toContain('Erlauben Sie Cookies');
  visitor.cookies.clear();
  const forged = await visitor.send(url, fields, { 'sec-fetch-site': 'cross-site' });
  expect([forged.status, forged.html]).toEqual([403, expect.stringContaining('came from another site')]);
  const counted = 'SELECT count(*)::int FROM page_try WHERE elicitation_id = $1';
  expect([await two.query(counted, [id]), await typesOf(id)]).toEqual([[0], ['elicitation.opened']]);
});

describe('a guesser with many browsers', () => {
  test('gets 20 tries of a link in ten minutes, over all nodes and at any speed', async () => {
    const { id, url, code } = await ask();
    const tries = await strangers(30, url, wrong(code));
    expect(tries.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 403));
    const counted = 'SELECT tries FROM page_try WHERE elicitation_id = $1 AND length(browser_hash) = 0';
    expect(await two.query(counted, [id])).toEqual([20]);
    const late = newVisitor();
    expect((await late.get(url)).html).toContain('accepts a code again in 10 minutes');
    // The page shows no form any more; a form made by hand with the right code gets no further.
    const other = await ask();
    const { hidden } = await late.get(other.url);
    expect((await late.send(url, { action: 'prove', code, proof: hidden('proof') })).status).toBe(403);
    expect(await typesOf(id)).toEqual(['elicitation.opened']);
  });

  test('is not let in by the right code after the last try', async () => {
    const { id, url, code } = await ask();
    const late = newVisitor();
    const { hidden } = await late.get(url);
    await strangers(20, url, wrong(code));
    const proven = await late.send(url, { action: 'prove', code, proof: hidden('proof') });
    expect([proven.status, isLocked(proven), await typesOf(id)]).toEqual([403, true, ['elicitation.opened']]);
  });

  test('gets 100 tries of a link in all, and then none however long they wait', async () => {
    const { url, code } = await ask();
    const late = newVisitor();
    const { hidden } = await late.get(url);
    for (let window = 0; window < 5; window += 1) {
      await strangers(20, url, wrong(code));
      ahead += 10 * minute;
    }
    expect((await late.get(url)).html).toContain('This link accepts no more codes.');
    ahead += 600 * minute;
    expect((await late.send(url, { action: 'prove', code, proof: hidden('proof') })).status).toBe(403);
  });

  test('never shuts out a browser that proved the code, before or after another one took the page over', async () => {
    const { id, url, code } = await ask();
    const [first, second] = [newVisitor(), newVisitor()];
    await letIn(first, url, code);
    await letIn(second, url, code);
    await strangers(25, url, wrong(code));
    expect((await second.get(url)).html).toContain('How many seats?');
    expect(isLocked(await first.get(url))).toBe(false);
    expect((await letIn(first, atSecond(url), code)).html).toContain('How many seats?');
    expect(await typesOf(id)).toEqual(['elicitation.opened', 'elicitation.visited', 'page.moved', 'page.moved']);
    expect((await first.send(url, { action: 'accept', digest: (await first.get(url)).hidden('digest') })).status).toBe(
      200,
    );
  });

  test('of one link locks no other link of the same request', async () => {
    const call = named();
    const { url, code } = await ask(call);
    await strangers(25, url, wrong(code));
    const again = await ask(call);
    await strangers(25, url, wrong(again.code));
    expect((await letIn(newVisitor(), again.url, again.code)).html).toContain('How many seats?');
    expect((await prove(newVisitor(), url, again.code)).status).not.toBe(303);
  });
});

describe('the right code in a second browser', () => {
  test('takes the page over from the first, with an entry in the log', async () => {
    const { id, url, code } = await ask();
    const [first, second] = [newVisitor(), newVisitor()];
    await letIn(first, url, code);
    expect((await letIn(second, atSecond(url), code)).html).toContain('How many seats?');
    expect((await first.get(url)).html).not.toContain('How many seats?');
    expect((await first.send(url, { action: 'accept' })).headers.get('location')).toBe(new URL(url).pathname);
    expect(await entriesOf(two, id)).toMatchObject([
      { type: 'elicitation.opened' },
      { type: 'elicitation.visited', actor: { kind: 'requester' } },
      { type: 'page.moved', actor: { kind: 'requester' }, tool: 'book_table' },
    ]);
  });

  test('at the same moment at another node: one of them has the page, and the log says which came second', async () => {
    const { id, url, code } = await ask();
    const visitors = [newVisitor(), newVisitor(), newVisitor()];
    await Promise.all(visitors.map((visitor) => visitor.get(url)));
    const tries = await Promise.all(
      visitors.map((visitor, at) => visitor.send(at === 1 ? atSecond(url) : url, { action: 'prove', code })),
    );
    expect(tries.map(({ status }) => status)).toEqual([303, 303, 303]);
    const pages = await Promise.all(visitors.map((visitor) => visitor.get(url)));
    expect(pages.filter(({ html }) => html.includes('How many seats?'))).toHaveLength(1);
    expect((await typesOf(id)).sort()).toEqual([
      'elicitation.opened',
      'elicitation.visited',
      'page.moved',
      'page.moved',
    ]);
  });
});
