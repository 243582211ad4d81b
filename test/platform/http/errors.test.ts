import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { errorsWords } from '#locales/errors';
import { problemSentences, type ProblemCode } from '#platform/model/problem';
import { errorsPage } from './errors-page.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

const codes = Object.keys(problemSentences) as ProblemCode[];
const open = (path: string, language = 'en') =>
  fetch(new URL(path, server.url), { headers: { 'accept-language': language } });

test('the type of a problem leads to a page that says what happened, and what to do', async () => {
  const refused = await fetch(`${server.url}/v1/elicitations`, { method: 'POST' });
  const { type, code } = (await refused.json()) as { type: string; code: ProblemCode };
  expect([type, code]).toEqual([`${server.url}/errors/unauthenticated`, 'unauthenticated']);
  const page = await fetch(type);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const text = await page.text();
  expect(text).toContain(problemSentences.unauthenticated);
  expect(text).toContain(errorsWords.en.causes.unauthenticated);
});

test('every code has a page in three languages', async () => {
  for (const code of codes) {
    expect([code, (await open(`/errors/${code}`)).status]).toEqual([code, 200]);
    const causes = [errorsWords.en, errorsWords.de, errorsWords.fr].map((words) => words.causes[code]);
    expect([code, new Set(causes).size]).toEqual([code, 3]);
  }
  expect(await (await open('/errors/forbidden', 'de')).text()).toContain(errorsWords.de.causes.forbidden);
});

test.each(['/errors/none', '/errors/constructor', '/errors/%00', '/errors/forbidden/x'])(
  '%s is not found',
  async (path) => {
    expect((await open(path)).status).toBe(404);
  },
);

test('docs/errors.md is made from the codes: npm run docs:errors writes it', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorsPage());
});
