import { z } from 'zod';
import type { Action } from '#requests/asking/contract/elicitation';

/** `elicitation/create` as either generation of the SDK hands it to a client's handler. */
export interface ElicitationRequest {
  params: {
    mode?: string | undefined;
    message: string;
    requestedSchema?: unknown;
    url?: string | undefined;
    elicitationId?: string | undefined;
  };
}

/** The part of a handler's context that says whether the server withdrew its request. */
export interface ElicitationContext {
  /** SDK v1. */
  signal?: AbortSignal | undefined;
  /** SDK v2. */
  mcpReq?: { signal?: AbortSignal | undefined } | undefined;
}

/** A type, not an interface: the SDKs' results have an index signature. */
export type ElicitationAnswer = {
  action: Action;
  /** With an accepted form only. */
  content?: Record<string, string | number | boolean | string[]>;
  _meta?: Record<string, unknown>;
};

/** What a client declares: forms always, addresses if any may be opened. */
export const elicitationCapabilities = ({
  allowedDomains = [],
}: { allowedDomains?: readonly string[] | undefined } = {}): DeclaredElicitation => ({
  elicitation: { form: {}, ...(allowedDomains.length > 0 && { url: {} }) },
});

export type DeclaredElicitation = { elicitation: { form: Record<string, never>; url?: Record<string, never> } };

const message = z.string();

/** An empty path means `/` to every parser; any other address must be in normal form, or is refused. */
const address = z.string().transform((url) => (URL.canParse(url) && new URL(url).href === `${url}/` ? `${url}/` : url));

/** Checks everything, because a handler may be called directly. */
export const AskedParams = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('form'), message, requestedSchema: z.looseObject({}) }),
  z.object({ mode: z.literal('url'), message, url: address, elicitationId: z.string().optional() }),
]);
export type AskedParams = z.infer<typeof AskedParams>;
export type AskedForm = Extract<AskedParams, { mode: 'form' }>;
export type AskedUrl = Extract<AskedParams, { mode: 'url' }>;
