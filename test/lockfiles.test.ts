import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';

test.each(['package-lock.json', 'test/support/node22/package-lock.json'])('%s names no address', (file) => {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { resolved?: string }> };
  expect(Object.keys(packages).length).toBeGreaterThan(1);
  expect(Object.keys(packages).filter((name) => packages[name]?.resolved !== undefined)).toEqual([]);
});
