import { queryOptions } from '@tanstack/react-query';
import { providerRoutes } from '#access/oidc/contract/sign-in-provider';
import { query } from '../../client/call.ts';

/** The identity providers of this installation, with the person's own connections. */
export const ownProvidersQuery = queryOptions({
  ...query(providerRoutes.listOwnProviders),
  select: ({ providers }) => providers,
});
