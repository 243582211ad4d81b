import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

export const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** SHA-256 of the canonical JSON, in hex: the same for equal values, whatever the order of their keys. */
export const digestOf = (value: unknown): string => sha256(canonicalJson(value)).toString('hex');
