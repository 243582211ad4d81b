// A server over stdio for clients of every revision. It writes what it really does into the file named by its argument.
import { appendFileSync } from 'node:fs';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createNotes } from './notes.ts';

const [ledger = '', description] = process.argv.slice(2);
serveStdio(() => createNotes((what) => appendFileSync(ledger, `${what}\n`), description));
