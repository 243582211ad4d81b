import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { browserProgram } from '../../support/browser/browser.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode } from '../bench-node.ts';
import type { Prepared } from '../prepared.ts';
import { question } from '../question.ts';
import { median, percentile } from '../statistics.ts';

/** How soon pages can be used on a slow phone, and how an inbox scrolls. */
export interface UsableTimes {
  signIn: PageTime;
  inbox: PageTime;
  /** By a link, as from a notification, of someone who is signed in. */
  request: PageTime;
  hostedPage: PageTime;
  /** As assets came to the browser. */
  encodings: string[];
  scrolling: Scrolling;
}

/** With nothing in the browser's cache, from the address until what is needed can be pressed. */
export interface PageTime {
  milliseconds: number;
  /** That had begun by then, the page itself included. */
  requests: number;
  /** That had come by then. */
  bytes: number;
}

export interface Scrolling {
  /** Rows on the page. */
  open: number;
  /** Milliseconds between two frames, at a quarter of the processor. */
  frame: { p50: number; p95: number; most: number };
}

// A phone on a slow mobile network.
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const slowness = 4;
const rounds = 5;
const phone = { viewport: { width: 360, height: 740 } };
const [aPage, open] = [50, 2_500];

/** Measures Assentry as it is built, through Chromium's own throttling of network and processor. */
export async function measureUsable(database: BenchDatabase, prepared: Prepared): Promise<UsableTimes> {
  const node = await startBenchNode(database.url('usable'));
  const browser = await chromium.launch(await browserProgram());
  try {
    const cookie = await signIn(node.url, prepared);
    await askMany(node.url, prepared, aPage);
    const { id } = await ask(node.url, prepared, {});
    const hosted = await ask(node.url, prepared, { tool: { name: 'book_trip' }, mode: 'url', session: 'bench' });
    const encodings = new Set<string>();
    const time = (address: string, selector: string, session: string | null) =>
      repeat(() => timePage(browser, { url: node.url, address, selector, session, encodings }));
    const times = {
      signIn: await time('/signin', 'input[type=email], input[autocomplete=username]', null),
      inbox: await time('/inbox', 'a[data-row]', cookie),
      request: await time(`/requests/${id}`, '[data-verb=approve]', cookie),
      hostedPage: await time(new URL(hosted.url ?? '').pathname, 'form button', null),
    };
    await askMany(node.url, prepared, open - aPage);
    return { ...times, encodings: [...encodings], scrolling: await measureScrolling(browser, node.url, cookie) };
  } finally {
    await browser.close();
    await node.stop();
  }
}

/** The visit in the middle. */
async function repeat(visit: () => Promise<PageTime>): Promise<PageTime> {
  const visits: PageTime[] = [];
  for (let at = 0; at < rounds; at += 1) visits.push(await visit());
  const sorted = visits.toSorted((a, b) => a.milliseconds - b.milliseconds);
  return sorted[Math.floor(rounds / 2)] as PageTime;
}

interface Visit {
  url: string;
  address: string;
  /** What can be pressed when the page is usable. */
  selector: string;
  session: string | null;
  encodings: Set<string>;
}

async function timePage(browser: Browser, { url, address, selector, session, encodings }: Visit): Promise<PageTime> {
  const context = await openContext(browser, url, session);
  try {
    const page = await context.newPage();
    page.on('response', (response) => {
      if (response.url().includes('/assets/')) encodings.add(response.headers()['content-encoding'] ?? 'none');
    });
    await throttle(page, network);
    await page.addInitScript(noteWhenThere, selector);
    await page.goto(`${url}${address}`);
    await page.waitForFunction(() => (globalThis as Noted).usableAt, null, { timeout: 60_000 });
    return await page.evaluate(readTime);
  } finally {
    await context.close();
  }
}

interface Noted {
  usableAt?: number;
}

/** Runs in the page: the moment in which it is drawn and the script that drew it has ended. */
function noteWhenThere(selector: string): void {
  const noted = globalThis as Noted;
  const look = () => {
    if (document.querySelector(selector) === null) return void requestAnimationFrame(look);
    setTimeout(() => (noted.usableAt = performance.now()));
  };
  look();
}

/** Runs in the page. */
function readTime(): PageTime {
  const milliseconds = (globalThis as Noted).usableAt ?? Number.NaN;
  const entries = performance.getEntries().filter((entry) => entry instanceof PerformanceResourceTiming);
  const begun = entries.filter(({ startTime }) => startTime < milliseconds);
  const come = begun.filter(({ responseEnd }) => responseEnd > 0 && responseEnd < milliseconds);
  return { milliseconds, requests: begun.length, bytes: come.reduce((sum, { transferSize }) => sum + transferSize, 0) };
}

async function throttle(page: Page, conditions: typeof network | null): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  if (conditions) {
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', conditions);
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness });
}

/** Goes to the end of all rows, and turns the wheel at the first of them and in the middle. */
async function measureScrolling(browser: Browser, url: string, cookie: string): Promise<Scrolling> {
  const context = await openContext(browser, url, cookie);
  const page = await context.newPage();
  await page.goto(`${url}/inbox?view=all`);
  const more = page.getByRole('button', { name: 'Load more' });
  await more.waitFor();
  while ((await more.count()) > 0) await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await throttle(page, null);
  const frames = await page.evaluate(scrollThrough);
  return { open, frame: { p50: median(frames), p95: percentile(frames, 0.95), most: Math.max(...frames) } };
}

/** Runs in the page: the times between frames while it scrolls by half a screen in each. */
async function scrollThrough(): Promise<number[]> {
  const times: number[] = [];
  for (const from of [0, document.documentElement.scrollHeight / 2]) {
    scrollTo(0, from);
    for (let frame = 0; frame < 300; frame += 1) {
      const before = performance.now();
      scrollBy(0, innerHeight / 2);
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - before);
    }
  }
  return times;
}

async function openContext(browser: Browser, url: string, session: string | null): Promise<BrowserContext> {
  const context = await browser.newContext(phone);
  const [name = '', value = ''] = session?.split('=') ?? [];
  if (session !== null) await context.addCookies([{ name, value, url }]);
  return context;
}

async function signIn(url: string, { user, password }: Prepared): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ email: user.email, password });
  const response = await fetch(`${url}/api/session`, { method: 'POST', headers, body });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function askMany(url: string, prepared: Prepared, count: number): Promise<void> {
  const atOnce = 25;
  for (let at = 0; at < count; at += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - at) }, () => ask(url, prepared, {})));
}

async function ask(url: string, { key }: Prepared, parts: object): Promise<{ id: string; url?: string }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const body = JSON.stringify({ ...question, call: crypto.randomUUID(), ...parts });
  const response = await fetch(`${url}/v1/elicitations`, { method: 'POST', headers, body });
  if (!response.ok) throw new TypeError(await response.text());
  return (await response.json()) as { id: string; url?: string };
}
