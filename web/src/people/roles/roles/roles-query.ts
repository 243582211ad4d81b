import { queryOptions } from '@tanstack/react-query';
import { readRoles } from './roles.ts';

/** The roles that the installation has made. */
export const rolesQuery = queryOptions({
  queryKey: ['directory', 'roles'],
  queryFn: ({ signal }) => readRoles(signal),
  select: ({ roles }) => roles,
});
