import { Link } from 'react-router';
import type { ElicitationDetail } from '../../../../src/contract/console.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { layOutArguments } from '../../lib/argument-rows.ts';
import { RiskMark, StatusMark } from '../../ui/marks.tsx';
import { TimeLeft } from '../../ui/Moment.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { problems } from '../../ui/words.ts';
import classes from './TogetherPage.module.css';
import type { Outcome } from './use-together.ts';
import { together as words } from './words.ts';

export function TogetherRow({ detail, outcome }: { detail: ElicitationDetail; outcome: Outcome | undefined }) {
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
          <div key={path}>
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

function Result({ outcome }: { outcome: Outcome }) {
  if ('detail' in outcome) {
    const { status, cause } = outcome.detail;
    return (
      <p className={classes.result}>
        {status === 'open' ? words.counted : <StatusMark status={status} cause={cause} />}
      </p>
    );
  }
  return (
    <p className={classes.failed}>{outcome.error instanceof Problem ? outcome.error.message : problems.unknown}</p>
  );
}
