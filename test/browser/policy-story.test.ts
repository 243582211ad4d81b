import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { changePerson } from '../../src/engine/people/change-person.ts';
import { addTeam, changeMembers } from '../../src/engine/people/change-team.ts';
import type { Person } from '../../src/model/person.ts';
import { callTool, startMcpServer, textOf, type McpPeer } from '../mcp/peers.ts';
import { openHouse, type House } from './house.ts';
import { transfer } from './questions.ts';
import { expectUsableEverywhere } from './usable.ts';

let house: House;
let mcp: McpPeer;
let people: Record<'ada' | 'alan' | 'mia' | 'finn' | 'fiona', Person>;

beforeAll(async () => {
  house = await openHouse();
  const { engine, url } = house.server;
  people = {
    ada: await house.addPerson('Ada Lovelace', 'admin'),
    alan: await house.addPerson('Alan Turing', 'admin'),
    mia: await house.addPerson('Mia Manager', 'approver'),
    finn: await house.addPerson('Finn Finance', 'approver'),
    fiona: await house.addPerson('Fiona Finance', 'approver'),
  };
  const grace = await house.addPerson('Grace Hopper', 'approver');
  await changePerson(engine, people.ada, grace.id, { managerId: people.mia.id });
  const finance = await addTeam(engine, people.ada, { name: 'finance' });
  await changeMembers(engine, people.ada, finance, { add: [people.finn.id, people.fiona.id] });
  const principal = () => ({ subject: 'grace@example.com', verified: true });
  mcp = await startMcpServer(
    (tools) =>
      tools.registerTool('transfer', { inputSchema: { amount: z.number() } }, async ({ amount }, { elicit }) => {
        const { status } = await elicit(`Transfer ${amount} euros?`, z.object({}), { approval: true });
        return { content: [{ type: 'text', text: status === 'accept' ? `Transferred ${amount}.` : status }] };
      }),
    { url, apiKey: await house.server.createServerKey('bank'), principal },
  );
}, 60_000);
afterAll(async () => {
  await mcp?.stop();
  await house?.close();
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

  const author = await house.openPageAs(people.ada, '/policies');
  await author.getByRole('link', { name: 'New policy' }).click();
  await author.getByLabel('Text of the policy, in YAML').click();
  for (const key of ['Control+A', 'Delete']) await author.keyboard.press(key);
  await author.keyboard.insertText(opening);
  await author.keyboard.press('Control+Space');
  const choices = author.getByRole('listbox');
  await choices.getByText('approvers', { exact: true }).click();
  await choices.getByText('{ group: … }').click();
  await choices.getByText('finance', { exact: true }).click();
  await author.getByText('Finance: 2 of the group finance').waitFor();
  await button(author, 'Simulate').click();
  await author.getByText('Of 2 requests it would decide 1, and 1 would go differently.').first().waitFor();
  expect(await author.getByRole('row', { name: /transfer/ }).innerText()).toContain(
    'Manager (1 may), then Finance (2 may)',
  );
  await expectUsableEverywhere(author, 'policy-simulated');
  await button(author, 'Save and submit for review').click();
  await author.getByRole('heading', { name: 'In review' }).waitFor();
  expect(await button(author, 'Approve').getAttribute('aria-disabled')).toBe('true');

  const second = await house.openPageAs(people.alan, '/policies/large-transfers');
  await button(second, 'Approve').click();
  await button(second, 'Publish').click();
  await second.getByText('It counts from now on.').first().waitFor({ state: 'attached' });

  const call = callTool(await mcp.connect(), 'transfer', { amount: 12_400 });
  await approveFromInbox(people.mia, 'Transfer 12400 euros?');
  await approveFromInbox(people.finn, 'Transfer 12400 euros?');
  await approveFromInbox(people.fiona, 'Transfer 12400 euros?');
  expect(textOf(await call)).toBe('Transferred 12400.');
  expect(house.complaints).toEqual([]);
}, 120_000);

/** As a person finds it: by the inbox, which shows only what waits for them. */
async function approveFromInbox(person: Person, message: string): Promise<void> {
  const page = await house.openPageAs(person, '/inbox');
  await page.getByRole('listitem').filter({ hasText: message }).getByRole('link').click();
  await page.getByText('large-transfers@1').first().waitFor();
  await button(page, /^Approve/).click();
  await page
    .getByText(/Your approval is counted|You approved this request/)
    .first()
    .waitFor();
}
