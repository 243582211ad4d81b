import { isClosed } from '#protocol/model/elicitation';
import { AlwaysSection } from './always/AlwaysSection.tsx';
import { BreakGlass } from './deliberate/BreakGlass.tsx';
import { KeepSteps } from './keep/KeepSteps.tsx';
import { Timeline } from './progress/Timeline.tsx';
import type { RequestPartProps } from './state/request-part-props.ts';

interface LaterSectionsProps extends RequestPartProps {
  isOpen: boolean;
}

/** What stands after the decision. */
export const LaterSections = ({ detail, decision, reading, isOpen }: LaterSectionsProps) => (
  <>
    <AlwaysSection detail={detail} />
    <Timeline of={detail.id} entries={detail.timeline} />
    {isClosed(detail.status) && <KeepSteps detail={detail} />}
    {isOpen && <BreakGlass detail={detail} reading={reading} decision={decision} />}
  </>
);
