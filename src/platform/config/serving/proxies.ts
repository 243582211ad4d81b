import { isIP } from 'node:net';
import { refuseVariable } from '../config.ts';
import type { Environment } from '../env.ts';

/** Proxies on the same machine. */
export const defaultProxies: readonly string[] = ['loopback'];

/** The proxies whose word about a caller's address is taken; problem `config-invalid` names what is neither of these. */
export function readTrustedProxies({ ASSENTRY_TRUSTED_PROXIES: text }: Environment): readonly string[] {
  if (text === undefined) return defaultProxies;
  if (text === 'none') return [];
  const proxies = text.split(',').map((proxy) => proxy.trim());
  const wrong = proxies.find((proxy) => !ranges.has(proxy) && !isNetwork(proxy));
  if (wrong === undefined) return proxies;
  const allowed = 'give addresses and networks such as 10.0.0.0/8, or loopback, uniquelocal, linklocal, or none';
  throw refuseVariable('ASSENTRY_TRUSTED_PROXIES', JSON.stringify(wrong), allowed);
}

const ranges = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Is it an address or, with a prefix, a network? */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
}
