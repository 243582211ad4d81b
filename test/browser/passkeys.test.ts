import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { OpenElicitation } from '#requests/asking/contract/open';
import { addVirtualAuthenticator } from '../support/browser/virtual-authenticator.ts';
import { freePort } from '../support/nodes/free-port.ts';
import { until } from '../support/poll.ts';
import { button, openHouse, password } from './house/house.ts';
import { expectUsable } from './house/usable.ts';
import { drawn } from '../support/runs.ts';

const port = await freePort();
/** Browsers bind passkeys to a name, so people reach this house under one. */
const house = await openHouse({ port, publicUrl: `http://localhost:${port}` });
afterAll(() => house.close());
await house.addUser('Grace Hopper', 'approver');
const administrator = await house.addUser('Alan Turing', 'admin');
await house.server.applyPolicies([
  'policy: pay\nmatch: { tool: pay_invoice }\nrequire: { stages: [{ name: Finance, approvers: anyone }], presence: passkey }',
]);
afterEach(async () => {
  await house.closePages();
  // Chromium says so of each answer that is no success; an old proof is refused on purpose.
  expect(house.complaints.splice(0).filter((line) => !line.includes('403'))).toEqual([]);
});

const sizes = [
  {
    width: 360,
    locale: 'de-DE',
    add: 'Passkey hinzufügen',
    create: 'Passkey anlegen',
    enter: 'Mit einem Passkey anmelden',
  },
  { width: 1440, locale: 'en-GB', add: 'Add a passkey', create: 'Create passkey', enter: 'Sign in with a passkey' },
];

test.each(drawn('passkeys', sizes, { least: 1 }))(
  'at $width px a person adds a passkey, signs in with it, and removes it',
  async (size) => {
    const { width, locale, add, create, enter } = size;
    const name = `Ada${width} Lovelace`;
    const person = await house.addUser(name, 'approver');
    const page = await house.openPage({ viewport: { width, height: 800 }, locale });
    await addVirtualAuthenticator(page);
    await page.goto(`${house.server.url}/signin`);
    await page.locator('input[type=email]').fill(`Ada${width}@example.com`);
    await page.locator('input[type=password]').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${house.server.url}/`);
    await page.goto(`${house.server.url}/account`);
    await button(page, add).click();
    await expectUsable(page, `passkey-add-${width}`);
    await button(page, create).click();
    const remove = button(page, /^(Remove|Entfernen:) .*Chrome/);
    await remove.waitFor();
    const theirs = await house.openPageAs(administrator, `/settings/people/${person.id}`, { locale: 'en-GB' });
    const listed = theirs.getByRole('listitem').filter({ hasText: 'Chrome' });
    expect(await listed.innerText()).toMatch(/device.*Added just now · not used yet/s);
    await page.context().clearCookies({ name: 'assentry' });
    await page.goto(`${house.server.url}/signin?next=/account`);
    await button(page, enter).waitFor();
    await expect(page.locator('form, button').first().innerText()).resolves.toBe(enter); // here it was used before
    await expectUsable(page, `passkey-sign-in-${width}`);
    await button(page, enter).click();
    await page.waitForURL(`${house.server.url}/account`);
    await remove.click();
    await remove.waitFor({ state: 'detached' });
  },
);

test('at an IP address of this machine, the page leads to the name under which one can be added', async () => {
  await house.addUser('Edith Clarke', 'approver');
  const page = await house.openPage({ viewport: { width: 360, height: 740 } });
  await addVirtualAuthenticator(page);
  const signInThere = async () => {
    await page.locator('input[type=email]').fill('Edith@example.com');
    await page.locator('input[type=password]').fill(password);
    await page.keyboard.press('Enter');
  };
  await page.goto(`${house.server.url.replace('localhost', '127.0.0.1')}/signin?next=/account`);
  await signInThere();
  const link = page.getByRole('link', { name: `${house.server.url}/account` });
  await link.waitFor();
  expect(await button(page, 'Add a passkey').count()).toBe(0);
  await expectUsable(page, 'passkey-at-an-address');
  await link.click();
  await page.waitForURL(`${house.server.url}/signin**`);
  await signInThere();
  await button(page, 'Add a passkey').click();
  await button(page, 'Create passkey').click();
  await button(page, /^Remove .*Chrome/).waitFor();
});

test('without a passkey nothing is sent, and the page says so', async () => {
  const page = await house.openPage();
  await addVirtualAuthenticator(page);
  await page.goto(`${house.server.url}/signin`);
  await button(page, 'Sign in with a passkey').click();
  await page.getByText('Nothing was signed').waitFor();
});

const invoice: OpenElicitation = {
  tool: { name: 'pay_invoice', title: 'Pay an invoice' },
  arguments: { to: 'DE02', amount: 40 },
  message: 'Pay?',
  audience: 'approvers',
  requester: { subject: 'alice', verified: true },
};

const decisions = [
  {
    width: 360,
    locale: 'de-DE',
    missing: 'Erst einen Passkey hinzufügen',
    add: sizes[0]!.add,
    create: sizes[0]!.create,
    signs: 'Mit Ihrem Passkey unterschreiben: pay_invoice freigeben',
  },
  {
    width: 1440,
    locale: 'en-GB',
    missing: 'Add a passkey first',
    add: sizes[1]!.add,
    create: sizes[1]!.create,
    signs: 'Sign with your passkey: approve pay_invoice',
  },
];

test.each(drawn('signed votes', decisions, { least: 1 }))(
  'at $width px one button leads to a passkey that is missing, and then signs the vote',
  async (size) => {
    const { width, locale, missing, add, create, signs } = size;
    const ada = await house.addUser(`Voter${width} Lovelace`, 'approver');
    const id = await house.ask({ ...invoice, message: `Pay invoice ${width}?` });
    const page = await house.openPage({ viewport: { width, height: 800 }, locale });
    await addVirtualAuthenticator(page);
    await page.goto(`${house.server.url}/signin`);
    await page.locator('input[type=email]').fill(ada.email);
    await page.locator('input[type=password]').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${house.server.url}/`);
    await page.goto(`${house.server.url}/requests/${id}`);
    const approve = page.locator('button[data-verb=approve]');
    await approve.filter({ hasText: missing }).click();
    await page.waitForURL(/\/account/);
    // By its whole name: the button of the request is there until the next page is.
    await page.getByRole('button', { name: add, exact: true }).click();
    await button(page, create).click();
    await button(page, /^(Remove|Entfernen:) .*Chrome/).waitFor();
    await page.goto(`${house.server.url}/requests/${id}`);
    await page.getByText(signs).waitFor();
    await expectUsable(page, `passkey-vote-${width}`);
    await approve.click();
    await approve.waitFor({ state: 'detached' });
    await until(async () => (await house.server.engine.reader.elicitation(id))?.status === 'accepted');
    expect(await house.server.engine.passkeys.signedVotes(id)).toHaveLength(1);
  },
);
