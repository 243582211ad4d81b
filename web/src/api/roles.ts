import { z } from 'zod';
import { CustomRole, CustomRoleList, type ChangeRole, type NewRole } from '#protocol/contract/users/roles';
import { callApi } from './call-api.ts';
import { orWaiting, type Changed } from './changes.ts';

export const readRoles = (signal: AbortSignal): Promise<CustomRoleList> =>
  callApi('/api/roles', { answer: CustomRoleList, signal });

export const addRole = (body: NewRole): Promise<CustomRole> =>
  callApi('/api/roles', { method: 'POST', body, answer: CustomRole });

export const changeRole = (id: string, body: ChangeRole): Promise<Changed<CustomRole>> =>
  callApi(`/api/roles/${encodeURIComponent(id)}`, { method: 'PUT', body, answer: orWaiting(CustomRole) });

export const removeRole = (id: string): Promise<null> =>
  callApi(`/api/roles/${encodeURIComponent(id)}`, { method: 'DELETE', answer: z.null() });
