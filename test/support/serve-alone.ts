import type { LogLevel } from '../../src/config/config.ts';
import { startTestServer } from './server.ts';

// A node in a process of its own, until its standard input ends: node --import tsx serve-alone.ts <database> <level>

const [databaseUrl = '', logLevel = 'silent'] = process.argv.slice(2);
const server = await startTestServer({ databaseUrl, logLevel: logLevel as LogLevel });
process.stdout.write(`${server.url}\n`);
process.stdin.resume();
process.stdin.once('end', () => void server.stop().then(() => process.exit(0)));
