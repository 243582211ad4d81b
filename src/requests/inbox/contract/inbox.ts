import { z } from 'zod';
import {
  actions,
  callerStates,
  cancelCauses,
  erasureGrounds,
  relayChannels,
  statuses,
  voteActions,
  audiences,
  maxTtlMs,
  modes,
  risks,
  topics,
  maxCounted,
} from '../../asking/contract/elicitation.ts';
import { RefusalCode, Permission } from '#platform/http/contract/route';
import { meanings, ShownRemark, ShownRevision, ShownStage } from '../../voting/contract/stages.ts';
import {
  Moment,
  AskingClient,
  ElicitationId,
  FormContent,
  storable,
  ToolAnnotations,
} from '../../asking/contract/open.ts';
import { factors } from '#people/directory/contract/user';
import { signInSteps } from '#access/factors/contract/factor-rule';
import { digest } from '#platform/http/contract/problem';
import { comment, declineNeedsComment, voteComment, DeviceSignature } from '../../voting/contract/votes.ts';
import {
  BreakGlass,
  LookBack,
  OpenedValues,
  ShownToken,
  TypedTexts,
} from '../../deliberation/contract/deliberation.ts';
import { ConsideredRule } from '#policies/contract/considered-rule';
import { PolicyClause } from '#policies/deciding/contract/clauses';
import { ProvenStep } from '../../facts/contract/proven.ts';
import { ShownFact, ShownRequester } from '../../facts/contract/shown-fact.ts';
import { PasskeyRequest } from '#access/passkeys/contract/passkeys';
import { NamedProvider } from '#access/oidc/contract/sign-in-provider';
import { email, NamedUser, SignedInPerson, UserId } from '#people/users/contract';

/** The actor. A name is null if the person has left. */
export const TimelineActor = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['user', 'server', 'token']), name: z.string().nullable() }),
  z.object({ kind: z.literal('policy'), policy: z.string(), grant: z.string().nullable() }),
  z.object({ kind: z.enum(['requester', 'service', 'timer', 'directory', 'operator', 'provider', 'stranger']) }),
]);

export type TimelineActor = z.infer<typeof TimelineActor>;

/** The event, as data. */
export const TimelineEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.enum([
      'elicitation.opened',
      'elicitation.visited',
      'elicitation.vote-withdrawn',
      'elicitation.commented',
      'elicitation.inquired',
      'elicitation.break-glass',
      'access.looked',
      'elicitation.reminded',
      'elicitation.started',
      'elicitation.expired',
      'elicitation.settling',
      'elicitation.mismatch',
      'elicitation.unsettled',
      'call.claimed',
      'call.released',
      'call.mismatched',
      'call.revoked',
      'call.completed',
      'call.settled',
      'page.moved',
      'callback.late',
      'callback.unfit',
    ]),
  }),
  z.object({
    type: z.literal('elicitation.answered'),
    channel: z.enum([...relayChannels, 'page', 'callback']),
    action: z.enum(actions),
    /** Open if the requester only agreed to go to the address. */
    to: z.enum(statuses),
  }),
  z.object({
    type: z.literal('elicitation.voted'),
    action: z.enum(voteActions),
    /** The person the voter voted for. */
    for: z.object({ name: z.string().nullable() }).nullable(),
    /** What an approval says as a signature. */
    meanings: z.array(z.enum(meanings)),
    /** The administrator who set up the voter’s way to sign in, if one did. */
    issuer: z.object({ name: z.string().nullable() }).nullable(),
    /** The maker of the key that asked, if the vote counts for them: only in a trial. */
    keyMaker: z.object({ name: z.string().nullable() }).nullable(),
    inChat: z.boolean(),
  }),
  z.object({ type: z.literal('elicitation.decided'), action: z.enum(voteActions) }),
  z.object({ type: z.enum(['elicitation.votes-voided', 'elicitation.approver-added']), user: z.string().nullable() }),
  z.object({ type: z.literal('elicitation.edited'), revision: z.int() }),
  z.object({ type: z.literal('elicitation.watched'), isWatching: z.boolean() }),
  z.object({ type: z.enum(['elicitation.postponed', 'elicitation.extended']), until: Moment }),
  z.object({ type: z.literal('elicitation.informed'), channel: z.enum(relayChannels) }),
  z.object({ type: z.literal('break-glass.reviewed'), isJustified: z.boolean() }),
  z.object({ type: z.literal('look-back.reviewed'), shouldHaveAsked: z.boolean() }),
  z.object({ type: z.literal('elicitation.cancelled'), cause: z.enum(cancelCauses), isStopped: z.boolean() }),
  z.object({ type: z.literal('content.erased'), ground: z.enum([...erasureGrounds, 'policy']) }),
  z.object({ type: z.literal('elicitation.caller'), caller: z.enum(callerStates) }),
  z.object({
    type: z.literal('elicitation.escalated'),
    to: z.enum(statuses),
    inPlace: z.string().nullable().meta({ description: 'The stage that has taken the place of the one before.' }),
  }),
  /** Why an approval was not used: a vote that no longer counts, a policy that denies it, or a grant that has ended. */
  z.object({
    type: z.literal('call.lapsed'),
    user: z.object({ name: z.string().nullable() }).nullable(),
    policy: z.string().nullable(),
    grant: z.string().nullable(),
  }),
  /** A change of power was made as agreed; or it was not, for this reason. */
  z.object({ type: z.literal('call.applied'), refused: RefusalCode.nullable() }),
  z.object({ type: z.enum(['grant.revoked', 'grant.suspended', 'grant.reviewed']), grant: z.string() }),
]);

export type TimelineEvent = z.infer<typeof TimelineEvent>;

export const TimelineEntry = z
  .object({ at: Moment, by: TimelineActor, event: TimelineEvent, comment: z.string().nullable() })
  .meta({ id: 'TimelineEntry' });

export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** The API of the console. */

export const SignIn = z
  .union([
    z.strictObject({ email, password: z.string().min(1).max(256) }),
    z.strictObject({ link: z.string().min(1).max(256).meta({ description: 'The secret of a one-time link.' }) }),
  ])
  .meta({ id: 'SignIn' });

export type SignIn = z.infer<typeof SignIn>;

export const SetUp = z
  .strictObject({
    link: z.string().min(1).max(256),
    email,
    name: storable(200).trim().min(1),
    password: z.string().min(1).max(256),
  })
  .meta({ id: 'SetUp' });

export type SetUp = z.infer<typeof SetUp>;

export const SetPassword = z
  .strictObject({ link: z.string().min(1).max(256), password: z.string().min(1).max(256) })
  .meta({ id: 'SetPassword' });

export type SetPassword = z.infer<typeof SetPassword>;

const UnfinishedSignIn = z
  .object({
    step: z.enum(signInSteps),
    hasPasskey: z.boolean(),
    hasTotp: z.boolean().meta({ description: 'An authenticator app.' }),
    mayAddPasskey: z
      .boolean()
      .meta({ description: 'False if the public address has no name: browsers then make none.' }),
  })
  .meta({ id: 'UnfinishedSignIn' });

export type UnfinishedSignIn = z.infer<typeof UnfinishedSignIn>;

export const SignedIn = z
  .object({
    user: SignedInPerson,
    expiresAt: Moment,
    provider: NamedProvider.nullable().meta({ description: 'Where they signed in, if that was an identity provider.' }),
    unfinished: UnfinishedSignIn.nullable().meta({
      description: 'What is left before the session opens anything else; null if nothing is.',
    }),
  })
  .meta({ id: 'SignedIn' });

export type SignedIn = z.infer<typeof SignedIn>;

const InboxItem = z
  .object({
    id: ElicitationId,
    server: z.string(),
    tool: z.string(),
    toolTitle: z.string().nullable(),
    /** Null, like the title and the requester, for people who must first give a reason. */
    message: z.string().nullable(),
    requester: ShownRequester.nullable(),
    reaches: z.string().nullable().meta({
      description:
        'What the server of the tool runs or where it is, cut after 500 characters; null if nothing has told.',
    }),
    /** The first of its key facts, for those who may read it. */
    facts: z.array(ShownFact).max(3),
    /** Is its content unreadable? */
    isUnreadable: z.boolean(),
    /** Was its content erased? */
    isErased: z.boolean(),
    audience: z.enum(audiences),
    mode: z.enum(modes),
    risk: z.enum(risks),
    status: z.enum(statuses),
    cause: z.enum(cancelCauses).nullable(),
    caller: z.enum(['waiting', 'gone']),
    openedAt: Moment,
    deadlineAt: Moment,
    closedAt: Moment.nullable(),
    /** When people were last reminded, or an escalation asked more of them. */
    remindedAt: Moment.nullable(),
    /** May the reader of this list vote on it now? */
    mine: z.boolean(),
    /** Digest of the current question: a vote names it. */
    digest,
    policy: z.string().meta({ description: 'name@version' }),
    voters: z
      .array(z.string())
      .meta({ description: 'The names of those whose votes stand, for those who may read it, and for reviewers.' }),
  })
  .meta({ id: 'InboxItem' });

export type InboxItem = z.infer<typeof InboxItem>;

export const Inbox = z
  .object({
    items: z.array(InboxItem),
    next: z.string().nullable(),
    counts: z
      .object({ mine: z.int(), all: z.int() })
      .meta({ description: `Open requests; ${maxCounted} stands for that many or more.` }),
    servers: z.array(z.string()),
    tools: z.array(z.string()),
    policies: z.array(z.string()),
    groups: z.array(z.string()),
  })
  .meta({ id: 'Inbox' });

export type Inbox = z.infer<typeof Inbox>;

/** Why the policies decided so: kept with the request since its opening. */
const AppliedPolicy = z
  .object({
    /** name@version, pinned by the request. */
    name: z.string(),
    /** Grounds to allow the request: its terms, a standing approval, or an emergency override. */
    basis: z.enum(['terms', 'grant', 'break-glass']),
    /** Everything it requires, as clauses. */
    terms: z.array(PolicyClause),
    /** The policies about this server and tool, with those of their rules that were looked at, in the order in which they count. */
    considered: z.array(ConsideredRule),
    /** More of them that did not apply, by name and version: of these, only the first ten are explained. */
    passedOver: z.array(z.string()),
    /** The standing approval an approver may give; null for none. */
    grant: z
      .object({
        /** Milliseconds. */
        longest: z.int(),
        uses: z.int().nullable(),
        budget: z.object({ argument: z.string(), total: z.number() }).nullable(),
        same: z.array(z.string()),
        ceiling: z.enum(risks),
        review: z.int().nullable(),
      })
      .nullable(),
    /** Approvers, stage by stage; null is everyone who may vote. */
    stages: z.array(
      z.object({
        name: z.string(),
        groups: z.array(
          z.object({ name: z.string(), approve: z.int(), deny: z.int(), users: z.array(NamedUser).nullable() }),
        ),
        excluded: z.array(NamedUser),
      }),
    ),
  })
  .meta({ id: 'AppliedPolicy' });

export type AppliedPolicy = z.infer<typeof AppliedPolicy>;

export const ElicitationDetail = z
  .object({
    id: ElicitationId,
    status: z.enum(statuses),
    cause: z.enum(cancelCauses).nullable(),
    audience: z.enum(audiences),
    mode: z.enum(modes),
    risk: z.enum(risks),
    revision: z.int(),
    /** The action digest of what is shown; a decision carries it back. */
    digest,
    server: z.string(),
    tool: z.object({
      name: z.string(),
      title: z.string().nullable(),
      description: z.string().nullable(),
      annotations: ToolAnnotations.nullable(),
      reaches: z.string().nullable().meta({
        description: 'What the server of the tool runs, or where it is, without secrets; null if no gateway has told.',
      }),
    }),
    requester: ShownRequester.extend({ client: AskingClient.nullable() }),
    /** The stored bytes: canonical JSON, whole, never shortened. */
    arguments: z.string(),
    keyOrders: z.array(z.array(z.string())).meta({
      description: 'For showing alone: how the caller ordered the names of each kind of group in the arguments.',
    }),
    /** Facts shown next to the buttons. */
    facts: z.array(ShownFact),
    proven: z.array(ProvenStep).meta({ description: 'What providers have confirmed in earlier steps of the call.' }),
    message: z.string(),
    /** The agent's own words, unverified. */
    reason: z.string().nullable(),
    /** An MCP form schema that passed the linter; null in URL mode. */
    schema: z.unknown().nullable(),
    url: z.string().nullable(),
    caller: z.enum(['waiting', 'gone']),
    openedAt: Moment,
    deadlineAt: Moment,
    /** What happens at the deadline. */
    onTimeout: z.enum(['expire', 'deny']),
    closedAt: Moment.nullable(),
    /** The state of the machine it is in, as `/api/machine` names it, and the version of that machine. */
    phase: z.string(),
    machineVersion: z.int(),
    policy: AppliedPolicy,
    progress: z.object({ stage: z.int(), stages: z.int(), have: z.int(), need: z.int() }).nullable(),
    stages: z.array(ShownStage),
    votes: z.array(
      z.object({
        by: z.string(),
        person: z.string(),
        /** The person the voter voted for. */
        for: z.string().nullable(),
        revision: z.int(),
        stage: z.int(),
        /** Does it count? Not if it was withdrawn, or voided by an edit or because the person can no longer vote. */
        stands: z.boolean(),
        /** Milliseconds of the standing approval they would give. */
        allowFor: z.int().nullable(),
        action: z.enum(voteActions),
        /** What an approval says as a signature; empty for a refusal. */
        meanings: z.array(z.enum(meanings)),
        /** How the voter was identified, and the administrator who issued the credential, if one did. */
        factor: z.enum(factors).nullable(),
        issuer: z.string().nullable(),
        comment: z.string().nullable(),
        at: Moment,
      }),
    ),
    /** The answer to the form; null for people who may not see it. */
    answer: FormContent.nullable(),
    revisions: z.array(ShownRevision),
    remarks: z.array(ShownRemark),
    /** The question to the requester that waits for a reply. */
    inquiry: z.string().nullable(),
    watch: z.object({ by: NamedUser, until: Moment }).nullable(),
    /** The earliest start of the approved call. */
    notBefore: Moment.nullable(),
    /** End of the time to take back the complete approval. */
    settlesAt: Moment.nullable(),
    /** Arguments that may be changed, as properties of an MCP form schema; null if none may. */
    editable: z.record(z.string(), z.unknown()).nullable(),
    /** Why an approval was never used: it was no longer valid when it was used, or a person revoked it. */
    /** Null if it can be approved at once. */
    reading: z
      .object({
        token: z
          .string()
          .meta({ description: 'Proves what was shown to whom and when; bring it back with the approval.' }),
        time: z.int().meta({ description: 'Milliseconds that must lie between this answer and an approval.' }),
      })
      .nullable(),
    /** Null if no passkey must sign an approval; `isReady` if this person has one that can. */
    signing: z.object({ isReady: z.boolean() }).nullable(),
    /** When this person can approve again; null if they need not pause. */
    pausedUntil: Moment.nullable(),
    lapse: z.enum(['lapsed', 'revoked']).nullable(),
    breakGlass: BreakGlass.nullable(),
    lookBack: LookBack.nullable(),
    /** People for whom this person may vote now by delegation. */
    standsInFor: z.array(NamedUser),
    timeline: z.array(TimelineEntry),
    can: z.object({
      vote: Permission,
      cancel: Permission,
      extend: Permission,
      withdrawVote: Permission,
      revoke: Permission,
      edit: Permission,
      addApprover: Permission,
      watch: Permission,
      comment: Permission,
      inquire: Permission,
      postpone: Permission,
      breakGlass: Permission,
      reviewBreakGlass: Permission,
      reviewLookBack: Permission,
    }),
  })
  .meta({ id: 'ElicitationDetail' });

export type ElicitationDetail = z.infer<typeof ElicitationDetail>;

/** Bytes are base64url. */
export const CastVote = z
  .strictObject({
    action: z.enum(voteActions),
    content: FormContent.optional(),
    comment: voteComment,
    digest,
    shown: ShownToken,
    opened: OpenedValues,
    typed: TypedTexts,
    allowFor: z.int().min(60_000).max(7_776_000_000).optional().meta({
      description:
        'Milliseconds of a standing approval, if the policy permits one and everyone who approves agrees; the shortest time counts.',
    }),
    for: UserId.optional().meta({ description: 'The person the voter votes for, by a delegation.' }),
    device: DeviceSignature.optional().meta({ description: 'The signature of the voter’s passkey over this vote.' }),
  })
  .meta({ id: 'CastVote', ...declineNeedsComment });

export type CastVote = z.input<typeof CastVote>;

export const BeginSignedVote = CastVote.pick({ action: true, digest: true, for: true, allowFor: true }).meta({
  id: 'BeginSignedVote',
});

export type BeginSignedVote = z.input<typeof BeginSignedVote>;

export const SignedVoteRequest = z
  .object({ nonce: z.string(), request: PasskeyRequest })
  .meta({ id: 'SignedVoteRequest' });

export const WithdrawElicitation = z
  .strictObject({ digest, comment: comment.optional() })
  .meta({ id: 'WithdrawElicitation' });

export type WithdrawElicitation = z.infer<typeof WithdrawElicitation>;

export const ExtendElicitation = z
  .strictObject({ digest, by: z.int().min(60_000).max(maxTtlMs).meta({ description: 'Milliseconds to add.' }) })
  .meta({ id: 'ExtendElicitation' });

export type ExtendElicitation = z.infer<typeof ExtendElicitation>;

/** The inbox's server-sent events: which request changed, and its current state. */
export const InboxEvent = z
  .object({
    id: ElicitationId,
    topic: z.enum(topics),
    status: z.enum(statuses),
  })
  .meta({ id: 'InboxEvent' });

export type InboxEvent = z.infer<typeof InboxEvent>;
