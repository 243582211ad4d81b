import { device as words } from './words/passkey-words.ts';

/** Short name of a browser, from its user agent. */
export function deviceName(agent: string): string {
  const browser = browsers.find(([, pattern]) => pattern.test(agent))?.[0];
  const system = systems.find(([, pattern]) => pattern.test(agent))?.[0];
  if (browser === undefined) return words.unknown;
  return system === undefined ? browser : words.named(browser, system);
}

/** Browsers by pattern, the first that fits: most also name their ancestors. */
const browsers: [string, RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['SamsungBrowser', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const systems: [string, RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];
