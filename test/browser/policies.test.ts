import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { applyPolicies } from '#policies/verbs/apply';
import { saveDraft } from '#policies/verbs/draft';
import { submitVersion } from '#policies/verbs/review';
import { button, sharedHouse } from './house/house.ts';
import { transfer } from './house/questions.ts';
import { corners, expectUsable, expectUsableEverywhere, smallControls } from './house/usable.ts';
import { until } from '../support/poll.ts';

const house = await sharedHouse();
const ada = await house.addUser('Ada Lovelace', 'admin');
const grace = await house.addUser('Grace Hopper', 'admin');

const editor = (page: Page) => page.getByLabel('Policy text, in YAML');

/** Puts the whole text in place of what stands there. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

describe('the editor', () => {
  test('lists what can be written at the cursor, and inserts it', async () => {
    const page = await house.openPageAs(ada, '/new-policy');
    await write(page, 'policy: a\n');
    await page.keyboard.press('Control+Space');
    const choices = page.getByRole('listbox');
    await choices.getByText('require', { exact: true }).waitFor();
    await page.keyboard.type('req');
    await page.getByText('Ask people.').waitFor();
    await choices.getByText('require', { exact: true }).click();
    await choices.getByText('stages', { exact: true }).waitFor();
    await expectUsable(page, 'policy-completion');
    await choices.getByText('onTimeout').click();
    await choices.getByText('deny', { exact: true }).click();
    expect((await editor(page).innerText()).trim()).toBe('policy: a\nrequire:\n  onTimeout: deny');
  });

  test('says a fault in words and at its place, until it is put right', async () => {
    const page = await house.openPageAs(ada, '/new-policy');
    await write(page, 'policy: a\nrequire:\n  stages:\n    - name: One\n      aprove: 2\n      approvers: anyone\n');
    await button(page, 'Line 5, column 7').click();
    expect(await editor(page).evaluate((element) => element.contains(document.activeElement))).toBe(true);
    expect(await page.locator('.cm-lintRange-error').innerText()).toBe('aprove: 2');
    expect(await button(page, 'Save draft').getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('p');
    await button(page, 'Line 5, column 7').waitFor({ state: 'detached' });
    expect(await button(page, 'Save draft').getAttribute('aria-disabled')).toBe('false');
  });

  test('is left by Escape, then Tab', async () => {
    const page = await house.openPageAs(ada, '/new-policy');
    await editor(page).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await editor(page).evaluate((element) => element.contains(document.activeElement))).toBe(false);
  });

  test('spells out characters that the eye would miss, and their fault, and saves no such text', async () => {
    const page = await house.openPageAs(ada, '/new-policy');
    await write(page, 'policy: a\nallow: {} # to \u202Eecnanif\u200B\n');
    await button(page, 'Line 2, column 16').waitFor();
    expect(await page.locator('.cm-hidden-character').allInnerTexts()).toEqual(['⟨U+202E⟩', '⟨U+200B⟩']);
    expect(await editor(page).innerText()).not.toMatch(/[\u202E\u200B]/);
    expect(await button(page, 'Save draft').getAttribute('aria-disabled')).toBe('true');
  });

  test('and the form write the same text, comments and all', async () => {
    const page = await house.openPageAs(ada, '/new-policy');
    await page.getByRole('textbox', { name: 'Deadline' }).fill('2h');
    await button(page, 'Add a stage').click();
    await page.getByRole('textbox', { name: 'Approvals needed' }).last().fill('2');
    const text = await editor(page).innerText();
    expect(text).toContain('deadline: 2h');
    expect(text).toContain('# If no one decides in time, these may too.');
    expect(text).toMatch(/- name: Stage 2\n\s+approvers: anyone\n\s+approve: 2/);
    await write(page, text.replace('Manager', 'Team lead'));
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === 'Team lead'),
    );
  });

  test('and the form show the same rules, and an edit of one keeps all others', async () => {
    const page = await house.openPageAs(ada, '/new-policy?from=payments-by-amount');
    await page.getByText('Rule 3, otherwise:').waitFor();
    await expectUsableEverywhere(page, 'policy-rules');
    await page.setViewportSize({ width: 1440, height: 1800 }); // the editor renders what is in view
    await editor(page).getByText('ceiling').waitFor();
    const before = await editor(page).innerText();
    await page.getByText('Rule 3The requester answersAll other calls').click();
    await page.getByRole('group', { name: 'Rule 3' }).getByLabel('Up to which risk').selectOption('low');
    expect(await editor(page).innerText()).toBe(before.replace('ceiling: medium', 'ceiling: low'));
    await button(page, 'Move up').click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Rule 2The requester answers');
    await page.getByText('Move this above rule 2').waitFor();
    await button(page, 'Move down').click();
    expect(await editor(page).innerText()).toBe(before.replace('ceiling: medium', 'ceiling: low'));
  });

  test('leaves a stage that takes the place of another to the text', async () => {
    const page = await house.openPageAs(ada, '/new-policy');
    const inPlace = 'escalate: { after: 30m, stage: { name: CFO, approvers: { role: admin } } }';
    await write(page, `policy: a\nrequire:\n  stages: [{ name: One, approvers: anyone, ${inPlace} }]\n`);
    await page.getByText('If no one decides, another stage takes its place. Edit that in the text.').waitFor();
    await page.getByText('after 30 minutes, in place of it: CFO (1 approval from administrators)').waitFor();
    await page.getByRole('textbox', { name: 'Deadline' }).fill('2h');
    expect(await editor(page).innerText()).toContain('stage: { name: CFO, approvers: { role: admin } }');
  });

  test('takes a pace, how approvers are told, and a share for a later look from the form', async () => {
    const page = await house.openPageAs(ada, '/new-policy');
    await write(page, 'policy: a\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n');
    await page.getByLabel('Make people who approve too fast pause').check();
    await page.getByRole('textbox', { name: 'Hasty approvals in a row' }).fill('');
    await page.getByLabel('in their browsers').check();
    await page.getByLabel('Urgent: notify at once').check();
    const text = await editor(page).innerText();
    expect(text).toContain('pace: { approvals: 10, within: 5m }');
    expect(text).toMatch(/notify:\s+channels: \[\s*push\s*\]\s+urgent: true/);
    await page.getByText('After 10 approvals within 5 minutes, a person waits').waitFor();
    await page.getByText('Approvers are notified only in their browsers.').waitFor();
    await page.getByLabel('Runs without approval').check();
    await page.getByRole('textbox', { name: 'Share looked at later' }).fill('5');
    await page.getByText('A person looks at 5% of these later.').waitFor();
    expect((await editor(page).innerText()).trim()).toBe('policy: a\nallow: { ceiling: low, sample: 5% }');
    await page.getByLabel('The requester answers').check();
    await page.getByRole('combobox', { name: 'Up to which risk' }).selectOption('High risk');
    await page.getByText('The person at the MCP client answers, up to high risk.').waitFor();
    await expectUsableEverywhere(page, 'policy-confirm');
    expect((await editor(page).innerText()).trim()).toBe('policy: a\nconfirm: { ceiling: high }');
  });
});

test('a policy is drafted, reviewed by a second person, published and written again', async () => {
  const page = await house.openPageAs(ada, '/policies');
  await page.getByText('No policies yet').waitFor();
  await expectUsableEverywhere(page, 'policies-empty');
  await page.getByRole('link', { name: 'New policy' }).click();
  await page.getByText('What it says').first().waitFor();
  await expectUsableEverywhere(page, 'policy-new');
  const box = page.getByLabel('Low risk');
  const color = () => box.evaluate((input) => getComputedStyle(input).backgroundColor);
  await until(async () => (await color()) === 'rgb(12, 15, 16)'); // its color moves to that of the theme
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('transfers');
  await button(page, 'Save draft').click();
  await page.getByRole('heading', { name: 'Draft' }).waitFor();
  await expectUsableEverywhere(page, 'policy-draft');
  await button(page, 'Submit for review').click();
  await page.getByRole('heading', { name: 'In review' }).waitFor();
  const reason = await button(page, 'Approve and publish').getAttribute('aria-describedby');
  expect(await page.locator(`[id="${reason}"]`).innerText()).toBe('Someone else must review what you wrote.');
  await expectUsableEverywhere(page, 'policy-in-review');

  const second = await house.openPageAs(grace, '/policies');
  await second.getByRole('link', { name: 'In review version 1' }).click();
  await button(second, 'Reject').click();
  await second.getByText('Say what must change.').waitFor();
  await button(second, /^Approve$/).click();
  await button(second, /^Publish$/).click();
  await second.getByRole('link', { name: 'Write a new version' }).click();
  await second.getByRole('textbox', { name: 'Deadline' }).fill('2h');
  await button(second, 'Save and submit').click();
  await second.getByText('Changes from version 1').waitFor();
  await second.getByText('deadline: 24h').waitFor();
  await expectUsableEverywhere(second, 'policy-difference');
  await button(second, 'Run in shadow mode').click();
  await second.getByText('No requests since shadow mode started.').waitFor();
  await second.getByRole('link', { name: 'Version 1' }).click();
  await second.getByRole('link', { name: 'Write a new version' }).waitFor();
  const author = await house.openPageAs(ada, '/policies/transfers?version=2');
  await button(author, 'Approve and publish').click();
  await author.getByRole('link', { name: 'Write a new version' }).waitFor();
  await author.getByRole('link', { name: 'Version 1' }).click();
  await button(author, 'Restore as draft').click();
  await author.getByText('Version 1 again').first().waitFor();
  await second.goto(`${house.server.url}/policies`);
  await second.getByRole('link', { name: 'transfers' }).waitFor();
  await expectUsableEverywhere(second, 'policies');

  await second.goto(`${house.server.url}/policies/transfers?version=9`);
  await second.getByText('This policy has no version 9').waitFor();
  await second.goto(`${house.server.url}/policies/transfers?version=2`);
  await second.getByRole('link', { name: 'Retire', exact: true }).click();
  expect(await editor(second).innerText()).toContain('retire: { reason: "" }');
  await second.getByRole('textbox', { name: 'Reason for retiring' }).fill('The bank decides now.');
  await button(second, 'Save and submit').click();
  await second.getByText('Someone else reads it and approves or rejects it.').waitFor();
  await author.goto(second.url());
  await author.getByText('Read what it says and what changed.').waitFor();
  await button(author, /^Approve$/).click();
  await button(author, /^Publish$/).click();
  await author.getByText('Retired, decides nothing: The bank decides now.').waitFor();
  await author.getByRole('link', { name: 'Write a new version' }).waitFor();
  expect(await author.getByRole('link', { name: 'Retire', exact: true }).count()).toBe(0);
  await second.goto(`${house.server.url}/policies`);
  await second.getByRole('link', { name: 'Retired version 4' }).waitFor();
  await expectUsable(second, 'policies-retired');
});

test('a version that waits for someone is counted at Policies, with what it would change, and one press puts it in force', async () => {
  const document =
    'policy: exports\nmatch: { tool: export_rows }\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n';
  await house.ask({ ...transfer, tool: { name: 'export_rows' } });
  const place = await saveDraft(house.server.engine, ada, { document });
  await submitVersion(house.server.engine, ada, place);
  const page = await house.openPageAs(grace, '/account');
  await page.getByRole('navigation').getByText('1 to review').waitFor({ state: 'attached' });
  await page.getByRole('link', { name: 'Policies' }).click();
  await page.getByText('1 version waits for your review').waitFor();
  await expectUsableEverywhere(page, 'policies-due');
  await page.getByRole('link', { name: 'exports, version 1' }).click();
  const simulation = page.getByRole('region', { name: 'Simulate with real requests' });
  await simulation.getByText('Decides 1 of the last 1 request; 1 request would be decided differently.').waitFor();
  const trial = page.getByRole('region', { name: 'Try one call' });
  await trial.getByLabel('The call, as JSON').fill('{ "rows": 3 }');
  await trial.getByLabel('Server').fill('billing-mcp');
  await trial.getByRole('textbox', { name: 'Tool' }).fill('export_rows');
  await button(page, 'Try this call').click();
  await trial.getByText('This call would be decided differently.').waitFor();
  await trial.getByRole('textbox', { name: 'Tool' }).fill('import_rows');
  await button(page, 'Try this call').click();
  await trial.getByText('This policy doesn’t count here: its match is about other calls.').waitFor();
  await expectUsableEverywhere(page, 'policy-review');
  await button(page, 'Approve and publish').click();
  await page.getByRole('link', { name: 'Write a new version' }).waitFor();
  await page.getByRole('navigation').getByText('1 to review').waitFor({ state: 'detached' });
  const author = await house.openPageAs(ada, '/policies/exports?version=1');
  await author.getByRole('link', { name: 'Write a new version' }).waitFor();
  expect(await author.getByRole('navigation').getByText('to review').count()).toBe(0);
});

test('rules are written by the form alone, on a phone: above an amount two people and then another, else the requester', async () => {
  const page = await house.openPageAs(ada, '/new-policy', corners[0]?.options);
  await button(page, 'Form').click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('transfers-by-amount');
  await page.getByRole('textbox', { name: 'Tools' }).fill('transfer');
  await page.getByRole('textbox', { name: 'Only when' }).fill('');
  await button(page, 'Add a rule').click();
  const first = page.getByRole('group', { name: 'Rule 1' });
  await first.getByRole('textbox', { name: 'Only when' }).fill('request.args.amount > 1000');
  await first.getByRole('textbox', { name: 'Stage name' }).fill('Finance');
  await first.getByRole('textbox', { name: 'Approvals needed' }).fill('2');
  await first.getByLabel('Kind of approver').selectOption('anyone');
  await first.getByRole('button', { name: 'Add a stage' }).click();
  await first.getByRole('textbox', { name: 'Stage name' }).last().fill('CFO');
  await first.getByLabel('People who voted in an earlier stage').check();
  await page.getByText('Rule 2Needs approvalAll other calls').click();
  await page.getByRole('group', { name: 'Rule 2' }).getByLabel('The requester answers').check();
  await expectUsable(page, 'policy-rules-written');
  expect(await smallControls(page)).toEqual([]);
  await page.getByText('Rule 2, otherwise:').waitFor();
  await button(page, 'Save draft').click();
  await page.waitForURL(/\/policies\/transfers-by-amount/);
  expect(await page.locator('pre[tabindex]').innerText()).toMatch(
    /rules:\n {2}- when: request.args.amount > 1000\n {4}require:\n {6}stages:\n {8}- name: Finance\n {10}approvers: anyone\n {10}approve: 2\n {8}- name: CFO\n {10}approvers: anyone\n {6}separation:\n {8}earlierVoters: true\n.*\n {2}- confirm: \{ ceiling: medium \}\n/s,
  );
});

test('a difference of versions names the letters that imitate others', async () => {
  const document = (to: string): string =>
    `policy: imitated\nmatch: { tool: pay }\nwhen: request.args.to == "${to}"\nallow: {}\n`;
  await applyPolicies(house.server.engine, [document('acme')]);
  await saveDraft(house.server.engine, ada, { document: document('аcme') });
  const page = await house.openPageAs(ada, '/policies/imitated?version=2');
  const shown = page.getByText('not Latin: Cyrillic а U+0430');
  await shown.first().waitFor();
});
