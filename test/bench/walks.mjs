import { compileAll, compiled } from '../runner/compile.mjs';

// Prints the files that one request runs through. npm run walks
await compileAll();
const { default: startDatabase, tearDown: stopDatabase } = await import(compiled('test/support/setup.ts'));
await startDatabase();
await import(compiled('test/bench/walks.ts')).finally(stopDatabase);
process.exit();
