import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { defaultRates } from '#platform/config/config';
import type { StreamWays } from '#audit/streams/contract';
import type { ServerOptions } from '#server/options';
import { startServer } from '#server/server';
import type { Usage, Weight } from './bench-node.ts';
import { nodeOptions } from './prepared.ts';
import { nodeUrl } from '../support/databases/node-login.ts';

// A node in a process of its own, so that the clients that load it cost it nothing:
// node --expose-gc node-process.js <database url> [--bounded] [--streams <json>] [--tells <json>]

export interface Told {
  url?: string;
  memory?: Weight;
  usage?: Usage;
}

let statements = 0;
const send = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]): unknown {
  statements += 1;
  return Reflect.apply(send, this, args);
} as typeof send;

const [databaseUrl = '', ...flags] = process.argv.slice(2);
const { inProgress, inProgressPerCaller } = defaultRates;
const bounds = flags.includes('--bounded') ? { inProgress, inProgressPerCaller } : {};
const rates = { ...nodeOptions.rates, ...bounds };
const valueOf = (flag: string): string | undefined =>
  flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined;
const [ways, tells] = [valueOf('--streams'), valueOf('--tells')];
const streams = ways === undefined ? {} : { streams: JSON.parse(ways) as StreamWays };
const channels = tells === undefined ? {} : (JSON.parse(tells) as Pick<ServerOptions, 'smtp' | 'webhooks'>);
const node = await startServer({ ...nodeOptions, ...streams, ...channels, rates, databaseUrl: nodeUrl(databaseUrl) });
const tell = (message: Told): void => void process.send?.(message);

process.on('message', (request) => {
  if (request === 'memory') void weigh().then((memory) => tell({ memory }));
  if (request === 'usage') tell({ usage: usage() });
});
process.once('disconnect', () => void node.stop().then(() => process.exit(0)));
tell({ url: node.url });

/** After collecting what is garbage, several times, since buffers are let go one collection later. */
async function weigh(): Promise<Weight> {
  for (let times = 0; times < 5; times += 1) {
    globalThis.gc?.();
    await turn();
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heap: heapUsed + external };
}

function usage(): Usage {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpu: userCPUTime + systemCPUTime, memory: 1024 * maxRSS, statements };
}
