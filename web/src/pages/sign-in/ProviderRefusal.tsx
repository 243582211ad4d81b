import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { refusalCodes, type RefusalCode } from '../../../../src/model/refusal.ts';
import { sayInWords } from '../../lib/say-problem.ts';
import { Notice } from '../../ui/Notice.tsx';
import { waysQuery } from './ways-query.ts';
import { words } from './words.ts';

interface ProviderRefusalProps {
  code: RefusalCode;
  provider: string | null;
  /** Where someone who is signed in goes on all the same; null for someone who is not. */
  next: string | null;
}

/** Why nothing came of the way to a provider. The address has only codes, so that no one can make this page say something. */
export function ProviderRefusal({ code, provider, next }: ProviderRefusalProps) {
  const { data } = useQuery(waysQuery);
  const name = data?.providers.find(({ key }) => key === provider)?.name ?? words.aProvider;
  return (
    <div role="alert">
      <Notice tone="danger" title={sayInWords({ code, values: { provider: name } })}>
        {next === null ? undefined : <Link to={next}>{words.goOn}</Link>}
      </Notice>
    </div>
  );
}

export const readRefusal = (search: URLSearchParams): RefusalCode | null =>
  refusalCodes.find((code) => code === search.get('refused')) ?? null;
