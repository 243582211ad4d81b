// A server over stdio for clients of every revision. It writes what it really does into the file named by its argument, and
// describes its tool that writes as a file next to that says.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createNotes } from './notes.ts';

const [ledger = ''] = process.argv.slice(2);
const file = `${ledger}.description`;
const description = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
serveStdio(() => createNotes((what) => appendFileSync(ledger, `${what}\n`), description));
