import { afterAll, describe, expect, test } from '@jest/globals';
import { createServer, request as send, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { applyPolicies } from '#policies/verbs/apply';
import { until } from '../support/poll.ts';
import { approve, sharedHouse } from './house/house.ts';
import { untilSettled } from './house/usable.ts';
import { readOnly } from './house/questions.ts';
import { drawn } from '../support/runs.ts';

const heartbeat = 1_000;
const house = await sharedHouse({ serving: { heartbeat } });
const ada = await house.addUser('Ada Lovelace', 'admin');
await applyPolicies(house.server.engine, [
  'policy: slow\nmatch: { tool: drop_index }\nrequire: { stages: [{ name: One, approvers: anyone }], readingTime: 3s }',
]);

/** A proxy that passes everything on, or keeps what comes after the head of a stream. */
const streams: ServerResponse[] = [];
let keepsStreams = false;
const proxy = createServer((incoming, answer) => {
  const { method, url, headers } = incoming;
  const passed = send(`${house.server.url}${url ?? ''}`, { method, headers }, (upstream) => {
    answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
    answer.flushHeaders();
    if (!url?.startsWith('/api/stream')) return void upstream.pipe(answer);
    streams.push(answer);
    upstream.on('data', (bytes: Buffer) => (keepsStreams ? undefined : answer.write(bytes)));
    upstream.on('end', () => answer.end());
  });
  passed.on('error', () => answer.destroy());
  answer.on('close', () => passed.destroy());
  incoming.pipe(passed);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});
const proxied = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

const live = (page: Page) => page.getByText('Live', { exact: true });
const row = (page: Page, id: string) => page.locator(`a[data-row][href*="${id}"]`);

/** Stops everything that runs in this tab, until it is woken. */
async function putToSleep(page: Page): Promise<() => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  const sleeping = new Promise((resolve) => session.once('Debugger.paused', resolve));
  await session.send('Debugger.enable');
  await session.send('Debugger.pause');
  await sleeping;
  return async () => {
    await session.send('Debugger.disable');
    await session.detach();
  };
}

describe('a console is live only while events arrive', () => {
  test('behind a proxy that keeps the body of the stream it asks, and does not say that it is live', async () => {
    keepsStreams = true;
    const page = await house.openPageAs(ada, '/inbox');
    await page.goto(`${proxied}/inbox`);
    await page.locator('h1').waitFor();
    await until(() => streams.length > 0);
    const id = await house.ask(readOnly);
    await row(page, id).waitFor();
    expect(await live(page).count()).toBe(0);
  });

  test('a stream that falls silent is opened again', async () => {
    keepsStreams = false;
    const page = await house.openPageAs(ada, '/inbox');
    await page.goto(`${proxied}/inbox`);
    await live(page).waitFor();
    const before = streams.length;
    keepsStreams = true;
    await live(page).waitFor({ state: 'detached' });
    keepsStreams = false;
    await live(page).waitFor();
    await until(() => streams.length > before);
  });

  test('eight tabs share one stream, all hear of a request, the first still decides, and another takes the stream over', async () => {
    const first = await house.openPageAs(ada, '/inbox');
    const tabs = [first];
    for (let nth = 2; nth <= 8; nth += 1) {
      const tab = await first.context().newPage();
      await tab.goto(`${house.server.url}/inbox`);
      await tab.locator('h1').waitFor();
      tabs.push(tab);
    }
    for (const tab of tabs) await live(tab).waitFor();
    const id = await house.ask(readOnly);
    for (const tab of tabs) await row(tab, id).waitFor();
    await first.goto(`${house.server.url}/requests/${id}`);
    await untilSettled(first);
    await approve(first);
    await first.getByText('Approved. The call can run.').first().waitFor();
    await first.close();
    const later = await house.ask(readOnly);
    for (const tab of tabs.slice(1)) {
      await row(tab, later).waitFor();
      await live(tab).waitFor();
    }
  });

  test('while the tab that holds the stream sleeps another takes it over, and both show what came meanwhile', async () => {
    const first = await house.openPageAs(ada, '/inbox');
    await live(first).waitFor();
    const second = await first.context().newPage();
    await second.goto(`${house.server.url}/inbox`);
    await live(second).waitFor();
    const wake = await putToSleep(first);
    const id = await house.ask(readOnly);
    await row(second, id).waitFor();
    await live(second).waitFor();
    const later = await house.ask(readOnly);
    await row(second, later).waitFor();
    await wake();
    for (const request of [id, later]) await row(first, request).waitFor();
    await live(first).waitFor();
  });

  test('a tab that slept alone asks when it wakes', async () => {
    const page = await house.openPageAs(ada, '/inbox');
    await live(page).waitFor();
    const wake = await putToSleep(page);
    const id = await house.ask(readOnly);
    await house.decideAs(ada, await house.ask(readOnly), 'decline');
    await wake();
    await row(page, id).waitFor();
    await live(page).waitFor();
  });
});

test.each(drawn('clocks', [600_000, -600_000, 6 * 3_600_000], { least: 1 }))(
  'a phone whose clock is %d ms off decides what it opened by a link after the usual time to read',
  async (ahead) => {
    const id = await house.ask({ ...readOnly, tool: { name: 'drop_index' } });
    const page = await house.openPageAs(ada, '/account', { viewport: { width: 360, height: 740 } });
    await page.clock.setSystemTime(Date.now() + ahead);
    await page.goto(`${house.server.url}/requests/${id}`);
    await page
      .getByText(/You can approve in [123] s/)
      .first()
      .waitFor({ state: 'attached' }); // the sheet is folded
    await approve(page);
    await page.getByText('Approved. The call can run.').first().waitFor();
  },
);
