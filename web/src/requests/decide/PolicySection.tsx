import { Link } from 'react-router';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { PolicyClause } from '#policies/deciding/contract/clauses';
import { sentences } from '../../language/sentences.ts';
import { Revealed } from '../../ui/Revealed.tsx';
import { isBuiltInPolicy, namePolicy, nameStage, nameStatus } from '../../ui/words/words.ts';
import classes from './PolicySection.module.css';
import { Section } from './Section.tsx';
import { policy as words, result, explanation as explanationWords, path as requestPathWords } from './words/words.ts';
import { describeTimeOfDay } from '../../ui/relative-time.ts';
import type { Verb } from './decision-table.ts';
import { Cross, Dashes, Tick, Clock, Disc, Ring, Stop } from '../../ui/icons.tsx';
import explanationClasses from './Explanation.module.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { machineQuery } from '../../shell/queries.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { statusShapes } from '../../ui/marks.tsx';
import { When } from '../../ui/Moment.tsx';
import requestPathClasses from './RequestPath.module.css';
import type { ShownStage } from '#requests/voting/contract/stages';
import { formatWaiting } from './words/format-waiting.ts';
import type { MachineShape } from '#requests/machine/contract';
import { isClosed, statuses, type Outcome } from '#requests/asking/contract/elicitation';

/** The policy, its requirements, and the progress. */
export function PolicySection({ detail }: { detail: ElicitationDetail }) {
  const { policy } = detail;
  return (
    <Section title={words.title}>
      <Sentences policy={policy} />
      <RequestPath detail={detail} />
      <p className={classes.soft}>
        {words.name} <PolicyName pin={policy.name} />
      </p>
      <Explanation policy={policy} />
    </Section>
  );
}

/** Requirements of the policy; first the reason that allowed the request without them, if any. */
function Sentences({ policy: { name, basis, terms } }: { policy: ElicitationDetail['policy'] }) {
  return (
    <ul className={classes.sentences}>
      {basis === 'grant' && <li>{words.grant}</li>}
      {basis === 'break-glass' && <li>{words.breakGlass}</li>}
      {terms.map((term, at) => (
        <li key={at}>
          <Revealed text={sentences.clause(named(term, name))} />
        </li>
      ))}
    </ul>
  );
}

/** The clause with its stage's name in the reader's language, for the built-in policy. */
const named = (clause: PolicyClause, policy: string): PolicyClause =>
  clause.kind === 'stage' ? { ...clause, name: nameStage(clause.name, policy) } : clause;

/** Name of a policy: `name@version` leads to that version; the built-in policy has no page. */
function PolicyName({ pin }: { pin: string }) {
  const [name = pin, version] = pin.split('@');
  if (version === undefined || isBuiltInPolicy(pin)) return <Revealed text={namePolicy(pin)} />;
  return <Link to={`/policies/${name}?version=${version}`}>{pin}</Link>;
}

/** Effect of the person's own step, by the current state of the request. */
export function resultSentence(
  verb: Verb,
  { status, phase, progress, settlesAt, timeline }: ElicitationDetail,
): string {
  if (verb === 'cancel') return result.cancelled;
  if (verb === 'decline') return status === 'declined' ? result.declined : result.declineCounted;
  const started = timeline.findLast(({ event }) => event.type === 'call.claimed' || event.type === 'call.released');
  if (status === 'accepted')
    return started?.event.type === 'call.claimed' ? result.started(describeTimeOfDay(started.at)) : result.approved;
  if (status !== 'open') return result.approvalCounted;
  if (phase === phases.scheduled && settlesAt !== null) return result.settling;
  return phase === phases.scheduled || progress === null ? result.scheduled : result.counted(progress);
}

/** Focuses the button of this decision. */
export function focusVerb(verb: Verb): void {
  const place = document.querySelector<HTMLElement>(`[data-verb=${verb}]`);
  (place?.querySelector('button') ?? place)?.focus();
}

type Clause = Considered['clauses'][number];

/** Considered policies, their true conditions, and the deciding ones: as of the time of asking. */
export function Explanation({ policy: { considered, passedOver } }: { policy: ElicitationDetail['policy'] }) {
  if (considered.length === 0) return null;
  const policies = new Set([...considered.map(({ policy }) => policy), ...passedOver]);
  return (
    <details className={explanationClasses.details}>
      <summary className={explanationClasses.summary}>{explanationWords.title(policies.size)}</summary>
      <p>{explanationWords.why[whyDecided(considered)]}</p>
      <ul className={explanationClasses.policies}>
        {considered.map((policy) => (
          <li key={`${policy.policy} ${policy.rule}`}>
            <p className={explanationClasses.head}>
              <span>
                {policy.rule !== undefined && explanationWords.rule(policy.rule)} <code>{policy.policy}</code>
              </span>
              <span className={explanationClasses.result} data-decided={policy.decided}>
                {policy.decided ? explanationWords.decided : explanationWords.results[policy.result]}
              </span>
            </p>
            {policy.failure !== null && (
              <p className={explanationClasses.failure}>
                <Revealed text={policy.failure} />
              </p>
            )}
            <ul className={explanationClasses.clauses}>
              {policy.clauses.map((clause) => (
                <ClauseLine key={clause.text} clause={clause} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {passedOver.length > 0 && (
        <p>
          {explanationWords.passedOver(passedOver.length)} <code>{passedOver.join(', ')}</code>
        </p>
      )}
    </details>
  );
}

function ClauseLine({ clause: { text, holds } }: { clause: Clause }) {
  const state = holds === null ? 'unknown' : holds ? 'true' : 'false';
  return (
    <li className={explanationClasses.clause} data-holds={state}>
      {holds === null ? <Dashes /> : holds ? <Tick /> : <Cross />}
      <span className={explanationClasses.word}>{explanationWords.holds[state]}</span>
      <code>
        <Revealed text={text} />
      </code>
    </li>
  );
}

/** Past, current and possible states of the request, drawn from the machine: in words and shapes. */
function RequestPath({ detail }: { detail: ElicitationDetail }) {
  const machine = useQuery(machineQuery(detail.machineVersion));
  return <Loaded query={machine}>{(shape) => <Path detail={detail} path={requestPath(shape, detail)} />}</Loaded>;
}

interface PathProps {
  detail: ElicitationDetail;
  path: DrawnPath;
}

function Path({ detail, path }: PathProps) {
  return (
    <ol className={requestPathClasses.steps} aria-label={requestPathWords.label}>
      {path.steps.map((step, at) => (
        <Step key={at} state={step.state} name={<StepName step={step} policy={detail.policy.name} />}>
          <StepFacts step={step} detail={detail} />
        </Step>
      ))}
      <End detail={detail} path={path} />
    </ol>
  );
}

function Step({ state, name, children }: { state: StepState; name: ReactNode; children: ReactNode }) {
  const Shape = shapes[state];
  return (
    <li className={requestPathClasses.step} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
      <span className={requestPathClasses.shape}>
        <Shape />
      </span>
      <span className={requestPathClasses.name}>{name}</span>{' '}
      <span className={requestPathClasses.state}>{requestPathWords.states[state]}</span>
      {children}
    </li>
  );
}

const shapes: Record<StepState, typeof Ring> = {
  done: Tick,
  current: Disc,
  next: Ring,
  ended: Stop,
  skipped: Clock,
};

const StepName = ({ step: { stage, phase }, policy }: { step: PathStep; policy: string }) =>
  stage ? <Revealed text={nameStage(stage.name, policy)} /> : (requestPathWords.phases[phase] ?? phase);

function StepFacts({ step: { stage, phase, state }, detail }: { step: PathStep; detail: ElicitationDetail }) {
  if (stage) return <StageSeats stage={stage} isRunning={state === 'current'} />;
  const startsAt = Math.max(detail.notBefore ?? 0, detail.settlesAt ?? 0);
  if (phase !== phases.scheduled || startsAt === 0) return null;
  return (
    <span className={requestPathClasses.soft}>
      {requestPathWords.start} <When at={startsAt} />
    </span>
  );
}

function End({ detail, path: { end, otherEnds, missed } }: PathProps) {
  const isReached = detail.status === end;
  const Shape = isReached ? statusShapes[end] : Ring;
  return (
    <li
      className={requestPathClasses.step}
      data-end={isReached ? end : 'next'}
      aria-current={isReached ? 'step' : undefined}
    >
      <span className={requestPathClasses.shape}>
        <Shape />
      </span>
      <span className={requestPathClasses.name}>{nameStatus(end, isReached ? detail.cause : null)}</span>{' '}
      {otherEnds.length > 0 && (
        <span className={requestPathClasses.soft}>
          {requestPathWords.orEnds(otherEnds.map((outcome) => nameStatus(outcome, null)))}
        </span>
      )}
      {missed.length > 0 && (
        <span className={requestPathClasses.soft}>
          <Revealed text={requestPathWords.missed(missed)} />
        </span>
      )}
    </li>
  );
}

type Group = ShownStage['groups'][number];

/** The groups of a stage with their seats, and people who can still take one. */
function StageSeats({ stage, isRunning }: { stage: ShownStage; isRunning: boolean }) {
  const [only, ...others] = stage.groups;
  return (
    <>
      {stage.added && <span className={requestPathClasses.soft}>{requestPathWords.added}</span>}
      {only && others.length === 0 ? (
        <>
          <Seats group={only} isRunning={isRunning} />
          {isRunning && <Open group={only} />}
        </>
      ) : (
        <>
          <p className={requestPathClasses.soft}>{requestPathWords.complete[stage.complete]}</p>
          <ul className={requestPathClasses.groups}>
            {stage.groups.map((group) => (
              <li key={group.name} className={requestPathClasses.group}>
                <span className={requestPathClasses.name}>
                  <Revealed text={group.name} />
                </span>
                <Seats group={group} isRunning={isRunning} />
                {isRunning && <Open group={group} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Seats({ group: { meaning, have, need, refusals, deny }, isRunning }: { group: Group; isRunning: boolean }) {
  return (
    <span className={requestPathClasses.seats}>
      <span className={requestPathClasses.pips} aria-hidden="true">
        {need <= maxPips &&
          Array.from({ length: need }, (_, at) => (at < have ? <Disc key={at} /> : <Ring key={at} />))}
      </span>
      <span>{requestPathWords.have(have, need)}</span>
      {meaning !== 'approved' && <span className={requestPathClasses.soft}>{requestPathWords.meanings[meaning]}</span>}
      {(refusals > 0 || (isRunning && deny > 1)) && (
        <span className={requestPathClasses.soft}>{requestPathWords.refusals(refusals, deny)}</span>
      )}
    </span>
  );
}

const Open = ({ group: { open, have, need } }: { group: Group }) => (
  <p className={requestPathClasses.soft}>
    <Revealed
      text={
        open === null
          ? requestPathWords.anyone
          : formatWaiting(
              open.map(({ name }) => name),
              need - have,
            )
      }
    />
  </p>
);

/** Limit of shapes; above it the words alone are easier to read. */
const maxPips = 8;

export type Considered = ElicitationDetail['policy']['considered'][number];

/** Reason why these policies decided, in order of precedence. */
export type Why = 'default' | 'together' | 'denial' | 'failed' | 'only' | 'first' | 'next';

export function whyDecided(considered: Considered[]): Why {
  const [policy, ...others] = considered.filter(({ decided }) => decided);
  if (policy === undefined) return 'default';
  if (others.length > 0) return 'together';
  if (policy.outcome === 'deny') return 'denial';
  if (policy.result === 'failed') return 'failed';
  const applying = considered.filter(({ result }) => result !== 'not-applied');
  if (applying.length === 1) return 'only';
  // A policy that allows where it must not is passed over.
  return applying[0] === policy ? 'first' : 'next';
}

type StepState = 'done' | 'current' | 'next' | 'ended' | 'skipped';

/** One step of a request: a phase of the machine, or one stage of the phase that collects votes. */
interface PathStep {
  phase: string;
  state: StepState;
  stage: ShownStage | null;
}

interface DrawnPath {
  steps: PathStep[];
  /** The end of the request, or else its goal. */
  end: Outcome;
  /** Other possible ends; none once it has ended. */
  otherEnds: Outcome[];
  /** Names of the stages not reached before the end. */
  missed: string[];
}

/** Phases in which a request has more to show than the machine. */
export const phases = {
  collecting: 'open.asking.approvers.collecting',
  scheduled: 'open.asking.approvers.scheduled',
  visited: 'open.asking.requester.visited',
} as const;

const goal = 'accepted' satisfies Outcome;

/** Past and current states of this request, and the shortest way from there to its goal. */
export function requestPath(shape: MachineShape, detail: ElicitationDetail): DrawnPath {
  const trail = trailOf(shape, detail);
  const here = trail.indexOf(detail.phase);
  const steps = trail
    .filter((phase) => !outcomeOf(phase))
    .flatMap((phase, at) => (phase === phases.collecting ? stageSteps(detail) : phaseStep(detail, phase, at - here)));
  const next = isClosed(detail.status) ? [] : phasesAfter(shape, factsOf(detail), detail.phase);
  return {
    steps,
    missed: missedStages(detail).map(({ name }) => name),
    end: isClosed(detail.status) ? detail.status : goal,
    otherEnds: next.flatMap((phase) => outcomeOf(phase) ?? []).filter((outcome) => outcome !== goal),
  };
}

/** Every visited phase, in order. */
function trailOf(shape: MachineShape, detail: ElicitationDetail): string[] {
  const facts = factsOf(detail);
  if (detail.timeline.some(({ event }) => event.type === decidedAsAsked)) return [detail.phase];
  const stops = [startOf(shape, facts), ...knownStops(detail), detail.phase];
  if (!isClosed(detail.status)) stops.push(goal);
  return [...new Set(stops.flatMap((stop, at) => [...shortestWay(shape, facts, stops[at - 1] ?? stop, stop), stop]))];
}

/** Event of a policy or a grant that decided without waiting. */
const decidedAsAsked = 'elicitation.decided';

/** The machine's guards as far as this request decides them; the others are unknown. */
const factsOf = ({ audience, mode, onTimeout, notBefore, settlesAt, breakGlass }: ElicitationDetail): Facts => ({
  isForApprovers: audience === 'approvers',
  isEarly: notBefore !== null || settlesAt !== null,
  deniesOnTimeout: onTimeout === 'deny',
  // An emergency override is not expected.
  mayBreakGlass: breakGlass !== null,
  ...(mode === 'form' && { isUrl: false, isConsent: false }),
});

/** States that it has certainly been in. */
function knownStops({ timeline, stages, notBefore, settlesAt }: ElicitationDetail): string[] {
  const isVisited = timeline.some(({ event }) => event.type === 'elicitation.visited');
  const isApproved = stages.length > 0 && stages.every(({ state }) => state === 'complete');
  return [
    ...(isVisited ? [phases.visited] : []),
    ...(isApproved && (notBefore ?? settlesAt) !== null ? [phases.scheduled] : []),
  ];
}

/** Step of a phase; `place` counts from the current one. */
function phaseStep({ status }: ElicitationDetail, phase: string, place: number): PathStep {
  const isLast = isClosed(status) && status !== goal && place === -1;
  const state = place === 0 ? 'current' : place > 0 ? 'next' : isLast ? 'ended' : 'done';
  return { phase, state, stage: null };
}

const stageSteps = (detail: ElicitationDetail): PathStep[] =>
  detail.stages
    .filter((stage) => !missedStages(detail).includes(stage))
    .map((stage) => ({ phase: phases.collecting, stage, state: stageState(detail.status, stage) }));

const missedStages = ({ status, stages }: ElicitationDetail): ShownStage[] =>
  isClosed(status) && status !== goal ? stages.filter(({ state }) => state === 'waiting') : [];

/** State of a stage. After the end of the request nothing runs or waits any longer. */
function stageState(status: ElicitationDetail['status'], { state }: ShownStage): StepState {
  if (state === 'complete') return 'done';
  if (status === goal) return 'skipped';
  if (isClosed(status)) return 'ended';
  return state === 'current' ? 'current' : 'next';
}

const outcomeOf = (phase: string): Outcome | undefined =>
  statuses.filter(isClosed).find((outcome) => outcome === phase);

/** Guards with known values. */
export type Facts = Partial<Record<string, boolean>>;

type State = MachineShape['states'][number];
type Transition = State['transitions'][number];

/** The first phase with these facts. */
export const startOf = (shape: MachineShape, facts: Facts): string => restsIn(shape, facts, shape.initial)[0] ?? '';

/** Every other phase that can directly follow this one, in the machine's order. */
export function phasesAfter(shape: MachineShape, facts: Facts, phase: string): string[] {
  const active = shape.states.filter(({ id }) => canBeActive(shape, id, phase));
  const targets = active.flatMap(({ transitions }) =>
    possible(transitions, facts).flatMap((transition) => transition.targets),
  );
  const next = new Set(targets.flatMap((target) => restsIn(shape, facts, target)));
  return shape.states.map(({ id }) => id).filter((id) => id !== phase && next.has(id));
}

/** The phases on the shortest way, both ends included; none if there is no way. */
function shortestWay(shape: MachineShape, facts: Facts, from: string, to: string): string[] {
  const ways = [[from]];
  const visited = new Set([from]);
  for (const way of ways) {
    const last = way.at(-1) ?? from;
    if (last === to) return way;
    const next = phasesAfter(shape, facts, last).filter((phase) => !visited.has(phase));
    next.forEach((phase) => visited.add(phase));
    ways.push(...next.map((phase) => [...way, phase]));
  }
  return [];
}

/** Phases of rest after this state was entered. */
function restsIn(shape: MachineShape, facts: Facts, id: string): string[] {
  const phase = shape.states.find((state) => state.isPhase && isWithin(id, state.id));
  const state = shape.states.find((state) => state.id === id);
  if (phase || !state) return phase ? [phase.id] : [];
  const onward = possible(state.transitions, facts).filter(({ by }) => by === 'always');
  const entered = onward.length > 0 ? onward.flatMap(({ targets }) => targets) : childrenEntered(shape, state);
  return entered.flatMap((target) => restsIn(shape, facts, target));
}

function childrenEntered({ states }: MachineShape, { id, kind, initial }: State): string[] {
  if (kind !== 'parallel') return initial === null ? [] : [initial];
  return states.map((state) => state.id).filter((child) => parentOf(child) === id);
}

/** Can this state be active during the phase? So are its parents, its children, and parallel states. */
function canBeActive({ states }: MachineShape, id: string, phase: string): boolean {
  if (isWithin(id, phase) || isWithin(phase, id)) return true;
  const shared = states.findLast((state) => isWithin(id, state.id) && isWithin(phase, state.id));
  return shared?.kind === 'parallel';
}

/** Transitions whose guards may hold, without those after a certain one. */
function possible(transitions: Transition[], facts: Facts): Transition[] {
  const open = transitions.filter(({ guards }) => guards.every((guard) => facts[guard] !== false));
  const isTaken = ({ guards }: Transition) => guards.every((guard) => facts[guard] === true);
  return open.filter(
    (transition, at) => !open.slice(0, at).some((first) => isSameCause(first, transition) && isTaken(first)),
  );
}

const isSameCause = (first: Transition, other: Transition): boolean =>
  first.by === other.by && first.name === other.name;

const isWithin = (id: string, whole: string): boolean => id === whole || id.startsWith(`${whole}.`);

const parentOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('.')));
