import { queryOptions } from '@tanstack/react-query';
import { readCredentials, readDevices, readNotificationSettings, readSessions } from '../account.ts';
import { readTotp } from '../../factors/FreshSignIn/second-factor.ts';
import { readPasskeys } from '../../passkeys/passkeys.ts';
import { useChange } from '../../../people/changes/use-change.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => readSessions(signal),
  select: ({ sessions }) => sessions,
});

export const settingsQuery = queryOptions({
  queryKey: ['account', 'settings'],
  queryFn: ({ signal }) => readNotificationSettings(signal),
});

export const credentialsQuery = queryOptions({
  queryKey: ['account', 'credentials'],
  queryFn: ({ signal }) => readCredentials(signal),
  select: ({ credentials }) => credentials,
});

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => readPasskeys(signal),
});

export const totpQuery = queryOptions({
  queryKey: ['account', 'totp'],
  queryFn: ({ signal }) => readTotp(signal),
});

export const devicesQuery = queryOptions({
  queryKey: ['account', 'devices'],
  queryFn: ({ signal }) => readDevices(signal),
});

/** Makes one change of the profile, and reads the profile again. */
export const useAccountChange = <Change, Result>(send: (change: Change) => Promise<Result>, message: string) =>
  useChange(send, { message, queries: [['account']] });
