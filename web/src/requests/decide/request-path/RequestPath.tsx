import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { machineQuery } from '../../../shell/queries.ts';
import { phases, requestPath, type DrawnPath, type PathStep, type StepState } from './request-path.ts';
import { Clock, Disc, Ring, Stop, Tick } from '../../../ui/icons.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { statusShapes } from '../../../ui/marks.tsx';
import { When } from '../../../ui/Moment.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { nameStage, nameStatus } from '../../../ui/words/words.ts';
import classes from '../RequestPath.module.css';
import { StageSeats } from './StageSeats.tsx';
import { path as words } from '../words/words.ts';

/** What the request went through, where it is and what can come, drawn from the machine: in words and shapes. */
export function RequestPath({ detail }: { detail: ElicitationDetail }) {
  const machine = useQuery(machineQuery(detail.machineVersion));
  return <Loaded query={machine}>{(shape) => <Path detail={detail} path={requestPath(shape, detail)} />}</Loaded>;
}

interface PathProps {
  detail: ElicitationDetail;
  path: DrawnPath;
}

function Path({ detail, path }: PathProps) {
  return (
    <ol className={classes.steps} aria-label={words.label}>
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
    <li className={classes.step} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
      <span className={classes.shape}>
        <Shape />
      </span>
      <span className={classes.name}>{name}</span> <span className={classes.state}>{words.states[state]}</span>
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
  stage ? <Revealed text={nameStage(stage.name, policy)} /> : (words.phases[phase] ?? phase);

function StepFacts({ step: { stage, phase, state }, detail }: { step: PathStep; detail: ElicitationDetail }) {
  if (stage) return <StageSeats stage={stage} isRunning={state === 'current'} />;
  const startsAt = Math.max(detail.notBefore ?? 0, detail.settlesAt ?? 0);
  if (phase !== phases.scheduled || startsAt === 0) return null;
  return (
    <span className={classes.soft}>
      {words.start} <When at={startsAt} />
    </span>
  );
}

function End({ detail, path: { end, otherEnds, missed } }: PathProps) {
  const isReached = detail.status === end;
  const Shape = isReached ? statusShapes[end] : Ring;
  return (
    <li className={classes.step} data-end={isReached ? end : 'next'} aria-current={isReached ? 'step' : undefined}>
      <span className={classes.shape}>
        <Shape />
      </span>
      <span className={classes.name}>{nameStatus(end, isReached ? detail.cause : null)}</span>{' '}
      {otherEnds.length > 0 && (
        <span className={classes.soft}>{words.orEnds(otherEnds.map((outcome) => nameStatus(outcome, null)))}</span>
      )}
      {missed.length > 0 && (
        <span className={classes.soft}>
          <Revealed text={words.missed(missed)} />
        </span>
      )}
    </li>
  );
}
