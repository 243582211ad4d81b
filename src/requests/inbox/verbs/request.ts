import { readEntry, type StoredEvent, type Actor, type AuditEvent } from '#audit/entries/rules/entry';
import { sha256Hex } from '#platform/crypto/digest';
import { phaseOf } from '../../machine/rules/step.ts';
import type { ElicitationId, UserId } from '#platform/model/id';
import { showFacts } from '../../facts/contract/shown.ts';
import {
  votersIn,
  accountsIn,
  isEligible,
  tally,
  type GroupTally,
  type ApproverGroup,
  type Stage,
} from '../../voting/contract/stages.ts';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../state/store/row.ts';
import { actingFor, standInFor, votingFor } from '#people/delegations/verbs';
import {
  editForm,
  policyTerms,
  type PolicyTerms,
  against,
  permission,
  permissionsOf,
  mintReading,
  pauseOf,
} from '../../state/verbs/permissions.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { explainPolicy } from '#policies/deciding/verbs/open';
import { requestersOf } from '../../asking/verbs/requester.ts';
import type { Users } from '#policies/deciding/verbs/rules';
import { refreshRow, currentElicitation, readable } from '../../state/verbs/change.ts';
import {
  argumentsInOrder,
  cells,
  openDecision,
  openQuestion,
  readKeyOrders,
  shownRequester,
  openReplaced,
} from '../../asking/verbs/question.ts';
import { neededPresence, signingPasskeys } from '#access/passkeys/verbs';
import { assertVisible, visibleOf } from './visibility.ts';
import { readApproved, readSignals } from './signals.ts';
import type { DeliveryEvent } from '#audit/entries/rules/events';
import type { Action } from '../../asking/contract/elicitation.ts';
import { currentStage, votesInStage } from '../../machine/rules/machine.ts';
import type {
  StoredBreakGlass,
  StoredLookBack,
  StoredRemark,
  StoredRevision,
} from '../../deliberation/store/proceedings.ts';
import type { StoredVote } from '../../asking/store/reader.ts';
import { writePointer } from '../../facts/contract/facts.ts';

/** One request as a person sees it in the console: the stored bytes, complete. */
export async function showElicitation(engine: Engine, user: User, id: ElicitationId) {
  const { ring } = engine;
  const row = await currentElicitation(engine, id);
  await assertVisible(engine, user, row);
  const proceedings = await readProceedings(engine, user, row);
  const { names, voters, breakGlass, lookBack, current } = proceedings;
  const votes = showVotes(ring, row, proceedings.votes, proceedings.history, names);
  const reported = await readReports(engine, row, proceedings);
  const terms = policyTerms(engine, row);
  const { risk, revision, digest, caller, openedAt, deadlineAt, closedAt, status, cause, audience, mode } = row;
  const { inquiry, notBefore, onTimeout, settlesAt = null } = row.state.context;
  const { requester, tool, ...question } = openQuestion(ring, row);
  return {
    id,
    status,
    cause,
    audience,
    mode,
    risk,
    revision,
    digest,
    server: row.serverName,
    tool: {
      name: row.tool,
      title: tool.title,
      description: tool.description,
      annotations: tool.annotations,
      reaches: tool.reaches ?? null,
    },
    requester: { ...shownRequester(requester), client: requester.client ?? null },
    arguments: question.arguments,
    keyOrders: readKeyOrders(question),
    facts: showFacts(argumentsInOrder(question), terms.facts, question.facts),
    proven: question.proven ?? [],
    message: question.message,
    reason: question.reason,
    schema: question.schema,
    url: question.url,
    caller,
    openedAt,
    deadlineAt,
    onTimeout,
    closedAt,
    phase: phaseOf(row.state),
    machineVersion: row.state.version,
    policy: await explainPolicy(engine, row),
    progress: progressOf(current),
    stages: showStages(current, names, voters),
    votes: votes.map(({ id: _id, ...vote }) => vote),
    answer: proceedings.seesAnswer ? (openDecision(ring, row)?.content ?? null) : null,
    revisions: showRevisions(ring, row, proceedings.revisions, names),
    remarks: showRemarks(ring, row, proceedings.remarks, names),
    inquiry,
    watch: watchOf(row, names, engine.now()),
    notBefore,
    settlesAt,
    reading: mintReading(engine, user, row),
    signing: await signingOf(engine, user, row, terms),
    pausedUntil: row.status === 'open' ? (await pauseOf(engine, user, terms, engine.now())).until : null,
    editable: editForm(terms)?.properties ?? null,
    lapse: proceedings.call.lapse,
    breakGlass: breakGlass && showBreakGlass(ring, row, breakGlass, names),
    lookBack: lookBack && showLookBack(ring, row, lookBack, names),
    standsInFor: proceedings.standsInFor.map((id) => ({ id, name: names.get(id) ?? '' })),
    timeline: timelineOf(engine, row, { ...proceedings, reported }, votes, names),
    can: permissionsOf(user, current, { ...proceedings, now: engine.now(), terms, breakGlass, lookBack }),
  };
}

/** Whether this person has a passkey that can sign their approval; null if none has to. */
async function signingOf(engine: Engine, user: User, row: ElicitationRow, { presence }: PolicyTerms) {
  if (row.status !== 'open' || (await neededPresence(engine, user, row, presence)) !== 'passkey') return null;
  return { isReady: (await signingPasskeys(engine, user)).length > 0 };
}

/** While it is open, with its stages up to date: the page names who may still answer, and its buttons depend on it. */
function rowAsSeen(engine: Engine, row: ElicitationRow, users: Users, viewers: string[]): ElicitationRow {
  if (row.status !== 'open') return row;
  const persons = [...viewers, ...row.state.context.votes.flatMap(votersIn), ...usersInStages(row)];
  return refreshRow(engine, row, users, engine.now(), persons);
}

async function readProceedings(engine: Engine, user: User, row: ElicitationRow) {
  const { reader, proceedings, users } = engine;
  const [directory, votes, bodies, remarks, revisions, breakGlass, lookBack, mayBreakGlass, standIns, seeing, call] =
    await Promise.all([
      engine.rules.users(),
      reader.votes(row.id),
      reader.history(row.id),
      proceedings.remarks(row.id),
      proceedings.revisions(row.id),
      proceedings.breakGlass(row.id),
      proceedings.lookBack(row.id),
      users.mayBreakGlass(user.id),
      actingFor(engine, user, row),
      visibleOf(engine, user, [row], 'answer'),
      engine.toolCalls.find(row.toolCallId),
    ]);
  if (!call) throw new Problem('not-found');
  const history = bodies.map(readEntry);
  const requesters = requestersOf(engine, row, directory);
  const absent = [...new Set(standIns.map(({ fromId }) => fromId))];
  const current = rowAsSeen(engine, row, directory, [user.id, ...absent]);
  const standsInFor = absent.filter((id) => {
    const standIn = standInFor(standIns, id);
    return standIn && permission(against.vote(votingFor(user, standIn), current, { requesters }, id)).allowed;
  });
  const named = [...usersInStages(row), ...history.flatMap(usersIn), ...standsInFor];
  const names = new Map([[row.serverId as string, row.serverName], ...(await users.names(named))]);
  const { voters } = directory;
  return {
    votes,
    history,
    remarks,
    revisions,
    breakGlass,
    lookBack,
    mayBreakGlass,
    absent,
    requesters,
    accounts: directory.directory.accounts,
    standsInFor,
    names,
    voters,
    current,
    call,
    seesAnswer: seeing.has(row.id),
  };
}

/** The people whom a timeline names. */
export const usersIn = (event: StoredEvent): string[] => [
  ...('id' in event.actor && event.actor.kind === 'user' ? [event.actor.id] : []),
  ...('user' in event && event.user ? [event.user] : []),
  ...('for' in event && event.for ? [event.for] : []),
  ...('issuer' in event && event.issuer ? [event.issuer] : []),
  ...('keyMaker' in event && event.keyMaker ? [event.keyMaker] : []),
];

function watchOf({ state }: ElicitationRow, names: ReadonlyMap<string, string>, now: number) {
  const { watch } = state.context;
  return watch && watch.until > now
    ? { by: { id: watch.by as UserId, name: names.get(watch.by) ?? '' }, until: watch.until }
    : null;
}

/** Reports of services that reached no call, by the digest in the entry, for people who may see answers. */
async function readReports(
  { callbackReports, ring }: Engine,
  row: ElicitationRow,
  { history, seesAnswer }: { history: StoredEvent[]; seesAnswer: boolean },
): Promise<ReadonlyMap<string, string>> {
  const hasAny = history.some(({ type }) => type === 'callback.late' || type === 'callback.unfit');
  if (!hasAny || !seesAnswer || !row.dataKey) return new Map();
  const reports = await callbackReports.of(row.id);
  return new Map(
    reports.map(({ body }) => [sha256Hex(body), JSON.stringify(cells.report.open(ring, row, row.id, body))]),
  );
}

function timelineOf(
  { ring }: Engine,
  row: ElicitationRow,
  { history, reported }: { history: StoredEvent[]; reported: ReadonlyMap<string, string> },
  votes: ReturnType<typeof showVotes>,
  names: ReadonlyMap<string, string>,
) {
  const comment = row.status === 'open' ? null : (openDecision(ring, row)?.comment ?? null);
  return history.filter(isAboutRequest).map((event) => {
    const vote = 'vote' in event ? votes.find(({ id }) => id === event.vote) : undefined;
    const closing = event.type === 'elicitation.cancelled' ? comment : null;
    return {
      at: Date.parse(event.at),
      by: showActor(event.actor, names),
      event: showEvent(event, names),
      comment: vote?.comment ?? closing ?? ('said' in event ? reported.get(event.said) : null) ?? null,
    };
  });
}

/** The most differences of one answer. */
const maxCompared = 100;

/**
 * Differences between the arguments and those of the latest approved request of the same tool and server that this
 * person may read, and all other signals.
 */
export async function compareApproved(engine: Engine, user: User, id: ElicitationId) {
  const row = await engine.reader.elicitation(id);
  await assertVisible(engine, user, row);
  if (!row) throw new Problem('not-found');
  const approved = await readApproved(engine, user, row);
  const signals = await readSignals(engine, user, row, approved);
  return { digest: row.digest, ...sinceApproved(engine, row, approved), signals };
}

function sinceApproved({ ring }: Engine, row: ElicitationRow, candidates: readonly ElicitationRow[]) {
  const now = openQuestion(ring, row).arguments;
  for (const approved of candidates) {
    const before = readable(() => openQuestion(ring, approved));
    if (before === null) continue;
    const differences = differencesIn(JSON.parse(before.arguments), JSON.parse(now));
    return {
      approved: { id: approved.id, closedAt: approved.closedAt ?? approved.openedAt },
      differences: differences.slice(0, maxCompared),
      isCut: differences.length > maxCompared,
    };
  }
  return { approved: null, differences: [], isCut: false };
}

type Names = ReadonlyMap<string, string>;

/** The events of the log that are about one request. Who was told of it is for reviewers, in its record. */
export type RequestEvent = Exclude<Extract<AuditEvent, { elicitation: unknown }>, DeliveryEvent>;

export const isAboutRequest = (event: StoredEvent): event is StoredEvent & RequestEvent =>
  'elicitation' in event && event.type !== 'notification.sent' && event.type !== 'notification.given-up';

/** The actor, by the name people know; the name is null if they have left. */
export function showActor(actor: Actor, names: Names) {
  if (actor.kind === 'policy') return { kind: actor.kind, policy: actor.policy, grant: actor.grant ?? null };
  if (actor.kind === 'token') return { kind: actor.kind, name: actor.name };
  return 'id' in actor ? { kind: actor.kind, name: names.get(actor.id) ?? null } : { kind: actor.kind };
}

/** A log entry about a request, as data for the catalogues: no ids, digests or sealed text. */
export function showEvent(event: RequestEvent, names: Names) {
  switch (event.type) {
    case 'elicitation.answered':
      // The log's type allows any text; the machine only lets actions through.
      return { type: event.type, channel: event.channel, action: event.action as Action, to: event.to };
    case 'elicitation.voted':
      return {
        type: event.type,
        action: event.action,
        for: named(event.for, names),
        issuer: named(event.issuer, names),
        keyMaker: named(event.keyMaker, names),
        meanings: event.meanings ?? [],
        inChat: event.channel === 'chat',
      };
    case 'elicitation.decided':
      return { type: event.type, action: event.action };
    case 'elicitation.votes-voided':
    case 'elicitation.approver-added':
      return { type: event.type, user: names.get(event.user) ?? null };
    case 'elicitation.edited':
      return { type: event.type, revision: event.revision };
    case 'elicitation.watched':
      return { type: event.type, isWatching: event.until !== null };
    case 'elicitation.postponed':
      return { type: event.type, until: event.notBefore };
    case 'elicitation.extended':
      return { type: event.type, until: event.deadlineAt };
    case 'elicitation.informed':
      return { type: event.type, channel: event.channel };
    case 'break-glass.reviewed':
      return { type: event.type, isJustified: event.isJustified };
    case 'look-back.reviewed':
      return { type: event.type, shouldHaveAsked: event.shouldHaveAsked };
    case 'content.erased':
      return { type: event.type, ground: event.ground };
    case 'elicitation.cancelled':
      return { type: event.type, cause: event.cause, isStopped: event.stop !== undefined };
    case 'elicitation.caller':
      return { type: event.type, caller: event.caller };
    case 'elicitation.escalated':
      return { type: event.type, to: event.to, inPlace: event.inPlace ?? null };
    case 'call.lapsed':
      return {
        type: event.type,
        user: named(event.user, names),
        policy: event.deniedBy ?? null,
        grant: event.grant ?? null,
      };
    case 'call.applied':
      return { type: event.type, refused: event.refused ?? null };
    case 'grant.revoked':
    case 'grant.suspended':
    case 'grant.reviewed':
      return { type: event.type, grant: event.grant };
    default:
      return { type: event.type };
  }
}

const named = (id: string | undefined, names: Names) => (id === undefined ? null : { name: names.get(id) ?? null });

/** The most names of people who can still answer, for each group. */
const maxNamed = 100;

/** Each stage with the seats of its groups and who can still answer, as people read it. */
function showStages(row: ElicitationRow, names: ReadonlyMap<string, string>, voters: ReadonlySet<string>) {
  const { context } = row.state;
  const able = new Map([...names].filter(([id]) => voters.has(id)));
  return context.stages.map((stage, at) => {
    const votes = votesInStage(context, at);
    const counts = tally(stage, votes);
    const state = at < context.stage ? 'complete' : at === context.stage ? 'current' : 'waiting';
    return {
      name: stage.name,
      state: state as 'complete' | 'current' | 'waiting',
      complete: stage.complete,
      added: stage.added !== undefined,
      groups: stage.groups.map((group, place) => ({
        name: group.name,
        meaning: group.meaning,
        deny: group.deny,
        ...(counts[place] ?? { have: 0, need: group.approve, refusals: 0 }),
        open: at < context.stage || row.status !== 'open' ? [] : whoIsLeft(stage, group, row, able),
      })),
    };
  });
}

/** The ids whose names `showStages` reads. */
const usersInStages = ({ state }: ElicitationRow): string[] =>
  state.context.stages.flatMap(({ groups }) =>
    groups.flatMap(({ approvers }) => (approvers === 'anyone' ? [] : approvers.slice(0, 2 * maxNamed))),
  );

/** Progress of the current or last stage; if any group is enough, of the group that is nearest to complete. */
export function progressOf({ audience, state }: ElicitationRow) {
  const { stages, stage, votes } = state.context;
  const at = Math.min(stage, stages.length - 1);
  const last = currentStage({ stages, stage: at });
  if (audience !== 'approvers' || !last) return null;
  const tallies = tally(last, votesInStage({ votes, stage: at }));
  const nearest = tallies.reduce((tally, other) => (missing(other) < missing(tally) ? other : tally));
  const counted = last.complete === 'any' ? [nearest] : tallies;
  const sum = (of: 'have' | 'need'): number => counted.reduce((total, tally) => total + tally[of], 0);
  return { stage: at + 1, stages: stages.length, have: sum('have'), need: sum('need') };
}

const missing = ({ have, need }: GroupTally): number => need - have;

function whoIsLeft(
  stage: Stage,
  { approvers }: ApproverGroup,
  { state }: ElicitationRow,
  names: ReadonlyMap<string, string>,
) {
  if (approvers === 'anyone') return null;
  const counted = stage.freshVoters
    ? state.context.votes
    : votesInStage(state.context, state.context.stages.indexOf(stage));
  const gone = new Set(counted.flatMap((vote) => accountsIn(stage, vote)));
  return approvers
    .filter((id) => !gone.has(id) && isEligible(stage, { by: id }) && names.has(id))
    .slice(0, maxNamed)
    .map((id) => ({ id: id as UserId, name: names.get(id) ?? '' }));
}

type Ring = Engine['ring'];

const nameOf = (names: Names, id: string): string => names.get(id) ?? 'Someone who has left';

/** Every vote with its meaning; withdrawn and void votes are marked. */
export function showVotes(ring: Ring, row: ElicitationRow, votes: StoredVote[], history: StoredEvent[], names: Names) {
  const { context } = row.state;
  const entries = new Map(
    history.flatMap((event) => (event.type === 'elicitation.voted' ? [[event.vote, event] as const] : [])),
  );
  return votes.map(({ id, name, userId, forName, revision, stage, action, comment, at }) => {
    const standing = context.votes.find((vote) => vote.by === userId && vote.stage === stage && vote.at === at);
    const stands = revision === row.revision && standing !== undefined;
    return {
      id,
      by: name,
      person: userId,
      for: forName,
      revision,
      stage,
      action,
      meanings: entries.get(id)?.meanings ?? [],
      factor: entries.get(id)?.factor ?? null,
      issuer: issuerOf(entries.get(id), names),
      at,
      stands,
      allowFor: (stands && standing.allowFor) || null,
      comment: comment && cells.comment.open(ring, row, id, comment),
    };
  });
}

const issuerOf = (entry: { issuer?: string } | undefined, names: Names): string | null =>
  entry?.issuer === undefined ? null : nameOf(names, entry.issuer);

/** Changes of each edit: top-level arguments, before and after. */
function showRevisions(ring: Ring, row: ElicitationRow, revisions: StoredRevision[], names: Names) {
  const questions = [...revisions.map((revision) => openReplaced(ring, row, revision)), openQuestion(ring, row)];
  const values = questions.map(({ arguments: text }) => JSON.parse(text) as Record<string, unknown>);
  return revisions.map(({ revision, userId, at }, index) => ({
    revision: revision + 1,
    by: nameOf(names, userId),
    at,
    changes: differences(values[index] ?? {}, values[index + 1] ?? {}),
  }));
}

function differences(before: Record<string, unknown>, after: Record<string, unknown>) {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, before: before[name] ?? null, after: after[name] ?? null }));
}

const showRemarks = (ring: Ring, row: ElicitationRow, remarks: StoredRemark[], names: Names) =>
  remarks.map((stored) => {
    const { text, schema = null, answer } = cells.remark.open(ring, row, stored.id, stored.body);
    const { id, kind, userId, replyTo, at } = stored;
    return {
      id,
      kind,
      by: userId && nameOf(names, userId),
      person: userId,
      text,
      schema,
      answer: answer ? { ...answer, content: answer.content ?? null } : null,
      replyTo,
      at,
    };
  });

function showBreakGlass(ring: Ring, row: ElicitationRow, breakGlass: StoredBreakGlass, names: Names) {
  const { userId, reason, at, reviewDueAt, review } = breakGlass;
  const named = (id: UserId) => ({ id, name: nameOf(names, id) });
  return {
    by: named(userId),
    reason: cells.overrideReason.open(ring, row, row.id, reason),
    at,
    reviewDueAt,
    review: review && {
      by: named(review.reviewerId),
      at: review.at,
      ...cells.overrideFinding.open(ring, row, row.id, review.finding),
    },
  };
}

function showLookBack(ring: Ring, row: ElicitationRow, { at, review }: StoredLookBack, names: Names) {
  return {
    at,
    review: review && {
      by: { id: review.reviewerId, name: nameOf(names, review.reviewerId) },
      at: review.at,
      ...cells.lookBack.open(ring, row, row.id, review.finding),
    },
  };
}

/** One value that differs. What was added has no `before`, what was removed no `after`. */
export interface Difference {
  /** From the root, such as `recipients[2].iban`; empty for the whole. */
  path: string;
  /** The path as a JSON Pointer. */
  pointer: string;
  before?: unknown;
  after?: unknown;
}

/** The smallest parts in which two JSON values differ, in the order of their names. */
export function differencesIn(before: unknown, after: unknown, path = '', steps: string[] = []): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const at = { path, pointer: writePointer(steps) };
  const [old, recent] = [membersOf(before), membersOf(after)];
  if (!old || !recent || Array.isArray(before) !== Array.isArray(after)) return [{ ...at, before, after }];
  const pathTo = (name: string): string =>
    Array.isArray(after) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
  return [...new Set([...old.keys(), ...recent.keys()])].flatMap((name): Difference[] => {
    const member = { path: pathTo(name), pointer: writePointer([...steps, name]) };
    if (!recent.has(name)) return [{ ...member, before: old.get(name) }];
    if (!old.has(name)) return [{ ...member, after: recent.get(name) }];
    return differencesIn(old.get(name), recent.get(name), member.path, [...steps, name]);
  });
}

/** By the name of each; null if it has no members. */
const membersOf = (value: unknown): Map<string, unknown> | null =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
