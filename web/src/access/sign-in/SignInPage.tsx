import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { hasUsedPasskey } from '../passkeys/passkey-mark.ts';
import {
  sessionQuery,
  isServerPage,
  safeNext,
  useFragment,
  useSignIn,
  PasswordForm,
  type SignInMutation,
  waysQuery,
} from './PasswordForm.tsx';
import { LinkFailure, PlainPage } from '../../shell/PlainPage.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { words } from './words/sign-in/words.ts';

const PasskeyButton = lazy(async () => ({ default: (await import('./PasskeyButton.tsx')).PasskeyButton }));

export function SignInPage() {
  const { link, next: linked } = useFragment();
  const [search] = useSearchParams();
  const next = safeNext(linked ?? search.get('next'));
  const session = useQuery({ ...sessionQuery, enabled: link === null });
  const enter = useSignIn(next);
  const sent = useRef(false);
  useEffect(() => {
    // Once: the link works a single time, and an effect may run twice.
    if (link === null || sent.current) return;
    sent.current = true;
    enter.mutate({ link });
  }, [link, enter]);

  const isIn = session.data && !search.has('refused');
  useEffect(() => {
    if (isIn && isServerPage(next)) location.replace(next);
  }, [isIn, next]);

  if (isIn) return isServerPage(next) ? null : <Navigate to={next} replace />;
  const isLinkPending = link !== null && !enter.isError && enter.variables !== undefined && 'link' in enter.variables;
  const isFirst = hasUsedPasskey();
  const passkey = !isLinkPending && 'PublicKeyCredential' in globalThis && (
    <Suspense>
      <PasskeyButton next={next} isFirst={isFirst} />
    </Suspense>
  );
  return (
    <PlainPage>
      <PageHeading title={words.title}>{words.title}</PageHeading>
      {isLinkPending ? <p role="status">{words.byLink}</p> : <p>{words.note}</p>}
      {enter.isError && 'link' in enter.variables && <LinkFailure error={enter.error} words={words} />}
      {isFirst && passkey}
      {!isLinkPending && <SignInWays enter={enter} next={next} isSecond={isFirst} />}
      {!isFirst && passkey}
    </PlainPage>
  );
}

/** Loaded only where there are providers. */
const ProviderWays = lazy(async () => ({ default: (await import('./ProviderWays.tsx')).ProviderWays }));

interface SignInWaysProps {
  enter: SignInMutation;
  next: string;
  /** Set after a passkey, which this browser has used before. */
  isSecond: boolean;
}

/** Ways to sign in. Without providers, or if they cannot be read, the password is the only one. */
export function SignInWays({ enter, next, isSecond }: SignInWaysProps) {
  const { data: ways, isPending } = useQuery(waysQuery);
  if (isPending) return null;
  if (!ways || ways.providers.length === 0) return <PasswordForm enter={enter} isSecond={isSecond} />;
  return (
    <Suspense>
      <ProviderWays ways={ways} enter={enter} next={next} />
    </Suspense>
  );
}
