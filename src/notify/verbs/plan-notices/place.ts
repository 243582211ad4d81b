import type { Notice } from '../../store/notification-plans.ts';

/** Where one person is told: at their address, or in one of their browsers. */
export interface Place extends Pick<Notice, 'channel' | 'target'> {
  user: string;
}

/** Where each person is notified, by their id; no one else is in it. */
export type WantedPlaces = ReadonlyMap<string, readonly Place[]>;
