import { z } from 'zod';
import { CustomRole, CustomRoleList, type ChangeRole, type NewRole } from '#people/roles/contract';
import { address, callApi } from '../../client/call-api.ts';
import { orWaiting } from '../changes/changes.ts';
import { queryOptions } from '@tanstack/react-query';

const readRoles = (signal: AbortSignal) => callApi('/api/roles', { answer: CustomRoleList, signal });

export const addRole = (body: NewRole) => callApi('/api/roles', { method: 'POST', body, answer: CustomRole });

export const changeRole = (id: string, body: ChangeRole) =>
  callApi(address`/api/roles/${id}`, { method: 'PUT', body, answer: orWaiting(CustomRole) });

export const removeRole = (id: string) => callApi(address`/api/roles/${id}`, { method: 'DELETE', answer: z.null() });

/** The roles that the installation has made. */
export const rolesQuery = queryOptions({
  queryKey: ['directory', 'roles'],
  queryFn: ({ signal }) => readRoles(signal),
  select: ({ roles }) => roles,
});
