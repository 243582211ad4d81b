import { usualEnvironment, type Config, type FloodLimits } from '../config/config.ts';
import type { NamedSecret } from '../config/secrets.ts';
import type { SlackConfig } from '../config/slack.ts';
import { policyDefaults, type PolicyDefaults } from '../model/policy.ts';

type Optional = 'environment' | 'defaults' | 'limits' | 'logHead' | 'shutdownGrace';

export interface ServerOptions extends Omit<Config, Optional> {
  /** A file that keeps the latest head of the log outside the database. */
  logHead?: string | null;
  /** What policies know this installation by: `production`, or `trial` with the embedded database. */
  environment?: string;
  /** What holds where no policy says otherwise; strict in production, unless told. */
  defaults?: Partial<PolicyDefaults>;
  /** How many requests may wait at the same time; as configured by default, unless told. */
  limits?: Partial<FloodLimits>;
  /** The active one first; null takes what the data directory keeps. */
  secrets: NamedSecret[] | null;
  /** Null or absent: no request is told of in chat. */
  slack?: SlackConfig | null;
  /** Replaces the clock. For tests. */
  now?: () => number;
  onProgress?: (sentence: string) => void;
}

/** What policies know of the installation by itself. */
export function surroundingsOf({
  databaseUrl,
  environment = usualEnvironment(databaseUrl),
  defaults,
}: Pick<ServerOptions, 'databaseUrl' | 'environment' | 'defaults'>) {
  return { environment, defaults: { ...policyDefaults(environment), ...defaults } };
}
