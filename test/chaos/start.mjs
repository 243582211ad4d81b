import { compileAll, compiled } from '../runner/compile.mjs';

// Nodes are processes of compiled JavaScript, and so is the run: npm run chaos
await compileAll();
await import(compiled('test/chaos/chaos.ts'));
