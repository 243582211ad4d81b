import { timingSafeEqual } from 'node:crypto';

/** Compares in a time that depends only on the lengths. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
