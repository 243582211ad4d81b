import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { changeUser } from '#people/users/verbs';
import { addGroup, changeMembers } from '#people/groups/verbs';
import type { User } from '#people/directory/contract/user';
import { callTool, startMcpServer, textOf } from '../sdk/mcp/peers.ts';
import { approve, openHouse } from './house/house.ts';
import { transfer } from './house/questions.ts';
import { expectUsableEverywhere } from './house/usable.ts';

const house = await openHouse();
const { engine, url } = house.server;
const users: Record<'ada' | 'alan' | 'mia' | 'finn' | 'fiona', User> = {
  ada: await house.addUser('Ada Lovelace', 'admin'),
  alan: await house.addUser('Alan Turing', 'admin'),
  mia: await house.addUser('Mia Manager', 'approver'),
  finn: await house.addUser('Finn Finance', 'approver'),
  fiona: await house.addUser('Fiona Finance', 'approver'),
};
const grace = await house.addUser('Grace Hopper', 'approver');
await changeUser(engine, users.ada, grace.id, { managerId: users.mia.id });
const finance = await addGroup(engine, users.ada, { name: 'finance' });
await changeMembers(engine, users.ada, finance, { add: [users.finn.id, users.fiona.id] });
const principal = () => ({ subject: 'grace@example.com', verified: true });
const mcp = await startMcpServer(
  (tools) =>
    tools.registerTool('transfer', { inputSchema: { amount: z.number() } }, async ({ amount }, { elicit }) => {
      const { status } = await elicit(`Transfer ${amount} euros?`, z.object({}), { approval: true });
      return { content: [{ type: 'text', text: status === 'accept' ? `Transferred ${amount}.` : status }] };
    }),
  { url, apiKey: await house.server.createServerKey('bank'), principal },
);
afterAll(async () => {
  await mcp.stop();
  await house.close();
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const opening = `policy: large-transfers
description: Transfers over 1,000 need a manager and then two of finance.
match: { tool: transfer }
when: request.args.amount > 1000
require:
  stages:
    - name: Manager
      approvers: { manager: requester }
      escalate: { after: 10m, add: { role: admin } }
    - name: Finance
      approve: 2
      `;

test('a policy is written with completion, tried on real requests, published by a second person, and carried out', async () => {
  const earlier = {
    ...transfer,
    tool: { name: 'transfer' },
    requester: { subject: 'grace@example.com', verified: true },
  };
  for (const amount of [5000, 20]) await house.ask({ ...earlier, arguments: { amount } });

  const author = await house.openPageAs(users.ada, '/policies');
  await author.getByRole('link', { name: 'New policy' }).click();
  await author.getByLabel('Policy text, in YAML').click();
  for (const key of ['Control+A', 'Delete']) await author.keyboard.press(key);
  await author.keyboard.insertText(opening);
  await author.keyboard.press('Control+Space');
  const choices = author.getByRole('listbox');
  await choices.getByText('approvers', { exact: true }).click();
  await choices.getByText('{ group: … }').click();
  await choices.getByText('finance', { exact: true }).click();
  await author.getByText('Finance: needs 2 approvals from the group finance').waitFor();
  expect(await author.getByLabel('Only this tool').inputValue()).toBe('transfer');
  await button(author, 'Simulate').click();
  await author.getByText('Decides 1 of the last 2 requests; 1 request would be decided differently.').first().waitFor();
  expect(await author.getByRole('row', { name: /transfer/ }).innerText()).toContain(
    'Manager (1 can), then Finance (2 can)',
  );
  const trial = author.getByRole('region', { name: 'Try one call' });
  await trial.getByLabel('The call, as JSON').fill('{"name":"transfer","arguments":{"amount":12400}}');
  await button(author, 'Try this call').click();
  await trial.getByText('Enter the name of the server.').waitFor();
  await trial.getByRole('textbox', { name: 'Server' }).fill('bank');
  await trial.getByRole('textbox', { name: 'Requested by' }).fill('grace@example.com');
  await button(author, 'Try this call').click();
  await trial.getByText('This call would be decided differently.').waitFor();
  await trial.getByText('Manager asks Mia Manager.').waitFor();
  await trial.getByText(/^Finance asks F/).waitFor();
  await expectUsableEverywhere(author, 'policy-simulated');
  await button(author, 'Save and submit for review').click();
  await author.getByRole('heading', { name: 'In review' }).waitFor();
  expect(await button(author, 'Approve and publish').getAttribute('aria-disabled')).toBe('true');

  const second = await house.openPageAs(users.alan, '/policies/large-transfers');
  await button(second, /^Approve$/).click();
  await button(second, /^Publish$/).click();
  await second.getByText('Published. It applies from now on.').first().waitFor({ state: 'attached' });

  const call = callTool(await mcp.connect(), 'transfer', { amount: 12_400 });
  await approveFromInbox(users.mia, '12400');
  await approveFromInbox(users.finn, '12400');
  await approveFromInbox(users.fiona, '12400');
  expect(textOf(await call)).toBe('Transferred 12400.');
  expect(house.complaints).toEqual([]);
});

/** As a person finds it: by the inbox, which shows only what waits for them. */
async function approveFromInbox(user: User, fact: string): Promise<void> {
  const page = await house.openPageAs(user, '/inbox');
  await page.getByRole('listitem').filter({ hasText: fact }).getByRole('link').click();
  await page.getByText('large-transfers@1').first().waitFor();
  await approve(page);
  await page
    .getByText(/Your approval is counted|Approved\. (The call can run|Started)/)
    .first()
    .waitFor();
}
