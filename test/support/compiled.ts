import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..'); // of what test/runner/compile.mjs made, this file among it

/** Where the run has this source as JavaScript, so that a process starts from it at once. */
export const compiled = (source: string): string => path.join(root, source.replace(/\.ts$/, '.js'));

/** The commands as they are shipped: what runs whole processes builds them first. */
export const shippedProgram = 'dist/cli/main.js';
