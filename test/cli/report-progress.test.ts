import { expect, test } from '@jest/globals';
import { reportProgress } from '#audit/reports/command';

test('progress is told every two seconds, with the rate since the beginning', () => {
  const lines: string[] = [];
  let clock = 500;
  const tell = reportProgress('verified', { now: () => clock, print: (line) => void lines.push(line) });
  for (let done = 1000; done <= 5000; done += 1000) {
    clock += 1000;
    tell(done, 5000);
  }
  expect(lines).toEqual([
    '2000 of 5000 entries verified, 1000 a second …',
    '4000 of 5000 entries verified, 1000 a second …',
  ]);
});
