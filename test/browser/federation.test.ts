import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { applyPolicies } from '#policies/verbs/apply';
import { client, startRealProvider } from '../support/nodes/real-provider.ts';
import { until } from '../support/poll.ts';
import { approve, button, openHouse } from './house/house.ts';
import { transfer } from './house/questions.ts';
import { expectUsable, viewsFor } from './house/usable.ts';

const started = await startRealProvider();
const provider = started;
const newPeople = { role: 'approver', domains: ['example.com'], claims: {}, verifiedBy: 'email_verified' } as const;
/** People who sign in at a provider with pages of its own, in a real browser. */
const house = await openHouse({
  signInProviders: [
    {
      key: 'acme',
      name: 'Acme',
      issuer: started.issuer,
      ...client,
      scopes: ['openid', 'email', 'profile'],
      multiFactor: { acr: [], amr: [] },
      newPeople,
      groups: null,
      scim: null,
    },
  ],
});
afterAll(async () => {
  await house.close();
  await provider.close();
});
started.serve(house.server.url);

/** On the pages of the provider. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await button(page, 'Sign-in').click();
}
async function enter(page: Page, name: string): Promise<void> {
  await button(page, 'Sign in with Acme').click();
  await signInThere(page, name);
  await button(page, 'Continue').click();
}

test('the page for signing in, at every size and in every theme, and in German', async () => {
  for (const { width, colorScheme, options } of viewsFor('providers')) {
    const page = await house.openPage(options);
    await page.goto(`${house.server.url}/signin`);
    await button(page, 'Sign in with Acme').waitFor();
    await expectUsable(page, `providers-${width}-${colorScheme}`);
  }
  const page = await house.openPage({ locale: 'de-DE' });
  await page.goto(`${house.server.url}/signin?refused=address-taken&provider=acme&next=%2F`);
  await page.getByText('verbinden Sie Acme').waitFor();
  await page.getByText('Mit Passwort anmelden').click();
  await page.getByLabel('E-Mail-Adresse').waitFor();
  await expectUsable(page, 'providers-german');
  await house.closePages();
});

test('someone signs in, proves again who they are for a vote, and signs out there as well', async () => {
  await house.addUser('Grace Hopper', 'approver');
  await applyPolicies(house.server.engine, [
    'policy: fresh\nmatch: { tool: transfer_funds }\nrequire: { freshSignIn: 1m, stages: [{ name: One, approvers: anyone }] }\n',
  ]);
  const id = await house.ask(transfer);
  const page = await house.openPage();
  await page.goto(`${house.server.url}/requests/${id}`);
  await enter(page, 'ada');
  await page.waitForURL(`${house.server.url}/requests/${id}`);
  await makeProofOld();
  await button(page, /^Approve/).waitFor();
  await page.locator('#decision').getByLabel('Comment').fill('Seen the invoice.');
  await approve(page);
  await button(page, 'Confirm with Acme').click();
  await signInThere(page, 'ada');
  await page.waitForURL(`${house.server.url}/requests/${id}`);
  await button(page, /^Approve/).waitFor();
  expect(await page.locator('#decision').getByLabel('Comment').inputValue()).toBe('Seen the invoice.');
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await approve(page);
  await until(async () => (await house.server.engine.reader.elicitation(id))?.status === 'accepted');
  await button(page, 'Sign out').click();
  await button(page, 'Yes, sign me out').click();
  await page.waitForURL(`${house.server.url}/signin**`);
  await button(page, 'Sign in with Acme').click();
  await page.getByPlaceholder('Enter any login').waitFor();
  expect(house.complaints).toEqual([]);
});

test('where a policy needs an acr, the provider is asked for it, and nothing else is offered', async () => {
  await applyPolicies(house.server.engine, [
    'policy: vouched\nmatch: { tool: wire_funds }\nrequire: { presence: { acr: phr }, stages: [{ name: One, approvers: anyone }] }\n',
  ]);
  const id = await house.ask({ ...transfer, tool: { ...transfer.tool, name: 'wire_funds' } });
  for (const { width, colorScheme, options } of viewsFor('acr')) {
    const page = await house.openPage(options);
    await page.goto(`${house.server.url}/requests/${id}`);
    await enter(page, 'ada');
    await page.waitForURL(`${house.server.url}/requests/${id}`);
    await page
      .getByText(/confirms it as phr/)
      .first()
      .waitFor();
    await button(page, /^Approve/).waitFor();
    await approve(page);
    await button(page, 'Confirm with Acme').waitFor();
    expect(await page.locator('input[type=password]').count()).toBe(0);
    await expectUsable(page, `acr-${width}-${colorScheme}`);
    const left = page.waitForRequest(/acr_values=phr/);
    await button(page, 'Confirm with Acme').click();
    await left;
    await house.closePages();
  }
  expect(house.complaints.splice(0).filter((line) => !line.includes('403'))).toEqual([]);
});

/** As if the sign-in had been some minutes ago. */
async function makeProofOld(): Promise<void> {
  const database = new pg.Client({
    connectionString: (house.server as unknown as { databaseUrl: string }).databaseUrl,
  });
  await database.connect();
  await database.query(`UPDATE session SET authenticated_at = authenticated_at - interval '10 minutes'`);
  await database.end();
}
