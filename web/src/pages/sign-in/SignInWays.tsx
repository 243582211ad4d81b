import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PasswordForm } from './PasswordForm.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import classes from './SignIn.module.css';
import type { SignInMutation } from './use-sign-in.ts';
import { waysQuery } from './ways-query.ts';
import { words } from './words.ts';

/** The providers first; the password then is folded, since it is for few. Without providers it is all there is. */
export function SignInWays({ enter, next }: { enter: SignInMutation; next: string }) {
  const ways = useQuery(waysQuery);
  const [isOpen, setIsOpen] = useState(false);
  if (ways.isPending) return null;
  const { providers = [], passwords = 'allowed' } = ways.data ?? {};
  if (providers.length === 0) return <PasswordForm enter={enter} />;
  return (
    <>
      <ProviderButtons providers={providers} next={next} />
      <details className={classes.folded} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{words.withPassword}</summary>
        {passwords === 'emergency-only' && <p className={classes.note}>{words.emergencyOnly}</p>}
        <PasswordForm enter={enter} />
      </details>
    </>
  );
}
