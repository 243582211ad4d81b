import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { signOut } from '../../sign-in/PasswordForm/session.ts';
import { safeNext } from '../../sign-in/PasswordForm/safe-next.ts';
import { sessionQuery } from '../../sign-in/PasswordForm/session-query.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import { PageHeading } from '../../../ui/PageHeading.tsx';
import { RecoveryCodes } from '../TotpEnrolment/RecoveryCodes.tsx';
import { PlainPage } from '../../../shell/PlainPage/PlainPage.tsx';
import { EnrolFactor } from './EnrolFactor.tsx';
import { ProveFactor } from './ProveFactor.tsx';
import { words } from '../words/words.ts';

/** Ends a sign-in whose second factor is missing. Recovery codes stay until their person says that they have kept them. */
export function SecondFactorPage() {
  const session = useQuery(sessionQuery);
  const [search] = useSearchParams();
  const [codes, setCodes] = useState<string[] | null>(null);
  const queries = useQueryClient();
  const readAgain = () => void queries.refetchQueries({ queryKey: sessionQuery.queryKey });
  const next = safeNext(search.get('next'));
  if (session.isPending) return <Skeleton m="xl" height={52} />;
  if (session.data === null) return <Navigate to={`/signin?${new URLSearchParams({ next })}`} replace />;
  if (codes === null && session.data && session.data.unfinished === null) return <Navigate to={next} replace />;
  const unfinished = session.data?.unfinished;
  return (
    <PlainPage>
      <PageHeading title={words.title}>{words.title}</PageHeading>
      {session.isError && <ProblemNotice error={session.error} onRetry={() => void session.refetch()} />}
      {codes !== null ? (
        <RecoveryCodes
          codes={codes}
          onKept={() => {
            setCodes(null);
            readAgain();
          }}
        />
      ) : unfinished?.step === 'prove-factor' ? (
        <ProveFactor unfinished={unfinished} onDone={readAgain} />
      ) : (
        unfinished && <EnrolFactor unfinished={unfinished} onPasskey={readAgain} onCodes={setCodes} />
      )}
      {codes === null && <SignOut onDone={readAgain} />}
    </PlainPage>
  );
}

function SignOut({ onDone }: { onDone: () => void }) {
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: (out) => (out === null ? onDone() : location.assign(out.location)),
  });
  return (
    <div>
      {leave.isError && <ProblemNotice error={leave.error} />}
      <Button variant="subtle" loading={leave.isPending} onClick={() => leave.mutate()}>
        {words.signOut}
      </Button>
    </div>
  );
}
