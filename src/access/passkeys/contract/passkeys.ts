import { z } from 'zod';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { Moment, visibleLine } from '#requests/asking/contract/open';
import { UserId } from '#people/users/contract';

/** The API with which people look after their passkeys. Bytes are base64url. */
const bytes = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[A-Za-z0-9_-]+$/, 'Give base64url without padding.');

const credentialId = bytes(1400).meta({ description: 'Of the passkey, as its authenticator names it.' });

export const PasskeyAssertion = z
  .strictObject({ credentialId, authenticatorData: bytes(4096), clientDataJSON: bytes(4096), signature: bytes(8192) })
  .meta({ id: 'PasskeyAssertion' });
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

const named = z.object({ id: z.string(), name: z.string() });
const descriptor = z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) });
const descriptors = z.array(descriptor);

export const PasskeyRequest = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    allowCredentials: descriptors.meta({ description: 'Empty if the browser offers those that it has.' }),
  })
  .meta({ id: 'PasskeyRequest', description: 'PublicKeyCredentialRequestOptionsJSON of Web Authentication.' });
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

export const PasskeyCreation = z
  .object({
    rp: named,
    user: named.extend({ displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: descriptors,
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .meta({ id: 'PasskeyCreation', description: 'PublicKeyCredentialCreationOptionsJSON of Web Authentication.' });
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

const NewPasskey = z
  .strictObject({
    name: visibleLine(60).min(1, 'Give it a name.'),
    credentialId,
    attestationObject: bytes(12_000),
    clientDataJSON: bytes(4096),
    transports: z.array(z.string().regex(/^[a-z-]{1,20}$/)).max(8),
  })
  .meta({ id: 'NewPasskey' });
export type NewPasskey = z.infer<typeof NewPasskey>;

export const OwnPasskey = z
  .object({
    id: idText('passkey'),
    name: z.string(),
    addedAt: Moment,
    usedAt: Moment.nullable(),
    isBackedUp: z.boolean().meta({
      description: 'At its last use, was it kept elsewhere, too, such as in a password manager?',
    }),
    isSyncable: z.boolean().nullable().meta({
      description: 'May it be, as its authenticator says? Null for passkeys of earlier versions.',
    }),
  })
  .meta({ id: 'OwnPasskey' });
export type OwnPasskey = z.infer<typeof OwnPasskey>;

export const OwnPasskeys = z
  .object({
    passkeys: z.array(OwnPasskey),
    origin: z.string().nullable().meta({
      description: 'Where browsers can make one; null if the public address has no name: they then make none.',
    }),
  })
  .meta({ id: 'OwnPasskeys' });
export type OwnPasskeys = z.infer<typeof OwnPasskeys>;

export const UserPasskeys = z.object({ passkeys: z.array(OwnPasskey) }).meta({ id: 'UserPasskeys' });

export const passkeyRoutes = {
  listPasskeysOf: {
    method: 'get',
    path: '/api/users/{id}/passkeys',
    auth: 'session',
    permission: 'change-directory',
    summary: 'The passkeys of a person, and whether each stays on its device.',
    params: z.object({ id: UserId }),
    success: { 200: UserPasskeys },
  },
  listPasskeys: {
    method: 'get',
    path: '/api/account/passkeys',
    auth: 'session',
    permission: null,
    summary: 'Your passkeys.',
    success: { 200: OwnPasskeys },
  },
  beginPasskey: {
    method: 'post',
    path: '/api/account/passkeys/begin',
    auth: 'session',
    permission: null,
    proof: 'with-act',
    isOpenAt: ['enrol-factor'],
    summary: 'Begin to add a passkey; needs a sign-in of the last ten minutes.',
    success: { 200: PasskeyCreation },
  },
  addPasskey: {
    method: 'post',
    path: '/api/account/passkeys',
    auth: 'session',
    permission: null,
    proof: 'with-act',
    isOpenAt: ['enrol-factor'],
    summary: 'Add the passkey that your browser made.',
    body: NewPasskey,
    success: { 201: OwnPasskey },
  },
  removePasskey: {
    method: 'delete',
    path: '/api/account/passkeys/{id}',
    auth: 'session',
    permission: null,
    proof: 'every-factor',
    summary: 'Remove a passkey, and sign out everywhere else; needs a sign-in of the last ten minutes.',
    params: z.object({ id: idText('passkey') }),
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
