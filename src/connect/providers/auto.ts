import { z } from 'zod';
import { isPrivateAddress } from '#platform/model/names';
import { providerKeyPattern } from './scopes.ts';

/** The provider that stands behind a server, as that server names it itself. */
export const autoKey = 'auto';

/** The key of one issuer that is such a provider; no one asks for it by this key. */
const ofOneIssuer = /^auto-/;

/** The key of a provider that an operator describes or a server asks for. */
export const AskedProvider = z
  .string()
  .regex(providerKeyPattern, 'Use small letters, digits and hyphens.')
  .refine((key) => !ofOneIssuer.test(key), `Write "${autoKey}" alone.`);

/** The server whose tokens are wanted, where it names its provider itself. */
export const Resource = z
  .string()
  .max(1024)
  .refine(isResource, 'Give the address of the server: https, or http on this machine, without a fragment.')
  .optional()
  .meta({ description: 'The server that the token is for, if the provider is `auto`. The token goes nowhere else.' });

function isResource(text: string): boolean {
  if (!isPrivateAddress(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '' && !text.includes('#');
}

/** Is a resource named where one is needed, and nowhere else? */
export function checkResource(
  { provider, resource }: { provider: string; resource?: string | undefined },
  { addIssue }: Pick<z.RefinementCtx, 'addIssue'>,
): void {
  if ((provider === autoKey) === (resource !== undefined)) return;
  const message = resource === undefined ? 'Give the address of the server.' : `Leave it out, or write "${autoKey}".`;
  addIssue({ code: 'custom', path: [resource === undefined ? 'resource' : 'provider'], message });
}
