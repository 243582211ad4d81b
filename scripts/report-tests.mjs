// `.ci/run` ends with this: the slowest test files of Jest's JSON report, and how many tests passed and failed.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const SHOWN = 30;
const { testResults, numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
);
const suites = testResults.map(({ name, startTime, endTime }) => ({
  file: path.relative('.', name),
  seconds: (endTime - startTime) / 1000,
}));

console.log(`== the ${SHOWN} slowest of ${suites.length} test files, in seconds`);
for (const { file, seconds } of suites.sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)) {
  console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);
}
console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
