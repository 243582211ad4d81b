import type { Audience, Mode } from './contract/elicitation.ts';
import type { KeyFact } from '../facts/contract/facts.ts';
import type { ProvenStep } from '../facts/contract/proven.ts';
import type { Expects } from '#connect/providers/expects';
import { canonicalJson, sha256Hex } from '#platform/crypto/digest';

/** An answer is bound to all of this: questions that differ in any part are different. */
export interface BoundAction {
  server: string;
  /** The digest of what runs, and for whom. */
  run: string;
  message: string;
  mode: Mode;
  /** The form's JSON Schema. */
  schema: unknown;
  url: string | null;
  /** What is expected of the requester at a provider; absent if nothing is. */
  expects?: Expects;
  /** What providers have confirmed in earlier steps of the call; absent if it names none. */
  proven?: ProvenStep[];
  /** The stored values that the tool's author lets people see next to the buttons. */
  facts: KeyFact[];
  requester: { subject: string; issuer: string | null; verified: boolean; verifiedBy: string | null };
  audience: Audience;
  policy: string;
  revision: number;
  elicitation: string;
  /** Random, and stored sealed, so that no one can guess the content from the digest. */
  nonce: string;
}

/** The action digest in hex. The page shows it, the decision carries it, and the executor compares it. */
export const actionDigest = (action: BoundAction): string => sha256Hex(`assentry/action/v1\0${canonicalJson(action)}`);
