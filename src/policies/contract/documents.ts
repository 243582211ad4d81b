import { z } from 'zod';
import { Next, NamedSpace, NamedUser, SpaceId } from '#people/users/contract';
import { actions, audiences, modes, risks } from '#requests/asking/contract/elicitation';
import { policyNamePattern, versionStates, type PolicyAside } from './policy.ts';
import { digest } from '#platform/http/contract/problem';
import { namePattern, nameRule } from '#platform/model/names';
import { Permission, type RouteContract } from '#platform/http/contract/route';
import { PolicyClause } from '../deciding/contract/clauses.ts';
import { ElicitationId, Issuer, Moment, storable, Subject } from '#requests/asking/contract/open';
import { WaitingChange, changed } from '#people/changes/contract';

/** The API of policies and their versions. */
export const PolicyName = z.string().regex(policyNamePattern).meta({ id: 'PolicyName' });

/** Bytes of YAML at most. */
const document = storable(64 * 1024).min(1);

const note = storable(2000).trim();

/** A fault in a document and its place: lines and columns count from one. */
const PolicyFault = z
  .object({
    path: z.array(z.union([z.string(), z.int()])),
    message: z.string(),
    line: z.int(),
    column: z.int(),
  })
  .meta({ id: 'PolicyFault' });

export type PolicyFault = z.infer<typeof PolicyFault>;

const PolicyVersion = z
  .object({
    name: z.string(),
    version: z.int(),
    state: z.enum(versionStates),
    /** Is this the published version, or the one in shadow mode? */
    isPublished: z.boolean(),
    isShadow: z.boolean(),
    /** Is it published, and retires the policy? Then it decides nothing. */
    isRetired: z.boolean(),
    digest,
    note: z.string(),
    /** Null if the operator applied it from a file. */
    author: NamedUser.nullable(),
    createdAt: Moment,
    reviewer: NamedUser.nullable(),
    reviewedAt: Moment.nullable(),
    publishedAt: Moment.nullable(),
  })
  .meta({ id: 'PolicyVersion' });

export type PolicyVersion = z.infer<typeof PolicyVersion>;

const inSpace = NamedSpace.nullable().meta({ description: 'The space it belongs to; null if it is global.' });

const PolicyEntry = z
  .object({
    name: z.string(),
    space: inSpace,
    /** Clauses of the published version, or of the latest if none is published. */
    terms: z.array(PolicyClause),
    published: PolicyVersion.nullable(),
    shadow: PolicyVersion.nullable(),
    latest: PolicyVersion,
  })
  .meta({ id: 'PolicyEntry' });

export type PolicyEntry = z.infer<typeof PolicyEntry>;

export const PolicyList = z.object({ policies: z.array(PolicyEntry), next: Next }).meta({ id: 'PolicyList' });

export type PolicyList = z.infer<typeof PolicyList>;

export const PolicyHistory = z
  .object({ name: z.string(), space: inSpace, versions: z.array(PolicyVersion) })
  .meta({ id: 'PolicyHistory' });

export type PolicyHistory = z.infer<typeof PolicyHistory>;

export const PolicyDetail = PolicyVersion.extend({
  space: inSpace,
  document: z.string(),
  publishers: z.array(z.string()).meta({
    description:
      'Who published it, a person or a program, and then who agreed; none if the operator did, or no one yet.',
  }),
  /** Its clauses. */
  terms: z.array(PolicyClause),
  /** The version to compare it with: the one asked for, else the one before; null if there is none. */
  against: z.int().nullable(),
  can: z.object({
    edit: Permission,
    submit: Permission,
    review: Permission,
    publish: Permission,
    restore: Permission,
    shadow: Permission,
  }),
}).meta({ id: 'PolicyDetail' });

export type PolicyDetail = z.infer<typeof PolicyDetail>;

export const SaveDraft = z
  .strictObject({
    document,
    note: note.optional(),
    version: z.int().min(1).optional().meta({ description: 'The draft to replace; without it a new version is made.' }),
    space: SpaceId.optional().meta({
      description:
        'The space that a new policy belongs to; without it, it is global. One that exists stays where it is.',
    }),
  })
  .meta({ id: 'SaveDraft' });

export type SaveDraft = z.infer<typeof SaveDraft>;

export const ReviewVersion = z
  .strictObject({
    verdict: z.enum(['approve', 'reject']),
    digest: digest.meta({ description: 'Of the document that was read.' }),
    note: note.optional(),
  })
  .meta({ id: 'ReviewVersion' });

export type ReviewVersion = z.infer<typeof ReviewVersion>;

export const SetShadow = z
  .strictObject({ version: z.int().min(1).nullable() })
  .meta({ id: 'SetShadow', description: 'The version in shadow mode; null for none.' });

export type SetShadow = z.infer<typeof SetShadow>;

export const CheckPolicy = z.strictObject({ document }).meta({ id: 'CheckPolicy' });

export type CheckPolicy = z.infer<typeof CheckPolicy>;

export const PolicyCheck = z
  .object({
    ok: z.boolean(),
    errors: z.array(PolicyFault),
    name: z.string().nullable(),
    /** Its clauses; empty if it cannot be read. */
    terms: z.array(PolicyClause),
    /** Why the current people could not satisfy it; null if they can. */
    unsatisfiable: z.string().nullable(),
    warnings: z
      .array(z.string())
      .meta({ description: 'Groups that count for nothing yet, and words that may imitate others.' }),
  })
  .meta({ id: 'PolicyCheck' });

export type PolicyCheck = z.infer<typeof PolicyCheck>;

export const PolicyDocuments = z
  .strictObject({ documents: z.array(document).min(1).max(1000) })
  .meta({ id: 'PolicyDocuments' });

export const ExportedPolicies = z
  .object({ documents: z.array(z.string()) })
  .meta({ id: 'ExportedPolicies', description: 'Every published document, as its author wrote it, by name.' });

export const ImportedPolicies = z
  .object({
    drafts: z.array(PolicyVersion),
    /** Names of policies whose published document is equal: they get no new version. */
    unchanged: z.array(z.string()),
  })
  .meta({ id: 'ImportedPolicies' });

export const ShadowReport = z
  .object({
    name: z.string(),
    total: z.int(),
    different: z.int(),
    /** The latest first. */
    results: z.array(
      z.object({ elicitation: ElicitationId, version: z.int(), live: z.string(), shadow: z.string(), at: Moment }),
    ),
  })
  .meta({ id: 'ShadowReport' });

export type ShadowReport = z.infer<typeof ShadowReport>;

/** A request that was never asked, to see what a policy would say. */
const Fixture = z
  .strictObject({
    name: storable(200).min(1),
    server: z.string().regex(namePattern, nameRule),
    tool: z.string().regex(namePattern, nameRule),
    definition: digest.optional(),
    arguments: z.record(z.string(), z.unknown()).default({}),
    annotations: z.record(z.string(), z.unknown()).optional(),
    mode: z.enum(modes).default('form'),
    audience: z.enum(audiences).optional(),
    reason: storable(4000).optional(),
    requester: z
      .strictObject({ subject: Subject, issuer: Issuer.optional(), verified: z.boolean().default(false) })
      .default({ subject: 'someone', verified: false }),
    expected: z
      .enum(['allow', 'requester', 'deny', 'require'])
      .optional()
      .meta({ description: 'The expected outcome; a different one is counted as failed.' }),
  })
  .meta({ id: 'PolicyFixture' });

export type PolicyFixture = z.input<typeof Fixture>;

export const SimulatePolicy = z
  .strictObject({
    document,
    last: z.int().min(0).max(1000).default(100).meta({ description: 'How many of the latest real requests.' }),
    tool: z.string().min(1).max(128).optional().meta({ description: 'Only those of this tool.' }),
    from: Moment.optional().meta({ description: 'Only those that were asked from then on.' }),
    until: Moment.optional().meta({ description: 'Only those that were asked before.' }),
    fixtures: z.array(Fixture).max(100).optional(),
  })
  .meta({ id: 'SimulatePolicy' });

export type SimulatePolicy = z.infer<typeof SimulatePolicy>;

const SimulatedVerdict = z
  .object({
    outcome: z.enum(['allow', 'deny', 'require', 'requester', 'unsatisfiable']),
    policy: z.string(),
    rule: z.int().nullable().meta({ description: 'Which of several rules of the policy decides, from 1.' }),
    risk: z.enum(risks),
    /** Names of the stages in order, with how many different persons may vote; null is everyone who may vote. */
    stages: z.array(z.object({ name: z.string(), approvers: z.int().nullable() })),
    reason: z.string().nullable(),
  })
  .meta({ id: 'SimulatedVerdict' });

/** Why it comes out so, and who would be asked: names by stage, null for everyone who may vote. */
const ExplainedVerdict = z.object({
  terms: z.array(PolicyClause),
  stages: z.array(z.object({ name: z.string(), people: z.array(z.string()).nullable() })),
});

const Aside = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('other-calls') }),
    z.object({ kind: z.literal('condition'), clauses: z.array(z.string()) }),
    z.object({ kind: z.literal('failed'), failure: z.string() }),
    z.object({ kind: z.literal('ceiling'), ceiling: z.enum(risks), risk: z.enum(risks) }),
    z.object({ kind: z.enum(['other-failed', 'outranked']), policy: z.string() }),
  ])
  .meta({ id: 'PolicyAside' }) satisfies z.ZodType<PolicyAside>;

export const Simulation = z
  .object({
    requests: z.array(
      z.object({
        elicitation: ElicitationId.nullable(),
        /** Of a fixture. */
        name: z.string().nullable(),
        server: z.string(),
        tool: z.string(),
        at: Moment.nullable(),
        /** The verdict of the published policies, and the verdict with this document among them. */
        live: SimulatedVerdict,
        draft: SimulatedVerdict,
        /** Demands of only one of them. */
        changes: z.object({ live: z.array(PolicyClause), draft: z.array(PolicyClause) }),
        differs: z.boolean(),
        /** Of a fixture. */
        explained: z.object({ live: ExplainedVerdict, draft: ExplainedVerdict }).nullable(),
        aside: Aside.nullable().meta({ description: 'Of a fixture: why the document has no part in the decision.' }),
        /** The people's outcome; null while open, and for fixtures. */
        ended: z.enum(actions).nullable(),
        failed: z.boolean(),
      }),
    ),
    totals: z.object({
      requests: z.int(),
      different: z.int(),
      decided: z.int().meta({ description: 'How many this document would decide.' }),
      failed: z.int().meta({ description: 'Fixtures that did not come out as expected.' }),
      /** Requests whose content was erased or cannot be read. */
      skipped: z.int(),
      withheld: z.int().meta({ description: 'Requests that the reader may not read; of these nothing is told.' }),
    }),
  })
  .meta({ id: 'Simulation' });

export type Simulation = z.infer<typeof Simulation>;

export const AgainstQuery = z.strictObject({ against: z.coerce.number().int().min(1).optional() });

export const policyParams = z.object({ name: PolicyName });

export const versionParams = policyParams.extend({ version: z.coerce.number().int().min(1).max(1_000_000) });

export const ApplyPolicies = PolicyDocuments.extend({
  prune: z.boolean().optional().meta({ description: 'Retire published policies that are in none of the documents.' }),
  dryRun: z.boolean().optional().meta({ description: 'Change nothing, and say what would be changed.' }),
}).meta({ id: 'ApplyPolicies' });

export type ApplyPolicies = z.input<typeof ApplyPolicies>;

/** The outcome of each document, made or planned. */
export const AppliedPolicies = z
  .object({
    applied: z.array(
      z.object({
        name: z.string(),
        version: z.int().meta({ description: 'That it has, or would have now.' }),
        change: z.enum(['published', 'retired', 'unchanged']),
      }),
    ),
  })
  .meta({ id: 'AppliedPolicies' });

export type AppliedPolicies = z.infer<typeof AppliedPolicies>;

export const WaitingPolicies = WaitingChange.extend(AppliedPolicies.shape).meta({ id: 'WaitingPolicies' });

export type WaitingPolicies = z.infer<typeof WaitingPolicies>;

/** Names for the limit of a rule for calls like one. */
const alwaysKinds = ['project', 'folder', 'site', 'repository', 'account', 'command', 'amount', 'same'] as const;

const maxDays = 90;

const defaultDays = 30;

export const AlwaysChoices = z
  .object({
    choices: z.array(
      z.object({
        kind: z.enum(alwaysKinds),
        value: z.string().meta({ description: 'Such as the folder or the site; empty for exactly the same call.' }),
        tools: z.array(z.string()).meta({ description: 'More than one for other tools that write files alike.' }),
        policy: z.string(),
        document: z.string(),
      }),
    ),
  })
  .meta({ id: 'AlwaysChoices', description: 'The narrowest first; none if nothing in the call can limit a rule.' });

export type AlwaysChoices = z.infer<typeof AlwaysChoices>;

const AllowAlways = z
  .strictObject({
    policy: PolicyName.meta({ description: 'The name of one of the choices.' }),
    days: z.int().min(1).max(maxDays).default(defaultDays).meta({ description: 'For how long.' }),
  })
  .meta({ id: 'AllowAlways' });

export type AllowAlways = z.input<typeof AllowAlways>;

const params = z.object({ id: ElicitationId });

/** Rules for calls like one that people were asked about. */
export const alwaysRoutes = {
  showAlways: {
    method: 'get',
    path: '/api/elicitations/{id}/always',
    auth: 'session',
    permission: null,
    summary: 'Policies by which calls like this one would run without asking anyone, as drafts. Nothing is stored.',
    params,
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(maxDays).default(defaultDays) }),
    success: { 200: AlwaysChoices },
  },
  allowAlways: {
    method: 'post',
    path: '/api/elicitations/{id}/always',
    auth: 'session',
    permission: 'publish-policies',
    proof: 'every-factor',
    summary:
      'Publish one of these policies if one administrator is enough for that; otherwise put it before a second one.',
    params,
    body: AllowAlways,
    success: { 200: changed(PolicyDetail) },
  },
} as const satisfies Record<string, RouteContract>;
