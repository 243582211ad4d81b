import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

/** SHA-256 of the canonical JSON, in hex: the same for equal values, whatever the order of their keys. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value));
