import type { Audience, Mode } from '#requests/asking/contract/elicitation';
import type { KeyFact } from '#requests/facts/contract/facts/key-fact';
import type { Requester } from '#people/directory/contract/user';

/** A question as the asking server sends it. */
export interface OpenRequest {
  tool: {
    name: string;
    title?: string | undefined;
    description?: string | undefined;
    annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined } | undefined;
    schemaDigest?: string | undefined;
    /** What its server runs or where it is. */
    reaches?: string | undefined;
    /** No one has accepted the definition with these annotations. */
    unaccepted?: boolean | undefined;
  };
  arguments: Record<string, unknown>;
  message: string;
  mode: Mode;
  schema?: unknown;
  url?: string | undefined;
  /** A token that was made before, to be bound to this question. */
  elicitationId?: string | undefined;
  /** A report of an outside service must name the requester as who completed it. */
  completedBy?: 'requester' | undefined;
  /** False: the connect page leaves the outside address as it is. */
  state?: boolean | undefined;
  /** Stored values that people see next to the buttons. */
  facts?: KeyFact[] | undefined;
  reason?: string | undefined;
  audience?: Audience | undefined;
  requester: Requester;
  session?: string | undefined;
  /** The caller's own name for the tool call; the same name joins while that call is not settled. */
  call?: string | undefined;
  /** A call of this name that ran is not opened again. */
  once?: boolean | undefined;
  /** Names this one opening: repeated with it, it is the same request for ever, also after its call is settled. */
  idempotencyKey?: string | undefined;
  /** Only as part of this call of that name. */
  toolCall?: string | undefined;
  step: string;
  /** The attempt that holds the call's execution releases it when it asks again. */
  attempt?: string | undefined;
  ttl?: number | undefined;
  /** Approvers may edit the arguments: the caller runs with those that were approved. */
  takesEdits?: boolean | undefined;
  /** The earliest start of the approved call: milliseconds since 1970. */
  notBefore?: number | undefined;
  supersede?: 'session' | 'call' | 'none' | undefined;
  /** The caller's trace, in the form of W3C. */
  traceparent?: string | null | undefined;
}
