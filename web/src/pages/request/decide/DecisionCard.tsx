import type { ElicitationDetail } from '../../../../../src/contract/console/console.ts';
import { firstLineOf } from '../../../lib/first-line.ts';
import { RiskMark, VerifiedMark } from '../../../ui/marks.tsx';
import { Revealed } from '../../../ui/Revealed.tsx';
import classes from './DecisionCard.module.css';
import { what } from '../words/words.ts';

/** What is about to be decided, next to the buttons: on a narrow screen the page above is out of sight. */
export function DecisionCard({ detail: { tool, server, message, requester, risk } }: { detail: ElicitationDetail }) {
  return (
    <div className={classes.card}>
      <RiskMark risk={risk} />
      <p className={classes.message}>
        <Revealed text={firstLineOf(message)} />
      </p>
      <p className={classes.soft}>
        <code>
          <Revealed text={tool.name} />
        </code>{' '}
        {what.on} <Revealed text={server} />
      </p>
      <p className={classes.soft}>
        <Revealed text={requester.subject} /> <VerifiedMark requester={requester} />
      </p>
    </div>
  );
}
