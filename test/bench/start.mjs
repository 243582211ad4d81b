import { compileAll, compiled } from '../runner/compile.mjs';

// What is measured is compiled as what is shipped: a loader of TypeScript adds work of its own. npm run bench
await compileAll();
await import(compiled('test/bench/bench.ts'));
