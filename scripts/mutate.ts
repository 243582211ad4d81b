// Puts one small fault at a time into a copy of the sources, and says whether the tests named for it see it.
// `npm run mutate` takes parts of file names, as in `npm run mutate -- quorum store/`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { copySources, putFault } from '../test/mutation/copy-sources.ts';
import { isThere, type Fault } from '../test/mutation/fault.ts';
import { faults } from '../test/mutation/faults.ts';

/** `broken`: a test file did not even start, so the fault is no sound one. */
type Outcome = 'seen' | 'survived' | 'broken';

interface Run {
  outcome: Outcome;
  /** The full names of the tests that failed, or the files that did not start. */
  failed: string[];
}

const parts = process.argv.slice(2);
const chosen = faults.filter(({ file }) => parts.length === 0 || parts.some((part) => file.includes(part)));
const lost = faults.filter((fault) => !isThere(fault));
if (chosen.length === 0) {
  console.error('Name a part of a file that has a fault in test/mutation.');
  process.exit(1);
}
if (lost.length > 0) {
  console.error('Bring these faults up to date: their text is not in the file once, or a test of theirs is gone.');
  for (const { file, text } of lost) console.error(`  ${file}: ${text}`);
  process.exit(1);
}
const copy = copySources();
try {
  report(copy);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function report(root: string): void {
  const { outcome, failed } = runTests(root, [...new Set(chosen.flatMap(({ tests }) => tests))]);
  if (outcome !== 'survived') {
    console.error(`Mend these tests first, since they fail without a fault:\n  ${failed.join('\n  ')}`);
    process.exitCode = 1;
    return;
  }
  const outcomes = chosen.map((fault) => {
    const outcome = tryFault(root, fault);
    console.log(`${outcome.padEnd(9)}${fault.file}: ${fault.text.trim()} -> ${fault.becomes.trim() || 'nothing'}`);
    return outcome;
  });
  const count = outcomes.filter((outcome) => outcome === 'seen').length;
  console.log(`${count} of ${chosen.length} seen (${Math.round((100 * count) / chosen.length)} %)`);
  if (count < chosen.length) process.exitCode = 1;
}

function tryFault(root: string, fault: Fault): Outcome {
  const mend = putFault(root, fault);
  const { outcome } = runTests(root, fault.tests);
  mend();
  return outcome;
}

function runTests(root: string, tests: readonly string[]): Run {
  // A test that fails may leave a server running, which would keep Jest from ending.
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.config.mjs', '-w', '1', '--forceExit', '--json'];
  const outputFile = path.join(root, 'outcome.json');
  rmSync(outputFile, { force: true });
  const args = ['--disable-warning=ExperimentalWarning', ...jest, '--outputFile', outputFile, '--runTestsByPath'];
  spawnSync(process.execPath, [...args, ...tests], { cwd: root, stdio: 'ignore' });
  if (!existsSync(outputFile)) return { outcome: 'broken', failed: [...tests] };
  const { success, numFailedTests, testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as JestResults;
  if (success) return { outcome: 'survived', failed: [] };
  return { outcome: numFailedTests === 0 ? 'broken' : 'seen', failed: testResults.flatMap(failuresOf) };
}

/** What Jest writes with `--json`. */
interface JestResults {
  success: boolean;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[];
}

function failuresOf({ name, status, assertionResults }: JestResults['testResults'][number]): string[] {
  const failed = assertionResults.filter((result) => result.status === 'failed').map(({ fullName }) => fullName);
  return failed.length === 0 && status === 'failed' ? [name] : failed;
}
