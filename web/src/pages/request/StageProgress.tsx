import type { ShownStage } from '../../../../src/contract/shown-stage.ts';
import { Clock, Disc, Ring, Stop, Tick } from '../../ui/icons.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import classes from './StageProgress.module.css';
import { stages as words } from './words.ts';

type Group = ShownStage['groups'][number];

interface StageProgressProps {
  stages: ShownStage[];
  isOpen: boolean;
}

/** The stages in their order, the groups of each side by side, and whose seats are still free: in words and shapes. */
export function StageProgress({ stages, isOpen }: StageProgressProps) {
  return (
    <ol className={classes.stages} aria-label={words.label}>
      {stages.map((stage, at) => {
        const state = stateOf(stage, isOpen);
        return (
          <li
            key={at}
            className={classes.stage}
            data-state={state}
            aria-current={state === 'current' ? 'step' : undefined}
          >
            <p className={classes.head}>
              <span className={classes.shape}>{shapes[state]}</span>
              <span className={classes.name}>
                <Revealed text={stage.name} />
              </span>
              <span className={classes.state}>{words.states[state]}</span>
              {stage.added && <span className={classes.soft}>{words.added}</span>}
            </p>
            {stage.groups.length > 1 && <p className={classes.soft}>{words.complete[stage.complete]}</p>}
            <ul className={classes.groups}>
              {stage.groups.map((group) => (
                <GroupSeats
                  key={group.name}
                  group={group}
                  isNamed={stage.groups.length > 1}
                  isRunning={state === 'current'}
                />
              ))}
            </ul>
          </li>
        );
      })}
    </ol>
  );
}

type State = ShownStage['state'] | 'ended' | 'never';

/** Once the request has ended nothing runs or waits any more. */
function stateOf({ state, groups }: ShownStage, isOpen: boolean): State {
  if (isOpen || state === 'complete') return state;
  const isFull = groups.every(({ have, need }) => have >= need);
  if (state === 'current') return isFull ? 'complete' : 'ended';
  return 'never';
}

const shapes = {
  complete: <Tick />,
  current: <Disc />,
  waiting: <Ring />,
  ended: <Stop />,
  never: <Clock />,
};

function GroupSeats({ group, isNamed, isRunning }: { group: Group; isNamed: boolean; isRunning: boolean }) {
  const { name, meaning, have, need, refusals, deny, open } = group;
  return (
    <li className={classes.group}>
      <p className={classes.seats}>
        {isNamed && (
          <span className={classes.name}>
            <Revealed text={name} />
          </span>
        )}
        <span className={classes.pips} aria-hidden="true">
          {need <= mostPips &&
            Array.from({ length: need }, (_, at) => (at < have ? <Disc key={at} /> : <Ring key={at} />))}
        </span>
        <span>{words.have(have, need)}</span>
        {meaning !== 'approved' && <span className={classes.soft}>{words.meanings[meaning]}</span>}
        {(refusals > 0 || deny > 1) && <span className={classes.soft}>{words.refusals(refusals, deny)}</span>}
      </p>
      {isRunning && (
        <p className={classes.soft}>
          <Revealed text={open === null ? words.anyone : words.open(open.map((person) => person.name))} />
        </p>
      )}
    </li>
  );
}

/** Beyond this the words alone are easier to read. */
const mostPips = 8;
