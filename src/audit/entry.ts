import type { CallerState, CancelCause, RelayChannel, Status, VoteAction } from '../model/elicitation.ts';
import type {
  DelegationId,
  ElicitationId,
  GrantId,
  RemarkId,
  ServerId,
  StopId,
  GroupId,
  ToolCallId,
  UserId,
} from '../model/id.ts';
import type { Factor, Role } from '../model/user.ts';
import type { Meaning } from '../model/stage.ts';
import { Problem } from '../model/problem.ts';
import { canonicalJson } from '../crypto/canonical-json.ts';

/**
 * Who did it. A timer is no one, and can only expire, remind, escalate, or start what people approved; the directory is
 * no one, and can only void the votes of anyone who can no longer vote. A requester proved it with the code of a hosted
 * page; a service held the token of a callback; a policy, by name and version, decided as it was asked.
 */
export type Actor =
  | { kind: 'user'; id: UserId }
  | { kind: 'server'; id: ServerId }
  | { kind: 'requester' }
  | { kind: 'service' }
  | { kind: 'timer' }
  | { kind: 'directory' }
  | { kind: 'policy'; policy: string; grant?: GrantId }
  | { kind: 'operator' };

/**
 * How an answer came: through the server that asked, from its client or as the agent told it; on the hosted page; or
 * from an outside service.
 */
export type AnswerChannel = RelayChannel | 'page' | 'callback';

interface AboutElicitation {
  elicitation: ElicitationId;
  digest: string;
  revision: number;
  policy: string;
  from: Status | null;
  to: Status;
}

/**
 * Everything the log can say. Stored entries are never rewritten: a changed shape needs a new version number, and
 * readers that know both. No entry holds words of a person or a tool; digests bind it to what was said.
 */
export type AuditEvent =
  | ({ type: 'elicitation.opened'; toolCall: ToolCallId; server: ServerId; deadlineAt: number } & AboutElicitation)
  | ({ type: 'elicitation.visited'; channel: 'page' } & AboutElicitation)
  | ({ type: 'elicitation.answered'; channel: AnswerChannel; action: string } & AboutElicitation)
  | ({
      type: 'elicitation.voted';
      vote: string;
      stage: number;
      action: VoteAction;
      /** Milliseconds for which this person would let the same run again. */
      allowFor?: number;
      /** What all who approved have allowed with this vote. */
      grant?: { id: GrantId; expiresAt: number };
      /** What an approval says as a signature. */
      meanings?: Meaning[];
      seen: string;
      /** Whom the voter stood in for. */
      for?: UserId;
      /** By what the voter was known. */
      factor?: Factor;
      /** The administrator who made the way to it. */
      issuer?: UserId;
      /** Where it was said, if not in the console. */
      channel?: 'chat';
    } & AboutElicitation)
  | ({ type: 'elicitation.vote-withdrawn'; stage: number } & AboutElicitation)
  /** Every vote in which this person stood is taken away. */
  | ({ type: 'elicitation.votes-voided'; user: UserId } & AboutElicitation)
  /** `digest` and `revision` are the new question's. */
  | ({ type: 'elicitation.edited'; replaces: string } & AboutElicitation)
  | ({ type: 'elicitation.approver-added'; user: UserId } & AboutElicitation)
  | ({ type: 'elicitation.watched'; until: number | null } & AboutElicitation)
  | ({ type: 'elicitation.postponed'; notBefore: number } & AboutElicitation)
  /** `said` is the digest of the sealed words. */
  | ({
      type: 'elicitation.commented' | 'elicitation.inquired';
      remark: RemarkId;
      said: string;
    } & AboutElicitation)
  | ({ type: 'elicitation.informed'; remark: RemarkId; said: string; channel: RelayChannel } & AboutElicitation)
  | ({ type: 'elicitation.break-glass'; said: string; seen: string; reviewDueAt: number } & AboutElicitation)
  /** Someone who watches over requests says why they read this one; `said` is the digest of the sealed words. */
  | { type: 'access.looked'; elicitation: ElicitationId; said: string }
  | { type: 'break-glass.reviewed'; elicitation: ElicitationId; isJustified: boolean; said: string }
  | ({ type: 'elicitation.decided'; action: VoteAction } & AboutElicitation)
  /** `stop` is the one that ended it. */
  | ({ type: 'elicitation.cancelled'; cause: CancelCause; stop?: StopId } & AboutElicitation)
  | ({ type: 'elicitation.extended'; deadlineAt: number } & AboutElicitation)
  | ({ type: 'elicitation.caller'; caller: CallerState } & AboutElicitation)
  | ({
      type: 'elicitation.reminded' | 'elicitation.escalated' | 'elicitation.started' | 'elicitation.expired';
    } & AboutElicitation)
  | {
      type: 'call.claimed' | 'call.released' | 'call.completed' | 'call.settled';
      toolCall: ToolCallId;
      elicitation: ElicitationId;
      attempt: string;
    }
  /** A person took the approval back before it was used. */
  | ({ type: 'call.revoked'; toolCall: ToolCallId } & AboutElicitation)
  /** The approval would no longer be given: this person's say no longer counts, or this policy or grant stands against it. */
  | {
      type: 'call.lapsed';
      toolCall: ToolCallId;
      elicitation: ElicitationId;
      attempt: string;
      user?: UserId;
      policy?: string;
      grant?: GrantId;
    }
  /** `run` is the digest of what was about to run, and was not what people approved. */
  | { type: 'call.mismatched'; toolCall: ToolCallId; elicitation: ElicitationId; attempt: string; run: string }
  /** `linkUntil` is until when the link that was made sets a password. */
  | { type: 'user.added'; user: UserId; role: string; manager?: UserId; groups?: GroupId[]; linkUntil?: number }
  | { type: 'user.link-made'; user: UserId; linkUntil: number }
  | { type: 'user.password-set'; user: UserId }
  | { type: 'user.confirmed'; user: UserId }
  | { type: 'user.signed-in'; user: UserId; with: 'password' | 'link' }
  | { type: 'user.changed'; user: UserId; changed: UserChange }
  | { type: 'group.added' | 'group.deleted'; group: GroupId }
  | { type: 'group.changed'; group: GroupId; changed: ('name' | 'description')[] }
  | { type: 'group.members-changed'; group: GroupId; added: UserId[]; removed: UserId[] }
  | {
      type: 'delegation.made';
      delegation: DelegationId;
      from: UserId;
      to: UserId;
      startsAt: number;
      endsAt: number;
      policies: string[];
    }
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
  | { type: 'grant.revoked' | 'grant.suspended'; grant: GrantId; elicitation: ElicitationId }
  | { type: 'grant.reviewed'; grant: GrantId; elicitation: ElicitationId; reviewAt: number }
  | { type: 'server.owner-changed'; server: ServerId; owner: UserId | null }
  | { type: 'key.created' | 'key.revoked'; server: string; kid: string }
  /** From then on every node seals with it, or none knows it any more. */
  | { type: 'secret.activated' | 'secret.retired'; kid: string };

/** What decides over power is said in full; of names only that they changed. */
export interface UserChange {
  role?: Role;
  manager?: UserId | null;
  mayBreakGlass?: boolean;
  /** Whose clicks in Slack are theirs; null for no one's. */
  slack?: string | null;
  disabled?: boolean;
  name?: true;
  subjects?: true;
}

/** What is to be logged; the store seals it with the digests of the rows that it tells of. */
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

/** Bytes of an entry at most: bundles of the log write its length in two (C2SP tlog-tiles). */
const longestEntry = 0xffff;

/** The entry as it is written: the same event, time, id and rows always give the same bytes. */
export function entryBody({ id, at, actor, event }: AuditEntry, rows: Readonly<Record<string, string>>): Buffer {
  const entry = { v: 1, id, at: new Date(at).toISOString(), actor, ...event, rows };
  const body = Buffer.from(canonicalJson(entry), 'utf8');
  if (body.length > longestEntry) throw new Problem('INVALID_INPUT', { errors: [tooMuch] });
  return body;
}

const tooMuch = { path: [], message: 'This is too much for one entry of the log. Do it in parts.' };

/** `rows` holds the digest of each row that was changed, as it was left. */
export type StoredEvent = AuditEvent & { id: string; at: string; actor: Actor; rows?: Record<string, string> };

/** Reads a stored body back; the log's own bytes are trusted to be what `entryBody` wrote. */
export const readEntry = (body: Uint8Array): StoredEvent =>
  JSON.parse(Buffer.from(body).toString('utf8')) as StoredEvent;
