import { z } from 'zod';
import { EndedSessions, OwnCredentials, OwnSessions, type ChangePassword } from '#protocol/contract/users/account';
import { SavedView, SavedViewList, type ChangeView, type SaveView } from '#protocol/contract/view-routes';
import {
  Device,
  DeviceList,
  NotificationSettings,
  TestNotification,
  type ChangeNotificationSettings,
} from '#protocol/contract/console/notification';
import { callApi } from './call-api.ts';

export const readSessions = (signal: AbortSignal): Promise<OwnSessions> =>
  callApi('/api/account/sessions', { answer: OwnSessions, signal });

export const endSession = (id: string): Promise<null> =>
  callApi(`/api/account/sessions/${encodeURIComponent(id)}`, { method: 'DELETE', answer: z.null() });

export const endOtherSessions = (): Promise<{ count: number }> =>
  callApi('/api/account/sessions', { method: 'DELETE', answer: EndedSessions });

export const readCredentials = (signal: AbortSignal): Promise<OwnCredentials> =>
  callApi('/api/account/credentials', { answer: OwnCredentials, signal });

export const replaceCredential = ({ id, secret }: { id: string; secret: string }): Promise<null> =>
  callApi(`/api/account/credentials/${encodeURIComponent(id)}`, { method: 'POST', body: { secret }, answer: z.null() });

export const removeCredential = (id: string): Promise<null> =>
  callApi(`/api/account/credentials/${encodeURIComponent(id)}`, { method: 'DELETE', answer: z.null() });

export const changePassword = (body: ChangePassword): Promise<null> =>
  callApi('/api/account/password', { method: 'POST', body, answer: z.null() });

export const readNotificationSettings = (signal: AbortSignal): Promise<NotificationSettings> =>
  callApi('/api/notifications/settings', { answer: NotificationSettings, signal });

export const changeNotificationSettings = (body: ChangeNotificationSettings): Promise<NotificationSettings> =>
  callApi('/api/notifications/settings', { method: 'PATCH', body, answer: NotificationSettings });

export const sendTestMail = (): Promise<unknown> =>
  callApi('/api/notifications/test', { method: 'POST', answer: TestNotification });

export const readDevices = (signal: AbortSignal): Promise<DeviceList> =>
  callApi('/api/notifications/devices', { answer: DeviceList, signal });

export const addDevice = (body: PushSubscriptionJSON): Promise<Device> =>
  callApi('/api/notifications/devices', { method: 'POST', body, answer: Device });

export const removeDevice = (id: string): Promise<null> =>
  callApi(`/api/notifications/devices/${encodeURIComponent(id)}`, { method: 'DELETE', answer: z.null() });

export const testDevice = (id: string): Promise<unknown> =>
  callApi(`/api/notifications/devices/${encodeURIComponent(id)}/test`, { method: 'POST', answer: TestNotification });

export const readViews = (signal: AbortSignal): Promise<SavedViewList> =>
  callApi('/api/views', { answer: SavedViewList, signal });

export const saveView = (body: SaveView): Promise<SavedView> =>
  callApi('/api/views', { method: 'POST', body, answer: SavedView });

export const changeView = ({ id, changes }: { id: string; changes: ChangeView }): Promise<SavedView> =>
  callApi(`/api/views/${encodeURIComponent(id)}`, { method: 'PATCH', body: changes, answer: SavedView });

export const removeView = (id: string): Promise<null> =>
  callApi(`/api/views/${encodeURIComponent(id)}`, { method: 'DELETE', answer: z.null() });
