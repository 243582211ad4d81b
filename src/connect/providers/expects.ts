import { z } from 'zod';
import type { ResultSchema } from '#platform/form/schema';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import { AskedProvider, checkResource, Resource } from './auto.ts';
import { providerKeyPattern, Scopes } from './scopes.ts';

const provider = z.string().regex(providerKeyPattern, 'Use small letters, digits and hyphens.');

/** A line that people read, without characters that they would not see. */
const line = (most: number) => z.string().trim().min(1).max(most);

/** An amount of money: a plain decimal, exact by the currency's digits. */
export const Amount = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?$/, 'Give a plain decimal such as 100.00.')
  .refine((amount) => /[1-9]/.test(amount), 'Give more than nothing.');

/** ISO 4217. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, 'Give three capital letters of ISO 4217, such as EUR.');

/** What an outside service's object is called; it proves nothing. */
export const referencePattern = /^as_[A-Za-z0-9_-]{22}$/;

/** A session or an envelope that the author made themselves, under a reference of Assentry's form. */
const Made = z.strictObject({
  reference: z.string().regex(referencePattern, 'Give the reference that the step got.'),
  id: line(256),
  url: z.string().max(4096),
});
export type Made = z.output<typeof Made>;

const ExpectedConnection = z
  .strictObject({
    kind: z.literal('connection'),
    provider: AskedProvider,
    scopes: Scopes.default([]),
    resource: Resource,
    byAccessToken: z.literal(true).optional().meta({
      description: 'Its token is given out only with a valid access token of the person, which Assentry checks itself.',
    }),
  })
  .superRefine(checkResource);

const ExpectedPayment = z.strictObject({
  kind: z.literal('payment'),
  provider,
  amount: Amount,
  currency: Currency,
  payee: line(256)
    .optional()
    .meta({ description: 'The account of the provider that gets it; by default the first of the settings.' }),
  for: line(200).meta({ description: 'What is paid for, as its payer reads it.' }),
  made: Made.optional(),
});

const ExpectedSignature = z.strictObject({
  kind: z.literal('signature'),
  provider,
  template: line(128).optional(),
  values: z.record(z.string().max(64), z.string().max(1024)).default({}),
  for: line(200).meta({ description: 'What is signed, as its signer reads it.' }),
  made: Made.optional(),
});

/** What a person calls a secret, such as `OpenAI key`. */
export const SecretLabel = line(80).refine((label) => !hasHiddenCharacters(label), 'Leave out hidden characters.');

const ExpectedSecret = z.strictObject({
  kind: z.literal('secret'),
  label: SecretLabel.meta({ description: 'What its person calls it, such as `OpenAI key`.' }),
  keep: z.enum(['call', 'until-removed']).meta({
    description: '`call`: it ends with the call. `until-removed`: its person removes it in their profile.',
  }),
  byAccessToken: ExpectedConnection.shape.byAccessToken,
});

/** What a question in URL mode expects its person to do; Assentry finds out itself whether they did. */
export const Expects = z
  .discriminatedUnion('kind', [ExpectedConnection, ExpectedPayment, ExpectedSignature, ExpectedSecret])
  .meta({ id: 'Expects' });
export type Expects = ExpectedConnection | ExpectedPayment | ExpectedSignature | ExpectedSecret;
export type ExpectedConnection = z.output<typeof ExpectedConnection> & {
  /** The issuer, if no operator has listed it: the one person of a trial allows it on the page. No server can send it. */
  issuer?: string | undefined;
};
export type ExpectedPayment = z.output<typeof ExpectedPayment>;
export type ExpectedSignature = z.output<typeof ExpectedSignature>;
export type ExpectedSecret = z.output<typeof ExpectedSecret>;
/** What happens at a provider. */
export type ExpectedOutside = Exclude<Expects, ExpectedSecret>;
export type ExpectedOutcome = ExpectedPayment | ExpectedSignature;

/** Does it end with what a provider says has happened there? */
export const isOutcome = (expects: Expects): expects is ExpectedOutcome =>
  expects.kind === 'payment' || expects.kind === 'signature';

/** Name of the field in which it is entered: pages hide what is typed there. */
export const secretField = 'secret';

/** The form in which it is entered. */
export const secretForm = ({ label }: ExpectedSecret): ResultSchema => ({
  type: 'object',
  properties: { [secretField]: { type: 'string', title: label, minLength: 1, maxLength: 8192 } },
  required: [secretField],
});
