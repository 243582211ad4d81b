import { z } from 'zod';

/** Key of a provider in the settings and in its addresses, such as `github`. */
export const providerKeyPattern = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

export const Scope = z
  .string()
  .regex(/^[!#-[\]-~]{1,256}$/, 'Give a scope as RFC 6749 writes it: without spaces and quotes.');
export const Scopes = z.array(Scope).max(50);
