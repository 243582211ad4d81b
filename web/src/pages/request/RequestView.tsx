import { useRef } from 'react';
import type { ElicitationDetail } from '../../../../src/contract/console.ts';
import { isClosed } from '../../../../src/model/elicitation.ts';
import { ChangedNotice } from './ChangedNotice.tsx';
import { DecideBar } from './DecideBar.tsx';
import { DecidePanel } from './DecidePanel.tsx';
import { OtherVotes } from './OtherVotes.tsx';
import { PolicySection } from './PolicySection.tsx';
import { RequestHeader } from './RequestHeader.tsx';
import classes from './RequestView.module.css';
import { ResultPanel } from './ResultPanel.tsx';
import { Timeline } from './Timeline.tsx';
import { useDecision } from './use-decision.ts';
import { useReading } from './use-reading.ts';
import { WhatRuns } from './WhatRuns.tsx';
import { WhoAsks } from './WhoAsks.tsx';
import { WhyAsked } from './WhyAsked.tsx';

/** One request, always in this order: what runs, who asks, why, the policy, the others, the decision, the history. */
export function RequestView({ detail }: { detail: ElicitationDetail }) {
  const reading = useReading(detail);
  const decision = useDecision(detail, reading);
  const panel = useRef<HTMLElement>(null);
  const isOpen = !isClosed(detail.status) && decision.result === null;
  return (
    <article className={classes.page}>
      <RequestHeader detail={detail} />
      <div className={classes.reading}>
        {reading.isChanged && <ChangedNotice reading={reading} detail={detail} />}
        <WhatRuns detail={detail} reading={reading} />
        <WhoAsks detail={detail} />
        <WhyAsked detail={detail} />
        <PolicySection detail={detail} />
        <OtherVotes votes={detail.votes} />
      </div>
      {isOpen && <DecideBar deadlineAt={detail.deadlineAt} panel={panel} />}
      {isOpen ? (
        <DecidePanel ref={panel} detail={detail} decision={decision} />
      ) : (
        <ResultPanel detail={detail} decision={decision} />
      )}
      <Timeline entries={detail.timeline} />
    </article>
  );
}
