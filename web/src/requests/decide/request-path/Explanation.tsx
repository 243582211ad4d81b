import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { Cross, Dashes, Tick } from '../../../ui/icons.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../Explanation.module.css';
import { whyDecided, type Considered } from './why-decided.ts';
import { explanation as words } from '../words/words.ts';

type Clause = Considered['clauses'][number];

/** Which policies were looked at, which conditions held, and which of them decided: as it was when it was asked. */
export function Explanation({ policy: { considered, passedOver } }: { policy: ElicitationDetail['policy'] }) {
  if (considered.length === 0) return null;
  const policies = new Set([...considered.map(({ policy }) => policy), ...passedOver]);
  return (
    <details className={classes.details}>
      <summary className={classes.summary}>{words.title(policies.size)}</summary>
      <p>{words.why[whyDecided(considered)]}</p>
      <ul className={classes.policies}>
        {considered.map((policy) => (
          <li key={`${policy.policy} ${policy.rule}`}>
            <p className={classes.head}>
              <span>
                {policy.rule !== undefined && words.rule(policy.rule)} <code>{policy.policy}</code>
              </span>
              <span className={classes.result} data-decided={policy.decided}>
                {policy.decided ? words.decided : words.results[policy.result]}
              </span>
            </p>
            {policy.failure !== null && (
              <p className={classes.failure}>
                <Revealed text={policy.failure} />
              </p>
            )}
            <ul className={classes.clauses}>
              {policy.clauses.map((clause) => (
                <ClauseLine key={clause.text} clause={clause} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {passedOver.length > 0 && (
        <p>
          {words.passedOver(passedOver.length)} <code>{passedOver.join(', ')}</code>
        </p>
      )}
    </details>
  );
}

function ClauseLine({ clause: { text, holds } }: { clause: Clause }) {
  const state = holds === null ? 'unknown' : holds ? 'true' : 'false';
  return (
    <li className={classes.clause} data-holds={state}>
      {holds === null ? <Dashes /> : holds ? <Tick /> : <Cross />}
      <span className={classes.word}>{words.holds[state]}</span>
      <code>
        <Revealed text={text} />
      </code>
    </li>
  );
}
