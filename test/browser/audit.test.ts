import { describe, expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';
import { questions } from '#locales/audit.en';
import { fieldsOf } from '../../web/src/audit/log/report-search.ts';
import type { RequestRecord } from '#audit/search/contract';
import { closeBox } from '#platform/crypto/key-ring';
import type { User } from '#people/directory/contract/user';
import { reportIds } from '#audit/reports/contract/report';
import { filtersOf } from '#audit/reports/store/reports';
import { addSpace, moveToSpace, setSpaceRole } from '#people/spaces/verbs';
import { askingAt, question } from '../support/nodes/asking.ts';
import { publish } from '../support/requests/policies.ts';
import { until } from '../support/poll.ts';
import { button, sharedHouse } from './house/house.ts';
import { readOnly, transfer } from './house/questions.ts';
import { expectUsable, expectUsableEverywhere, smallControls, viewsFor } from './house/usable.ts';

let admin: User;

const dayMs = 86_400_000;
let behind = 0;
const house = await sharedHouse({ now: () => Date.now() - behind });
const ada = (admin = await house.addUser('Ada Lovelace', 'admin'));
const grace = await house.addUser('Grace Hopper', 'reviewer');
await publish(house.server, 'policy: nothing\nmatch:\n  tool: nothing\ndeny: { reason: Never. }\n');
for (const question of [transfer, readOnly, transfer]) {
  behind = question === readOnly ? dayMs : 0; // so that there are two days to draw
  await house.decideAs(ada, await house.ask(question), 'accept');
}

describe.each(viewsFor('audit'))('at $width px in $colorScheme', ({ width, colorScheme, options }) => {
  test('a reviewer asks', async () => {
    const page = await house.openPageAs(grace, '/audit', options);
    await expectUsable(page, `audit-${width}-${colorScheme}`);
    await page.getByRole('link', { name: /^Approvals of a tool/ }).click();
    await page.getByRole('heading', { name: '3 results' }).waitFor();
    await page.getByRole('img', { name: /^Results over time/ }).waitFor();
    await expectUsable(page, `audit-approvals-${width}-${colorScheme}`);
    if (width === 360) expect(await smallControls(page)).toEqual([]);
    await page.goto(`${house.server.url}/audit/policy-changes`);
    await page.getByText('deny: { reason: Never. }').first().waitFor();
    expect(await page.locator('[data-hidden-characters]').count()).toBe(0); // an indented line hides nothing
    await expectUsable(page, `audit-policies-${width}-${colorScheme}`);
    await page.goto(`${house.server.url}/audit/own-approvals`);
    await page.getByText('None, as it should be').waitFor();
    await expectUsable(page, `audit-own-${width}-${colorScheme}`);
  });
});

test('an answer is drawn over its period, and the picture is a table as well', async () => {
  const page = await house.openPageAs(grace, '/audit/approvals');
  const chart = page.getByRole('region', { name: 'Results over time' });
  await chart.getByText('Show as a table').click();
  const table = chart.getByRole('table', { name: 'Results over time' });
  expect(await table.getByRole('columnheader').allTextContents()).toEqual(['From', 'A person']);
  const counts = await table.getByRole('cell').allTextContents();
  expect(counts.reduce((sum, text) => sum + Number(text), 0)).toBe(3);
});

test('each question is asked and narrowed, and its address holds what was asked', async () => {
  const page = await house.openPageAs(grace, '/audit');
  for (const id of reportIds) {
    await page.goto(`${house.server.url}/audit`);
    await page.getByRole('link', { name: questions[id].title }).click();
    await page.getByRole('heading', { name: questions[id].title }).waitFor();
    if (id === 'access') await page.getByLabel('Person').selectOption('Grace Hopper');
    await button(page, 'Show').click();
    await page
      .getByText(/^\d+ results?$|Nothing found|None, as it should be/)
      .first()
      .waitFor();
  }
  await page.goto(`${house.server.url}/audit/approvals`);
  await page.getByLabel('Tool', { exact: true }).fill('no_such_tool');
  await page.keyboard.press('Enter');
  await page.getByText('No tool is called “no_such_tool” where you may read.').waitFor();
  expect(await page.getByText('Nothing found').count()).toBe(0);
  expect(new URL(page.url()).searchParams.get('tool')).toBe('no_such_tool');
});

test('a question is asked in one line, which says how it is read and what is wrong with it', async () => {
  const page = await house.openPageAs(grace, '/audit');
  const box = page.getByLabel('Ask in one line');
  await box.fill('aprovals of transfer_funds');
  await button(page, 'Ask').click();
  await page.getByText('Did you mean “approvals”?').waitFor();
  await box.fill('approvals of transfer_funds by Ada Lovelace last 10 days');
  await page.getByText(/^Asks for: Approvals of a tool in a period · .* · Ada Lovelace · transfer_funds$/).waitFor();
  await expectUsableEverywhere(page, 'audit-line');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: questions.approvals.title }).waitFor();
  expect(await page.getByLabel('Tool', { exact: true }).inputValue()).toBe('transfer_funds');
  await page
    .getByText(/^\d+ results?$/)
    .first()
    .waitFor();
});

test('a search finds entries, page by page, and its address can be shared', async () => {
  const page = await house.openPageAs(grace, '/audit');
  await page.getByRole('link', { name: 'Search the log' }).click();
  await page.getByLabel('Person').selectOption('Ada Lovelace');
  await page.getByLabel('Outcome').selectOption('Approved');
  await button(page, 'Search').click();
  await page.getByRole('rowheader', { name: 'Vote' }).first().waitFor();
  await page.getByText('Show', { exact: true }).first().click();
  await page.getByText('"type": "elicitation.voted"').first().waitFor();
  expect(new URL(page.url()).searchParams.get('outcome')).toBe('accepted');
  const shared = await house.openPageAs(grace, new URL(page.url()).pathname + new URL(page.url()).search);
  await shared.getByRole('rowheader', { name: 'Vote' }).first().waitFor();
  expect(await shared.getByLabel('Person').inputValue()).toBe(await page.getByLabel('Person').inputValue());
  await expectUsableEverywhere(shared, 'audit-log');
  await shared.goto(`${house.server.url}/audit/log?tool=no_such_tool`);
  await shared.getByText('No tool is called “no_such_tool” where you may read.').waitFor();
  await shared.goto(`${house.server.url}/audit/log?from=2020-01-01&to=2020-01-02`);
  await shared.getByText('The log begins after this period').waitFor();
  await shared.goto(`${house.server.url}/audit/log?digest=short`);
  await shared.getByText('Correct the filters').waitFor();
});

test('a receipt that is dropped on the page is verified, with names', async () => {
  await until(async () => !(await house.server.engine.merkleLog.isWaiting()));
  const page = await house.openPageAs(grace, '/audit/approvals');
  const record = page.getByRole('link', { name: /^eli_/ }).first();
  const id = (await record.textContent()) ?? '';
  const receipt = await page.evaluate(async (path) => (await fetch(path)).text(), `/api/elicitations/${id}/receipt`);
  await page.goto(`${house.server.url}/audit`);
  const drop = (text: string, name = `${id}.tlog-proof`) =>
    page.getByLabel('Choose a file').setInputFiles({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
  await drop(receipt);
  await page.getByText('This receipt is genuine').waitFor();
  await page.getByRole('definition').filter({ hasText: 'Ada Lovelace' }).waitFor();
  await page
    .getByRole('definition')
    .filter({ hasText: /^built-in$/ })
    .waitFor();
  await page.getByRole('link', { name: id }).waitFor();
  await expectUsableEverywhere(page, 'audit-receipt');
  await drop(receipt.replace(/^index \d+/m, 'index 0'), 'copy.tlog-proof');
  const altered = page.locator('[data-tone=danger]').filter({ hasText: 'This receipt was altered: do not trust it' });
  await altered.getByText('copy.tlog-proof').waitFor(); // of which file it is said
  await drop('Ada approved it.');
  await page.getByText('This file is not a receipt, or it is damaged').waitFor();
});

test('a reviewer sees who decided, when, how long it took and by which policy without a reason', async () => {
  const page = await house.openPageAs(grace, '/audit/approvals');
  const id = await page.getByRole('link', { name: /^eli_/ }).first().textContent();
  await page.goto(`${house.server.url}/requests/${id}`);
  const facts = page.getByRole('region', { name: 'What the log says' });
  await facts.getByText(/^Ada Lovelace approved, .*, after /).waitFor();
  await page.getByLabel('Reason').waitFor();
  for (const { message } of [transfer, readOnly]) expect(await page.getByText(message).count()).toBe(0);
  await expectUsableEverywhere(page, 'request-without-content');
  await page.goto(`${house.server.url}/history`);
  await page
    .getByText(/Voted: Ada Lovelace · within /)
    .first()
    .waitFor();
  for (const { message } of [transfer, readOnly]) expect(await page.getByText(message).count()).toBe(0);
});

test('the record of a request has its people, times, places and proofs, and is printed', async () => {
  await until(async () => !(await house.server.engine.merkleLog.isWaiting()));
  const page = await house.openPageAs(grace, '/audit/approvals', { timezoneId: 'Europe/Berlin' });
  await page.getByRole('link', { name: /^eli_/ }).first().click();
  await page.getByRole('heading', { name: /^Record: / }).waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('Request asked').waitFor();
  expect(await timeline.getByText(/^Entry [\d,]+: verified$/).count()).toBeGreaterThan(1);
  const votes = page.getByRole('region', { name: 'Votes and edits' });
  await votes.getByText('Approve: Ada Lovelace').waitFor();
  await votes
    .getByText(/ UTC.* CET$/)
    .first()
    .waitFor();
  for (const question of [transfer, readOnly]) expect(await page.getByText(question.message).count()).toBe(0);
  await expectUsableEverywhere(page, 'audit-record');
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 718, height: 1015 }); // A4 within its margins
  expect(await button(page, 'Print').isVisible()).toBe(false);
  await page.getByText(/^Printed from .* by Grace Hopper/).waitFor();
  await expectUsable(page, 'audit-record-paper');
  expect((await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(10_000);
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'Read what was asked' }).click();
  await page.getByLabel('Reason').waitFor();
  await page.goto(`${house.server.url}/audit/requests/eli_AAAAAAAAAAAAAAAAAAAAAA`);
  await page.getByText('No such request').waitFor();
});

test('an entry that cannot be read stands on the record as such', async () => {
  const page = await house.openPageAs(grace, '/audit/approvals');
  await page.route('**/api/audit/requests/*', async (route) => {
    const answer = await route.fetch();
    const { entries, ...record } = (await answer.json()) as RequestRecord;
    const broken = entries.map((item, at) => (at === 1 ? { ...item, entry: null, proof: 'broken' } : item));
    await route.fulfill({ response: answer, json: { ...record, entries: broken } });
  });
  await page.getByRole('link', { name: /^eli_/ }).first().click();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Unreadable: changed without the server').waitFor();
  await page.getByText('An entry was changed after it was written').waitFor();
  await expectUsable(page, 'audit-record-unreadable');
});

test('an answer is kept as a file', async () => {
  const page = await house.openPageAs(grace, '/audit/approvals');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('approvals.csv');
  const lines = (await text(await download.createReadStream())).trimEnd().split('\r\n');
  expect([lines.length, lines[1]]).toEqual([4, expect.stringContaining('Ada Lovelace')]);
});

test('the insights count what was decided, and draft a rule from what is nearly always approved', async () => {
  const decisions = Array.from({ length: 21 }, async () =>
    house.decideAs(admin, await house.ask({ ...readOnly, tool: { name: 'read_report' } }), 'accept'),
  );
  await Promise.all(decisions);
  await house.decideAs(admin, await house.ask(transfer), 'decline');
  const reviewers = await house.openPageAs(grace, '/insights');
  await reviewers
    .getByRole('row', { name: /read_report/ })
    .getByText('People approved 100%')
    .waitFor();
  expect(await reviewers.getByRole('link', { name: 'Make a rule?' }).count()).toBe(0);
  await reviewers.getByText('Show as a table').first().click();
  await reviewers.getByRole('table', { name: 'Decisions over time' }).waitFor();
  await reviewers.getByText('Show as a table').first().click();
  for (const { width, colorScheme, options } of viewsFor('insights')) {
    await reviewers.setViewportSize(options.viewport);
    await reviewers.emulateMedia({ colorScheme });
    await expectUsable(reviewers, `insights-${width}-${colorScheme}`);
    await reviewers.getByRole('heading', { name: /^Decided in under/ }).scrollIntoViewIfNeeded();
    await expectUsable(reviewers, `insights-tools-${width}-${colorScheme}`);
  }
  await reviewers.setViewportSize({ width: 1440, height: 900 });
  await reviewers.getByRole('link', { name: 'A year' }).click();
  await reviewers.waitForURL('**/insights?days=365');
  await reviewers.getByRole('row', { name: /read_report/ }).waitFor();
  await reviewers
    .getByRole('listitem')
    .filter({ hasText: /^Ada Lovelace approved \d+ requests within 5 minutes/ })
    .getByRole('link', { name: 'Show them' })
    .first()
    .click();
  await reviewers.getByRole('rowheader', { name: 'Vote' }).first().waitFor();
  expect(await reviewers.getByRole('rowheader', { name: 'Vote' }).count()).toBeGreaterThan(19);

  const page = await house.openPageAs(admin, '/insights');
  await page
    .getByRole('row', { name: /read_report/ })
    .getByRole('link', { name: 'Make a rule?' })
    .click();
  await page.getByText('policy: allow-read-report').waitFor();
  await page.getByText('People approved 21 of 21 requests').first().waitFor();

  const linus = await house.addUser('Linus Pauling', 'approver');
  const approvers = await house.openPageAs(linus, '/insights');
  await approvers.getByText('Administrators and reviewers see the insights;').waitFor();
});

test('people of a space read the insights and the questions of its servers, and others choose the space', async () => {
  const { engine, createServerKey, url } = house.server;
  await askingAt(url, await createServerKey('ledger')).open({
    tool: { name: 'close_books' },
    requester: { subject: 'ann' },
  });
  const { servers } = await engine.directory.read();
  const space = await addSpace(engine, 'operator', 'Ledgers');
  await moveToSpace(engine, 'operator', { space, server: servers.find(({ name }) => name === 'ledger')!.id });
  const keeper = await house.addUser('Karl Keeper', 'approver');
  await setSpaceRole(engine, 'operator', { space, user: keeper.id, role: 'space-admin' });

  const page = await house.openPageAs(keeper, '/inbox');
  await page.getByRole('link', { name: 'Insights' }).click();
  await page.getByText('Nothing ended in this period').waitFor();
  expect(await page.getByLabel('Space').count()).toBe(0);
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('link', { name: /^Approvals of a tool/ }).waitFor();
  expect(await page.getByRole('link', { name: /^Who could approve/ }).count()).toBe(0);
  await page.getByRole('link', { name: /^What was asked/ }).click();
  await page.getByText('close_books').first().waitFor();
  expect(await page.getByText('transfer_funds').count()).toBe(0);

  const reviewers = await house.openPageAs(grace, '/insights?days=90');
  await reviewers.getByRole('table', { name: 'Outcomes by tool and server' }).waitFor();
  await reviewers.getByLabel('Space').selectOption('Ledgers');
  await reviewers.getByText('Nothing ended in this period').waitFor();
  expect(new URL(reviewers.url()).search).toBe(`?days=90&space=${space}`);
  await reviewers.getByLabel('Space').selectOption('All servers');
  await reviewers.getByRole('table', { name: 'Outcomes by tool and server' }).waitFor();
  await expectUsableEverywhere(reviewers, 'insights-space');
});

test('content is held, released and erased, and its page says by whom', async () => {
  const asking = askingAt(house.server.url, await house.server.createServerKey('billing-mcp'));
  const { id, toolCall } = await asking.open();
  await house.decideAs(admin, id, 'accept');
  await asking.claim(toolCall, 'a');
  await asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'a', delivered: true });
  const page = await house.openPageAs(admin, `/requests/${id}`);
  await page.getByText(question.message).first().waitFor();
  await button(page, 'Place a legal hold').click();
  await page.getByLabel('Matter').fill('Case 2026-14');
  await button(page, 'Hold').click();
  await page.getByText('Held. Nothing of it is erased').waitFor();
  await page.reload();
  await button(page, 'Erase the content').click();
  await button(page, 'Erase').click();
  await page.getByText('A legal hold keeps this content').waitFor();
  await page.goto(`${house.server.url}/audit/holds`);
  await page.getByText('Case 2026-14').waitFor();
  await expectUsableEverywhere(page, 'audit-holds');
  await button(page, /^Release/).click();
  await page.getByText(/^Released on .* by Ada Lovelace$/).waitFor();
  await page.goto(`${house.server.url}/requests/${id}`);
  await button(page, 'Erase the content').click();
  await expectUsable(page, 'request-erase');
  await button(page, 'Erase').click();
  await page.getByText(/^Erased on .* by Ada Lovelace$/).waitFor();
  expect(await page.getByText(question.message).count()).toBe(0);
  await expectUsableEverywhere(page, 'request-erased');
  const reading = await house.openPageAs(grace, `/requests/${id}`);
  await reading.getByText(/^Erased on .* by Ada Lovelace$/).waitFor();
});

test('the page knows the same ways to narrow as the server', () => {
  for (const id of reportIds) expect([id, [...fieldsOf[id]].sort()]).toEqual([id, filtersOf(id).sort()]);
});

test('the page says up to where the log was verified, and if it was changed', async () => {
  const { nodes, ring, now } = house.server.engine;
  const [node] = await nodes.live();
  const id = 'node_that_proves'; // the house's own node writes what it finds at any moment
  for (const [isWhole, text] of [
    [true, 'Verified up to entry 1,042'],
    [false, 'The log was changed'],
  ] as const) {
    await nodes.heartbeat({ ...node!, id });
    const proof = JSON.stringify({ size: 1042, at: now() + 60_000, isWhole });
    await nodes.keepProof(id, closeBox(ring, 'proof', [id], proof));
    const page = await house.openPageAs(grace, '/audit');
    await page.getByText(text).waitFor();
    await expectUsableEverywhere(page, `audit-${isWhole ? 'verified' : 'changed'}`);
  }
});

test('an approver is told who may ask', async () => {
  const page = await house.openPageAs(await house.addUser('Bob Hale', 'approver'), '/audit');
  await page.getByText('Only administrators and reviewers').waitFor();
  expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
});
