// `.ci/run` ends with this: the slowest test files of Jest's JSON reports, and how many tests passed and failed.
// A later report takes the place of an earlier one for its files; with `--failed` only the failed files are named.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const SHOWN = 30;
/** With more failed files than this it is the change that fails, not a test that fails at times. */
const REPEATED = 5;
const [flag, ...rest] = process.argv.slice(2);
const onlyFailed = flag === '--failed';
const reports = (onlyFailed ? rest : [flag, ...rest]).map(readSuites);
const last = new Map(reports.flat().map((suite) => [suite.file, suite]));

if (onlyFailed) {
  const files = [...last.values()].filter(({ failed }) => failed > 0).map(({ file }) => file);
  if (files.length <= REPEATED) console.log(files.join('\n'));
} else {
  printSlowest();
  printUnsteady();
  const sum = (key) => [...last.values()].reduce((total, suite) => total + suite[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
}

function readSuites(file) {
  return JSON.parse(readFileSync(file, 'utf8')).testResults.map((suite) => {
    const count = (status) => suite.assertionResults.filter((test) => test.status === status).length;
    const failed = count('failed') || (suite.status === 'failed' ? 1 : 0);
    const seconds = (suite.endTime - suite.startTime) / 1000;
    return { file: path.relative('.', suite.name), seconds, passed: count('passed'), failed };
  });
}

function printSlowest() {
  console.log(`== the ${SHOWN} slowest of ${last.size} test files, in seconds`);
  for (const { file, seconds } of [...last.values()].sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)) {
    console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);
  }
}

function printUnsteady() {
  const unsteady = reports[0].filter(({ file, failed }) => failed > 0 && last.get(file).failed === 0);
  if (unsteady.length === 0) return;
  console.log('== failed next to other tests, and passed alone: find out why');
  for (const { file } of unsteady) console.log(file);
}
