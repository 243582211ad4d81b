import { sha256, canonicalJson } from '#platform/crypto/digest';
import type {
  GrantId,
  UserId,
  DelegationId,
  ElicitationId,
  HoldId,
  PasskeyId,
  RemarkId,
  ServerId,
  StopId,
  ToolCallId,
  WebhookId,
} from '#platform/model/id';
import { usersOf, type Ballot, type Meaning } from '#requests/voting/contract/stages';
import type {
  CallerState,
  CancelCause,
  ErasureGround,
  HoldScope,
  RelayChannel,
  Risk,
  Status,
  VoteAction,
} from '#requests/asking/contract/elicitation';
import type { Assurance } from '#access/sign-in/contract/authentication';
import type { Factor } from '#people/directory/contract/user';
import type { Permission } from '#people/directory/contract/permission';
import type { Presence } from '#people/directory/contract/presence';
import type { RefusalCode } from '#requests/inbox/contract/refusal';
import { Problem } from '#platform/model/problem';
import type {
  CredentialEvent,
  DeliveryEvent,
  DirectoryEvent,
  InstallationEvent,
  RequestFacts,
  RequestProgress,
  ServerEvent,
  UserEvent,
} from './events.ts';

/** The hash of one entry in the log's Merkle tree (RFC 6962 section 2.1): SHA-256 over a zero byte and the entry. */
export const leafHash = (entry: Uint8Array): Buffer => sha256(Buffer.concat([leafPrefix, entry]));

const leafPrefix = Buffer.of(0);

type Opened = Extract<StoredEvent, { type: 'elicitation.opened' }>;
type Voted = Extract<StoredEvent, { type: 'elicitation.voted' }>;

/** One request in the log: who asked for what, who decided it, and how. Names and digests, no content. */
export type RequestRecord = NonNullable<ReturnType<typeof recordOf>>;

/** The record that follows from these entries about one request, in the order of the log; null if it was never opened. */
export function recordOf(history: StoredEvent[]) {
  const opened = history.find((event): event is Opened => event.type === 'elicitation.opened');
  if (!opened) return null;
  const states = history.filter((event) => 'revision' in event);
  const last = states.at(-1) ?? opened;
  const end = states.find(({ to }) => to !== 'open');
  const extended = history.findLast((event) => event.type === 'elicitation.extended');
  const cancelled = history.find((event) => event.type === 'elicitation.cancelled');
  return {
    server: opened.serverName,
    tool: opened.tool,
    risk: opened.risk,
    policy: last.policy,
    digest: last.digest,
    revision: last.revision,
    status: last.to,
    cause: cancelled?.cause ?? null,
    openedAt: timeOf(opened),
    deadlineAt: extended?.deadlineAt ?? opened.deadlineAt,
    closedAt: end ? timeOf(end) : null,
    requester: opened.requester,
    requesters: opened.requesters,
    votes: history.flatMap((event, at) =>
      event.type === 'elicitation.voted' ? voteOf(event, history.slice(at + 1)) : [],
    ),
    edits: history.flatMap((event) => (event.type === 'elicitation.edited' ? editOf(event) : [])),
    override: overrideOf(history),
    grant: grantOf(history),
  };
}

function voteOf(vote: Voted, later: StoredEvent[]) {
  const by = userOf(vote);
  if (by === null) return [];
  const end = later.find((event) => endsVote(event, { by, for: vote.for, issuer: vote.issuer, stage: vote.stage }));
  return [
    {
      at: timeOf(vote),
      by,
      for: vote.for ?? null,
      action: vote.action,
      stage: vote.stage + 1,
      revision: vote.revision,
      meanings: vote.meanings ?? [],
      factor: vote.factor ?? null,
      isSigned: vote.device !== undefined,
      issuer: vote.issuer ?? null,
      keyMaker: vote.keyMaker ?? null,
      inChat: vote.channel === 'chat',
      seen: vote.seen,
      voidAt: end ? timeOf(end) : null,
    },
  ];
}

/** The people and the stage that a vote counts for. */
interface Seat extends Pick<Ballot, 'for' | 'issuer'> {
  by: UserId;
  stage: number;
}

/** A voter takes it back, the directory takes the person away, an escalation begins the stage again, or an edit makes another question of it. */
function endsVote(event: StoredEvent, vote: Seat): boolean {
  switch (event.type) {
    case 'elicitation.vote-withdrawn':
      return reopensBefore(event, vote) || (userOf(event) === vote.by && event.stage === vote.stage);
    case 'elicitation.votes-voided':
      return (
        reopensBefore(event, vote) || (usersOf(vote).includes(event.user) && (event.of ?? vote.stage) === vote.stage)
      );
    case 'elicitation.escalated':
      return event.restarts === true && event.stage === vote.stage;
    default:
      return event.type === 'elicitation.edited';
  }
}

/** Does a stage before that of the vote collect again? */
const reopensBefore = ({ reopens }: { reopens?: number }, { stage }: { stage: number }): boolean =>
  reopens !== undefined && reopens < stage;

const editOf = (edit: Extract<StoredEvent, { type: 'elicitation.edited' }>) => ({
  at: timeOf(edit),
  by: userOf(edit),
  revision: edit.revision,
  from: edit.replaces,
  to: edit.digest,
});

function overrideOf(history: StoredEvent[]) {
  const override = history.find((event) => event.type === 'elicitation.break-glass');
  if (!override) return null;
  const review = history.find((event) => event.type === 'break-glass.reviewed');
  return {
    at: timeOf(override),
    by: userOf(override),
    reviewDueAt: override.reviewDueAt,
    review: review ? { at: timeOf(review), by: userOf(review), isJustified: review.isJustified } : null,
  };
}

function grantOf(history: StoredEvent[]): { id: GrantId; isGiven: boolean } | null {
  for (const event of history) {
    if (event.type === 'elicitation.voted' && event.grant) return { id: event.grant.id, isGiven: true };
    if (event.actor.kind === 'policy' && event.actor.grant) return { id: event.actor.grant, isGiven: false };
  }
  return null;
}

const timeOf = ({ at }: StoredEvent): number => Date.parse(at);
const userOf = ({ actor }: StoredEvent): UserId | null => (actor.kind === 'user' ? actor.id : null);

/**
 * Who did it. A timer can only expire, remind, escalate, tell people, or start what they approved; the directory can only void the
 * votes of people who can no longer vote. A requester proved who they are with the code of a hosted page; a service
 * held the token of a callback; a policy, by name and version, decided at opening.
 */
export type Actor =
  | { kind: 'user'; id: UserId; agreed?: AgreedBy }
  /** `workload` if it showed a token of its workload instead of a key. */
  | { kind: 'server'; id: ServerId; workload?: string }
  | { kind: 'requester' }
  | { kind: 'service' }
  | { kind: 'timer' }
  | { kind: 'directory' }
  | { kind: 'policy'; policy: string; grant?: GrantId }
  | { kind: 'operator' }
  /** An identity provider of the company, by its issuer: what it says of people changes them by the operator's rules. */
  | { kind: 'provider'; provider: string }
  /** A program that administers, by the id and the name of its token. */
  | { kind: 'token'; token: string; name: string; agreed?: AgreedBy }
  /** Someone who showed nothing that holds. */
  | { kind: 'stranger' };

/** The people who accepted what this person asked for, and the request on which they did. */
interface AgreedBy {
  with: UserId[];
  request: ElicitationId;
}

/**
 * Way of an answer: through the server that asked, from its client or passed on by the agent; on the hosted page; or
 * from an outside service.
 */
export type AnswerChannel = RelayChannel | 'page' | 'callback';

export type RefusedAccess = 'access.sign-in-failed' | 'access.refused';
export type GivenAccess = 'access.read' | 'access.listed' | 'access.exported';

/** At the door: what was refused, and content that was given out; of one request with the facts of it. */
interface AccessEvent extends Partial<RequestFacts> {
  type: RefusedAccess | GivenAccess;
  /** The code of the refusal, or what was given out. */
  what: string;
  /** The ids concerned, and keyed hashes of names that do not exist. */
  about: string[];
  /** The keyed hash of the address a stranger came from. */
  source?: string;
  /** How often since then; reading again within the hour is not counted. */
  count: number;
  since: number;
}

interface AboutRequest extends RequestFacts {
  elicitation: ElicitationId;
}

interface AboutCall extends RequestProgress {
  toolCall: ToolCallId;
  elicitation: ElicitationId;
  attempt: string;
}

/** The facts are those of the question as the change left it; the stage is the one that the change found. */
export interface AboutElicitation extends RequestProgress {
  elicitation: ElicitationId;
  digest: string;
  revision: number;
  from: Status | null;
  to: Status;
}

/**
 * Every audit event. Stored entries are never rewritten: a changed shape needs a new version number, and readers that
 * know both. Of what people and tools say, an entry holds names of servers, tools and policies; digests bind it to the rest.
 */
export type AuditEvent =
  | ({
      type: 'elicitation.opened';
      toolCall: ToolCallId;
      risk: Risk;
      deadlineAt: number;
      /** The people who are or may be the requester, as of now. */
      requesters: UserId[];
      /** Name of the asking client, as the server passed it on. */
      client?: string;
      /** Proof that its policy needs of the approver; absent if none. */
      presence?: Presence;
      /** The other policies that decided it as well, each as name@version. */
      alsoBy?: string[];
      /** Earlier steps of the call, confirmed by their providers, that the decision is bound to; absent if none. */
      after?: ElicitationId[];
    } & AboutElicitation)
  | ({ type: 'elicitation.visited'; channel: 'page' } & AboutElicitation)
  | ({
      type: 'elicitation.answered';
      channel: AnswerChannel;
      action: string;
      /** The provider at which it happened; absent where none was expected. */
      provider?: string;
    } & AboutElicitation)
  | ({
      type: 'elicitation.voted';
      vote: string;
      action: VoteAction;
      /** Milliseconds of the standing approval this person would give. */
      allowFor?: number;
      /** The standing approval that everyone who approved gives with this vote. */
      grant?: { id: GrantId; expiresAt: number };
      /** Meanings of an approval as a signature. */
      meanings?: Meaning[];
      seen: string;
      /** The person the voter voted for. */
      for?: UserId;
      /** Factor that identified the voter. */
      factor?: Factor;
      /** Assurance of that factor, and its time in milliseconds; absent for a vote in chat. */
      assurance?: Assurance;
      authenticatedAt?: number;
      /** Assurance of the identity provider. */
      acr?: string;
      /** The passkey that signed it, and the digest of what is kept of that. */
      device?: { passkey: PasskeyId; signature: string };
      /** The administrator who issued the credential. */
      issuer?: UserId;
      /** The maker of the key that asked, if the vote counts for them: in a trial they may approve. */
      keyMaker?: UserId;
      /** The channel, if not the console. */
      channel?: 'chat';
    } & AboutElicitation)
  /** The vote is of `stage`. `reopens` is the stage that collects again, if that was complete: votes of later ones are void. */
  | ({ type: 'elicitation.vote-withdrawn'; reopens?: number } & AboutElicitation)
  /** Every vote by or for this person in the stage `of` is void; without it, in every stage. */
  | ({ type: 'elicitation.votes-voided'; user: UserId; of?: number; reopens?: number } & AboutElicitation)
  /** `digest` and `revision` are the new question's. */
  | ({ type: 'elicitation.edited'; replaces: string; presence?: Presence; alsoBy?: string[] } & AboutElicitation)
  | ({ type: 'elicitation.approver-added'; user: UserId } & AboutElicitation)
  | ({ type: 'elicitation.watched'; until: number | null } & AboutElicitation)
  | ({ type: 'elicitation.postponed'; notBefore: number } & AboutElicitation)
  /** `said` is the digest of the sealed text. */
  | ({
      type: 'elicitation.commented' | 'elicitation.inquired';
      remark: RemarkId;
      said: string;
    } & AboutElicitation)
  | ({ type: 'elicitation.informed'; remark: RemarkId; said: string; channel: RelayChannel } & AboutElicitation)
  | ({
      type: 'elicitation.break-glass';
      said: string;
      seen: string;
      reviewDueAt: number;
      /** The maker of the key that asked, if it is this person or who issued their credential: only in a trial. */
      keyMaker?: UserId;
    } & AboutElicitation)
  /** Someone who watches over requests says why they read this one; `said` is the digest of the sealed text. */
  | ({ type: 'access.looked'; said: string } & AboutRequest)
  | AccessEvent
  | ({ type: 'break-glass.reviewed'; isJustified: boolean; said: string } & AboutRequest)
  /** `isSampled` if a policy allowed it and a person is to look at it later. */
  | ({ type: 'elicitation.decided'; action: VoteAction; isSampled?: true } & AboutElicitation)
  /** Someone looked at what a policy allowed, and says whether people should have been asked. */
  | ({ type: 'look-back.reviewed'; shouldHaveAsked: boolean; said: string } & AboutRequest)
  /** `stop` is the stop that ended it. */
  | ({ type: 'elicitation.cancelled'; cause: CancelCause; stop?: StopId } & AboutElicitation)
  | ({ type: 'elicitation.extended'; deadlineAt: number } & AboutElicitation)
  /** The requester was at a provider, whose word is awaited past the deadline; by the timer, or as the provider says. */
  | ({ type: 'elicitation.settling'; provider?: string } & AboutElicitation)
  /** An outcome at a provider that differs in these parts from what was asked. */
  | ({ type: 'elicitation.mismatch'; provider: string; differs: string[] } & AboutElicitation)
  /** A signed event of a provider that names no request of its. `said` is its keyed hash. */
  | { type: 'provider.unmatched'; provider: string; said: string }
  | ({ type: 'elicitation.caller'; caller: CallerState } & AboutElicitation)
  | ({ type: 'elicitation.reminded' | 'elicitation.expired' | 'elicitation.unsettled' } & AboutElicitation)
  /** The approved request no longer waits. `approvers` cast the votes that counted; absent in entries of earlier versions. */
  | ({ type: 'elicitation.started'; approvers?: UserId[] } & AboutElicitation)
  /** `restarts` if the votes of its stage from before no longer count; `inPlace` names the stage that takes its place. */
  | ({ type: 'elicitation.escalated'; restarts?: true; inPlace?: string } & AboutElicitation)
  /** Another browser of the requester gave the right code, or their sign-in, and took the page over. */
  | ({ type: 'page.moved'; elicitation: ElicitationId } & RequestProgress)
  /** A service reported after the end, or what does not fit. `said` is the digest of the sealed report. */
  | ({ type: 'callback.late' | 'callback.unfit'; said: string; elicitation: ElicitationId } & RequestProgress)
  | ({ type: 'call.claimed' | 'call.released' | 'call.completed' | 'call.settled' } & AboutCall)
  /** The key of its content was destroyed, by people or because its policy keeps content no longer. */
  | ({ type: 'content.erased'; ground: ErasureGround | 'policy' } & AboutRequest)
  | HoldPlaced
  | { type: 'hold.released'; hold: HoldId }
  /** A change of power was made as agreed, or was not made for this reason. */
  | ({ type: 'call.applied'; refused?: RefusalCode } & AboutCall)
  /** A person revoked the approval before it was used. */
  | ({ type: 'call.revoked'; toolCall: ToolCallId } & AboutElicitation)
  /**
   * The approval is no longer valid: this person's vote no longer counts, or this policy or grant no longer allows it.
   */
  | ({ type: 'call.lapsed'; user?: UserId; deniedBy?: string; grant?: GrantId } & AboutCall)
  /** `run` is the digest of what was about to run, and was not what people approved. */
  | ({ type: 'call.mismatched'; run: string } & AboutCall)
  /**
   * A server says that it ran this by a pass of this policy. `requester` and `run`, for the run digest, are keyed
   * hashes; `said` is the digest of its sealed arguments, absent if the server did not send them.
   */
  | ({ type: 'call.passed'; run: string; said?: string } & RequestFacts)
  /** Someone read the arguments of the call that passed with this entry; `said` is the digest of their sealed reason. */
  | ({ type: 'call.read'; call: string; said?: string } & RequestFacts)
  /** The keys of the arguments of the calls that passed with these entries were destroyed. */
  | { type: 'call.erased'; server: ServerId; serverName: string; calls: string[]; ground: ErasureGround | 'policy' }
  | DirectoryEvent
  | {
      type: 'delegation.made';
      delegation: DelegationId;
      from: UserId;
      to: UserId;
      startsAt: number;
      endsAt: number;
      policies: string[];
      /** The administrator for whom the session counted in which it was made. */
      countsFor?: UserId;
    }
  /** A token by which the provider of this key in the settings provisions people and groups. */
  | { type: 'scim-token.created' | 'scim-token.revoked'; kid: string; provider: string; issuer: string }
  /** With it a program has these permissions until it expires; `maker` asked for it and has seen it. */
  | {
      type: 'admin-token.created';
      token: string;
      name: string;
      maker: UserId;
      permissions: Permission[];
      networks: string[];
      expiresAt: number;
    }
  | { type: 'admin-token.revoked'; token: string; name: string }
  | { type: 'delegation.revoked'; delegation: DelegationId; from: UserId; to: UserId }
  | {
      type: 'policy.drafted' | 'policy.submitted' | 'policy.approved' | 'policy.rejected' | 'policy.published';
      /** name@version */
      policy: string;
      digest: string;
    }
  | { type: 'policy.shadowed'; policy: string; version: number | null }
  /** Without a server and a tool it is everything. `said` is the digest of the reason. */
  | { type: 'stop.made'; stop: StopId; server: ServerId | null; tool: string | null; said: string }
  | { type: 'stop.lifted'; stop: StopId }
  | ({ type: 'grant.revoked' | 'grant.suspended'; grant: GrantId } & AboutRequest)
  | ({ type: 'grant.reviewed'; grant: GrantId; reviewAt: number } & AboutRequest)
  | ServerEvent
  /** `host` is the machine that is told of requests. */
  | { type: 'webhook.added' | 'webhook.removed'; webhook: WebhookId; host: string }
  | DeliveryEvent
  | CredentialEvent
  | UserEvent
  | InstallationEvent;

/** A legal hold: nothing in its scope is erased. `said` is the digest of the reason. */
export interface HoldPlaced {
  type: 'hold.placed';
  hold: HoldId;
  scope: HoldScope;
  /** The request, or one by the requester. */
  request?: ElicitationId;
  server?: ServerId;
  said: string;
}

/** A new entry; the store seals it with the digests of its rows. */
export interface AuditEntry {
  id: string;
  at: number;
  actor: Actor;
  event: AuditEvent;
}

export const auditEntry = (id: string, at: number, actor: Actor, event: AuditEvent): AuditEntry => ({
  id,
  at,
  actor,
  event,
});

/** The most bytes of an entry: bundles of the log write its length in two bytes (C2SP tlog-tiles). */
const maxEntryBytes = 0xffff;

/** The bytes of an entry: the same event, time, id and rows always give the same bytes. */
export function entryBody({ id, at, actor, event }: AuditEntry, rows: Readonly<Record<string, string>>): Buffer {
  const entry = { v: 1, id, at: new Date(at).toISOString(), actor, ...event, rows };
  const body = Buffer.from(canonicalJson(entry), 'utf8');
  if (body.length > maxEntryBytes) throw new Problem('INVALID_INPUT', { errors: [tooMuch] });
  return body;
}

const tooMuch = { path: [], message: 'Do this in parts: it is too much for one entry of the log.' };

/** `rows` holds the digest of each row that was changed, as it was left. */
export type StoredEvent = AuditEvent & { id: string; at: string; actor: Actor; rows?: Record<string, string> };

/** Reads a stored body back; the log's own bytes are trusted to be what `entryBody` wrote. */
export const readEntry = (body: Uint8Array): StoredEvent =>
  JSON.parse(Buffer.from(body).toString('utf8')) as StoredEvent;

/** The entry in these bytes; null if they are none, because someone changed them without the server. */
export function entryIn(body: Uint8Array): StoredEvent | null {
  try {
    const entry = readEntry(body);
    return hasShape(entry) ? entry : null;
  } catch {
    return null;
  }
}

const hasShape = (entry: Partial<StoredEvent> | null): boolean =>
  [entry?.id, entry?.at, entry?.type, entry?.actor?.kind].every((part) => typeof part === 'string') &&
  !Number.isNaN(Date.parse(entry?.at ?? ''));

/** Whether the entry is about this row: it changed it, or is about a later question of this call, which it did not. */
export const isSubject = (event: AuditEvent, rows: StoredEvent['rows'], id: string): boolean =>
  rows?.[id] !== undefined || ('toolCall' in event && event.toolCall === id);
