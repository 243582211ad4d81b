import type { GrantId, UserId } from '#platform/model/id';
import { usersOf, type Ballot } from '#requests/voting/contract/quorum/quorum';
import type { StoredEvent } from './entry.ts';

type Opened = Extract<StoredEvent, { type: 'elicitation.opened' }>;
type Voted = Extract<StoredEvent, { type: 'elicitation.voted' }>;

/** What the log says of one request: who asked for what, who decided it, and how. Names and digests, no content. */
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

/** Whom a vote counts for, and in which stage. */
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
