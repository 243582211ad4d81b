import type { AssentryClient, BeginMemo } from '../../../client/client.ts';
import { Problem } from '#platform/model/problem';
import { plainArguments } from './call-name.ts';

/**
 * Makes something once for a call, such as a checkout session. A handler runs again from its start when its call comes
 * back; `once` gives each of these runs what the first one made. `make` gets an idempotency key that stays the same
 * until its result is kept, for the service: after a crash it may be called again. The result must be JSON.
 *
 * @example
 * const session = await once('checkout', ({ idempotencyKey }) => stripe.checkout.sessions.create(order, { idempotencyKey }));
 */
export type Once = <T>(key: string, make: (step: { idempotencyKey: string }) => T | Promise<T>) => Promise<T>;

/** Where the call's memos are: at the stored call, or under the names that it may get. */
export type MemoPlace = Omit<BeginMemo, 'key'>;

/** What was made and is not kept yet. */
export interface NewMemo {
  id: string;
  key: string;
  value: unknown;
}

/** Finds what the step made, or makes it now; `onMade` keeps it. */
export async function makeOnce(
  client: AssentryClient,
  place: MemoPlace,
  { key, make }: { key: string; make: Parameters<Once>[1] },
  onMade: (memo: NewMemo) => Promise<void>,
): Promise<unknown> {
  const begun = await client.beginMemo({ ...place, key });
  if (begun.isKept) return (begun.value as { made?: unknown }).made;
  const value = plainArguments({ made: await make({ idempotencyKey: begun.id }) });
  await onMade({ id: begun.id, key, value });
  return value['made'];
}

/** For code without types. */
export function requireStep(key: unknown, make: unknown): void {
  if (typeof key !== 'string' || key === '' || key.length > 64)
    throw new Problem('INVALID_INPUT', {
      errors: [{ path: ['key'], message: 'Name the step in 1 to 64 characters.' }],
    });
  if (typeof make !== 'function')
    throw new Problem('INVALID_INPUT', { errors: [{ path: ['make'], message: 'Give the function that makes it.' }] });
}
