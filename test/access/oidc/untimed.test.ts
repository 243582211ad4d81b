import { afterAll, expect, test } from '@jest/globals';
import type { BegunTotp } from '#access/factors/contract/second-factor';
import { codeAt, stepMs } from '../../support/nodes/authenticator-app.ts';
import { browserAt } from '../../support/nodes/console.ts';
import { signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

let clock = Math.floor(Date.now() / stepMs) * stepMs;
const minute = 60_000;
/** A provider that does not say when someone proved who they are, in front of a production installation. */
const dex = await startHostileProvider('dex', () => clock);
const server = await startTestServer({
  environment: 'production',
  secondFactor: 'required',
  now: () => clock,
  signInProviders: [dex.settings()],
});
afterAll(async () => {
  await server.stop();
  await dex.close();
});
const ada = await server.newUser();
await server.connectUser(ada.email, { issuer: dex.issuer, subject: 'ada-7' });

const signIn = async () => {
  const { cookie = '' } = await signInBy(dex, server.url, { sub: 'ada-7', auth_time: undefined });
  return browserAt(server.url, ada as never, cookie);
};
type Browser = Awaited<ReturnType<typeof signIn>>;
const keep = (answer: Response): Browser => {
  const cookie = answer.headers.getSetCookie().find((text) => /^(?:__Host-)?assentry=[^;]/.test(text)) ?? '';
  return browserAt(server.url, ada as never, cookie.split(';')[0] ?? '');
};
const refusalOf = async (answer: Promise<Response>) => (await json<{ code?: string }>(answer)).code;

test('a person adds their first factor within ten minutes of the sign-in, and from then on proves by it what needs a fresh proof', async () => {
  const late = await signIn();
  clock += 11 * minute;
  expect(await refusalOf(late.call('POST', '/api/account/totp/begin'))).toBe('fresh-sign-in-needed');

  const first = await signIn();
  clock += 9 * minute;
  expect((await first.call('GET', '/api/elicitations')).status).toBe(403);
  const { secret, enrolment } = await json<BegunTotp>(first.call('POST', '/api/account/totp/begin'));
  const enrolled = keep(await first.call('POST', '/api/account/totp', { enrolment, code: codeAt(secret, clock) }));
  expect((await enrolled.call('GET', '/api/elicitations')).status).toBe(200);
  expect((await enrolled.call('POST', '/api/account/recovery-codes')).status).toBe(200);

  clock += 11 * minute;
  expect(await refusalOf(enrolled.call('POST', '/api/account/recovery-codes'))).toBe('second-factor-needed');
  const proven = keep(await enrolled.call('POST', '/api/session/confirm/code', { code: codeAt(secret, clock) }));
  expect((await proven.call('POST', '/api/account/recovery-codes')).status).toBe(200);

  // A person who has the provider's session alone adds nothing next to it, however new the sign-in.
  const other = await signIn();
  expect((await other.call('POST', '/api/account/passkeys/begin')).status).toBe(403);
  expect((await other.call('POST', '/api/account/totp/begin')).status).toBe(403);
});
