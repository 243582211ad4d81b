import { lazy, Suspense } from 'react';
import type { ElicitationDetail } from '#protocol/contract/console/console';
import { isClosed } from '#protocol/model/elicitation';
import { AnswerSection } from './form/AnswerSection.tsx';
import { ChangedNotice } from './what/ChangedNotice.tsx';
import { DecidePanel } from './decide/DecidePanel.tsx';
import { Discussion } from './deliberate/Discussion.tsx';
import { OtherVotes } from './progress/OtherVotes.tsx';
import { BreakGlassNotice } from './deliberate/BreakGlassNotice.tsx';
import { LookBackNotice } from './deliberate/LookBackNotice.tsx';
import { PolicySection } from './progress/PolicySection.tsx';
import { RequestHeader } from './RequestHeader.tsx';
import classes from './form/RequestView.module.css';
import { ResultPanel } from './decide/ResultPanel.tsx';
import { useDecision } from './state/use-decision.ts';
import { useReading } from './state/use-reading.ts';
import { WhatRuns } from './what/WhatRuns.tsx';
import { WhoAsks } from './what/WhoAsks.tsx';
import { WhyAsked } from './what/WhyAsked.tsx';
import { useIsSettled } from '../../lib/use-is-settled.ts';

// No decision waits for it.
const LaterSections = lazy(async () => ({ default: (await import('./LaterSections.tsx')).LaterSections }));

/**
 * One request, always in this order: what runs, who asks, why, the policy, the others, what was said,
 * the decision, the history, and last of all the way past the policy. */
export function RequestView({ detail }: { detail: ElicitationDetail }) {
  const reading = useReading(detail);
  const decision = useDecision(detail, reading);
  const isOpen = !isClosed(detail.status) && decision.result === null;
  return (
    <article className={classes.page} ref={decision.answer.container}>
      <RequestHeader detail={detail} />
      <div className={classes.reading}>
        {reading.isChanged && <ChangedNotice reading={reading} detail={detail} />}
        <BreakGlassNotice detail={detail} reading={reading} />
        <LookBackNotice detail={detail} reading={reading} />
        <WhatRuns detail={detail} reading={reading} decision={decision} />
        <WhoAsks detail={detail} />
        <WhyAsked detail={detail} />
        <PolicySection detail={detail} />
        <OtherVotes detail={detail} />
        {isOpen && <AnswerSection detail={detail} decision={decision} />}
        <Discussion detail={detail} reading={reading} decision={decision} />
      </div>
      {isOpen ? (
        <DecidePanel detail={detail} decision={decision} reading={reading} />
      ) : (
        <ResultPanel detail={detail} decision={decision} reading={reading} />
      )}
      <div className={classes.later}>
        <Suspense>
          {useIsSettled() && <LaterSections detail={detail} decision={decision} reading={reading} isOpen={isOpen} />}
        </Suspense>
      </div>
    </article>
  );
}
