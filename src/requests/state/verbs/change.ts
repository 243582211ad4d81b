import { retryOnConflict } from '#platform/nodes/verbs/retry';
import {
  reopenedBy,
  withoutUser,
  type ElicitationContext,
  nameInPlace,
  restarts,
  isOutside,
} from '../../machine/rules/machine.ts';
import { dueTimer, type Timer, isScheduled, step, type Step } from '../../machine/rules/step.ts';
import type { UserId, ElicitationId } from '#platform/model/id';
import { votersIn } from '../../voting/contract/stages.ts';
import { Problem } from '#platform/model/problem';
import { type ElicitationRow, nextRow, type ElicitationChange } from '../store/row.ts';
import {
  isRepeated,
  stillCounts,
  personLost,
  revalidateApproval,
  refreshStages,
  type Approval,
  type Lapse,
  type CurrentRules,
} from '#policies/deciding/rules/standing';
import type { Intent } from './intent.ts';
import { type DecisionBasis, type Users, createDecisionBasis } from '#policies/deciding/verbs/rules';
import { checkAnswer, withDefaults, type FormContent } from '#platform/form/answer';
import type { ResultSchema } from '#platform/form/schema';
import type { Audience, Mode, Risk } from '../../asking/contract/elicitation.ts';
import { connectingTool, ownServer } from '#platform/model/names';
import type { Expects } from '#connect/providers/expects';
import type { Requester } from '#people/directory/contract/user';
import { userOfRequester, type Directory } from '#policies/document/rules/directory';
import type { Facts, RequesterFacts } from '#policies/document/rules/document';
import type { Engine } from '#platform/nodes/verbs/engine';
import { countedMaker, requestersOf } from '../../asking/verbs/requester.ts';
import { openQuestion, shownRequester, openVerdict } from '../../asking/verbs/question.ts';
import { denialOf } from '#policies/deciding/rules/decide';
import { lookupOf } from '#policies/deciding/rules/approvers';
import { freezeStage } from '#policies/deciding/rules/stages';
import type { StagePlan, Verdict } from '#policies/document/rules/verdict';
import { auditEntry } from '#audit/entries/rules/entry';
import { requestProgress } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random';
import { timeAfter } from '#platform/nodes/verbs/lists';

/**
 * Returns the change that must be applied before any other, or null if there is none: a due timer, so that no event
 * passes a deadline; or the removal of votes by people who can no longer vote, who are no longer approvers of their
 * stage, who turn out to be the requester, or who have voted before under another account.
 */
async function precedingChange(
  engine: RevalidationEngine,
  row: ElicitationRow,
  now: number,
  basis: DecisionBasis,
): Promise<Intent | null> {
  if (row.status !== 'open') return null;
  const due = dueTimer(row.state, now);
  const isEnough = due !== null && timerType(due) !== 'elicitation.started';
  const voided = isEnough ? null : await voidedVotes(engine, row, now, basis);
  return voided ?? (due && timed(row, due, now));
}

const timed = ({ state }: ElicitationRow, due: Timer, at: number): Intent => ({
  actor: { kind: 'timer' },
  event: { type: 'timer', key: due.key, at },
  says: (fields) => {
    const type = timerType(due);
    if (type === 'elicitation.expired' && isOutside(state.context)) return { type: 'elicitation.settling', ...fields };
    if (type === 'elicitation.started') return { type, approvers: approversIn(state.context), ...fields };
    if (type !== 'elicitation.escalated') return { type, ...fields };
    const inPlace = nameInPlace(state.context);
    return {
      type,
      ...(restarts(state.context) && { restarts: true }),
      ...(inPlace !== null && { inPlace }),
      ...fields,
    };
  },
});

const approversIn = ({ votes }: ElicitationContext): UserId[] =>
  votes.flatMap(({ by, action }) => (action === 'accept' ? [by as UserId] : []));

/** A timer's key begins with the name of its delay. */
function timerType({ key }: Timer) {
  if (key.startsWith('xstate.after.remind.')) return 'elicitation.reminded';
  if (key.startsWith('xstate.after.escalate.')) return 'elicitation.escalated';
  if (key.startsWith('xstate.after.unsettle.')) return 'elicitation.unsettled';
  return key.startsWith('xstate.after.start.') ? 'elicitation.started' : 'elicitation.expired';
}

async function voidedVotes(
  engine: RevalidationEngine,
  row: ElicitationRow,
  at: number,
  basis: DecisionBasis,
): Promise<Intent | null> {
  const { votes } = row.state.context;
  if (votes.length === 0) return null;
  const { stages } = readableRowNow(engine, row, await basis.users(), at).state.context;
  const vote = votes.find((vote) => !stillCounts(vote, stages) || isRepeated(vote, votes, stages));
  if (!vote) return null;
  const user = personLost(vote, stages) as UserId;
  const { stage: of } = vote;
  const reopens = reopenedBy(row.state.context, withoutUser(row.state.context, { user, stage: of }));
  return {
    actor: { kind: 'directory' },
    event: { type: 'void', user, stage: of, at },
    says: (fields) => ({ type: 'elicitation.votes-voided', user, of, ...(reopens !== null && { reopens }), ...fields }),
  };
}

/**
 * A request that was erased, or sealed under a missing key, can still be cancelled; of its voters only their role is
 * checked.
 */
function readableRowNow(engine: RevalidationEngine, row: ElicitationRow, users: Users, now: number): ElicitationRow {
  const persons = row.state.context.votes.flatMap(votersIn);
  try {
    return refreshRow(engine, row, users, now, persons);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const gone = persons.filter((person) => !users.voters.has(person));
    const { context } = row.state;
    const stages = context.stages.map((stage) => ({ ...stage, excluded: [...stage.excluded, ...gone] }));
    return { ...row, state: { ...row.state, context: { ...context, stages } } };
  }
}

/** A question as policies see it, whether it is asked now or stored. */
export interface AskedQuestion {
  server: string;
  tool: string;
  /** The digest of the tool's definition; absent or null if none was sent. */
  definition?: string | null | undefined;
  arguments: Record<string, unknown>;
  annotations: Record<string, unknown>;
  mode: Mode;
  /** The audience the caller asked for; the policies may choose another. */
  audience: Audience | null;
  reason: string | null;
  requester: Requester;
  schema: ResultSchema | null;
  /** When the requester wants it to start; absent or null is at once. */
  notBefore?: number | null | undefined;
  /** The maker of the key that asks. */
  keyMaker?: string | undefined;
  /** No one has accepted the definition with these annotations. */
  unaccepted?: boolean | undefined;
  /** What its server runs or where it is, as it was sent with the call. */
  reaches?: string | undefined;
  /** The arguments are as the definition says. */
  fits?: boolean | undefined;
}

/** Installation in which it is judged. */
export type FactsContext = Pick<Engine, 'environment' | 'defaults'>;

/** Facts of a question for policies, with what the directory says about its requester. */
export function factsOf(question: AskedQuestion, directory: Directory, context: FactsContext, now: number): Facts {
  const { server, tool, annotations, mode, audience, reason, requester } = question;
  const { name = null, version = null } = requester.client ?? {};
  return {
    request: { server, tool, args: question.arguments, risk: riskOf(annotations), annotations, mode, audience, reason },
    tool: {
      definition: question.definition ?? null,
      reaches: question.reaches ?? null,
      fits: question.fits === true,
    },
    requester: requesterFacts(requester, directory),
    agent: { name, version },
    environment: { name: context.environment },
    defaults: context.defaults,
    now,
    answerable: defaultAnswer(question) !== null,
    startAt: question.notBefore,
    space: directory.servers.find(({ name }) => name === server)?.spaceId,
    spaceAdministrators: administratorsFor(question, directory),
    keyMaker: countedMaker(question.keyMaker, server, context.environment),
    unaccepted: question.unaccepted,
  };
}

/** For a change of a space, which Assentry itself asks about: people who can accept it besides administrators. */
function administratorsFor(
  { server, arguments: facts }: AskedQuestion,
  { spaces = [] }: Directory,
): string[] | undefined {
  if (server !== ownServer.name) return undefined;
  const { id } = (facts['space'] ?? {}) as { id?: unknown };
  return spaces.find((space) => space.id === id)?.administrators;
}

/** The stored question, as it was asked. */
export function askedIn({ ring }: Pick<Engine, 'ring'>, row: ElicitationRow): AskedQuestion {
  const { tool, arguments: stored, reason, requester, schema, audience, keyMaker, expects } = openQuestion(ring, row);
  return {
    server: row.serverName,
    ...judgedAct(expects, {
      tool: row.tool,
      definition: tool.schemaDigest,
      arguments: JSON.parse(stored) as Record<string, unknown>,
      annotations: tool.annotations ?? {},
      audience,
    }),
    mode: row.mode,
    reason,
    requester,
    schema,
    notBefore: row.state.context.notBefore,
    keyMaker,
    unaccepted: tool.unaccepted,
    reaches: tool.reaches,
    fits: tool.fits,
  };
}

type Act = Pick<AskedQuestion, 'tool' | 'definition' | 'arguments' | 'annotations' | 'audience'>;

/**
 * What policies judge. Going to a provider is an act of its own, of the requester alone: a policy that names the tool is
 * about what the tool does afterwards.
 */
export const judgedAct = (expects: Expects | undefined, act: Act): Act =>
  expects === undefined
    ? act
    : {
        tool: connectingTool,
        definition: null,
        arguments: { tool: act.tool, ...expects },
        annotations: {},
        audience: 'requester',
      };

/** The answer a form needs no person for: it has no required fields, or defaults for all of them. Otherwise null. */
export function defaultAnswer({ mode, schema }: Pick<AskedQuestion, 'mode' | 'schema'>): FormContent | null {
  if (mode !== 'form' || schema === null) return null;
  const content = withDefaults(schema);
  return checkAnswer(schema, { action: 'accept', content }).ok ? content : null;
}

/** Risk by the tool's own annotations; a tool without annotations counts as medium. */
function riskOf({ destructiveHint, readOnlyHint }: Record<string, unknown>): Risk {
  if (destructiveHint === true) return 'high';
  return readOnlyHint === true ? 'low' : 'medium';
}

/** An unverified subject proves no group and no role, because anyone could send it. */
function requesterFacts(requester: Requester, directory: Directory): RequesterFacts {
  const named = { ...shownRequester(requester), email: null, groups: [], role: null };
  const user = requester.verified ? userOfRequester(directory, requester) : null;
  return user ? { ...named, email: user.email, groups: user.groups, role: user.role } : named;
}

/** Parts of an engine that judge a stored row. */
type RevalidationEngine = Pick<Engine, 'ring' | 'environment' | 'defaults'>;

/**
 * Why the current people and policies would no longer accept this row with the same votes; null if they would. A
 * request accepted by a standing approval rests on the votes of another row.
 */
export function lapseOf(
  engine: RevalidationEngine,
  row: ElicitationRow,
  present: CurrentRules,
  now: number,
): Lapse | null {
  return revalidateApproval(approvalOf(engine, row), factsNow(engine, row, present, now), present);
}

/** The row with its stages updated for these persons; others are not checked again. */
export function refreshRow(
  engine: RevalidationEngine,
  row: ElicitationRow,
  present: Pick<CurrentRules, 'directory'>,
  now: number,
  persons: readonly string[],
): ElicitationRow {
  if (row.audience !== 'approvers') return row;
  const lookup = lookupOf(present.directory, factsNow(engine, row, present, now));
  const stages = refreshStages(approvalOf(engine, row), lookup, new Set(persons));
  return { ...row, state: { ...row.state, context: { ...row.state.context, stages } } };
}

/** The facts that permissions are judged by: the row, updated for these persons, and who is known as the requester. */
export const refreshForPermissions = (
  engine: RevalidationEngine,
  row: ElicitationRow,
  present: Pick<CurrentRules, 'directory'>,
  now: number,
  persons: readonly string[],
) => ({ current: refreshRow(engine, row, present, now, persons), requesters: requestersOf(engine, row, present) });

/** Throws problem `policy-denied` if a policy in force denies the request. */
export function assertNotDenied(
  engine: RevalidationEngine,
  row: ElicitationRow,
  present: CurrentRules,
  now: number,
): void {
  const denial = denialOf(present.book, factsNow(engine, row, present, now));
  if (denial)
    throw new Problem('policy-denied', {
      detail: `Change the request: ${denial.policy} denies it now. ${denial.reason}`,
    });
}

function approvalOf(engine: RevalidationEngine, row: ElicitationRow): Approval {
  const { stages, votes, breakGlassBy, breakGlassIssuer, grant } = row.state.context;
  const own = grant === undefined ? stages : [];
  return { stages: own, votes, breakGlassBy, breakGlassIssuer, plans: plansOf(engine, row) };
}

const factsNow = (
  engine: RevalidationEngine,
  row: ElicitationRow,
  { directory }: Pick<CurrentRules, 'directory'>,
  now: number,
): Facts => factsOf(askedIn(engine, row), directory, engine, now);

/** The pinned policy's plan for each stage of the row, in order. */
function plansOf(engine: RevalidationEngine, row: ElicitationRow): (StagePlan | undefined)[] {
  const verdict = openVerdict(engine.ring, row) as Partial<Verdict> | null;
  const planned = verdict?.stages ?? [];
  const later = verdict?.freeze?.map(freezeStage) ?? [];
  const { stages } = row.state.context;
  return stages.map(({ name, added }, at) => {
    if (added !== undefined) return undefined;
    const before = stages.slice(0, at).filter((stage) => stage.added === undefined).length;
    return planned[before] ?? later.find((plan) => plan.name === name);
  });
}

/** The parts of an engine that changes need. */
export type ChangingEngine = Pick<
  Engine,
  'reader' | 'transactor' | 'rules' | 'ring' | 'environment' | 'defaults' | 'now'
>;

/**
 * The one door for state changes: load, pure step, one commit of snapshot, vote, audit entry and outbox row.
 * `decide` sees the row it decides on, may read the people and the policies of that moment, and may refuse by throwing.
 * Due timers are applied first, and votes that no longer count are voided. Racing changes are decided one after the
 * other, each on the row as the one before left it, and on people and policies that are unchanged when it commits.
 */
export async function changeElicitation(
  engine: ChangingEngine,
  id: ElicitationId,
  decide: (row: ElicitationRow, now: number, basis: DecisionBasis) => Intent | null | Promise<Intent | null>,
): Promise<ElicitationRow> {
  return retryOnConflict(async () => {
    for (;;) {
      const read = await engine.reader.elicitationNow(id);
      if (!read) throw new Problem('not-found');
      const { row, epoch } = read;
      const now = timeAfter(engine, row.state.context.now);
      const basis = createDecisionBasis(engine.rules.at(epoch));
      const first = await precedingChange(engine, row, now, basis);
      const intent = first ?? (await decide(row, now, basis));
      if (!intent) return row;
      const changed = await commit(engine, row, intent, { now, epoch: basis.epoch() });
      if (!changed || !first) return changed;
    }
  });
}

/** Stores one step; null if another change was first. */
async function commit(
  engine: ChangingEngine,
  row: ElicitationRow,
  intent: Intent,
  { now, epoch }: { now: number; epoch: ReturnType<DecisionBasis['epoch']> },
): Promise<ElicitationRow | null> {
  const change = { ...changeOf(row, intent, step(row.state, intent.event), now), epoch };
  return (await engine.transactor.change(change, intent.within)) ? nextRow(change) : null;
}

function changeOf(
  row: ElicitationRow,
  intent: Intent,
  { state, status, topic, alerts }: Step,
  now: number,
): Omit<ElicitationChange, 'epoch'> {
  const { actor, event: _taken, says, vote = null, answer: _answer, within: _within, ...parts } = intent;
  const { digest, revision, policy } = intent.revised ?? row;
  const fields = {
    ...requestProgress({ ...row, policy }, now),
    elicitation: row.id,
    digest,
    revision,
    from: row.status,
    to: status,
  };
  const { cause, caller, deadlineAt } = state.context;
  const isClosing = status !== 'open';
  return {
    row,
    status,
    cause,
    caller,
    state,
    deadlineAt,
    topics: [topic, ...alerts],
    vote,
    ...parts,
    closedAt: isClosing ? now : null,
    answer: answerAfter(row, intent, state, status),
    entry: auditEntry(newId('entry'), now, actor, says(fields)),
  };
}

/** A scheduled request keeps the comment of its last approval; an open request keeps no comment. */
function answerAfter(
  row: ElicitationRow,
  { answer }: Intent,
  state: Step['state'],
  status: Step['status'],
): Uint8Array | null {
  const isWaiting = isScheduled(state);
  if (status === 'open' && !isWaiting) return null;
  const kept = isScheduled(row.state) && (isWaiting || status === 'accepted') ? row.answer : null;
  return answer ?? kept;
}

/** The row with all due timers applied, as a reader should see it. */
export const currentElicitation = (engine: ChangingEngine, id: ElicitationRow['id']): Promise<ElicitationRow> =>
  changeElicitation(engine, id, () => null);

/** Result of `open` on a row; null if its content was erased, or was sealed under a secret that this node lacks. */
export function readable<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** Whether an error says that stored content cannot be read. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'sealed-unreadable' || error.code === 'content-erased');
