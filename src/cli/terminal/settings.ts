import { readTokenSources } from '../../config/access-tokens.ts';
import { readConfig, type Config } from '../../config/config.ts';
import { readEnvironment } from '../../config/env.ts';
import { readLogBucket } from '../../config/log-bucket.ts';
import { readLogStreams } from '../../config/log-streams.ts';
import { readMetricsToken } from '../../config/metrics-token.ts';
import { readTrustedProxies } from '../../config/proxies.ts';
import { readSecrets } from '../../config/secrets.ts';
import { readPooling, readServing } from '../../config/serving.ts';
import { readChats } from '../../channels/chats.ts';
import { readSmtp } from '../../channels/email/settings.ts';
import { readPasswordRule, readSignInProviders } from '../../config/sign-in-providers.ts';
import { readWorkloadIssuers } from '../../config/workload-issuers.ts';
import { readWebhooks } from '../../config/webhooks.ts';
import { readWitnesses } from '../../config/witnesses.ts';
import type { Operator } from '../../installation/operator.ts';
import type { ServerOptions } from '../../installation/server-options.ts';
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
  { mayCreate = false, settings = readSettings() }: { mayCreate?: boolean; settings?: ServerOptions } = {},
): Promise<T> {
  const { openOperator } = await import('../../installation/open-operator.ts');
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
  const { directoryOf } = await import('../../installation/directory-of.ts');
  const { findServing } = await import('../../installation/serving-note.ts');
  return findServing(directoryOf({ dataDirectory }));
}
