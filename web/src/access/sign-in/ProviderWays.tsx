import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams, Link } from 'react-router';
import type { SignInWays } from '#access/oidc/contract/sign-in-provider';
import { goToProvider } from './go-to-provider.ts';
import { isProblemOf } from '../../client/call-api.ts';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import { PasswordForm, type SignInMutation, sessionQuery, waysQuery } from './PasswordForm.tsx';
import { reasons, words } from './words/provider-words.ts';
import classes from './SignIn.module.css';
import { failures } from './words/sign-in/words.ts';
import { signInReasons } from '#access/sign-in/contract/problem';

interface ProviderWaysProps {
  ways: SignInWays;
  enter: SignInMutation;
  next: string;
}

/** One button for each identity provider; the password is folded, since it is for few. */
export function ProviderWays({ ways: { providers, passwords }, enter, next }: ProviderWaysProps) {
  const [isOpen, setIsOpen] = useState(false);
  // The browser leaves only if the provider answers.
  const go = useMutation({ mutationFn: (key: string) => goToProvider({ key, way: 'sign-in', returnTo: next }) });
  const [search] = useSearchParams();
  const refusal = search.get('refused');
  return (
    <>
      {refusal !== null && <ProviderRefusal code={refusal} provider={search.get('provider')} next={next} />}
      {go.isError && <Failure error={go.error} name={providers.find(({ key }) => key === go.variables)?.name ?? ''} />}
      {providers.map(({ key, name }) => (
        <Button key={key} size="md" loading={go.isPending && go.variables === key} onClick={() => go.mutate(key)}>
          {words.withProvider(name)}
        </Button>
      ))}
      <details className={classes.folded} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{words.withPassword}</summary>
        {passwords === 'emergency-only' && <p className={classes.note}>{words.emergencyOnly}</p>}
        <PasswordForm enter={enter} own={{ ...failures, forbidden: words.useProvider }} />
      </details>
    </>
  );
}

function Failure({ error, name }: { error: unknown; name: string }) {
  if (!isProblemOf(error, 'unavailable')) return <ProblemNotice error={error} />;
  return (
    <div role="alert">
      <Notice tone="danger" title={reasons['provider-down'](name)} />
    </div>
  );
}

interface ProviderRefusalProps {
  code: string;
  provider: string | null;
  /** Target of a person who is signed in anyway. */
  next: string;
}

/**
 * Reason of a failed visit to a provider. The address has only codes, so that no one can make this page show a foreign text.
 */
function ProviderRefusal({ code, provider, next }: ProviderRefusalProps) {
  const { data } = useQuery(waysQuery);
  const session = useQuery(sessionQuery);
  const reason = signInReasons.find((each) => each === code) ?? 'sign-in-outdated';
  const name = data?.providers.find(({ key }) => key === provider)?.name ?? words.aProvider;
  return (
    <div role="alert">
      <Notice tone="danger" title={reasons[reason](name)}>
        {session.data ? <Link to={next}>{words.goOn}</Link> : undefined}
      </Notice>
    </div>
  );
}
