// `.ci/run` ends with this: the slowest test files, each failed test with the first line of its error, and how many
// passed and failed. It is given the directory of Jest's JSON reports and each step with its exit code. A step that
// failed without a failed test counts as one.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const SHOWN = 30;
/** With more failed files than this it is the change that fails, not a test that fails at times. */
const REPEATED = 5;
const onlyFailed = process.argv[2] === '--failed';
const [directory, ...words] = process.argv.slice(onlyFailed ? 3 : 2);
const steps = words
  .map((word) => word.split('='))
  .map(([name, code]) => ({ name, code: Number(code), suites: readSuites(name) }));
const suites = steps.flatMap((step) => step.suites);
if (onlyFailed) {
  const files = suites.filter(({ failed }) => failed > 0).map(({ file }) => file);
  if (files.length <= REPEATED) console.log(files.join(' '));
  process.exit(0);
}
const sum = (of, key) => of.reduce((total, suite) => total + suite[key], 0);

console.log(`== the ${SHOWN} slowest of ${suites.length} test files, in seconds`);
for (const { file, seconds } of suites.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN)) {
  console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);
}
for (const { name, code, suites: its } of steps) {
  for (const { file, errors } of its) for (const error of errors) console.log(`== failed in ${name}: ${file} ${error}`);
  if (code !== 0) console.log(`== ${name} ended with ${code}`);
}
const failedOf = ({ code, suites: its }) => sum(its, 'failed') || Number(code !== 0);
const failed = steps.reduce((total, step) => total + failedOf(step), 0);
console.log(`${sum(suites, 'passed')} passed, ${failed} failed`);

/** Of a file that ran again, only its later result counts. */
function readSuites(step) {
  const [first, again] = [readReport(step), readReport(`${step}.again`)];
  const repeated = new Set(again.map(({ file }) => file));
  const unsteady = first.filter(
    ({ file, failed }) => failed > 0 && again.some((it) => it.file === file && it.failed === 0),
  );
  for (const { file } of unsteady)
    console.log(`== failed next to other tests, and passed alone; find out why: ${file}`);
  return [...first.filter(({ file }) => !repeated.has(file)), ...again];
}

function readReport(step) {
  const report = path.join(directory, `${step}.json`);
  if (!existsSync(report)) return [];
  return JSON.parse(readFileSync(report, 'utf8')).testResults.map((suite) => {
    const count = (status) => suite.assertionResults.filter((test) => test.status === status).length;
    const failed = count('failed') || (suite.status === 'failed' ? 1 : 0);
    const seconds = (suite.endTime - suite.startTime) / 1000;
    return { file: path.relative('.', suite.name), seconds, passed: count('passed'), failed, errors: errorsOf(suite) };
  });
}

function errorsOf({ status, message, assertionResults }) {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  const errors = tests.map(({ fullName, failureMessages: [first = ''] }) => `› ${fullName}: ${firstLine(first)}`);
  return errors.length === 0 && status === 'failed' ? [firstLine(message)] : errors;
}

function firstLine(text) {
  const lines = stripVTControlCharacters(text).split('\n');
  return lines.find((line) => line.trim() !== '')?.slice(0, 300) ?? '';
}
