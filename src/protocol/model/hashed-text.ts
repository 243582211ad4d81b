import canonicalize from 'canonicalize';
import type { Requester } from './user.ts';

// The package is CommonJS whose module is the function itself; its type declaration claims a default export.
const serialize = canonicalize as unknown as (value: unknown) => string;

/** The RFC 8785 text of a value that JSON can carry. */
export const canonicalText = (value: unknown): string => serialize(value);

/** What is about to run and for whom, or what people approved. The two must agree in every field. */
export interface Run {
  tool: string;
  /** What its server says about it; a tool without one is run as one that has none. */
  title?: string | null | undefined;
  description?: string | null | undefined;
  /** SHA-256 of the tool's input schema, as its server declares it. */
  schemaDigest: string | null;
  /** The tool's annotations. */
  annotations: object | null;
  /** The arguments that the tool's code gets. */
  arguments: unknown;
  requester: Requester;
}

/** The text whose SHA-256 is the run digest: the same for equal runs, different for different runs. */
export function runText({ tool, title, description, schemaDigest, annotations, requester, ...of }: Run): string {
  const { subject, issuer = null, verified, client } = requester;
  const agent = client ? { name: client.name, version: client.version ?? null } : null;
  const who = { subject, issuer, verified };
  const run = {
    tool,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    schemaDigest,
    annotations: annotations ?? {},
    arguments: of.arguments,
    requester: who,
    agent,
  };
  return `assentry/run/v1\n${canonicalText(run)}`;
}
