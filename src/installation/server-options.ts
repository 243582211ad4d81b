import type { Config, FloodLimits } from '../config/config.ts';
import type { NamedSecret } from '../config/secrets.ts';
import type { SlackConfig } from '../config/slack.ts';

export interface ServerOptions extends Omit<Config, 'environment' | 'limits' | 'shutdownGrace'> {
  /** What policies know this installation by: production, unless told. */
  environment?: string;
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
