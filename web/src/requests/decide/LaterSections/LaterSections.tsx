import { isClosed } from '#requests/asking/contract/elicitation';
import { AlwaysSection } from './AlwaysSection.tsx';
import { BreakGlass } from './BreakGlass.tsx';
import { KeepSteps } from './KeepSteps.tsx';
import { Timeline } from '../Timeline/Timeline.tsx';
import type { RequestPartProps } from '../MoreSteps/request-part-props.ts';

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
