import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { createClient, Problem, runDigest } from '#sdk/client/client';
import { assentry } from '#sdk/mcp/assentry-v2';

// An author who ships what was paid, as a process that a test can kill: it stops where it is told, and says so. With an order
// it is a program that names its call by the order; else it serves a tool.

const options = {
  ledger: { type: 'string', default: '' },
  stop: { type: 'string' },
  order: { type: 'string' },
} as const;
const { values } = parseArgs({ options });
const person = { subject: 'client:killed', verified: true };
const payment = { amount: '100.00', currency: 'EUR' };

async function stopAt(place: string): Promise<void> {
  if (values.stop !== place) return;
  console.log('stopped');
  await new Promise(() => {});
}

async function ship(order: string): Promise<string> {
  await stopAt('before the effect');
  await appendFile(values.ledger, `${order}\n`);
  await stopAt('after the effect');
  return `shipped ${order}`;
}

async function shipOnce(order: string): Promise<string> {
  const client = createClient();
  const run = { tool: { name: 'ship' }, arguments: { order }, requester: person };
  const expects = { kind: 'payment' as const, provider: 'fake-payments', for: order, ...payment };
  const request = await client.open({ ...run, call: order, mode: 'url', message: 'Pay.', expects, ttl: 3_600_000 });
  const { url, code = '' } = request;
  const message = `code ${code.slice(0, 3)} ${code.slice(3)}`;
  if (request.status === 'open') console.log(`asked ${JSON.stringify({ url, message })}`);
  await client.waitForOutcome(request.id);
  const attempt = randomUUID();
  const claim = await client.claim(request.toolCall, { attempt, run: await runDigest(run), leaseMs: 600_000 });
  if (claim.state === 'completed') return String(claim.result);
  if (claim.state !== 'claimed') return claim.state;
  const result = await ship(order);
  await client.complete(request.toolCall, { attempt, delivered: false, result });
  return result;
}

if (values.order !== undefined) {
  const end = await shipOnce(values.order).catch((error: unknown) => (error instanceof Problem ? error.code : error));
  console.log(`ended ${String(end)}`);
  process.exit();
}
const { url } = await serveBothEras(() => {
  const mcp = new McpServer({ name: 'payments', version: '1.0.0' });
  const tools = assentry(mcp, { principal: () => person });
  tools.registerTool('ship', { inputSchema: z.object({ order: z.string() }) }, async ({ order }, steps) => {
    await steps.payment('fake-payments', { for: order, ...payment });
    return { content: [{ type: 'text', text: await ship(order) }] };
  });
  return mcp;
}, 0);
console.log(`ready at ${url}`);
