import { revealText } from '#platform/text/visible-text';
import { lazy, Suspense } from 'react';
import { may } from '../../../people/roles/permission-table.ts';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { isProblemOf } from '../../../client/call-api.ts';
import { comparisonQuery, requestQuery } from '../../../shell/queries.ts';
import { useUser } from '../../../people/users/use-user.ts';
import { useIsLive } from '../../inbox/use-live-inbox.tsx';
import { MissingPage } from '../../../shell/MissingPage.tsx';
import { Notice, ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { LookForm } from './LookForm.tsx';
import { places } from '../../../ui/words/words.ts';
import { RequestSkeleton } from './RequestSkeleton.tsx';
import { RequestView } from './RequestView.tsx';
import { useQueueKeys } from '../MoreSteps/use-queue-keys.ts';
import { UnreadableRequest } from './UnreadableRequest.tsx';
import { words } from '../words/words.ts';
import { revealBy } from '../../../ui/Revealed/use-segments.ts';

revealBy(revealText); // no look-alike is unmarked here, not for a moment

const ErasedRequest = lazy(async () => ({ default: (await import('../ErasedRequest.tsx')).ErasedRequest }));

export function RequestPage() {
  const { id = '' } = useParams();
  const user = useUser();
  useQueueKeys(id);
  usePrefetchQuery(comparisonQuery(id)); // together with the request, so that the card does not wait for it
  const { data, error, isPending, refetch } = useQuery(requestQuery(id, useIsLive()));
  if (isProblemOf(error, 'content-erased')) {
    return (
      <Suspense>
        <ErasedRequest id={id} />
      </Suspense>
    );
  }
  if (data !== undefined) {
    return (
      <>
        {error !== null && <Notice tone="warn" title={words.stale} />}
        <RequestView key={id} detail={data} />
      </>
    );
  }
  if (isPending) return <RequestSkeleton />;
  if (isProblemOf(error, 'reason-needed'))
    return <LookForm key={id} id={id} isWatching={may(user, 'watch-requests').allowed} />;
  if (isProblemOf(error, 'not-found')) return <MissingPage words={words} back={{ to: '/inbox', text: places.inbox }} />;
  if (isProblemOf(error, 'sealed-unreadable')) return <UnreadableRequest id={id} error={error} />;
  return <ProblemNotice error={error} onRetry={() => void refetch()} />;
}
