import { z } from 'zod';
import { EndedSessions, OwnCredentials, OwnSessions, type ChangePassword } from '#access/sign-in/contract/account';
import { SavedView, SavedViewList, type ChangeView, type SaveView } from '#requests/inbox/contract/history';
import {
  Device,
  DeviceList,
  NotificationSettings,
  TestNotification,
  type ChangeNotificationSettings,
} from '#notify/contract/settings';
import { address, callApi } from '../../client/call-api.ts';

export const readSessions = (signal: AbortSignal) => callApi('/api/account/sessions', { answer: OwnSessions, signal });

export const endSession = (id: string) =>
  callApi(address`/api/account/sessions/${id}`, { method: 'DELETE', answer: z.null() });

export const endOtherSessions = () => callApi('/api/account/sessions', { method: 'DELETE', answer: EndedSessions });

export const readCredentials = (signal: AbortSignal) =>
  callApi('/api/account/credentials', { answer: OwnCredentials, signal });

export const replaceCredential = ({ id, secret }: { id: string; secret: string }) =>
  callApi(address`/api/account/credentials/${id}`, { method: 'POST', body: { secret }, answer: z.null() });

export const removeCredential = (id: string) =>
  callApi(address`/api/account/credentials/${id}`, { method: 'DELETE', answer: z.null() });

export const changePassword = (body: ChangePassword) =>
  callApi('/api/account/password', { method: 'POST', body, answer: z.null() });

export const readNotificationSettings = (signal: AbortSignal) =>
  callApi('/api/notifications/settings', { answer: NotificationSettings, signal });

export const changeNotificationSettings = (body: ChangeNotificationSettings) =>
  callApi('/api/notifications/settings', { method: 'PATCH', body, answer: NotificationSettings });

export const sendTestMail = () => callApi('/api/notifications/test', { method: 'POST', answer: TestNotification });

export const readDevices = (signal: AbortSignal) =>
  callApi('/api/notifications/devices', { answer: DeviceList, signal });

export const addDevice = (body: PushSubscriptionJSON) =>
  callApi('/api/notifications/devices', { method: 'POST', body, answer: Device });

export const removeDevice = (id: string) =>
  callApi(address`/api/notifications/devices/${id}`, { method: 'DELETE', answer: z.null() });

export const testDevice = (id: string) =>
  callApi(address`/api/notifications/devices/${id}/test`, { method: 'POST', answer: TestNotification });

export const readViews = (signal: AbortSignal) => callApi('/api/views', { answer: SavedViewList, signal });

export const saveView = (body: SaveView) => callApi('/api/views', { method: 'POST', body, answer: SavedView });

export const changeView = ({ id, changes }: { id: string; changes: ChangeView }) =>
  callApi(address`/api/views/${id}`, { method: 'PATCH', body: changes, answer: SavedView });

export const removeView = (id: string) => callApi(address`/api/views/${id}`, { method: 'DELETE', answer: z.null() });
