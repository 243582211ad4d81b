import { afterAll, afterEach, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { OpenElicitation } from '#requests/asking/contract/open';
import { castVote } from '#requests/voting/verbs';
import type { Status } from '#requests/asking/contract/elicitation';
import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import type { Role } from '#people/directory/contract/permission';
import type { RunningServer, ServerOptions } from '#server/server';
import { launchBrowser } from '../../support/browser/browser.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

export const password = 'seven quiet otters paint';

/** A real server with a real browser in front of it. */
export interface House {
  server: RunningServer;
  /** Asks as an MCP server does; the id of the new elicitation. */
  ask(question: OpenElicitation, status?: Status): Promise<ElicitationId>;
  addUser(name: string, role: Role): Promise<User>;
  /** Decides as someone else, without a browser. */
  decideAs(user: User, id: ElicitationId, action: 'accept' | 'decline'): Promise<void>;
  /** A page of a browser of its own, not signed in. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** A page where this person is signed in, at `path`. */
  openPageAs(user: User, path: string, options?: BrowserContextOptions): Promise<Page>;
  /** What the browsers complained about: scripts, styles, the content security policy. */
  complaints: string[];
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A house for the tests of one file. After each of them its pages are closed, and no browser may have complained.
 */
export async function sharedHouse(options: Partial<ServerOptions> = {}): Promise<House> {
  const house = await openHouse(options);
  afterAll(() => house.close());
  afterEach(async () => {
    await house.closePages();
    expect(house.complaints.splice(0)).toEqual([]);
  });
  return house;
}

export const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name });

/** Is led by the button through what was not read, and holds it as long as a risky approval needs. */
export async function approve(page: Page): Promise<void> {
  const rest = page.getByText('Read the rest first');
  for (let presses = 0; presses < 100; presses += 1) {
    if ((await button(page, /^Approve/).count()) === 0) await readUnderSheet(page);
    const isRead = (await rest.count()) === 0;
    await button(page, /^Approve/).click({ delay: isRead ? 1_100 : 0 });
    await page.waitForTimeout(50); // the page scrolls
    if (isRead && (await rest.count()) === 0) return; // what is left to read may show only after the page
  }
}

/** On the smallest screens the sheet is folded for reading. */
async function readUnderSheet(page: Page): Promise<void> {
  await scrollThrough(page);
  await button(page, 'Decide').click();
}

/**
 * From the top of the page to its bottom, as a finger does: no line is jumped over, also if the sheet takes most of the
 * screen, as on a phone.
 */
export async function scrollThrough(page: Page, stepsAScreen = 8): Promise<void> {
  await page.evaluate(async (steps) => {
    for (let at = 0; at < document.documentElement.scrollHeight; at += innerHeight / steps) {
      scrollTo({ top: at, behavior: 'instant' });
      await new Promise(requestAnimationFrame);
    }
  }, stepsAScreen);
}

export async function openHouse(options: Partial<ServerOptions> = {}): Promise<House> {
  const closers: (() => Promise<unknown>)[] = [];
  const server = await startTestServer(options);
  closers.push(() => server.stop());
  const browser: Browser = await launchBrowser();
  closers.push(() => browser.close());
  const key = await server.createServerKey('billing-mcp');
  const complaints: string[] = [];
  const openPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(60_000); // measures nothing; a failure names what it waited for
    return listen(await context.newPage(), complaints);
  };
  return {
    server,
    complaints,
    openPage,
    ask: (question, status) => ask(server, key, question, status),
    addUser: (name, role) => server.addUser({ email: `${name.split(' ')[0]}@example.com`, name, role, password }),
    decideAs: (user, id, action) => decide(server, user, id, action),
    openPageAs: async (user, path, options) => {
      const page = await openPage(options);
      await signIn(page, server, user);
      await page.goto(`${server.url}${path}`);
      await page.locator('h1').waitFor();
      return page;
    },
    closePages: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    close: async () => {
      for (const close of closers.reverse()) await close();
    },
  };
}

/** Without the page that a link opens, which is a second one to load; its own tests open it. */
async function signIn(page: Page, server: RunningServer, user: User): Promise<void> {
  const { hash } = new URL(await server.signInAddress(user));
  const link = new URLSearchParams(hash.slice(1)).get('link');
  const options = { data: { link }, headers: { origin: server.url } };
  expect((await page.context().request.post(`${server.url}/api/session`, options)).status()).toBe(200);
}

async function ask(
  server: RunningServer,
  key: string,
  question: OpenElicitation,
  status: Status = 'open',
): Promise<ElicitationId> {
  const response = await fetch(`${server.url}/v1/elicitations`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(question),
  });
  const body = await json<{ id: ElicitationId }>(response);
  expect(body).toMatchObject({ id: expect.stringMatching(/^eli_/), status });
  return body.id;
}

async function decide(
  server: RunningServer,
  user: User,
  id: ElicitationId,
  action: 'accept' | 'decline',
): Promise<void> {
  const row = await server.engine.reader.elicitation(id);
  await castVote(server.engine, user, id, {
    action,
    ...(action === 'accept' && { content: {} }),
    comment: 'Because.',
    digest: row?.digest ?? '',
  });
}

/** Answers of the API that a test provokes are no complaint; anything of the page itself is. */
function listen(page: Page, complaints: string[]): Page {
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(`a dialog said ${dialog.message()}`));
  page.on('console', (message) => {
    const isOurs =
      ['error', 'warning'].includes(message.type()) && !message.text().startsWith('Failed to load resource');
    if (isOurs) complaints.push(message.text());
  });
  return page;
}
