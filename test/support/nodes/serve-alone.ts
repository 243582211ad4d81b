import type { ServerOptions } from '#server/server';
import { startTestServer } from './server.ts';

// A node in a process of its own, until its standard input ends: node serve-alone.js <database> <options>

const [databaseUrl = '', options = '{}'] = process.argv.slice(2);
const server = await startTestServer({ databaseUrl, ...(JSON.parse(options) as Partial<ServerOptions>) });
process.stdout.write(`${server.url}\n`);
process.stdin.resume();
process.stdin.once('end', () => void server.stop().then(() => process.exit(0)));
