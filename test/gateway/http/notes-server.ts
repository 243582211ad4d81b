// The notes server over HTTP, for clients of every revision. It says its address on standard error.
import { startNotes } from './peers.ts';

const { url } = await startNotes();
process.stderr.write(`notes are at ${url}\n`);
