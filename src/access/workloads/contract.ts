import { z } from 'zod';
import { Moment, storable } from '#requests/asking/contract/open';
import { changed, WaitingChange } from '#people/changes/contract';
import { NamedUser, ServerId } from '#people/users/contract';
import type { RouteContract } from '#platform/http/contract/route';

/** A workload that asks as an MCP server by a token of an issuer, instead of a key. */
export interface WorkloadTerms {
  /** As the issuer writes itself in its tokens. */
  issuer: string;
  /** For whom its tokens must be. */
  audience: string;
  /** Exact, or with a `*` at the end of a part: parts are separated by `:` and `/`. */
  subject: string;
  /** Other claims, each with the exact text that it must have. */
  claims: Readonly<Record<string, string>>;
}

/** Claims of a token, once its signature and times are verified. */
export interface ProvenWorkload {
  issuer: string;
  subject: string;
  audience: readonly string[];
  claims: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** At least one character before each `*`, so that no pattern is everything, and none in the middle of a part. */
export const subjectPattern = /^(?!\*)[^*\s]+(?:\*(?=$|[:/])[^*\s]*)*$/;
export const subjectRule = 'Give a subject, in which * may stand at the end of a part between : and /.';

/** Is this token for these terms? A `*` stands for one or more characters, and never for `:` or `/`. */
export const fitsWorkload = (terms: WorkloadTerms, token: ProvenWorkload): boolean =>
  token.issuer === terms.issuer &&
  token.audience.includes(terms.audience) &&
  fitsSubject(terms.subject, token.subject) &&
  Object.entries(terms.claims).every(
    ([name, text]) => Object.hasOwn(token.claims, name) && token.claims[name] === text,
  );

function fitsSubject(pattern: string, subject: string): boolean {
  const parts = pattern.split('*').map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^:/]+')}$`).test(subject);
}

/** Could one token be for both of these terms? */
export const overlap = (first: WorkloadTerms, second: WorkloadTerms): boolean =>
  first.issuer === second.issuer &&
  first.audience === second.audience &&
  Object.entries(first.claims).every(([name, text]) => (ownClaim(second, name) ?? text) === text) &&
  subjectsOverlap(first.subject.split(separator), second.subject.split(separator));

const ownClaim = ({ claims }: WorkloadTerms, name: string): string | undefined =>
  Object.hasOwn(claims, name) ? claims[name] : undefined;

/** The separators stand among the parts, because no `*` is one of them. */
const separator = /([:/])/;

const subjectsOverlap = (parts: readonly string[], others: readonly string[]): boolean =>
  parts.length === others.length && parts.every((part, at) => partsOverlap(part, others[at] ?? ''));

function partsOverlap(first: string, second: string): boolean {
  const [start, begin] = [first, second].map((part) => part.replace(/\*$/, '')) as [string, string];
  if (first === start && second === begin) return first === second;
  if (first === start) return first.length > begin.length && first.startsWith(begin);
  if (second === begin) return second.length > start.length && second.startsWith(start);
  return start.startsWith(begin) || begin.startsWith(start);
}

/** The API of workloads, which ask as MCP servers by tokens of their issuers instead of keys. */
const Kid = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .meta({ id: 'WorkloadId' });

const text = storable(500).min(1);

const NewWorkload = z
  .strictObject({
    issuer: text.meta({ description: 'As it writes itself; the operator has named it.' }),
    audience: text.meta({ description: 'For whom the tokens must be.' }),
    subject: z.string().max(500).regex(subjectPattern, subjectRule),
    claims: z
      .record(z.string().min(1).max(100), text)
      .optional()
      .meta({ description: 'Other claims, each with the exact text that it must have.' }),
  })
  .meta({ id: 'NewWorkload' });
export type NewWorkload = z.infer<typeof NewWorkload>;

const WorkloadEntry = z
  .object({
    kid: Kid,
    server: z.object({ id: ServerId, name: z.string() }),
    issuer: z.string(),
    audience: z.string(),
    subject: z.string(),
    claims: z.record(z.string(), z.string()),
    createdAt: Moment,
    removedAt: Moment.nullable(),
    /** To the minute; null if it never asked. */
    lastUsedAt: Moment.nullable(),
    maker: NamedUser.extend({ disabled: z.boolean() })
      .nullable()
      .meta({ description: 'Who added it; it asks nothing while they are disabled. Null: the operator.' }),
  })
  .meta({ id: 'WorkloadEntry' });

export type WorkloadEntry = z.infer<typeof WorkloadEntry>;

export const WorkloadList = z
  .object({
    workloads: z.array(WorkloadEntry),
    issuers: z.array(z.string()).meta({ description: 'Those that the operator has named.' }),
  })
  .meta({ id: 'WorkloadList' });
export type WorkloadList = z.infer<typeof WorkloadList>;

const AddedWorkload = z.object({ kid: Kid }).meta({ id: 'AddedWorkload' });

export const workloadRoutes = {
  listWorkloads: {
    method: 'get',
    path: '/api/workloads',
    auth: 'session-or-token',
    permission: 'change-keys',
    scope: 'space',
    summary: 'The workloads that ask as MCP servers without a key.',
    success: { 200: WorkloadList },
  },
  addWorkload: {
    method: 'post',
    path: '/api/servers/{id}/workloads',
    auth: 'session-or-token',
    permission: 'change-keys',
    proof: 'every-factor',
    scope: 'space',
    summary: 'Let a workload ask as this server, by tokens of its issuer. Two administrators decide it.',
    params: z.object({ id: ServerId }),
    body: NewWorkload,
    success: { 201: changed(AddedWorkload), 202: WaitingChange },
  },
  removeWorkload: {
    method: 'delete',
    path: '/api/workloads/{kid}',
    auth: 'session-or-token',
    permission: 'change-keys',
    proof: 'every-factor',
    scope: 'space',
    summary: 'Take no more tokens of this workload, at once and permanently.',
    params: z.object({ kid: Kid }),
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
