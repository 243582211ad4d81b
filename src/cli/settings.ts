import {
  readTokenSources,
  readMetricsToken,
  readTrustedProxies,
  readPooling,
  readServing,
} from '#platform/config/serving';
import { readConfig, type Config } from '#platform/config/config';
import { readEnvironment } from '#platform/config/env';
import { readLogBucket } from '#platform/config/heads';
import { readLogStreams, readWebhooks, readWitnesses } from '#platform/config/outlets';
import { readSecrets } from '#platform/config/secrets';
import { readChats } from '#notify/chat/channel/chats';
import { readSmtp } from '#notify/mail/channel/settings';
import { readProviders } from '#platform/config/connect-providers';
import { readPasswordRule, readSignInProviders } from '#platform/config/providers';
import { readWorkloadIssuers } from '#platform/config/workload-issuers';
import type { Operator } from '#server/operator';
import type { ServerOptions } from '#server/options';
import { printProgress } from './output.ts';

/** The server's options from the environment; throws problem `config-invalid`, which names the wrong setting. */
export function readSettings(environment = readEnvironment()): ServerOptions & Pick<Config, 'shutdownGrace'> {
  return {
    ...readConfig(environment),
    serving: readServing(environment),
    pooling: readPooling(environment),
    ...readChats(environment),
    smtp: readSmtp(environment),
    webhooks: readWebhooks(environment),
    witnesses: readWitnesses(environment),
    logBucket: readLogBucket(environment),
    streams: readLogStreams(environment),
    secrets: readSecrets(environment),
    metricsToken: readMetricsToken(environment),
    tokenSources: readTokenSources(environment),
    workloadIssuers: readWorkloadIssuers(environment),
    signInProviders: readSignInProviders(environment),
    ...readProviders(environment),
    passwords: readPasswordRule(environment),
    trustedProxies: readTrustedProxies(environment),
    onProgress: printProgress,
  };
}

/**
 * Opens the installation for one operator command, with or without running nodes. Only commands that prepare an
 * installation may create it; others would report an empty one in a wrong directory.
 */
export async function withOperator<T>(
  act: (operator: Operator) => Promise<T>,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Promise<T> {
  const settings = readSettings();
  const { openOperator } = await import('#server/open-operator');
  const publicUrl = await publicUrlOf(settings);
  const operator = await openOperator({ ...settings, publicUrl, mayCreate });
  try {
    return await act(operator);
  } finally {
    await operator.close();
  }
}

/** Base of the addresses in links. Null where only a node knows it. */
export const publicUrlOf = async (settings: ServerOptions): Promise<string | null> =>
  settings.publicUrl ?? (await servingUrl(settings));

/** Where the node that uses the embedded database serves; null if none does. */
async function servingUrl({ databaseUrl, dataDirectory }: ServerOptions): Promise<string | null> {
  if (databaseUrl !== null) return null;
  const { directoryOf, findServing } = await import('#server/directory-of');
  return findServing(directoryOf({ dataDirectory }));
}
