import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { NamedProvider } from '../../../../src/contract/users/sign-in-provider.ts';
import { goToProvider } from '../../api/session.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import { words } from './words.ts';

/** One way in for each identity provider. The browser leaves only if the provider answers. */
export function ProviderButtons({ providers, next }: { providers: NamedProvider[]; next: string }) {
  const go = useMutation({
    mutationFn: (key: string) => goToProvider({ key, way: 'sign-in', returnTo: next }),
  });
  return (
    <>
      {go.isError && <ProblemNotice error={go.error} />}
      {providers.map(({ key, name }) => (
        <Button key={key} size="md" loading={go.isPending && go.variables === key} onClick={() => go.mutate(key)}>
          {words.withProvider(name)}
        </Button>
      ))}
    </>
  );
}
