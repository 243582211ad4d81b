import { afterAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createContext, Script } from 'node:vm';
import type { AssentryClient } from '#sdk/client/client';
import { until } from '../../support/poll.ts';
import { accepted, elicitationId, openStream, sendJson, startScriptedServer, stateOf } from './scripted-server.ts';

let row = stateOf();

const server = await startScriptedServer((request, response) =>
  request.path === '/v1/stream' ? openStream(response) : sendJson(response, 200, { ...row, joined: false }),
);
afterAll(() => server.stop());

/** One script with everything in it, as an edge runtime gets it. The bundler runs outside Jest's realm, which it cannot bear. */
async function bundleClient(): Promise<string> {
  const program = `
    import { build } from 'vite';
    const lib = { entry: 'src/sdk/client/client.ts', formats: ['iife'], name: 'assentryClient', fileName: 'client' };
    const [{ output }] = await build({ configFile: false, logLevel: 'silent', build: { write: false, minify: false, lib } });
    process.stdout.write(output.map(({ code }) => code).join(''));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    maxBuffer: 10_000_000,
  });
  return stdout;
}

test('the client runs if there is nothing but the web platform', async () => {
  const code = await bundleClient();
  expect(code).not.toMatch(/node:|require\(/);
  const realm: Record<string, unknown> = {
    fetch,
    URL,
    crypto,
    performance,
    TextEncoder,
    TextDecoder,
    AbortController,
    AbortSignal,
  };
  Object.assign(realm, { setTimeout, clearTimeout, setInterval, clearInterval });
  const context = createContext(realm);
  new Script(
    `${code}\nglobalThis.made = assentryClient.createClient({ url: '${server.url}', apiKey: 'k' });`,
  ).runInContext(context);
  const client = realm['made'] as AssentryClient;
  const tool = { name: 'delete_account' };
  const opened = await client.open({ tool, arguments: {}, message: 'Delete?', requester: { subject: 'ada' } });
  expect(opened.status).toBe('open');
  const waiting = client.waitForOutcome(elicitationId);
  await until(() => server.streams.size === 1);
  row = accepted;
  for (const stream of server.streams) stream.write(`event: elicitation\ndata: {"id":"${elicitationId}"}\n\n`);
  expect(await waiting).toEqual(accepted);
});
