import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { signInReasons } from '#access/sign-in/contract/problem';
import { sessionQuery } from '../PasswordForm/session-query.ts';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import { waysQuery } from '../PasswordForm/ways-query.ts';
import { reasons, words } from '../words/provider-words.ts';

interface ProviderRefusalProps {
  code: string;
  provider: string | null;
  /** Where someone who is signed in goes on all the same. */
  next: string;
}

/** Why nothing came of the way to a provider. The address has only codes, so that no one can make this page say something. */
export function ProviderRefusal({ code, provider, next }: ProviderRefusalProps) {
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
