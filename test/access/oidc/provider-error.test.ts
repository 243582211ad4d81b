import { afterAll, expect, test } from '@jest/globals';
import { createIdentityProvider } from '#access/oidc/wiring';
import { createHealth } from '#platform/nodes/verbs/health';
import { beginAt, comeBack, signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const now = Date.now();
const acme = await startHostileProvider('acme', () => now);
const server = await startTestServer({ now: () => now, signInProviders: [acme.settings()] });
afterAll(async () => {
  await server.stop();
  await acme.close();
});

const description = 'AADSTS50105: <b>mal</b>\u202E is not assigned to a role.';
const checks = { state: 'state', nonce: 'nonce', codeVerifier: 'verifier' };
const redeem = (query: Record<string, string>) => {
  const search = new URLSearchParams({ state: 'state', iss: acme.issuer, ...query });
  return createIdentityProvider(acme.settings(), () => now).redeem(new URL(`${server.url}/callback?${search}`), checks);
};

test('the operator reads in the log what the provider calls an error, and the person reads none of it', async () => {
  const query = { error: 'access_denied', error_description: description };
  await expect(redeem(query)).rejects.toMatchObject({
    reason: 'provider-refused',
    said: { error: 'access_denied', description },
  });
  const back = await comeBack(server.url, acme.settings(), await beginAt(server.url, 'acme'), { code: null, ...query });
  expect(back.next).toContain('refused=provider-refused');
  expect(decodeURIComponent(back.next)).not.toMatch(/AADSTS|access_denied/);
});

test('an error without an end is kept to its beginning', async () => {
  await expect(redeem({ error: 'x'.repeat(2_000), error_description: 'y'.repeat(2_000) })).rejects.toMatchObject({
    said: { error: 'x'.repeat(500), description: 'y'.repeat(500) },
  });
});

test('an error of the token endpoint is said as well', async () => {
  acme.refuseClient(true, {});
  await expect(redeem({ code: 'any' })).rejects.toMatchObject({ said: { error: 'invalid_client', description: null } });
  acme.refuseClient(false);
});

test('the node warns of a provider that does not say when people proved who they are, until it does', async () => {
  const ada = await server.newUser();
  await server.connectUser(ada.email, { issuer: acme.issuer, subject: 'ada-7' });
  const warnings = () => server.engine.health.warnings();
  await signInBy(acme, server.url, { sub: 'ada-7', auth_time: undefined });
  expect(warnings()).toEqual([{ code: 'provider-untimed', providers: ['ACME'] }]);
  await signInBy(acme, server.url, { sub: 'ada-7' });
  expect(warnings()).toEqual([]);
});

test('of two such providers one that begins to say it ends the warning of itself alone', () => {
  const health = createHealth(() => now);
  for (const name of ['Dex', 'ACME']) health.hearProvider(name, false);
  expect(health.warnings()).toEqual([{ code: 'provider-untimed', providers: ['ACME', 'Dex'] }]);
  health.hearProvider('Dex', true);
  expect(health.warnings()).toEqual([{ code: 'provider-untimed', providers: ['ACME'] }]);
});
