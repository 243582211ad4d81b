import { readFile } from 'node:fs/promises';
import { createClient } from '#sdk/client/client';
import { readClientEnv } from '#sdk/client/env';
import { readConfig } from '#platform/config/config';
import { shareEnvironment, type Environment } from '#platform/config/env';
import type { ConfiguredUpstream } from '../config.ts';
import { directoryOf } from '#server/directory-of';
import { Problem } from '#platform/model/problem';
import { pinsIn } from './gateway-folders.ts';
import { openOrchestrator, type Orchestrator } from '#cli/orchestrator';
import { printProgress } from '#cli/output';

/** Serves the upstreams of this configuration until a signal ends it. */
export async function serveGateway(file: string): Promise<void> {
  const { readGatewayConfig } = await import('../config.ts'); // so that help does not wait for it
  const { findOwnFiles } = await import('#cli/own-files');
  const { startGateway } = await import('../gateway.ts');
  const { own, theirs } = shareEnvironment();
  const config = readGatewayConfig(await readConfiguration(file), theirs);
  const environment = { ASSENTRY_LOG_LEVEL: 'warn', ...own };
  const directory = directoryOf(readConfig(environment));
  const orchestrators = await openEach(config.upstreams, directory, environment);
  const gateway = await startGateway(config, {
    clientFor: async ({ name }) => (orchestrators.get(name) as Orchestrator).client,
    pins: pinsIn(directory),
    ownFiles: findOwnFiles(directory, {
      words: config.upstreams.flatMap((upstream) => ('url' in upstream ? [] : [upstream.command, ...upstream.args])),
      keys: config.upstreams.flatMap(({ key }) => key ?? []),
    }),
    warn: printProgress,
  });
  for (const [name, address] of Object.entries(gateway.addresses)) printProgress(`${name} is at ${address}`);
  printProgress(`all of them are at ${gateway.merged}`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  await gateway.close();
  for (const orchestrator of [...orchestrators.values()].toReversed()) await orchestrator.stop();
}

async function readConfiguration(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Problem('config-invalid', { detail: `Check --config: ${file} cannot be read.`, cause });
  }
}

/** Opens an orchestrator for each upstream, with its own key: the first may serve Assentry for the others. */
async function openEach(
  upstreams: ConfiguredUpstream[],
  directory: string,
  environment: Environment,
): Promise<Map<string, Orchestrator>> {
  const { url } = readClientEnv();
  const opened = new Map<string, Orchestrator>();
  for (const { name, key } of upstreams) {
    if ((url === undefined) !== (key === undefined)) throw new Problem('config-invalid', { detail: keyRule(name) });
    const client = url !== undefined && { client: createClient({ url, apiKey: key }), stop: async () => {} };
    opened.set(name, client || (await openOrchestrator({ directory, environment }, name)));
  }
  return opened;
}

const keyRule = (name: string): string =>
  `Correct upstreams.${name}.key: with ASSENTRY_URL each upstream needs Assentry's key for it, and without it none.`;
