import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchDatabase } from '../bench-database.ts';
import type { Scale } from '../lifecycle/scale.ts';
import { round } from '../statistics.ts';
import { connectTo, memoryOf, rateOf, startAddresses, type Server } from './gateway-process.ts';

/** What one node of the gateway bears. */
export interface GatewayLoad {
  /** Calls that policies allow: in a second, and bytes of the gateway's process after each half of them. */
  allowed: { calls: number; perSecond: number; memory: { first: number; second: number } };
  /** Calls that wait for an approver, all at once: seconds until each was asked about, and bytes for each call. */
  held: { calls: number; seconds: number; memory: number };
}

/** Many allowed calls, 32 at a time, and then many that are held at once. */
export async function measureGatewayLoad(
  database: BenchDatabase,
  env: NodeJS.ProcessEnv,
  { gatewayCalls, gatewayHeld }: Scale,
): Promise<GatewayLoad> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'assentry-test-bench-gateway-'));
  const { server, gateway } = await startAddresses(folder, { ...env, ASSENTRY_DATA_DIR: folder });
  try {
    const { call } = await connectTo(gateway);
    const half = gatewayCalls * 5;
    await rateOf(call, gatewayCalls); // what the first calls leave behind is no cost of those that follow
    const perSecond = await rateOf(call, half);
    const first = memoryOf(gateway);
    await rateOf(call, half);
    const memory = { first, second: memoryOf(gateway) };
    return { allowed: { calls: half * 2, perSecond, memory }, held: await hold(database, gateway, gatewayHeld) };
  } finally {
    await Promise.all([gateway.stop(), server.stop()]);
  }
}

/** Calls that begin at once: the gateway gives each a few seconds to be asked about. */
const together = 250;

async function hold(database: BenchDatabase, gateway: Server, calls: number): Promise<GatewayLoad['held']> {
  const leaving = new AbortController();
  const client = new pg.Client({ connectionString: database.url('gateway') });
  await client.connect();
  const before = memoryOf(gateway);
  const start = performance.now();
  const waits: Promise<string>[] = [];
  try {
    while (waits.length < calls) {
      const more = Math.min(together, calls - waits.length);
      const begun = Array.from({ length: more }, (_, at) =>
        callWriting(gateway.url, `held ${waits.length + at}`, leaving.signal),
      );
      waits.push(...begun);
      const early = Promise.race(waits).then((text) => Promise.reject(new TypeError(`A call was not held: ${text}`)));
      await Promise.race([untilAsked(client, waits.length), early]);
    }
    const seconds = round((performance.now() - start) / 1000, 1);
    return { calls, seconds, memory: Math.max(0, memoryOf(gateway) - before) / calls };
  } finally {
    leaving.abort();
    await Promise.allSettled(waits);
    await client.end();
  }
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A call of the tool that writes, by a client of 2026-07-28; resolves with its answer. */
async function callWriting(url: string, text: string, signal: AbortSignal): Promise<string> {
  const params = { name: 'write_note', arguments: { text }, _meta: meta };
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'write_note',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.any([signal]) })).text();
}

/** Resolves when so many requests are open. */
async function untilAsked(client: pg.Client, calls: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query("SELECT count(*)::int AS open FROM elicitation WHERE tool = 'write_note'");
    if ((rows[0] as { open: number }).open >= calls) return;
    await sleep(100);
  }
}
