import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { checkAccessibility, launchBrowser, takeScreenshot } from './browser.ts';

const browser = await launchBrowser();
afterAll(() => browser.close());

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Test</title></head><body><main><h1>Grüße, привет</h1>${body}</main></body></html>`;

test('text is drawn, in the fonts that the page asks for', async () => {
  const tab = await browser.newPage();
  await tab.setContent(page('<p style="font-family:monospace"><span id="i">iii</span> <span id="m">mmm</span></p>'));
  const width = (id: string) => tab.locator(`#${id}`).evaluate((element) => element.getBoundingClientRect().width);
  expect(await width('i')).toBeGreaterThan(5);
  expect(await width('i')).toBeCloseTo(await width('m'));
  const file = await takeScreenshot(tab, 'support/browser');
  expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
  await tab.close();
});

test('a barrier is found under a strict content security policy, and a page without one passes', async () => {
  const tab = await browser.newPage();
  const show = async (body: string) => {
    const headers = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" };
    await tab.route('**/*', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body: page(body) }),
    );
    await tab.goto('http://console.test/');
  };
  await show('<button></button>');
  expect(await checkAccessibility(tab)).toEqual([expect.stringContaining('button-name')]);
  const small = 'width:9px;height:9px;padding:0;font-size:4px';
  await show(`<button style="${small}">x</button><button style="${small}">y</button>`);
  expect((await checkAccessibility(tab)).join('\n')).toContain('target-size');
  await show('<button>Decline</button>');
  expect(await checkAccessibility(tab)).toEqual([]);
  await tab.close();
});
