import { describe, expect, test } from '@jest/globals';
import { applyPolicies } from '#policies/verbs/apply';
import { changeUser } from '#people/users/verbs';
import { addGroup, changeMembers } from '#people/groups/verbs';
import { delegate } from '#people/delegations/verbs';
import { giveInformation } from '#requests/deliberation/verbs/deliberate';
import type { ElicitationId, RemarkId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { until } from '../support/poll.ts';
import { approve, button, sharedHouse, password, scrollThrough } from './house/house.ts';
import { readOnly, transfer } from './house/questions.ts';
import { expectUsableEverywhere } from './house/usable.ts';
import { wholeServer } from '#people/directory/verbs/scope';

const policy = `policy: transfers
description: Transfers over 1,000 need a manager and then two of finance.
match: { tool: transfer_funds }
when: request.args.amount > 1000 && request.args.currency == "EUR"
require:
  stages:
    - name: Manager
      approvers: { role: admin }
    - name: Checks
      groups:
        - { name: Finance, approve: 2, deny: 2, approvers: { group: finance } }
        - { name: Audit, approvers: { user: dora@example.com }, meaning: reviewed }
  editable: { amount: { type: number, maximum: 20000 } }
  notBefore: true
`;

const guarded = `policy: keys
match: { tool: rotate_key }
require:
  stages:
    - { name: Anyone, approvers: anyone }
  freshSignIn: 10m
  justification: { approver: { minLength: 10 } }
`;

const slow = `policy: indexes
match: { tool: drop_index }
require:
  stages:
    - { name: Anyone, approvers: anyone }
  readingTime: 4s
`;

const repeated = `policy: reports
match: { tool: export_report }
require:
  stages:
    - { name: Anyone, approvers: anyone }
  grant: { longest: 8h, uses: 3, same: [ quarter ], review: 2h }
`;

const house = await sharedHouse();
const { engine } = house.server;
const ada = await house.addUser('Ada Lovelace', 'admin');
const bob = await house.addUser('Bob Noyce', 'approver');
const carl = await house.addUser('Carl Gauss', 'approver');
const dora = await house.addUser('Dora Maar', 'approver');
const finance = await addGroup(engine, ada, { name: 'finance' });
await changeMembers(engine, ada, finance, { add: [bob.id, carl.id, dora.id] });
await changeUser(engine, ada, bob.id, { mayBreakGlass: true });
await applyPolicies(engine, [policy, guarded, slow, repeated]);

const question = { ...transfer, requester: { subject: 'grace@example.com', verified: true }, takesEdits: true };
const ask = () => house.ask(question);
const open = (user: User, id: ElicitationId) => house.openPageAs(user, `/requests/${id}`);

/** What the agent says that the requester replied. */
async function replyAsAgent(id: ElicitationId, reply: string): Promise<void> {
  const { engine } = house.server;
  const row = await engine.reader.elicitation(id);
  if (!row) throw new TypeError('There is no such request.');
  const inquiry = row.state.context.inquiry as RemarkId;
  await giveInformation(engine, wholeServer(row.serverId), id, {
    inquiry,
    action: 'accept',
    content: { reply },
    channel: 'told',
  });
}

describe('what a policy asks', () => {
  test('is drawn as stages with their groups and seats, with the reason why it applies', async () => {
    const id = await ask();
    const page = await open(ada, id);
    const path = page.getByRole('list', { name: 'Progress' });
    const current = path.locator('li[aria-current=step]');
    await current.waitFor();
    expect(await current.innerText()).toMatch(/Manager\s+In progress\s+0 of 1 approval\s+Waiting for Ada Lovelace/);
    expect(await path.locator('li').last().innerText()).toMatch(/Approved\s+or declined, cancelled or expired/);
    await page.getByText('Why this policy').click();
    await page.getByText('request.args.currency == "EUR"').last().waitFor();
    await approve(page);
    await page.getByText('Your approval is counted. The call is waiting for 3 more people.').first().waitFor();
    expect(await current.innerText()).toMatch(
      /Checks\s+In progress\s+Every group must approve\.\s+Finance\s+0 of 2 approvals/,
    );
    await house.decideAs(bob, id, 'accept');
    await page.getByText('The call is waiting for 2 more people.').first().waitFor();
    await path.getByText('1 of 2 approvals').waitFor();
    await expectUsableEverywhere(page, 'request-stages');
    await house.decideAs(carl, id, 'accept');
    await house.decideAs(dora, id, 'accept');
    await until(async () => (await current.innerText()) === 'Approved');
    expect(await path.locator('> li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Manager\s+Done\s+1 of 1 approval$/),
      expect.stringMatching(/^Checks\s+Done\s+Every group must approve\.\s+Finance\s+2 of 2 approvals\s/),
      'Approved',
    ]);
  });

  test('a vote is taken back, and counts no longer', async () => {
    const page = await open(ada, await ask());
    await approve(page);
    await button(page, 'Withdraw my vote').click();
    await page.getByText('withdrawn').first().waitFor();
    expect(await button(page, /^Approve/).getAttribute('aria-disabled')).toBe('false');
    await page.locator('li[aria-current=step]').getByText('Manager').waitFor();
  });

  test('a vote is taken back even if the change is pushed before the answer arrives', async () => {
    const page = await open(ada, await ask());
    await approve(page);
    await button(page, 'Withdraw my vote').waitFor();
    await page.route('**/withdraw-vote', async (route) => {
      const response = await route.fetch();
      await page.getByText('withdrawn').first().waitFor(); // the stream was faster
      await route.fulfill({ response });
    });
    await button(page, 'Withdraw my vote').click();
    await button(page, /^Approve/).waitFor();
    expect(await button(page, /^Approve/).getAttribute('aria-disabled')).toBe('false');
  });

  test('a changed argument is shown before and after, and voids the votes', async () => {
    const id = await ask();
    const page = await open(ada, id);
    await button(page, 'Edit arguments').click();
    await page.getByText('All votes so far become void').waitFor();
    expect(await button(page, 'Save and start over').getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('amount').fill('9000');
    await page.reload();
    await page.getByLabel('amount').waitFor();
    expect(await page.getByLabel('amount').inputValue()).toBe('9000');
    await expectUsableEverywhere(page, 'request-editing');
    await button(page, 'Save and start over').click();
    const changes = page.getByRole('region', { name: 'Changes by approvers' });
    expect(await changes.locator('del').innerText()).toBe('12400');
    expect(await changes.locator('ins').innerText()).toBe('9000');
    await approve(page);
    await page.getByText('Your approval is counted.').first().waitFor();
    await expectUsableEverywhere(page, 'request-changed');
  });

  test('people talk, ask the requester, ask one more person, and set a start', async () => {
    const id = await ask();
    const page = await open(ada, id);
    await page.getByLabel('Comment, or ask the requester').fill('Who ordered this?');
    await button(page, 'Comment').click();
    await page.getByText('Who ordered this?').waitFor();
    await page.getByLabel('Comment, or ask the requester').fill('Which cost centre?');
    await button(page, 'Ask the requester').click();
    await page.getByText('hasn’t replied yet').waitFor();
    await replyAsAgent(id, 'Number 7');
    await page.getByText('Number 7').waitFor();
    await page.getByText('According to the agent: there').waitFor();
    await button(page, 'I’m on it').click();
    await page.getByText('Others can see that you’re reviewing this.').waitFor();
    await button(page, 'Add an approver').click();
    await page.getByLabel('Add an approver').selectOption({ label: 'Carl Gauss (carl@example.com)' });
    await button(page, 'Add').click();
    await page.getByText('added by an approver').waitFor();
    await button(page, 'Start no earlier than').click();
    const soon = new Date(Date.now() + 3 * 60_000).toISOString().slice(0, 16);
    await page.getByLabel('Start no earlier than').fill(soon);
    await button(page, 'Set start time').click();
    await page.getByText(/^at the earliest in [1-3] min$/).waitFor();
    await expectUsableEverywhere(page, 'request-discussed');
  });

  test('anyone who was handed a vote casts it under both names', async () => {
    const id = await ask();
    await delegate(house.server.engine, ada, { toId: carl.id, endsAt: Date.now() + 3_600_000 });
    const page = await open(carl, id);
    expect(await page.getByLabel('For Ada Lovelace').isChecked()).toBe(true);
    await expectUsableEverywhere(page, 'request-for-absent');
    expect(await button(page, /^Approve for Ada Lovelace/).count()).toBe(1);
    await approve(page);
    await page.getByText('Carl Gauss for Ada Lovelace').first().waitFor();
  });
});

test('the last approval may allow the same for a while, and anyone who decides ends that', async () => {
  const page = await open(ada, await house.ask(readOnly));
  await page.getByText('the same quarter, at most 3 uses').waitFor();
  await page.getByLabel('If you approve').selectOption({ label: 'And the same call without asking, for 4 hours' });
  await page.getByText('the same call again without asking for 4 hours').waitFor();
  await expectUsableEverywhere(page, 'request-grant');
  await approve(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
  const again = await open(ada, await house.ask(readOnly, 'accepted'));
  await again.getByText('Allowed by a standing approval.').first().waitFor();
  await again.getByText('No one voted.').waitFor();
  await again.close();
  await page.goto(`${house.server.url}/settings/grants`);
  const row = page.getByRole('row', { name: 'export_report' });
  await row.getByText('2 uses').waitFor();
  await expectUsableEverywhere(page, 'grants');
  await button(page, 'Confirm export_report').click();
  await button(page, 'End now export_report').click();
  await row.getByText('Ended early').waitFor();
});

test('if the policy requires it, a password is entered before the vote counts', async () => {
  const schema = { type: 'object', properties: { ticket: { type: 'string', title: 'Ticket' } }, required: ['ticket'] };
  const page = await open(ada, await house.ask({ ...question, tool: { name: 'rotate_key' }, schema }));
  await scrollThrough(page);
  const fields = [page.getByLabel('Ticket'), page.getByLabel('Comment', { exact: true })] as const;
  for (const [at, left] of ['1 answer missing: Ticket', 'Comment missing'].entries()) {
    await button(page, `Approve ${left}`).click(); // it leads to what it says, one after the other
    expect(await fields[at]?.evaluate((field) => field === document.activeElement)).toBe(true);
    await fields[at]?.fill('Due this week.');
  }
  await approve(page);
  await page.getByText('Confirm that it’s you to continue').waitFor();
  await expectUsableEverywhere(page, 'request-fresh-sign-in');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByText('Confirm that it’s you to continue').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Comment', { exact: true }).inputValue()).toBe('Due this week.');
  expect(await button(page, /^Approve/).evaluate((button) => button === document.activeElement)).toBe(true);
  await approve(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
});

test('AI-21 what takes time to read counts down, and is approved then', async () => {
  const page = await open(ada, await house.ask({ ...question, tool: { name: 'drop_index' } }));
  await page.getByText(/You can approve in [1-4] s/).waitFor();
  expect(await button(page, /^Approve/).getAttribute('aria-disabled')).toBe('true');
  expect(await button(page, /^Decline/).getAttribute('aria-disabled')).not.toBe('true');
  await expectUsableEverywhere(page, 'request-reading-time');
  await page.getByText(/You can approve in/).waitFor({ state: 'detached' });
  await approve(page);
  await page.getByText('Approved. The call can run.').first().waitFor();
});

test('the emergency override needs a reason and a password; everyone is alerted, and someone else reviews it', async () => {
  const id = await ask();
  const other = await house.openPageAs(ada, '/inbox');
  const page = await open(bob, id);
  await button(page, 'Emergency override').click();
  await page.getByLabel('Why it can’t wait').fill('The supplier stops the line in ten minutes.');
  await page.getByRole('textbox', { name: 'Your password' }).fill('not the password');
  await expectUsableEverywhere(page, 'request-break-glass');
  await button(page, 'Run now, past the policy').click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: 'Your password' }).fill(password);
  await button(page, 'Run now, past the policy').click();
  await page.getByText('Bob Noyce approved this past its policy').waitFor();
  expect((await house.server.engine.reader.elicitation(id))?.status).toBe('accepted');

  await other.getByRole('link', { name: 'Review' }).click();
  await other.getByRole('row').getByText('Bob Noyce').waitFor();
  await expectUsableEverywhere(other, 'break-glass');
  await other.getByRole('link', { name: 'transfer_funds' }).click();
  await other.getByLabel('Yes', { exact: true }).check();
  await other.getByLabel('Your findings').fill('The line would have stopped.');
  await button(other, 'Save review').click();
  await other.getByText('Ada Lovelace reviewed it and found it justified.').waitFor();
  await other.getByText('1 request was approved by emergency override').waitFor({ state: 'detached' });
});
