import { refuseVariable } from '../config.ts';
import type { Environment } from '../env.ts';

/** What readers of `/metrics` must send; null closes it. Problem `config-invalid` says what is wrong, never the token. */
export function readMetricsToken({ ASSENTRY_METRICS_TOKEN: text }: Environment): string | null {
  if (text === undefined || /^[\w.~+/=-]{32,256}$/.test(text)) return text ?? null;
  const allowed = 'give 32 to 256 letters, digits and -._~+/=, such as from openssl rand -hex 32';
  throw refuseVariable('ASSENTRY_METRICS_TOKEN', 'something else (not shown, for it is a secret)', allowed);
}
