import { z } from 'zod';
import { cancelCauses, risks, statuses, voteActions } from '#requests/asking/contract/elicitation';
import { namePattern, nameRule } from '#platform/model/names';
import {
  cellKinds,
  proofStates,
  receiptVerdicts,
  reportIds,
  requestOutcomes,
  maxReceiptLength,
} from '../reports/contract/report.ts';
import { meanings } from '#requests/voting/contract/stages';
import { factors } from '#people/directory/contract/user';
import { digest } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { ElicitationId, Moment, storable } from '#requests/asking/contract/open';
import { inboxFilters } from '#requests/inbox/contract/filters';
import { UserId } from '#people/users/contract';

const name = z.string().regex(namePattern, nameRule);
const moment = z.coerce.number<string | number>().pipe(Moment);

/** The usual questions of reviewers. */
const ReportQuery = z.strictObject({
  from: moment.default(0).meta({ description: 'The beginning, in milliseconds since 1970-01-01T00:00:00Z.' }),
  to: moment.optional().meta({
    description: 'The end, which is not included; for `could-approve` the time in question. Without it, now.',
  }),
  person: UserId.optional(),
  tool: name.optional(),
  server: name.optional(),
  policy: name.optional(),
  client: storable(128).min(1).optional().meta({ description: 'What the asking MCP client calls itself.' }),
  requester: storable(inboxFilters.requester)
    .trim()
    .min(1)
    .optional()
    .meta({
      description:
        'Who asked, whole: `SUBJECT`, of any issuer that the directory names for it, `ISSUER#SUBJECT`, or the keyed hash ' +
        'that stands for them in the views. The log has a keyed hash of it.',
    }),
  request: ElicitationId.optional(),
  outcome: z.enum(requestOutcomes).optional().meta({
    description: 'What became of a request: its status, or `lapsed` or `revoked` of an approval that was never used.',
  }),
  hours: z
    .string()
    .regex(/^(?:1?\d|2[0-3])-(?:1?\d|2[0-4])$/, 'Give two hours of the day, such as 22-6.')
    .refine((hours) => hours.split('-')[0] !== hours.split('-')[1], 'Give two different hours, such as 22-6.')
    .optional()
    .meta({ description: 'From this hour until before that one, which may be on the next day, such as `22-6`.' }),
  zone: z.string().max(64).optional().meta({ description: 'The time zone of `hours`; without it, UTC.' }),
});

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

export const Report = z
  .object({
    columns: z.array(z.object({ name: z.string(), kind: z.enum(cellKinds) })),
    rows: z.array(z.array(Cell)),
    isCut: z.boolean().meta({ description: 'Whether there are more rows: narrow the question.' }),
    names: z.record(z.string(), z.string()).meta({
      description: 'The name of each person, by id, and of each requester, by the keyed hash that stands for them.',
    }),
    unknown: z.array(z.string()).meta({
      description:
        'Of an empty answer: the filters whose value is nothing that was ever there and that the reader reads about, such as `tool`; `from` if the period is still to come, and `to` if the log begins after it.',
    }),
  })
  .meta({ id: 'Report' });
export type Report = z.infer<typeof Report>;

const params = z.object({ id: z.enum(reportIds) });

export const AuditNames = z
  .object({
    servers: z.array(z.string()),
    tools: z.array(z.string()),
    policies: z.array(z.string()),
    clients: z.array(z.string()).meta({ description: 'What asking MCP clients call themselves.' }),
  })
  .meta({ id: 'AuditNames' });
export type AuditNames = z.infer<typeof AuditNames>;

/** Filter of the log: an entry fits everything that is given. */
export const LogQuery = z.strictObject({
  from: moment.optional().meta({ description: 'From this time, in milliseconds since 1970-01-01T00:00:00Z.' }),
  to: moment.optional().meta({ description: 'Until before this time.' }),
  person: UserId.optional().meta({ description: 'Who did it.' }),
  request: ElicitationId.optional(),
  server: name.optional().meta({ description: 'Of the request; so are tool, policy and outcome.' }),
  tool: name.optional(),
  policy: name.optional(),
  outcome: z.enum(statuses).optional(),
  digest: digest.optional().meta({ description: 'Of the request, at any of its revisions.' }),
  cursor: z.string().max(512).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

const LoggedEvent = z.looseObject({
  id: z.string(),
  at: z.string(),
  type: z.string(),
  actor: z.looseObject({ kind: z.string(), id: z.string().optional() }),
});

/** An event as it was read: its type names its fields, where the contract leaves them open. */
const AnyEvent = LoggedEvent as z.ZodType<z.output<typeof LoggedEvent>, { id: string; at: string; type: string }>;

const LogEntry = z
  .object({
    place: z.int().nullable().meta({ description: 'Its place in the log, from 0; null while it has none.' }),
    server: z.string().nullable(),
    tool: z.string().nullable(),
    entry: AnyEvent.nullable().meta({
      description: 'The entry as the log holds it; null if it cannot be read: it was changed without the server.',
    }),
  })
  .meta({ id: 'LogEntry' });
export type LogEntry = z.infer<typeof LogEntry>;

/** People stand in it by id; `names` has their names. */
const recordedVote = z.object({
  at: Moment,
  by: z.string(),
  /** The person the voter voted for. */
  for: z.string().nullable(),
  action: z.enum(voteActions),
  stage: z.int().meta({ description: 'Counted from 1.' }),
  revision: z.int(),
  meanings: z.array(z.enum(meanings)),
  factor: z.enum(factors).nullable(),
  isSigned: z.boolean().meta({ description: 'Did a passkey of the voter sign it?' }),
  issuer: z.string().nullable().meta({ description: 'The administrator who issued the credential, if one did.' }),
  keyMaker: z.string().nullable().meta({
    description: 'The maker of the key that asked, if the vote counts for them: only in a trial.',
  }),
  inChat: z.boolean(),
  seen: digest.meta({ description: 'The digest of what the voter saw.' }),
  voidAt: Moment.nullable().meta({ description: 'When it was withdrawn or became void; null if it stands.' }),
});

const recordedEdit = z.object({
  at: Moment,
  by: z.string().nullable(),
  revision: z.int(),
  from: digest,
  to: digest,
});

const recordedOverride = z.object({
  at: Moment,
  by: z.string().nullable(),
  reviewDueAt: Moment,
  review: z.object({ at: Moment, by: z.string().nullable(), isJustified: z.boolean() }).nullable(),
});

export const RequestRecord = z
  .object({
    id: ElicitationId,
    server: z.string(),
    tool: z.string(),
    risk: z.enum(risks),
    policy: z.string().meta({ description: 'name@version' }),
    digest,
    revision: z.int(),
    status: z.enum(statuses),
    cause: z.enum(cancelCauses).nullable(),
    openedAt: Moment,
    deadlineAt: Moment,
    closedAt: Moment.nullable(),
    requester: z.string().meta({ description: 'A keyed hash: the same for the same requester at the same server.' }),
    requesters: z.array(z.string()).meta({ description: 'The people who were or may have been the requester.' }),
    votes: z.array(recordedVote),
    edits: z.array(recordedEdit),
    override: recordedOverride.nullable(),
    grant: z
      .object({
        id: z.string(),
        isGiven: z.boolean().meta({ description: 'Given with this request, not used by it.' }),
      })
      .nullable(),
    entries: z.array(LogEntry.pick({ place: true, entry: true }).extend({ proof: z.enum(proofStates) })),
    names: z.record(z.string(), z.string()).meta({ description: 'The name of each person in them, by id.' }),
    head: z
      .object({ size: z.int(), root: z.string().meta({ description: 'In base64.' }) })
      .nullable()
      .meta({ description: 'The signed head of the log that the entries were verified against.' }),
  })
  .meta({ id: 'RequestRecord' });
export type RequestRecord = z.infer<typeof RequestRecord>;

export const LogPage = z
  .object({
    entries: z.array(LogEntry),
    names: z.record(z.string(), z.string()).meta({ description: 'The name of each person in them, by id.' }),
    cursor: z.string().nullable().meta({ description: 'Continues the search; null at its end.' }),
    unknown: z.array(z.string()).meta({
      description: 'Of a search without a result: as in a report.',
    }),
  })
  .meta({ id: 'LogPage' });
export type LogPage = z.infer<typeof LogPage>;

export const VerifiedReceipt = z
  .object({
    verdict: z.enum(receiptVerdicts),
    origin: z.string().nullable().meta({ description: 'The log that the receipt says it is from.' }),
    proven: z.object({ place: z.int(), size: z.int(), entry: AnyEvent }).nullable().meta({
      description: 'Only of a genuine one: the entry, its place in the log from 0, and the size of the head.',
    }),
    names: z.record(z.string(), z.string()).meta({ description: 'The name of each person in it, by id.' }),
  })
  .meta({ id: 'VerifiedReceipt' });
export type VerifiedReceipt = z.infer<typeof VerifiedReceipt>;

/** A node's latest verification of the log and the rows that follow from it. */
export const StandingProof = z
  .strictObject({
    size: z.int().min(0).meta({ description: 'So many entries of the log were verified.' }),
    at: Moment,
    isWhole: z.boolean(),
  })
  .meta({ id: 'StandingProof' });
export type StandingProof = z.infer<typeof StandingProof>;

/** A witness's view of the log. */
export const ShownWitness = z
  .strictObject({
    name: z.string(),
    size: z.int().min(0).nullable().meta({ description: 'It has seen so many entries; null before its first word.' }),
    at: Moment.nullable(),
  })
  .meta({ id: 'ShownWitness' });
export type ShownWitness = z.infer<typeof ShownWitness>;

export const ShownProof = z
  .object({
    proof: StandingProof.nullable(),
    witnesses: z.array(ShownWitness),
    disagreeing: z
      .array(z.string())
      .meta({ description: 'Witnesses that have seen a longer log, or another past, as this node knows.' }),
  })
  .meta({ id: 'ShownProof' });
export type ShownProof = z.infer<typeof ShownProof>;

export const auditRoutes = {
  verifyReceipt: {
    method: 'post',
    path: '/api/audit/receipts',
    auth: 'session',
    permission: 'read-log',
    proof: 'none',
    summary: 'Whether a receipt was issued by this installation and is as it was issued.',
    body: z.strictObject({ receipt: z.string().max(maxReceiptLength) }).meta({ id: 'ReceiptToVerify' }),
    success: { 200: VerifiedReceipt },
  },
  listAuditNames: {
    method: 'get',
    path: '/api/audit/names',
    auth: 'session',
    permission: 'read-log',
    scope: 'space',
    summary: 'The names that questions and searches can be narrowed by.',
    success: { 200: AuditNames },
  },
  searchLog: {
    method: 'get',
    path: '/api/audit/entries',
    auth: 'session',
    permission: 'read-log',
    scope: 'space',
    summary: 'Search the log, the newest entries first. It makes an entry.',
    query: LogQuery,
    success: { 200: LogPage },
  },
  showRecord: {
    method: 'get',
    path: '/api/audit/requests/{id}',
    auth: 'session',
    permission: 'read-log',
    scope: 'space',
    summary:
      'All entries about one request, each verified against the signed head, and what follows from them. It makes an entry.',
    params: z.object({ id: ElicitationId }),
    success: { 200: RequestRecord },
  },
  showProof: {
    method: 'get',
    path: '/api/audit/proof',
    auth: 'session',
    permission: 'read-log',
    summary: 'Up to where the log was verified and witnessed, and when.',
    success: { 200: ShownProof },
  },
  runReport: {
    method: 'get',
    path: '/api/audit/reports/{id}',
    auth: 'session',
    permission: 'read-log',
    scope: 'space',
    summary: 'Answer one of the usual questions of reviewers. It makes an entry.',
    params,
    query: ReportQuery,
    success: { 200: Report },
  },
  takeReport: {
    method: 'get',
    path: '/api/audit/reports/{id}/csv',
    auth: 'session',
    permission: 'read-log',
    scope: 'space',
    summary: 'The same as a table in a file, with times in UTC. It makes an entry.',
    params,
    query: ReportQuery,
    success: { 200: null },
    file: 'text/csv; charset=utf-8',
  },
} as const satisfies Record<string, RouteContract>;
