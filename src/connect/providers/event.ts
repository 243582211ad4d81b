import type { ExpectedPayment, ExpectedSignature } from './expects.ts';
import type { verdicts } from './signed-events.ts';

export type Verdict = (typeof verdicts)[number];

/** What a provider says of the money or the document, to be compared with what was asked; absent parts are not said. */
export interface SaidFacts {
  /** A plain decimal in the main unit of the currency, exact. */
  amount?: string;
  /** ISO 4217, in capital letters. */
  currency?: string;
  /** The account that got the money. */
  payee?: string;
  /** False in the provider's test mode. */
  isLive?: boolean;
  /** SHA-256 of the signed document, in hex. */
  document?: string;
  /** Who signed, as the provider names them. */
  signer?: string;
}

/** An object of a provider as its event or a look says it is. */
export interface SaidObject {
  verdict: Verdict;
  /** The reference of Assentry's that it carries; null if it carries none. */
  reference: string | null;
  /** The provider's id of the session, the payment or the envelope; null if it has none. */
  object: string | null;
  facts: SaidFacts;
}

/** An event whose signature holds. */
export interface SaidEvent extends SaidObject {
  /** By which a repeated one is known. */
  id: string;
}

export type ReadEvent =
  | { state: 'read'; event: SaidEvent }
  /** The reason is for the log alone: the outside is told one fixed word. */
  | { state: 'refused'; why: 'unsigned' | 'wrong-signature' | 'too-old' | 'unreadable' };

/** An event as it goes over the wire. */
export interface SampleEvent {
  /** By which a repeated one is known. */
  id: string;
  headers: Record<string, string>;
  body: string;
}

/** What a session or an envelope is made with. */
export interface Making {
  wanted: ExpectedPayment | ExpectedSignature;
  /** Names the request at the provider, and proves nothing. */
  reference: string;
  /** The same for each try, so that it is made once. */
  idempotencyKey: string;
  /** Where the person comes back to. */
  returnUrl: string;
  /** Milliseconds since 1970 at which it should end. */
  expiresAt: number;
}

/**
 * The side of a provider of money or signatures. Calls are bounded and guarded as those of `ConnectClient`. Problem
 * `provider-unavailable` if it does not answer.
 */
export interface OutcomeClient {
  key: string;
  label: string;
  /** Hosts of the pages to which people are sent. */
  pageHosts: readonly string[];
  /** Names of the servers that may use it. */
  servers: readonly string[];
  kinds: readonly ('payment' | 'signature')[];
  /** Does it take live money? Null where the provider has no test mode. */
  live: boolean | null;
  /** Accounts that may get money, the usual one first; empty where the provider names none. */
  payees: readonly string[];
  /** Milliseconds for which an outcome can stay pending. */
  settlesWithin: number;
  /** Verifies and reads the raw bytes of an event; pure, but for the clock it is given. */
  read(body: Uint8Array, headers: Readonly<Record<string, string | string[] | undefined>>, now: number): ReadEvent;
  /** A signed event with this name and reference that means nothing; null if the description allows none. */
  sample(parts: { name: string; reference: string }, now: number): SampleEvent | null;
  /** Makes the session or the envelope; absent if only the author can. */
  create?(making: Making): Promise<{ id: string; url: string }>;
  /** Asks the provider what became of this object; absent if it cannot be asked. */
  look?(object: string): Promise<SaidObject>;
}
