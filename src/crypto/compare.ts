import { timingSafeEqual } from 'node:crypto';

/** Compares in a time that depends on the lengths only. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
