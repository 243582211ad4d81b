import { queryOptions } from '@tanstack/react-query';
import { OwnProviders } from '../../../src/contract/users/sign-in-provider.ts';
import { callApi } from '../api/call-api.ts';

/** The identity providers of this installation, and which of them one has connected. */
export const ownProvidersQuery = queryOptions({
  queryKey: ['account', 'providers'],
  queryFn: ({ signal }) => callApi('/api/account/providers', { answer: OwnProviders, signal }),
  select: ({ providers }) => providers,
});
