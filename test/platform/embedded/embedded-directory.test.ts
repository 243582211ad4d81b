import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isReachable } from '#platform/embedded/process';

describe('whether every user may walk to a directory', () => {
  let base: string;
  beforeAll(() => {
    base = mkdtempSync('/tmp/assentry-reachable-');
    mkdirSync(path.join(base, 'inner'));
    chmodSync(path.join(base, 'inner'), 0o755);
  });
  afterAll(() => rmSync(base, { recursive: true }));

  test('one closed directory on the way is enough to say no', () => {
    chmodSync(base, 0o700);
    expect(isReachable(path.join(base, 'inner'))).toBe(false);
    expect(isReachable(path.join(base, 'inner', 'not-yet-there'))).toBe(false);
  });

  test('a right to walk is enough, a right to read is not needed', () => {
    chmodSync(base, 0o711);
    expect(isReachable(path.join(base, 'inner'))).toBe(true);
    expect(isReachable(path.join(base, 'inner', 'not-yet-there'))).toBe(true);
  });
});
