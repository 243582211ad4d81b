import { useGroupsDue } from '../people/groups/groups-due.ts';
import { useReviewsDue } from '../requests/inbox/reviews-due.ts';
import { due as words } from '../ui/words/banner-words.ts';
import { Count } from './Count.tsx';

/** Waiting items of these places, loaded after the page. */
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
