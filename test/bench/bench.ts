import { parseArgs } from 'node:util';
import { judgeGoals } from './goals.ts';
import { measureAll } from './measurements.ts';
import { describeMeasurements } from './report.ts';
import { fullScale, quickScale } from './scale.ts';

// npm run bench                    a table for people
// npm run --silent bench -- --json one JSON document on standard output, nothing else
// npm run bench -- --quick         that it runs; its figures mean nothing

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

const measured = await measureAll(values.quick ? quickScale : fullScale, values.json ? () => {} : say);
const goals = judgeGoals(measured);
process.stdout.write(
  values.json ? `${JSON.stringify({ ...measured, goals }, null, 2)}\n` : describeMeasurements(measured, goals),
);
process.exit(0);
