import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { PasswordForm } from '../PasswordForm/PasswordForm.tsx';
import type { SignInMutation } from '../PasswordForm/use-sign-in.ts';
import { waysQuery } from '../PasswordForm/ways-query.ts';

/** Loaded only where there are providers. */
const ProviderWays = lazy(async () => ({ default: (await import('../ProviderWays/ProviderWays.tsx')).ProviderWays }));

interface SignInWaysProps {
  enter: SignInMutation;
  next: string;
  /** After a passkey, which this browser has used before. */
  isSecond: boolean;
}

/** Without providers a password is all there is; also if they cannot be read. */
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
