import { expect, test } from '@jest/globals';
import type { User } from '#people/directory/contract/user';
import { publish } from '../support/requests/policies.ts';
import { approve, button, sharedHouse } from './house/house.ts';
import { readOnly, transfer } from './house/questions.ts';
import { expectUsableEverywhere } from './house/usable.ts';

let [ada, grace]: User[] = [];

const typed = `policy: typed
match: { tool: export_report }
require: { stages: [{ name: One, approvers: anyone }], confirmation: { path: /quarter } }`;
const paced = `policy: paced
match: { tool: transfer_funds }
require: { stages: [{ name: One, approvers: anyone }], pace: { approvals: 2, within: 10m } }`;

const house = await sharedHouse();
ada = await house.addUser('Ada Lovelace', 'approver');
grace = await house.addUser('Grace Hopper', 'reviewer');
await publish(house.server, 'policy: notes\nmatch: { tool: note }\nallow: { sample: 100% }\n', paced, typed);

test('a reviewer looks back at what a policy allowed, and Insights count it', async () => {
  await house.ask({ ...readOnly, tool: { name: 'note', annotations: { readOnlyHint: true } } }, 'accepted');
  const page = await house.openPageAs(grace!, '/settings/look-back');
  await page.getByText('Not looked at').waitFor();
  await expectUsableEverywhere(page, 'look-back-list');
  await page.getByRole('link', { name: 'note', exact: true }).click();
  await page.getByRole('textbox').fill('It was chosen for a look.');
  await page.getByRole('button', { name: /Read|Show|Open/ }).click();
  await page.getByText('It was chosen for a later look', { exact: false }).waitFor();
  await page.getByLabel('People should have been asked').check();
  expect(await button(page, 'Save').isDisabled()).toBe(true);
  await page.getByLabel('Note', { exact: true }).fill('It names a customer.');
  await expectUsableEverywhere(page, 'look-back');
  await button(page, 'Save').click();
  await page.getByText('Grace Hopper says that people should have been asked.').waitFor();
  await page.goto(`${house.server.url}/insights`);
  const table = page.getByRole('table', { name: 'Allowed without asking, looked at later' });
  await table.waitFor();
  expect(await table.getByRole('row').last().getByRole('cell').allTextContents()).toEqual(['1', '1', '1', '1', '100%']);
});

test('an approver who was too fast reads when they can go on, and can still decline', async () => {
  for (let votes = 0; votes < 2; votes += 1) await house.decideAs(ada!, await house.ask(transfer), 'accept');
  const page = await house.openPageAs(ada!, `/requests/${await house.ask(transfer)}`);
  await page
    .getByText(/You approved many requests, or several within seconds each. Take a break: you can go on in /)
    .waitFor();
  expect(await button(page, /^Approve/).isDisabled()).toBe(true);
  expect(await button(page, 'Decline').isDisabled()).toBe(false);
  await expectUsableEverywhere(page, 'paused');
});

test('a pause goes by the clock of the server, not by that of a phone which is ten minutes slow', async () => {
  const page = await house.openPageAs(ada!, '/account');
  await page.clock.setSystemTime(Date.now() - 600_000);
  await page.goto(`${house.server.url}/requests/${await house.ask(transfer)}`);
  await page.getByText(/you can go on in (?:9|10) minutes/).waitFor();
});

test('an approver types what is at stake, and the card says what is still to type', async () => {
  const id = await house.ask(readOnly);
  const page = await house.openPageAs(ada!, `/requests/${id}`);
  const field = page.getByLabel('Type 2026-Q3 to approve.');
  await field.waitFor();
  await expectUsableEverywhere(page, 'typed-confirmation');
  await field.fill('2026-Q4');
  await button(page, 'Type 2026-Q3').click();
  await page.locator('[data-fault=true]').getByLabel('Type 2026-Q3 to approve.').waitFor();
  await field.fill('2026-Q3');
  await approve(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
});
