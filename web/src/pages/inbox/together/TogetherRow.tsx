import { Link } from 'react-router';
import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { layOutArguments } from '../../../lib/argument-rows.ts';
import { sayInWords } from '../../../lib/say-problem.ts';
import { RiskMark, StatusMark } from '../../../ui/marks.tsx';
import { TimeLeft } from '../../../ui/Moment.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from './TogetherPage.module.css';
import type { Outcome } from './use-together.ts';
import { together as words } from '../words/words.ts';

interface TogetherRowProps {
  detail: ElicitationDetail;
  /** Paths of the arguments that are not the same in all of them. */
  differing: ReadonlySet<string>;
  outcome: Outcome | undefined;
}

export function TogetherRow({ detail, differing, outcome }: TogetherRowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.facts}>
        <RiskMark risk={detail.risk} />
        <span>
          {words.requester} <Revealed text={detail.requester.subject} />
        </span>
        <TimeLeft until={detail.deadlineAt} />
        <Link to={`/requests/${detail.id}`} aria-label={words.openOf(detail.requester.subject)}>
          {words.open}
        </Link>
      </div>
      <p>
        <Revealed text={detail.message} />
      </p>
      <dl className={classes.arguments}>
        {(layOutArguments(detail.arguments) ?? []).map(({ path, value }) => (
          <div key={path} data-differs={differing.has(path)}>
            <dt>
              <Revealed text={path} />
            </dt>
            <dd>
              <Revealed text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {outcome !== undefined && <Result outcome={outcome} />}
    </li>
  );
}

function Result({ outcome: { status, problem } }: { outcome: Outcome }) {
  if (problem !== null)
    return <p className={classes.failed}>{problem.refusal ? sayInWords(problem.refusal) : problem.detail}</p>;
  if (status === null || status === 'open') return <p className={classes.result}>{words.counted}</p>;
  return (
    <p className={classes.result}>
      <StatusMark status={status} cause={null} />
    </p>
  );
}
