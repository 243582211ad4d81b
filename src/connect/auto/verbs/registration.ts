import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import { readable } from '#requests/state/verbs/change';
import type { ClientDocument } from '../contract.ts';
import { returnAddress } from '../../connections/verbs/leave.ts';
import { describeClient, openClient, sealClient, type ClientPlace, type RegisteredClient } from '../rules.ts';

/** What an issuer is to read of this installation, at the address that is its name there; null if it is no such issuer. */
export function clientDocument(engine: Pick<Engine, 'connect' | 'publicUrl'>, key: string): ClientDocument | null {
  const client = engine.connect.find(({ settings }) => settings.isAuto && settings.key === key);
  if (!client) return null;
  return { client_id: documentAddress(engine, key), ...describeClient(returnAddress(engine, key), 'none') };
}

export const documentAddress = ({ publicUrl }: Pick<Engine, 'publicUrl'>, key: string): string =>
  `${publicUrl()}/providers/${key}/client`;

type RegistrationEngine = Pick<Engine, 'registeredClients' | 'ring' | 'now'>;

/** A client as the issuer answers; `expiresAt` in milliseconds since 1970. */
export type Registered = RegisteredClient & { expiresAt: number | null };

/** Milliseconds for which one node may register, more than an issuer has to answer; and between two looks of the others. */
const leaseMs = 15_000;
const lookMs = 100;

/** The client of this installation at an issuer, registered by one node if there is none. */
export async function registeredClient(
  engine: RegistrationEngine,
  place: ClientPlace,
  register: () => Promise<Registered>,
): Promise<RegisteredClient> {
  const { registeredClients: store, ring } = engine;
  for (let looks = 0; looks * lookMs <= 2 * leaseMs; looks += 1) {
    const now = engine.now();
    const stored = await store.find(place);
    const client = stored && readable(() => openClient(ring, place, stored.sealed));
    if (client && (stored.expiresAt === null || now < stored.expiresAt)) return client;
    if (stored && !client) await store.forget(stored);
    if (await store.lease(place, { now, until: now + leaseMs })) return keepNew(engine, place, register);
    await sleep(lookMs);
  }
  throw new Problem('provider-unavailable');
}

async function keepNew(
  { registeredClients: store, ring }: RegistrationEngine,
  place: ClientPlace,
  register: () => Promise<Registered>,
): Promise<RegisteredClient> {
  try {
    const { expiresAt, ...client } = await register();
    await store.keep({ ...place, sealed: sealClient(ring, place, client), expiresAt });
    return client;
  } catch (error) {
    await store.release(place);
    throw error;
  }
}

/** Forgets a client that the issuer no longer knows. */
export async function forgetClient(
  { registeredClients, ring }: RegistrationEngine,
  place: ClientPlace,
  { clientId }: RegisteredClient,
): Promise<void> {
  const stored = await registeredClients.find(place);
  const client = stored && readable(() => openClient(ring, place, stored.sealed));
  if (stored && client?.clientId === clientId) await registeredClients.forget(stored);
}
