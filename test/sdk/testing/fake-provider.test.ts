import { describe, expect, test } from '@jest/globals';
import { type Connect, type Elicit, type Payment, type Signature } from '#sdk/mcp/assentry';
import { approve, fakeHuman, fakeProvider } from '#sdk/testing/assentry-testing';

/** A tool's handlers, as their author has them. */
const order = async ({ payment }: { payment: Payment }) =>
  payment('stripe', { amount: '100.00', currency: 'EUR', for: 'Order 1042' });
const release = async ({ elicit, signature }: { elicit: Elicit; signature: Signature }) => {
  const signed = await signature('docusign', { for: 'The NDA' }, () => ({
    id: 'env_1',
    url: 'https://app.docusign.com/1',
  }));
  const { status } = await elicit('Release it?', { type: 'object', properties: {} }, { approval: true });
  return `${status}, signed by ${signed.by}`;
};
const repositories = async ({ connect }: { connect: Connect }) => {
  const github = await connect('github', { scopes: ['repo'] });
  const answer = await github.fetch('https://api.github.com/user/repos');
  return answer.status === 200 ? ((await answer.json()) as string[]) : answer.status;
};

describe('a fake provider of payments', () => {
  test('lets a handler run without a server, and remembers the step', async () => {
    const stripe = fakeProvider('stripe').pays();
    expect(await order(stripe)).toMatchObject({ amount: '100.00', currency: 'EUR', payee: 'own' });
    expect(stripe.steps).toMatchObject([
      { message: 'Pay 100.00 EUR for Order 1042.', expects: { kind: 'payment', provider: 'stripe' } },
    ]);
  });

  test('does one thing after the other, and stays with the last', async () => {
    const stripe = fakeProvider('stripe').declines().forgets().pays();
    await expect(order(stripe)).rejects.toMatchObject({ code: 'payment-declined' });
    await expect(order(stripe)).rejects.toMatchObject({ code: 'provider-outcome-unknown' });
    expect([await order(stripe), await order(stripe)]).toHaveLength(2);
  });

  test('has the author make the session, where Assentry cannot', async () => {
    const tea = { amount: '5.00', currency: 'EUR', for: 'Tea' };
    const references: string[] = [];
    const make = ({ reference }: { reference: string }) => {
      references.push(reference);
      return { id: 'PL1', url: 'https://eu.adyen.link/PL1' };
    };
    for (const name of ['adyen', 'standard'])
      expect(await fakeProvider(name).pays().payment(name, tea, make)).toMatchObject({ id: 'PL1', amount: '5.00' });
    expect(references).toEqual([expect.stringMatching(/^as_.{22}$/), expect.stringMatching(/^as_.{22}$/)]);
  });

  test.each([
    ['without what the author makes', 'adyen', {}],
    ['for a signature', 'docusign', {}],
    ['at a provider of accounts alone', 'github', {}],
    ['to a payee that is none of the accounts', 'stripe', { payee: 'acct_2' }],
  ])('refuses a payment %s', async (_, name, parts) => {
    const provider = fakeProvider(name, { accounts: ['acct_1'] }).pays();
    const paid = provider.payment(name, { amount: '5.00', currency: 'EUR', for: 'Tea', ...parts });
    await expect(paid).rejects.toMatchObject({ code: 'provider-not-configured' });
    expect(provider.steps).toEqual([]);
  });

  test.each([
    ['another provider', fakeProvider('adyen').pays(), 'provider-not-configured'],
    ['no outcome', fakeProvider('stripe'), 'not-found'],
    ['an account', fakeProvider('stripe').connects({ account: 'ada' }), 'INVALID_INPUT'],
    ['a person alone', fakeHuman({ mode: 'url', reply: approve() }), 'provider-not-configured'],
  ])('says what is missing where the test gives %s', async (_, part, code) => {
    await expect(order(part)).rejects.toMatchObject({ code });
  });

  test('takes the place of a provider under another key', async () => {
    const shop = fakeProvider('shop-eu', { use: 'stripe', accounts: ['acct_eu'] }).pays();
    const tea = { amount: '5.00', currency: 'EUR', for: 'Tea' };
    expect(await shop.payment('shop-eu', tea)).toMatchObject({ payee: 'acct_eu' });
    expect(() => fakeProvider('shop-eu')).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });
});

test('a fake provider and a fake person answer the steps of one handler', async () => {
  const docusign = fakeProvider('docusign').signs({ by: 'ada@example.com' });
  const human = fakeHuman(docusign, { message: 'Release it?', reply: approve() });
  expect(await release(human)).toBe('accept, signed by ada@example.com');
  expect([docusign.steps.length, human.questions.length]).toEqual([1, 1]);
});

describe('a fake provider of accounts', () => {
  test('answers requests by the test, with a token, and never by the network', async () => {
    const requests: string[] = [];
    const fetch = (request: Request) => {
      requests.push(`${request.method} ${request.url} ${request.headers.get('authorization')?.slice(0, 12)}`);
      return Response.json(['assentry']);
    };
    const github = fakeProvider('github').connects({ account: 'ada', fetch });
    expect(await repositories(github)).toEqual(['assentry']);
    expect(await repositories(github)).toEqual(['assentry']);
    expect(requests[0]).toBe('GET https://api.github.com/user/repos Bearer fake-');
    expect(github.steps).toMatchObject([{ expects: { kind: 'connection', scopes: ['repo'] } }]);
  });

  test('asks again at a 401, once, and repeats the request', async () => {
    let calls = 0;
    const fetch = () => ((calls += 1) === 1 ? new Response(null, { status: 401 }) : Response.json(['assentry']));
    const github = fakeProvider('github').connects({ account: 'ada', fetch });
    expect(await repositories(github)).toEqual(['assentry']);
    expect([calls, github.steps.length]).toEqual([2, 2]);
  });

  test('rejects if the person connects another account the second time', async () => {
    const fetch = () => new Response(null, { status: 401 });
    const github = fakeProvider('github').connects({ account: 'ada', fetch }).connects({ account: 'eve', fetch });
    await expect(repositories(github)).rejects.toMatchObject({ code: 'connection-declined' });
  });

  test('asks for wider scopes', async () => {
    const github = fakeProvider('github').connects({ account: 'ada' });
    await github.connect('github', { scopes: ['public_repo'] });
    expect((await github.connect('github', { scopes: ['repo'] })).scopes).toEqual(['repo']);
    expect((await github.connect('github', { scopes: ['public_repo'] })).scopes).toEqual(['repo']);
    expect(github.steps).toHaveLength(2);
  });

  test('names the request that the test answers not', async () => {
    const github = fakeProvider('github').connects({ account: 'ada' });
    await expect(repositories(github)).rejects.toThrow('GET https://api.github.com/user/repos');
  });
});
