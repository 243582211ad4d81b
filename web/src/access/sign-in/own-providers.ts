import { queryOptions } from '@tanstack/react-query';
import { OwnProviders } from '#access/oidc/contract/sign-in-provider';
import { callApi } from '../../client/call-api.ts';

/** The identity providers of this installation, and which of them one has connected. */
export const ownProvidersQuery = queryOptions({
  queryKey: ['account', 'providers'],
  queryFn: ({ signal }) => callApi('/api/account/providers', { answer: OwnProviders, signal }),
  select: ({ providers }) => providers,
});
