import { useId } from 'react';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import classes from '../MoreTime.module.css';
import type { DecisionState } from '../use-decision/use-decision.ts';
import { decide as words } from '../words/words.ts';

const hour = 3_600_000;

export function MoreTime({ decision: { may, extend } }: { decision: DecisionState }) {
  const id = useId();
  return (
    <div className={classes.more}>
      <h3 className={classes.title}>{words.more}</h3>
      <ReasonedButton permission={may.extend} reasonId={id} isQuiet onPress={() => extend(hour)}>
        {words.hour}
      </ReasonedButton>
      <ReasonedButton permission={may.extend} reasonId={id} isQuiet onPress={() => extend(24 * hour)}>
        {words.day}
      </ReasonedButton>
      <Reason id={id} permission={may.extend} className={classes.reason} />
    </div>
  );
}
