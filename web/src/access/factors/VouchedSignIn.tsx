import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { goToProvider } from '../sign-in/go-to-provider.ts';
import { carryTexts } from '../../ui/carried-text.ts';
import { ownProvidersQuery } from '../sign-in/own-providers.ts';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { fresh as words } from '../../ui/words/passkey-words.ts';

/** Leads to an identity provider that vouches for a sign-in as the policy requires; nothing else counts. */
export function VouchedSignIn({ acr }: { acr: string }) {
  const { data: providers = [] } = useQuery(ownProvidersQuery);
  const connected = providers.filter(({ connectedAt }) => connectedAt !== null);
  const go = useMutation({
    mutationFn: (key: string) =>
      goToProvider({ key, way: 'confirm', returnTo: location.pathname + location.search, acr }, carryTexts),
  });
  return (
    <div role="alert">
      <Notice tone="warn" title={words.vouched(acr)}>
        <p>{connected.length === 0 ? words.connectFirst : words.atProviderNote}</p>
        {go.isError && <ProblemNotice error={go.error} />}
        <div className={page.actions}>
          {connected.map(({ key, name }) => (
            <Button
              key={key}
              variant="default"
              loading={go.isPending && go.variables === key}
              onClick={() => go.mutate(key)}
            >
              {words.goToProvider(name)}
            </Button>
          ))}
        </div>
      </Notice>
    </div>
  );
}
