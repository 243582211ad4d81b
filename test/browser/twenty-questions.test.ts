import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { questions } from '#locales/audit.en';
import type { Report } from '#audit/search/contract';
import { prepareAuditor } from '#server/database';
import { reportIds, type ReportId } from '#audit/reports/contract/report';
import { launchBrowser } from '../support/browser/browser.ts';
import { verify } from '../support/nodes/log.ts';
import { multiplyRequests } from '../support/audit/multiplied-house.ts';
import { openReviewedHouse, type ReviewedHouse } from '../support/audit/reviewed-house.ts';
import { signIn } from '../support/nodes/server.ts';
import {
  answerIn,
  answerInSql,
  answerOffline,
  narrow,
  narrowerQuestions,
  narrowing,
} from '../support/audit/usual-answers.ts';

/** 10,000 requests, under the questions that a reviewer asks of them in each way. */
let house: ReviewedHouse;
let browser: Browser;
let auditor: pg.Client;
let page: Page;
let offline: Record<ReportId, string[]>;
const login = `auditor_of_many_${process.pid}`;

beforeAll(async () => {
  house = await openReviewedHouse(500);
  await multiplyRequests(house, 21);
  offline = await answerOffline(house);
  const connectionString = (await prepareAuditor(house.server.databaseUrl, login, false)) ?? '';
  auditor = new pg.Client({ connectionString });
  await auditor.connect();
  browser = await launchBrowser();
  page = await openPage();
  await page.goto(`${house.server.url}/audit`);
  await page.getByRole('link', { name: questions.approvals.title }).waitFor();
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await auditor?.end();
  await house?.server.stop();
  await dropLogin();
});

/** The house has a clock of its own, by which a browser would think the session over. */
async function openPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const { cookie } = await signIn(house.server.url, house.people.reviewer);
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: house.server.url }]);
  context.setDefaultTimeout(30_000); // each question must be answered in a minute
  return context.newPage();
}

async function dropLogin(): Promise<void> {
  const owner = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await owner.connect();
  await owner.query(`DROP ROLE IF EXISTS ${login}`).finally(() => owner.end());
}

test('10,000 requests stand in a log that verifies', async () => {
  const { rows } = await auditor.query<{ count: number }>('SELECT count(*)::int FROM audit.decisions');
  expect(rows[0]?.count).toBeGreaterThanOrEqual(10_000);
  const { fault, waiting } = await verify(house.server.engine);
  expect(fault).toBeNull();
  expect(waiting).toBeLessThan(50); // what the house's own node wrote a moment ago
});

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** As a reviewer finds it: what the page says, and the file behind it. */
async function askConsole(
  id: ReportId,
  more: Record<string, string> = {},
): Promise<{ text: string; answer: string[] }> {
  const address = { from: dayOf(house.from), to: dayOf(house.to), ...narrowing(id, house), ...more };
  if (id === 'could-approve') address.to = new Date(house.to).toISOString().slice(0, 16);
  await page.goto(`${house.server.url}/audit/${id}?${new URLSearchParams(address).toString()}`);
  await page.getByRole('heading', { name: questions[id].title }).waitFor();
  const result = page.getByText(/^[\d,]+ results?$/).first();
  const text = (await result.textContent()) ?? '';
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download JSON' }).click(),
  ]);
  const report = (await json(await download.createReadStream())) as Report;
  expect(report.isCut).toBe(false);
  return { text, answer: answerIn(id, report) };
}

test.each(reportIds)('%s: has one answer in the console, in SQL and from an export', async (id) => {
  const expected = offline[id];
  const { text, answer } = await askConsole(id);
  expect(answer).toEqual(expected);
  expect(text).toBe(`${expected.length.toLocaleString('en')} results`);
  const ownKeys = expected.filter((line) => line.endsWith(' true')).length;
  if (id === 'own-approvals') await page.getByText(`Voted on what their own key asked: ${ownKeys}`).waitFor();
  expect(await answerInSql(id, auditor, house)).toEqual(expected);
});

test.each(narrowerQuestions)('%s by %s: has one answer in the console, in SQL and from an export', async (id, by) => {
  const narrower = await narrow([id, by], house, offline);
  const { text, answer } = await askConsole(id, { [by]: narrower.value });
  expect(answer).toEqual(narrower.expected);
  expect(text).toBe(`${answer.length.toLocaleString('en')} ${answer.length === 1 ? 'result' : 'results'}`);
  expect(await answerInSql(id, auditor, house, narrower)).toEqual(narrower.expected);
});

test('a typing error is no all-clear in the console', async () => {
  for (const [id, filter, sentence] of [
    ['overrides', 'tool=deplyo', 'No tool is called “deplyo” where you may read.'],
    ['own-approvals', 'policy=refnds', 'No policy is called “refnds” where you may read.'],
    ['requests', 'client=Nite%20agent', 'No agent calls itself “Nite agent” where you may read.'],
    ['requests', 'requester=nnia', 'No requester is called “nnia” where you may read.'],
  ]) {
    await page.goto(`${house.server.url}/audit/${id}?from=${dayOf(house.from)}&to=${dayOf(house.to)}&${filter}`);
    await page.getByText(sentence!).waitFor();
    for (const clear of ['Nothing found', 'None, as it should be']) expect(await page.getByText(clear).count()).toBe(0);
  }
});

test('what an agent asked at night has what lapsed, by requester as well, in the console and in SQL', async () => {
  const filter = {
    from: dayOf(house.from),
    to: dayOf(house.to),
    requester: 'nina',
    hours: '22-6',
    zone: 'Europe/Berlin',
  };
  await page.goto(`${house.server.url}/audit/requests?${new URLSearchParams(filter).toString()}`);
  const text = await page
    .getByText(/^[\d,]+ results?$/)
    .first()
    .textContent();
  for (const sign of ['Expired', 'Revoked before it ran', 'nina', 'Night agent'])
    await page.getByRole('cell', { name: sign }).first().waitFor();
  const { rows } = await auditor.query<{ count: number }>(`SELECT count(*)::int FROM audit.decisions
    WHERE client = 'Night agent' AND (extract(hour FROM asked_at AT TIME ZONE 'Europe/Berlin') >= 22
       OR extract(hour FROM asked_at AT TIME ZONE 'Europe/Berlin') < 6)`);
  expect(text).toBe(`${rows[0]?.count.toLocaleString('en')} results`);
});
