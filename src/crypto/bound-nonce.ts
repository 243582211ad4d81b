import { createHmac } from 'node:crypto';
import { joinParts } from './length-prefix.ts';

/**
 * What the database remembers of a nonce that is valid for one purpose only: another one gives an unrelated hash.
 * The nonce is the key, so the hash says nothing about the parts, not even to one who guesses them.
 */
export const hashBoundNonce = (nonce: string, ...parts: string[]): Buffer =>
  createHmac('sha256', nonce)
    .update(joinParts(...parts))
    .digest();
