import { z } from 'zod';
import { faultOfIssuer } from '../model/identity.ts';
import {
  passwordRules,
  providerKeyPattern,
  changeableClaims,
  scimAttributes,
  usualVerifiedBy,
  type PasswordRule,
  type SignInProvider,
} from '#access/oidc/contract/identity-provider';
import { refuseVariable } from './config.ts';
import type { Environment } from './env.ts';
import { readJsonFile, readSecretFile, refuseContent } from './secrets.ts';

const name = z.string().min(1, 'Give a text that is not empty.').max(200, 'Give at most 200 characters.');
const names = z.array(name);
const issuer = z.string().superRefine((text, { addIssue }) => {
  const fault = faultOfIssuer(text);
  if (fault !== null) addIssue({ code: 'custom', message: fault });
});

const lastingClaim = name.refine(
  (claim) => !changeableClaims.includes(claim),
  'Give a claim that is never someone else’s later, such as "sub" or "oid".',
);

const NewPeople = z.strictObject({
  role: z.enum(['approver', 'reviewer'], 'Give "approver" or "reviewer": administrators are made in the console.'),
  domains: z.array(name.toLowerCase()).min(1, 'Name the domains of their addresses.'),
  claims: z.record(z.string(), z.array(name).min(1)).default({}),
  verifiedBy: name.default(usualVerifiedBy),
});

const Provider = z
  .strictObject({
    name,
    issuer,
    clientId: name,
    clientSecret: name.optional(),
    clientSecretFile: name.optional(),
    scopes: names.default(['openid', 'email', 'profile']),
    multiFactor: z
      .strictObject({ acr: names.default([]), amr: names.default([]), always: z.boolean().default(false) })
      .default({ acr: [], amr: [], always: false }),
    domains: z.array(name.toLowerCase()).optional(),
    newPeople: NewPeople.nullable().default(null),
    groups: z
      .strictObject({ claim: name, map: z.record(name, name) })
      .nullable()
      .default(null),
    scim: z
      .strictObject({ attribute: z.enum(scimAttributes).default('externalId'), claim: lastingClaim.default('sub') })
      .nullable()
      .default(null),
  })
  .refine(({ scim, newPeople }) => scim === null || newPeople !== null, {
    path: ['newPeople'],
    message: 'Name the role and the domains of the people whom "scim" adds.',
  })
  .refine(({ clientSecret, clientSecretFile }) => (clientSecret === undefined) !== (clientSecretFile === undefined), {
    path: ['clientSecretFile'],
    message: 'Give either clientSecretFile or clientSecret.',
  })
  .refine(({ scopes }) => scopes.includes('openid'), { path: ['scopes'], message: 'Add "openid".' });

const key = z.string().regex(providerKeyPattern, 'Name a provider by small letters, digits and hyphens.');
const Providers = z.record(key, Provider).refine(hasOneOfEach, 'Give each issuer once.');

function hasOneOfEach(providers: Record<string, { issuer: string }>): boolean {
  const issuers = Object.values(providers).map((provider) => provider.issuer);
  return new Set(issuers).size === issuers.length;
}

/**
 * Providers for sign-in, in the order of the file; none without it. Problem `config-invalid` names the file, the place in it
 * and the remedy, and repeats no value.
 */
export function readSignInProviders({ ASSENTRY_SIGN_IN_PROVIDERS: file }: Environment): SignInProvider[] {
  if (file === undefined) return [];
  const { data, error } = Providers.safeParse(readJsonFile(variable, file, usage));
  if (!data) throw refuseContent(variable, file, error.issues[0], usage);
  return Object.entries(data).map(([key, { clientSecret, clientSecretFile, ...provider }]) => ({
    ...provider,
    key,
    clientSecret:
      clientSecret ??
      readSecretFile(clientSecretFile ?? '', { variable, file, where: `${key}.clientSecretFile`, usage }),
  }));
}

/** May people who have a provider sign in with a password as well? */
export function readPasswordRule({ ASSENTRY_PASSWORDS: rule = 'allowed' }: Environment): PasswordRule {
  const passwords = passwordRules.find((name) => name === rule);
  if (passwords) return passwords;
  throw refuseVariable('ASSENTRY_PASSWORDS', JSON.stringify(rule), `give one of ${passwordRules.join(', ')}`);
}

const variable = 'ASSENTRY_SIGN_IN_PROVIDERS';
const usage =
  'give a file like the one in docs/sign-in/README.md, with name, issuer, clientId and a secret of each provider';
