import { useGroupsDue } from '../people/groups/groups-due.ts';
import { useReviewsDue } from '../requests/inbox/reviews-due.ts';
import { due as words } from '../ui/words/banner-words.ts';
import { Count } from './Count.tsx';

/** What waits for the person in these places, of which no page waits to be drawn. */
export const LaterCount = ({ place }: { place: 'policies' | 'settings' }) =>
  place === 'policies' ? <ReviewCount /> : <DueCount />;

function ReviewCount() {
  const due = useReviewsDue().length;
  return <Count count={due} words={words.reviews(due)} />;
}

function DueCount() {
  const due = useGroupsDue();
  return <Count count={due} words={words.groups(due)} />;
}
