import { readTokenSources } from '#server/config/access-tokens';
import { readConfig, type Config } from '#server/config/config';
import { readEnvironment } from '#server/config/env';
import { readLogBucket } from '#server/config/log-bucket';
import { readLogStreams } from '#server/config/log-streams';
import { readMetricsToken } from '#server/config/metrics-token';
import { readTrustedProxies } from '#server/config/proxies';
import { readSecrets } from '#server/config/secrets';
import { readPooling, readServing } from '#server/config/serving';
import { readChats } from '#server/channels/chats';
import { readSmtp } from '#server/channels/email/settings';
import { readPasswordRule, readSignInProviders } from '#server/config/sign-in-providers';
import { readWorkloadIssuers } from '#server/config/workload-issuers';
import { readWebhooks } from '#server/config/webhooks';
import { readWitnesses } from '#server/config/witnesses';
import type { Operator } from '#server/installation/operator';
import type { ServerOptions } from '#server/installation/server-options';
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
  const { openOperator } = await import('#server/installation/open-operator');
  const publicUrl = settings.publicUrl ?? (await servingUrl(settings)); // links lead to where it really is
  const operator = await openOperator({ ...settings, publicUrl, mayCreate });
  try {
    return await act(operator);
  } finally {
    await operator.close();
  }
}

/** Where the node that uses the embedded database serves; null if none does. */
async function servingUrl({ databaseUrl, dataDirectory }: ServerOptions): Promise<string | null> {
  if (databaseUrl !== null) return null;
  const { directoryOf } = await import('#server/installation/directory-of');
  const { findServing } = await import('#server/installation/serving-note');
  return findServing(directoryOf({ dataDirectory }));
}
