import { readEntry, type StoredEvent } from '#audit/entries/rules/entry';
import { sha256Hex } from '#platform/crypto/digest';
import { phaseOf } from '../../../machine/rules/step/step.ts';
import type { ElicitationId, UserId } from '#platform/model/id';
import { showFacts } from '../../../facts/contract/shown/show-facts.ts';
import { votersIn } from '../../../voting/contract/quorum/quorum.ts';
import type { User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { actingFor, standInFor, votingFor } from '#people/delegations/verbs';
import { editForm, policyTerms, type PolicyTerms } from '../../../state/verbs/permissions/policy-terms.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { explainPolicy } from '#policies/deciding/verbs/open';
import { against, permission, permissionsOf } from '../../../state/verbs/permissions/permissions.ts';
import { mintReading, pauseOf } from '../../../state/verbs/permissions/assert-vote.ts';
import { requestersOf } from '../../../asking/verbs/requester/requesters.ts';
import type { Users } from '#policies/deciding/verbs/rules';
import { refreshRow } from '../../../state/verbs/change/revalidate.ts';
import {
  argumentsInOrder,
  cells,
  openDecision,
  openQuestion,
  readKeyOrders,
} from '../../../asking/verbs/question/sealed-question.ts';
import { shownRequester } from '../../../asking/verbs/question/shown-requester.ts';
import { showBreakGlass, showLookBack, showRemarks, showRevisions, showVotes } from './show-proceedings.ts';
import { usersInStages, progressOf, showStages } from './show-stages.ts';
import { neededPresence } from '#access/passkeys/verbs';
import { signingPasskeys } from '#access/passkeys/verbs';
import { assertVisible, visibleOf } from '../visibility/visible-of.ts';
import { currentElicitation } from '../../../state/verbs/change/change.ts';
import { isAboutRequest, showActor, showEvent } from './timeline.ts';

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

/** What services reported and no call got, by the digest in the entry, for people who may see answers. */
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
