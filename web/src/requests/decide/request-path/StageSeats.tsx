import type { ShownStage } from '#requests/voting/contract/quorum';
import { Disc, Ring } from '../../../ui/icons.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../RequestPath.module.css';
import { formatWaiting } from '../words/format-waiting.ts';
import { path as words } from '../words/words.ts';

type Group = ShownStage['groups'][number];

/** The groups of a stage with their seats, and who can still take one. */
export function StageSeats({ stage, isRunning }: { stage: ShownStage; isRunning: boolean }) {
  const [only, ...others] = stage.groups;
  return (
    <>
      {stage.added && <span className={classes.soft}>{words.added}</span>}
      {only && others.length === 0 ? (
        <>
          <Seats group={only} isRunning={isRunning} />
          {isRunning && <Open group={only} />}
        </>
      ) : (
        <>
          <p className={classes.soft}>{words.complete[stage.complete]}</p>
          <ul className={classes.groups}>
            {stage.groups.map((group) => (
              <li key={group.name} className={classes.group}>
                <span className={classes.name}>
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
    <span className={classes.seats}>
      <span className={classes.pips} aria-hidden="true">
        {need <= maxPips &&
          Array.from({ length: need }, (_, at) => (at < have ? <Disc key={at} /> : <Ring key={at} />))}
      </span>
      <span>{words.have(have, need)}</span>
      {meaning !== 'approved' && <span className={classes.soft}>{words.meanings[meaning]}</span>}
      {(refusals > 0 || (isRunning && deny > 1)) && (
        <span className={classes.soft}>{words.refusals(refusals, deny)}</span>
      )}
    </span>
  );
}

const Open = ({ group: { open, have, need } }: { group: Group }) => (
  <p className={classes.soft}>
    <Revealed
      text={
        open === null
          ? words.anyone
          : formatWaiting(
              open.map(({ name }) => name),
              need - have,
            )
      }
    />
  </p>
);

/** Beyond this the words alone are easier to read. */
const maxPips = 8;
