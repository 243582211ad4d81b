import { queryOptions } from '@tanstack/react-query';
import { addDevice } from '../account.ts';

/** Can this browser be told anything, and does its person let it? */
type PushState = 'unsupported' | 'denied' | 'off' | 'on';

export interface OwnPush {
  state: PushState;
  /** By which the list of devices names this browser; null if it has no subscription. */
  hash: string | null;
}

export const ownPushQuery = queryOptions({
  queryKey: ['account', 'own-push'],
  queryFn: readOwnPush,
});

async function readOwnPush(): Promise<OwnPush> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return { state: 'unsupported', hash: null };
  if (Notification.permission === 'denied') return { state: 'denied', hash: null };
  const subscription = await ownSubscription();
  return subscription ? { state: 'on', hash: await hashOf(subscription) } : { state: 'off', hash: null };
}

const ownSubscription = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription()) ?? null;

/** Asks the person, subscribes with the installation's key, and registers at Assentry; ends at once if the person refuses. */
export async function turnPushOn(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  await navigator.serviceWorker.register('/service-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe(); // it may be for another key
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await addDevice(bodyOf(subscription));
}

/** Ends the subscription of this browser, if it has one. */
export async function turnPushOff(): Promise<void> {
  await (await ownSubscription())?.unsubscribe();
}

/** After everything was ended that lets someone in: this browser goes on if it was told before. */
export async function keepPush(): Promise<void> {
  if ((await readOwnPush()).state !== 'on') return;
  const subscription = await ownSubscription();
  if (subscription) await addDevice(bodyOf(subscription));
}

const bodyOf = (subscription: PushSubscription): PushSubscriptionJSON => {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? '', keys: keys ?? {} };
};

async function hashOf({ endpoint }: PushSubscription): Promise<string> {
  const bytes = new TextEncoder().encode(new URL(endpoint).href);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
