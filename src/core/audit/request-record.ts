import type { CancelCause, Risk, Status, VoteAction } from '#protocol/model/elicitation';
import type { GrantId, UserId } from '#protocol/model/id';
import type { Meaning } from '#protocol/model/stage';
import type { Factor } from '#protocol/model/user';
import type { StoredEvent } from './entry.ts';

/** What the log says of one request: who asked for what, who decided it, and how. Names and digests, no content. */
export interface RequestRecord {
  server: string;
  tool: string;
  risk: Risk;
  /** name@version */
  policy: string;
  digest: string;
  revision: number;
  status: Status;
  cause: CancelCause | null;
  openedAt: number;
  deadlineAt: number;
  closedAt: number | null;
  /** Stands for the requester: a keyed hash, the same for the same one at the same server. */
  requester: string;
  /** The people who were or may have been the requester. */
  requesters: UserId[];
  votes: RecordedVote[];
  edits: RecordedEdit[];
  override: RecordedOverride | null;
  /** The standing approval that accepted it, or that its approvers gave with it. */
  grant: { id: GrantId; isGiven: boolean } | null;
}

interface RecordedVote {
  at: number;
  by: UserId;
  for: UserId | null;
  action: VoteAction;
  /** Counted from 1. */
  stage: number;
  revision: number;
  meanings: Meaning[];
  factor: Factor | null;
  /** Did a passkey of the voter sign it? */
  isSigned: boolean;
  issuer: UserId | null;
  /** The maker of the key that asked, if the vote counts for them. */
  keyMaker: UserId | null;
  inChat: boolean;
  /** The digest of what the voter saw. */
  seen: string;
  /** When it was withdrawn or became void; null if it stands. */
  voidAt: number | null;
}

interface RecordedEdit {
  at: number;
  by: UserId | null;
  revision: number;
  from: string;
  to: string;
}

interface RecordedOverride {
  at: number;
  by: UserId | null;
  reviewDueAt: number;
  review: { at: number; by: UserId | null; isJustified: boolean } | null;
}

type Opened = Extract<StoredEvent, { type: 'elicitation.opened' }>;
type Voted = Extract<StoredEvent, { type: 'elicitation.voted' }>;

/** The record that follows from these entries about one request, in the order of the log; null if it was never opened. */
export function recordOf(history: StoredEvent[]): RequestRecord | null {
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

function voteOf(vote: Voted, later: StoredEvent[]): RecordedVote[] {
  const by = userOf(vote);
  if (by === null) return [];
  const end = later.find((event) => endsVote(event, { by, for: vote.for, stage: vote.stage }));
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

/** A voter takes it back, the directory takes the person away, an escalation begins the stage again, or an edit makes another question of it. */
function endsVote(event: StoredEvent, vote: { by: UserId; for: UserId | undefined; stage: number }): boolean {
  switch (event.type) {
    case 'elicitation.vote-withdrawn':
      return reopensBefore(event, vote) || (userOf(event) === vote.by && event.stage === vote.stage);
    case 'elicitation.votes-voided':
      return (
        reopensBefore(event, vote) ||
        ([vote.by, vote.for].includes(event.user) && (event.of ?? vote.stage) === vote.stage)
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

const editOf = (edit: Extract<StoredEvent, { type: 'elicitation.edited' }>): RecordedEdit => ({
  at: timeOf(edit),
  by: userOf(edit),
  revision: edit.revision,
  from: edit.replaces,
  to: edit.digest,
});

function overrideOf(history: StoredEvent[]): RecordedOverride | null {
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

function grantOf(history: StoredEvent[]): RequestRecord['grant'] {
  for (const event of history) {
    if (event.type === 'elicitation.voted' && event.grant) return { id: event.grant.id, isGiven: true };
    if (event.actor.kind === 'policy' && event.actor.grant) return { id: event.actor.grant, isGiven: false };
  }
  return null;
}

const timeOf = ({ at }: StoredEvent): number => Date.parse(at);
const userOf = ({ actor }: StoredEvent): UserId | null => (actor.kind === 'user' ? actor.id : null);
