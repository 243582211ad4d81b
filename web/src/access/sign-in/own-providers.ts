import { queryOptions } from '@tanstack/react-query';
import { providerRoutes } from '#access/oidc/contract/sign-in-provider';
import { query } from '../../client/call.ts';

/** The identity providers of this installation, and which of them one has connected. */
export const ownProvidersQuery = queryOptions({
  ...query(providerRoutes.listOwnProviders),
  select: ({ providers }) => providers,
});
