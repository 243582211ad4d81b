import { Amount, Currency, type ExpectedPayment, type ExpectedSignature, type Made } from '#connect/providers/expects';
import { providerKeyPattern } from '#connect/providers/scopes';
import { Problem } from '#platform/model/problem';
import { z } from 'zod';
import { assertSignal } from '../../client/transport.ts';
import { askUnderSignals } from '../elicit/elicit.ts';
import { createOnce } from '../elicit/once.ts';
import type { ElicitOptions, Proven } from '../question/question.ts';
import type { ElicitResult } from '../question/result.ts';
import type { Run } from '../run/run.ts';
import { readParameters } from './parameters.ts';

interface OutcomeOptions extends Pick<ElicitOptions, 'signal' | 'throwUrlRequired'> {
  /** Names the step within the call: `payment:` or `signature:` and the provider by default. */
  key?: string;
  /** What the person reads at their MCP client. */
  message?: string;
  /** Milliseconds in which the person must begin. */
  ttl?: number;
}

export interface PaymentWanted extends OutcomeOptions {
  /** A plain decimal, such as `100.00`. */
  amount: string;
  /** ISO 4217, such as `EUR`. */
  currency: string;
  /** Who gets it, as the provider names them; by default the first that the operator names. */
  payee?: string;
  /** What is paid for, as the payer reads it. */
  for: string;
}

export interface SignatureWanted extends OutcomeOptions {
  /** The provider's id of the template. */
  template?: string;
  /** Values of its fields. */
  values?: Record<string, string>;
  /** What is signed, as the signer reads it. */
  for: string;
}

/** Parts for a session or an envelope that the author makes with an SDK of their own. */
export interface Making {
  /** Names the request at the provider, and proves nothing: give it as the provider’s own reference. */
  reference: string;
  /** The same each time that the handler runs. */
  idempotencyKey: string;
}

/** Makes the session or the envelope; called once, however often the handler runs. */
export type Create = (making: Making) => Promise<{ id: string; url: string | URL }> | { id: string; url: string | URL };

/** A payment that its provider has confirmed. */
export interface Paid extends Proven {
  /** The provider's id. */
  id: string;
  amount: string;
  currency: string;
  /** Null if the provider does not say. */
  payee: string | null;
  /** ISO 8601. */
  at: string;
}

/** A signature that its provider has confirmed. */
export interface Signed extends Proven {
  /** The provider's id. */
  id: string;
  /** SHA-256 in hex; null if the provider does not say. */
  document: { digest: string } | null;
  /** Who signed, as the provider names them; null if it does not say. */
  by: string | null;
  /** ISO 8601. */
  at: string;
}

/**
 * Has the requester pay at a provider, and resolves once that has confirmed exactly this amount, currency, payee and
 * mode. Rejects with `payment-declined`, `payment-mismatch` if something else was paid, `provider-outcome-unknown` if no one
 * could find out, `provider-not-configured`, and otherwise as `elicit` does.
 *
 * ```ts
 * const order = async (_: object, { payment }: { payment: Payment }) => {
 *   const paid = await payment('stripe', { amount: '100.00', currency: 'EUR', for: 'Order 1042' });
 *   return paid.id;
 * };
 * ```
 */
export type Payment = (provider: string, request: PaymentWanted, create?: Create) => Promise<Paid>;

/**
 * Has the requester sign at a provider, and resolves once that has confirmed it. Rejects with `signature-declined`, and
 * otherwise as `payment` does. The author makes the envelope with `create`, unless the provider lets Assentry make it.
 *
 * ```ts
 * const agree = async (_: object, { signature }: { signature: Signature }) => {
 *   const signed = await signature('docusign', { for: 'The NDA' }, async ({ reference }) => {
 *     return { id: 'the envelope', url: `https://app.docusign.com/?envelope=${reference}` };
 *   });
 *   return signed.at;
 * };
 * ```
 */
export type Signature = (provider: string, request: SignatureWanted, create?: Create) => Promise<Signed>;

export const createPayment =
  (run: Run): Payment =>
  (provider, request, create) => {
    const paid = pay(run, provider, request, create);
    paid.catch(() => {}); // a tool that forgets to await must not bring its whole process down
    return paid;
  };

export const createSignature =
  (run: Run): Signature =>
  (provider, request, create) => {
    const signed = sign(run, provider, request, create);
    signed.catch(() => {});
    return signed;
  };

async function pay(run: Run, provider: string, request: PaymentWanted, create: Create | undefined): Promise<Paid> {
  const { amount, currency, payee, for: purpose, ...options } = request;
  const parts = { amount, currency, payee, for: purpose };
  const expected = readParameters(PaymentParts, { provider, ...parts }, 'payment');
  const message = `Pay ${expected.amount} ${expected.currency} for ${expected.for}.`;
  const step = { kind: 'payment', message, ttl: 1_800_000 } as const;
  const content = await settle(run, { kind: 'payment', ...expected }, { step, options, create });
  return {
    id: String(content['object']),
    amount: String(content['amount']),
    currency: String(content['currency']),
    payee: textOf(content['payee']),
    at: String(content['at']),
    proof: String(content['proof']),
  };
}

async function sign(run: Run, provider: string, request: SignatureWanted, create: Create | undefined): Promise<Signed> {
  const { template, values = {}, for: purpose, ...options } = request;
  const expected = readParameters(SignatureParts, { provider, template, values, for: purpose }, 'signature');
  const step = { kind: 'signature', message: `Sign ${expected.for}.`, ttl: 86_400_000 } as const;
  const content = await settle(run, { kind: 'signature', ...expected }, { step, options, create });
  const digest = textOf(content['document']);
  return {
    id: String(content['object']),
    document: digest === null ? null : { digest },
    by: textOf(content['signer']),
    at: String(content['at']),
    proof: String(content['proof']),
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

interface Step {
  step: { kind: 'payment' | 'signature'; message: string; ttl: number };
  options: OutcomeOptions;
  create: Create | undefined;
}

/** Asks, or joins what an earlier run of the call asked; the content that the provider has confirmed. */
async function settle(
  run: Run,
  expected: ExpectedPayment | ExpectedSignature,
  { step, options, create }: Step,
): Promise<Record<string, unknown>> {
  assertSignal(options.signal);
  const { key = `${step.kind}:${expected.provider}`, message = step.message, ttl = step.ttl, ...others } = options;
  const target = create && (await makeOnce(run, key, create));
  const asking = { ...others, key, ttl, audience: 'requester' as const, supersede: 'none' as const };
  const expects = { ...expected, ...(target && { made: target }) };
  const answer = await askUnderSignals(run, message, { expects }, asking);
  if (answer.status === 'accept') return answer.content as Record<string, unknown>;
  throw problemOf(step.kind, answer);
}

/** The same for each run of the handler. */
async function makeOnce(run: Run, key: string, create: Create): Promise<Made> {
  return createOnce(run)(`made ${key}`, async ({ idempotencyKey }) => {
    const reference = `as_${idempotencyKey.slice(0, referenceLength)}`;
    const { id, url } = await create({ reference, idempotencyKey });
    return { reference, id, url: String(url) };
  });
}

/** Letters after the prefix, enough that no two requests share one. */
const referenceLength = 22;

function problemOf(
  kind: 'payment' | 'signature',
  answer: Exclude<ElicitResult<unknown>, { status: 'accept' }>,
): Problem {
  if ('cause' in answer && answer.cause === 'mismatch') return new Problem('payment-mismatch');
  if ('cause' in answer && answer.cause === 'unsettled') return new Problem('provider-outcome-unknown');
  return new Problem(kind === 'payment' ? 'payment-declined' : 'signature-declined');
}

const common = {
  provider: z.string().regex(providerKeyPattern, 'Use small letters, digits and hyphens.'),
  for: z.string().trim().min(1).max(200),
};
const PaymentParts = z.strictObject({
  ...common,
  amount: Amount,
  currency: Currency,
  payee: z.string().min(1).max(256).optional(),
});
const SignatureParts = z.strictObject({
  ...common,
  template: z.string().min(1).max(128).optional(),
  values: z.record(z.string().max(64), z.string().max(1024)),
});
