import { afterAll, describe, expect, test } from '@jest/globals';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { MintedToken } from '#requests/pages/contract';
import { askingAt } from '../../support/nodes/asking.ts';
import { changeUser } from '#people/users/verbs';
import { signInWithPassword } from '#access/passwords/verbs';
import type { User } from '#people/directory/contract/user';
import { startTestServer } from '../../support/nodes/server.ts';
import { newVisitor, type Visitor } from '../../support/nodes/visitor.ts';
import { json } from '../../support/json.ts';
import { freePort } from '../../support/nodes/free-port.ts';

const publicUrl = 'https://approvals.example.com';
const password = 'seven quiet otters paint';

const newUser = (email: string): Promise<User> => server.addUser({ email, name: email, role: 'reviewer', password });

const port = await freePort();
const server = await startTestServer({ publicUrl, port });
afterAll(() => server.stop());
const base = `http://127.0.0.1:${port}`;
const asking = askingAt(base, await server.newServerKey());
const alice = await newUser('alice@example.com');
const bob = await newUser('bob@example.com');
const carol = await newUser('carol@example.com');

const ask = async (requester: Record<string, unknown>): Promise<OpenedElicitation & { url: string }> => {
  const opened = await asking.open({ mode: 'url', audience: 'requester', requester, message: 'Go on?', session: 's' });
  return { ...opened, url: (opened.url ?? '').replace(publicUrl, base) };
};
/** A browser that is signed in at the console as this person. */
async function signedIn(user: User): Promise<Visitor> {
  const visitor = newVisitor();
  const { secret } = await signInWithPassword(server.engine, user.email, password);
  visitor.cookies.set('__Host-assentry', secret);
  return visitor;
}
const history = async (id: string): Promise<Record<string, unknown>[]> =>
  (await server.engine.reader.history(id as never)).map((body) => JSON.parse(Buffer.from(body).toString()));

describe('MT-05, CB-02: the page of an installation that others reach', () => {
  test('gives no code away, and none opens it', async () => {
    const { id, url, code } = await ask({ subject: 'alice@example.com', verified: true });
    expect(code).toBeUndefined();
    const minted = await asking.call('POST', '/v1/tokens', { session: 's', purpose: 'page', elicitation: id });
    expect((await json<MintedToken>(minted)).code).toBeUndefined();
    const visitor = newVisitor();
    const shown = await visitor.get(url);
    expect(shown.html).toContain('Show that this request is for you');
    expect(shown.html).not.toContain('alice');
    for (const typed of ['', '000000']) {
      expect((await visitor.send(url, { action: 'prove', code: typed })).status).toBe(403);
    }
    expect(shown.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-assentry-page-.*Path=\/.*Secure/)]);
  });

  test('opens for the person who was asked, and records them as who answered', async () => {
    const { id, url } = await ask({ subject: 'Alice@Example.com', verified: true });
    const visitor = await signedIn(alice);
    expect((await visitor.get(url)).html).not.toContain('Go on?');
    expect(await history(id)).toHaveLength(1);
    expect((await visitor.send(url, { action: 'prove' })).status).toBe(303);
    expect((await visitor.get(url)).html).toContain('Go on?');
    expect((await visitor.send(url, { action: 'decline' })).status).toBe(200);
    expect(await history(id)).toMatchObject([
      { type: 'elicitation.opened' },
      { type: 'elicitation.visited', actor: { kind: 'user', id: alice.id } },
      { type: 'elicitation.answered', actor: { kind: 'user', id: alice.id }, action: 'decline' },
    ]);
  });

  test('opens for the person who is linked to issuer and subject', async () => {
    const issuer = 'https://id.example.com';
    await changeUser(server.engine, 'operator', carol.id, { subjects: [`${issuer}#c-42`] });
    const { id, url } = await ask({ subject: 'c-42', issuer, verified: true });
    const [own, other] = [await signedIn(carol), await signedIn(alice)];
    await Promise.all([own.get(url), other.get(url)]);
    expect((await other.send(url, { action: 'prove' })).status).toBe(403);
    expect((await own.send(url, { action: 'prove' })).status).toBe(303);
    expect((await history(id)).at(-1)).toMatchObject({ actor: { kind: 'user', id: carol.id } });
  });

  test('stays closed for the person who was asked while the second factor of their sign-in is missing', async () => {
    const port = await freePort();
    const strict = await startTestServer({
      publicUrl,
      port,
      databaseUrl: server.databaseUrl,
      secondFactor: 'required',
    });
    const { url } = await ask({ subject: 'alice@example.com', verified: true });
    const [here, there] = [url, url.replace(base, `http://127.0.0.1:${port}`)];
    const visitor = await signedIn(alice);
    await visitor.get(there);
    expect((await visitor.send(there, { action: 'prove' })).status).toBe(403);
    expect((await visitor.send(here, { action: 'prove' })).status).toBe(303);
    await strict.stop();
  });

  test('stays closed for everyone else, even while the asked person uses it', async () => {
    const { id, url } = await ask({ subject: 'alice@example.com', verified: true });
    const [other, own] = [await signedIn(bob), await signedIn(alice)];
    await Promise.all([other.get(url), own.get(url)]);
    expect((await other.send(url, { action: 'prove' })).status).toBe(403);
    expect((await own.send(url, { action: 'prove' })).status).toBe(303);
    expect((await other.send(url, { action: 'accept' })).status).toBe(303);
    expect((await other.get(url)).html).not.toContain('Go on?');
    expect((await history(id)).map(({ type }) => type)).toEqual(['elicitation.opened', 'elicitation.visited']);
  });

  test.each([
    ['whose subject no one verified', { subject: 'alice@example.com' }],
    ['whose subject is no address of anyone here', { subject: 'auth0|42', verified: true }],
    [
      'who has the same address at an issuer',
      { subject: 'alice@example.com', issuer: 'https://evil.example.com', verified: true },
    ],
  ])('stays closed for a requester %s', async (_what, requester) => {
    const { id, url } = await ask(requester);
    const visitor = await signedIn(alice);
    await visitor.get(url);
    const refused = await visitor.send(url, { action: 'prove' });
    expect(refused.status).toBe(403);
    expect(refused.html).not.toContain('Go on?');
    expect(await history(id)).toHaveLength(1);
  });

  test('does not let a disabled person answer', async () => {
    const { id, url } = await ask({ subject: 'bob@example.com', verified: true });
    const visitor = await signedIn(bob);
    await visitor.get(url);
    await visitor.send(url, { action: 'prove' });
    await visitor.get(url);
    const { byId } = server.engine.users;
    server.engine.users.byId = async (user) => (user === bob.id ? null : byId(user));
    expect((await visitor.send(url, { action: 'accept' })).status).toBe(303);
    server.engine.users.byId = byId;
    expect((await history(id)).map(({ type }) => type)).toEqual(['elicitation.opened', 'elicitation.visited']);
  });
});
