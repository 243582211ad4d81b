import { afterEach } from '@jest/globals';

/** What a test pushes here is closed after it, the latest first. */
export function closedAfterEach(): (() => unknown)[] {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });
  return open;
}
