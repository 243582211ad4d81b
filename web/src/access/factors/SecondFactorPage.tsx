import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { signOut, safeNext, sessionQuery } from '../sign-in/PasswordForm.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { RecoveryCodes, TotpEnrolment } from './TotpEnrolment.tsx';
import { PlainPage } from '../../shell/PlainPage.tsx';
import { words } from './words/words.ts';
import type { UnfinishedSignIn } from '#requests/inbox/contract/inbox';
import { passkeyRoutes } from '#access/passkeys/contract/passkeys';
import { secondFactorRoutes } from '#access/factors/contract/second-factor';
import { call } from '../../client/call.ts';
import { confirmByPasskey, FreshSignInOrProblem, SigningProblem, CodeForm } from './FreshSignIn.tsx';
import { useAnnounce } from '../../shell/announcer.tsx';
import { hasPasskeys, makePasskey } from '../passkeys/passkey.ts';
import { deviceName } from '../../ui/device-name.ts';
import page from '../../ui/Page.module.css';

/** Completes a sign-in without its second factor. Recovery codes stay until their person confirms having kept them. */
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

interface EnrolFactorProps {
  unfinished: UnfinishedSignIn;
  /** Called when a passkey exists and is still to be proven. */
  onPasskey(): void;
  /** Called with the recovery codes of a proven app. */
  onCodes(codes: string[]): void;
}

/** Adds the first second factor: a passkey where browsers can make one, or an authenticator app. */
function EnrolFactor({ unfinished, onPasskey, onCodes }: EnrolFactorProps) {
  const announce = useAnnounce();
  const begin = useMutation({ mutationFn: () => call(secondFactorRoutes.beginTotp) });
  const add = useMutation({
    mutationFn: async () => {
      const passkey = await makePasskey(await call(passkeyRoutes.beginPasskey));
      return call(passkeyRoutes.addPasskey, { body: { name: deviceName(navigator.userAgent), ...passkey } });
    },
    onSuccess: () => {
      announce(words.passkeyAdded);
      onPasskey();
    },
  });
  if (begin.data) return <TotpEnrolment begun={begin.data} onAdded={onCodes} onCancel={begin.reset} />;
  const failed = add.error ?? begin.error;
  const startAgain = () => {
    add.reset();
    begin.reset();
  };
  return (
    <>
      <p>{words.enrol}</p>
      {failed !== null && <FreshSignInOrProblem error={failed} onDone={startAgain} />}
      {unfinished.mayAddPasskey && hasPasskeys() && (
        <section className={page.form}>
          <h2 className={page.subtitle}>{words.passkey}</h2>
          <p>{words.passkeyNote}</p>
          <Button size="md" loading={add.isPending} onClick={() => add.mutate()}>
            {words.addPasskey}
          </Button>
        </section>
      )}
      <section className={page.form}>
        <h2 className={page.subtitle}>{words.app}</h2>
        <p>{words.appNote}</p>
        <Button size="md" variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
          {words.addApp}
        </Button>
      </section>
    </>
  );
}

/** Proves a factor that the person has: by passkey, by a code of their app, or by a recovery code. */
function ProveFactor({ unfinished, onDone }: { unfinished: UnfinishedSignIn; onDone: () => void }) {
  const confirm = useMutation({ mutationFn: confirmByPasskey, onSuccess: onDone });
  const isByPasskey = unfinished.hasPasskey && hasPasskeys();
  return (
    <>
      <p>{words.prove}</p>
      {isByPasskey && (
        <div className={page.form}>
          {confirm.isError && <SigningProblem error={confirm.error} />}
          <Button size="md" loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {words.byPasskey}
          </Button>
        </div>
      )}
      {isByPasskey && unfinished.hasTotp && <p>{words.or}</p>}
      {unfinished.hasTotp && <CodeForm onDone={onDone} />}
      <p className={page.small}>{words.lost}</p>
    </>
  );
}
