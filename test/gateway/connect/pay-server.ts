// The server that sends its person to an address, over stdio, for clients of every revision.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createPay } from './pay.ts';

serveStdio(() => createPay());
