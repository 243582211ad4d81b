import type { ElicitationDetail } from '../../../../src/contract/console/console.ts';
import { isClosed } from '../../../../src/model/elicitation.ts';
import { AlwaysSection } from './always/AlwaysSection.tsx';
import { AnswerSection } from './form/AnswerSection.tsx';
import { BreakGlass } from './deliberate/BreakGlass.tsx';
import { ChangedNotice } from './what/ChangedNotice.tsx';
import { DecidePanel } from './decide/DecidePanel.tsx';
import { Discussion } from './deliberate/Discussion.tsx';
import { KeepSteps } from './keep/KeepSteps.tsx';
import { OtherVotes } from './progress/OtherVotes.tsx';
import { BreakGlassNotice } from './deliberate/BreakGlassNotice.tsx';
import { LookBackNotice } from './deliberate/LookBackNotice.tsx';
import { PolicySection } from './progress/PolicySection.tsx';
import { RequestHeader } from './RequestHeader.tsx';
import classes from './form/RequestView.module.css';
import { ResultPanel } from './decide/ResultPanel.tsx';
import { Timeline } from './progress/Timeline.tsx';
import { useDecision } from './state/use-decision.ts';
import { useReading } from './state/use-reading.ts';
import { WhatRuns } from './what/WhatRuns.tsx';
import { WhoAsks } from './what/WhoAsks.tsx';
import { WhyAsked } from './what/WhyAsked.tsx';

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
        <AlwaysSection detail={detail} />
        <Timeline of={detail.id} entries={detail.timeline} />
        {isClosed(detail.status) && <KeepSteps detail={detail} />}
        {isOpen && <BreakGlass detail={detail} reading={reading} decision={decision} />}
      </div>
    </article>
  );
}
