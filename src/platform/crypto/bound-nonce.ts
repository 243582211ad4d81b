import { createHmac } from 'node:crypto';
import { joinParts } from './digest.ts';

/**
 * The stored hash of a nonce that is valid for one purpose only: another purpose gives an unrelated hash. The nonce is
 * the key, so the hash reveals nothing about the parts, not even to someone who guesses them.
 */
export const hashBoundNonce = (nonce: string, ...parts: string[]): Buffer =>
  createHmac('sha256', nonce)
    .update(joinParts(...parts))
    .digest();
