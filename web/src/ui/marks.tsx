import type { CallerState, CancelCause, Risk, Status } from '#requests/asking/contract/elicitation';
import { Clock, Cross, Dashes, Diamond, Disc, Ring, Stop, Tick, Triangle } from './icons.tsx';
import classes from './marks.module.css';
import type { Requester } from '#people/directory/contract/user';
import { textWords } from '../language/words/text-words.ts';
import { callers, nameStatus, risks } from './words/words.ts';

const riskShapes: Record<Risk, typeof Ring> = { low: Ring, medium: Diamond, high: Triangle };
export const statusShapes: Record<Status, typeof Ring> = {
  open: Ring,
  accepted: Tick,
  declined: Cross,
  cancelled: Stop,
  expired: Clock,
};

export function RiskMark({ risk }: { risk: Risk }) {
  const Shape = riskShapes[risk];
  return (
    <span className={classes.mark} data-tone={risk}>
      <Shape />
      {risks[risk]}
    </span>
  );
}

export function StatusMark({ status, cause }: { status: Status; cause: CancelCause | null }) {
  const Shape = statusShapes[status];
  return (
    <span className={classes.mark} data-tone={status}>
      <Shape />
      {nameStatus(status, cause)}
    </span>
  );
}

export function CallerMark({ caller }: { caller: CallerState }) {
  return (
    <span className={classes.mark} data-tone={caller}>
      {caller === 'waiting' ? <Disc /> : <Dashes />}
      {callers[caller]}
    </span>
  );
}

export function VerifiedMark({ requester }: { requester: Pick<Requester, 'verified' | 'verifiedBy'> }) {
  const isChecked = requester.verifiedBy !== null;
  return (
    <span className={classes.mark} data-tone={isChecked ? 'verified' : 'unverified'}>
      {isChecked ? <Tick /> : <Dashes />}
      {textWords.verification(requester)}
    </span>
  );
}
