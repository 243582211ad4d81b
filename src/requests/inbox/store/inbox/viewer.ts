import { Prisma } from '#platform/database/generated/prisma/client';
import type { ServerId, UserId } from '#platform/model/id';
import { moment } from '#platform/database/sql';
import { policyNameOf } from '#audit/entries/store/entries';

/** Someone for whom the reader may vote; an empty list of policies means all. */
export interface StandIn {
  fromId: UserId;
  policies: string[];
  /** Who issued the credential with which they let the reader, for whom the vote counts as well. */
  issuerId: UserId | null;
}

/**
 * The person who reads the inbox. An approver finds what they may see; administrators and reviewers find everything.
 */
export interface InboxViewer {
  id: UserId;
  /** Who issued the credential they signed in with, for whom their vote counts as well. */
  credentialIssuer?: UserId | undefined;
  /** Their and its other accounts, with which they may have voted or asked. */
  otherAccounts?: readonly UserId[];
  isWatching: boolean;
  /** May this person vote at all? */
  mayVote: boolean;
  /** From when on a reason to read a request still counts. */
  lookedSince: number;
  standIns: readonly StandIn[];
  /** The servers this person owns. */
  owns: readonly ServerId[];
  /** The servers of spaces in which this person watches over requests, as `isWatching` is everywhere. */
  watches: readonly ServerId[];
  /** May this person use the emergency override? Then they find everything, too. */
  mayBreakGlass: boolean;
}

const stage = Prisma.sql`(e.snapshot #> ARRAY['context', 'stages', e.snapshot #>> '{context,stage}'])`;
const stageNumber = Prisma.sql`(e.snapshot #> '{context,stage}')`;
const votes = Prisma.sql`(e.snapshot #> '{context,votes}')`;
const holds = (part: unknown): Prisma.Sql => Prisma.sql`@> ${JSON.stringify(part)}::jsonb`;

/** Has it named this person, or someone they stand in for? An index holds it: a few requests are found among many. */
const names = ({ id, standIns }: Pick<InboxViewer, 'id' | 'standIns'>): Prisma.Sql =>
  Prisma.sql`e.readers && ${['anyone', id, ...standIns.map(({ fromId }) => fromId)]}::text[]`;

/** Is this person in a vote of this stage, or of any if it needs fresh voters? */
const isInVote = (as: 'by' | 'for' | 'issuer', user: UserId): Prisma.Sql => Prisma.sql`
  ${votes} @> jsonb_build_array(jsonb_build_object(${as}::text, ${user}::text)
    || CASE WHEN ${stage} ${holds({ freshVoters: true })} THEN '{}' ELSE jsonb_build_object('stage', ${stageNumber}) END)`;

/** Which requests a view is of. */
export const views = {
  all: () => Prisma.sql`e.status = 'open'`,
  done: () => Prisma.sql`e.closed_at IS NOT NULL`,
  /** Open, for approvers, and the reader may vote, for themselves or for someone else: the engine's `isMine`. */
  mine: ({
    id: user,
    credentialIssuer,
    otherAccounts = [],
    standIns,
  }: InboxViewer) => Prisma.sql`e.status = 'open' AND e.audience = 'approvers'
    AND ${names({ id: user, standIns })}
    AND ${isFree(user)} AND ${credentialIssuer ? isFree(credentialIssuer) : Prisma.sql`true`}
    ${Prisma.join([Prisma.empty, ...otherAccounts.map((account) => Prisma.sql`AND ${isFree(account)}`)], ' ')}
    AND (${isNamed(user)} OR ${stage} ${holds({ groups: [{ approvers: 'anyone' }] })}
      ${Prisma.join([Prisma.empty, ...standIns.map(mayStandIn)], ' ')})`,
};

/** The engine's `maySee` for the notice of a row. The requester finds it by its address. */
export function isVisible(viewer: InboxViewer): Prisma.Sql {
  if (isWatcher(viewer)) return Prisma.sql`true`;
  return viewer.watches.length > 0 ? Prisma.sql`(${isTheirs(viewer)} OR ${isWatched(viewer)})` : isTheirs(viewer);
}

/** The engine's `maySee` for the content of a row. The requester finds it by its address. */
export const isReadable = (viewer: InboxViewer): Prisma.Sql =>
  isWatcher(viewer)
    ? Prisma.sql`(${isTheirs(viewer)} OR ${isLookedAt(viewer)})`
    : viewer.watches.length > 0
      ? Prisma.sql`(${isTheirs(viewer)} OR ${isWatched(viewer)} AND ${isLookedAt(viewer)})`
      : isTheirs(viewer);

/** Is it of a server of a space in which they watch over requests? */
const isWatched = ({ watches }: InboxViewer): Prisma.Sql => Prisma.sql`e.server_id = ANY(${watches}::text[])`;

const isWatcher = ({ isWatching, mayBreakGlass }: InboxViewer): boolean => isWatching || mayBreakGlass;

const isLookedAt = ({ id, lookedSince }: InboxViewer): Prisma.Sql => Prisma.sql`
  EXISTS (SELECT FROM look l WHERE l.elicitation_id = e.id AND l.user_id = ${id} AND l.at > ${moment(lookedSince)} OFFSET 0)`;

/**
 * Named by a stage, a voter, who edited it, the owner of the server, or the person who used the emergency override. OFFSET keeps the
 * planner from reading all votes at once.
 */
const isTheirs = (viewer: InboxViewer): Prisma.Sql => {
  const { id, mayVote, standIns, owns } = viewer;
  const isOwned = Prisma.sql`e.server_id = ANY(${owns}::text[])`;
  const reaches = owns.length > 0 ? Prisma.sql`(${names(viewer)} OR ${isOwned})` : names(viewer);
  return Prisma.sql`(${reaches} AND (
    e.snapshot ${holds({ context: { breakGlassBy: id } })} OR ${isOwned}
      OR EXISTS (SELECT FROM vote v WHERE v.elicitation_id = e.id AND ${id} IN (v.user_id, v.for_id) OFFSET 0)
      OR EXISTS (SELECT FROM revision r WHERE r.elicitation_id = e.id AND r.user_id = ${id} OFFSET 0)
      OR ${mayVote} AND (e.snapshot ${holds(inAnyStage('anyone'))} OR e.snapshot ${holds(inAnyStage([id]))}
        ${Prisma.join([Prisma.empty, ...standIns.map(isCovered)], ' ')})))`;
};

const inAnyStage = (approvers: string[] | 'anyone') => ({ context: { stages: [{ groups: [{ approvers }] }] } });

const isNamed = (user: UserId): Prisma.Sql => Prisma.sql`${stage} ${holds({ groups: [{ approvers: [user] }] })}`;

/** Neither excluded from the stage, nor in a vote that counts there. */
const isFree = (user: UserId): Prisma.Sql => Prisma.sql`NOT ${stage} ${holds({ excluded: [user] })}
  AND NOT ${isInVote('by', user)} AND NOT ${isInVote('for', user)} AND NOT ${isInVote('issuer', user)}`;

const mayStandIn = ({ fromId, policies, issuerId }: StandIn): Prisma.Sql =>
  Prisma.sql`OR (${isNamed(fromId)} AND ${isFree(fromId)} AND ${isUnder(policies)}
    AND ${issuerId ? isFree(issuerId) : Prisma.sql`true`})`;

const isCovered = ({ fromId, policies }: StandIn): Prisma.Sql =>
  Prisma.sql`OR (e.snapshot ${holds(inAnyStage([fromId]))} AND ${isUnder(policies)})`;

const isUnder = (policies: string[]): Prisma.Sql =>
  Prisma.sql`(${policies.length === 0} OR ${policyNameOf()} = ANY(${policies}::text[]))`;
