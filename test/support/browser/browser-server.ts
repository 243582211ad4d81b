import { chromium, type BrowserServer } from 'playwright-core';
import { browserProgram } from './browser.ts';

let server: BrowserServer | undefined;

/** One Chromium for the run: each test file connects, and what it opened is closed when it leaves. */
export async function startBrowserServer(): Promise<void> {
  server = await chromium.launchServer(await browserProgram());
  process.env.TEST_BROWSER = server.wsEndpoint();
}

export async function stopBrowserServer(): Promise<void> {
  await server?.close();
  server = undefined;
}
