import { isPrivateAddress } from '../../model/names.ts';
import { refuseVariable } from '../config.ts';
import type { Environment } from '../env.ts';

/** A witness as it is named in the settings. */
export interface NamedWitness {
  /** Its verifier key. */
  key: string;
  /** Without a slash at the end. */
  url: string;
}

/** The witnesses of the log; problem `config-invalid` says what is wrong. */
export function readWitnesses({ ASSENTRY_WITNESSES: text }: Environment): NamedWitness[] {
  const parts = text === undefined ? [] : text.split(',').map((part) => part.trim());
  return parts.map((part) => readWitness(part));
}

function readWitness(part: string): NamedWitness {
  const [, key = '', address = ''] = /^(\S+) +(\S+)$/.exec(part) ?? [];
  const url = URL.canParse(address) ? new URL(address) : null;
  if (
    /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$/u.test(key) &&
    url &&
    isPrivateAddress(address) &&
    url.search === '' &&
    url.hash === ''
  ) {
    return { key, url: url.href.replace(/\/$/, '') };
  }
  const allowed = 'give "KEY URL, KEY URL" with the key that each witness prints, and https outside of this machine';
  throw refuseVariable('ASSENTRY_WITNESSES', JSON.stringify(part), allowed);
}
