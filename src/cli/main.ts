#!/usr/bin/env node
import { askRunning } from '#gateway/harness/socket';
import { shareEnvironment } from '#platform/config/env';
import { ownProgram } from './own-program.ts';

// A hook asks the Assentry that runs here, and then loads nothing else.
const words = process.argv.slice(2);
const here = { program: ownProgram(), variables: shareEnvironment().theirs };
process.exitCode = (await askRunning(words, here)) ?? (await (await import('./program.ts')).runProgram(words));
