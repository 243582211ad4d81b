import { lazy, Suspense } from 'react';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { isClosed } from '#requests/asking/contract/elicitation';
import { AnswerSection } from '../FieldControl/AnswerSection.tsx';
import { ChangedNotice } from '../DecisionCard/ChangedNotice.tsx';
import { DecidePanel } from './DecidePanel.tsx';
import { Discussion } from '../MoreSteps/Discussion.tsx';
import { OtherVotes } from '../OtherVotes.tsx';
import { BreakGlassNotice } from '../Steps/BreakGlassNotice.tsx';
import { LookBackNotice } from '../Steps/LookBackNotice.tsx';
import { PolicySection } from '../request-path/PolicySection.tsx';
import { RequestHeader } from './RequestHeader.tsx';
import classes from '../RequestView.module.css';
import { ResultPanel } from './ResultPanel.tsx';
import { useDecision } from '../use-decision/use-decision.ts';
import { useReading } from '../use-answer/use-reading.ts';
import { WhatRuns } from '../WhatRuns/WhatRuns.tsx';
import { WhoAsks } from '../DecisionCard/WhoAsks.tsx';
import { WhyAsked } from '../DecisionCard/WhyAsked.tsx';
import { useIsSettled } from '../../../ui/use-is-settled.ts';

// No decision waits for it.
const LaterSections = lazy(async () => ({
  default: (await import('../LaterSections/LaterSections.tsx')).LaterSections,
}));

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
