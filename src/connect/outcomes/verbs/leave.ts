import { lookupHash, lookupHashes } from '#platform/crypto/key-ring';
import { randomSecret } from '#platform/crypto/random';
import { Problem } from '#platform/model/problem';
import { isPrivateAddress } from '#platform/model/names';
import type { Engine } from '#platform/nodes/verbs/engine';
import { cells } from '#requests/asking/verbs/question';
import { returnAddress } from '../../connections/verbs/leave.ts';
import type { ElicitationRow } from '#requests/state/store/row';
import { firstLookAfter, outcomeClientFor, type Wanted } from '../rules.ts';
import type { OutcomeClient } from '../../providers/event.ts';
import type { Expectation } from '../store.ts';

/** A name of a request at a provider, which proves nothing. */
export const newReference = (): string => `as_${randomSecret().slice(0, 22)}`;

/** What was made at a provider: its id there, and the page to which its person goes. */
export interface MadeObject {
  id: string;
  url: string;
}

/** The keyed hash by which an event finds what it is about. */
const objectHash = ({ ring }: Pick<Engine, 'ring'>, provider: string, id: string): Buffer =>
  lookupHash(ring, 'idempotency', 'provider-object', provider, id);

/** The same under each secret, for what was made before a rotation. */
export const objectHashes = ({ ring }: Pick<Engine, 'ring'>, provider: string, id: string): Buffer[] =>
  lookupHashes(ring, 'idempotency', 'provider-object', provider, id);

/** Milliseconds for which a provider is asked after the deadline, beyond the time that it may take to settle. */
const lookMargin = 86_400_000;

/**
 * Sends the requester to the page of the provider where they pay or sign. What is made there is made once, under a
 * reference that names the request and proves nothing; each later visit leads to the same page. Problem
 * `provider-unavailable` if nothing could be made now.
 */
export async function leaveForOutcome(engine: Engine, row: ElicitationRow, expected: Wanted): Promise<string> {
  const client = outcomeClientFor(engine, row.serverName, expected);
  const expectation = await engine.expectations.begin(row.id, {
    provider: expected.provider,
    reference: expected.made?.reference ?? newReference(),
    until: row.deadlineAt + client.settlesWithin + lookMargin,
  });
  const kept = keptObject(engine, row, expectation);
  const target = kept ?? (await makeOnce(engine, row, { client, expected, expectation }));
  assertPage(client, target.url);
  return target.url;
}

/** What was made for this expectation; null if nothing was yet. */
export const keptObject = ({ ring }: Pick<Engine, 'ring'>, row: ElicitationRow, { object }: Expectation) =>
  object && cells.outcomeObject.open(ring, row, row.id, object);

interface Making {
  client: OutcomeClient;
  expected: Wanted;
  expectation: Expectation;
}

/** The reference is the idempotency key as well, so that a step repeated after a crash makes the same again. */
async function makeOnce(
  engine: Engine,
  row: ElicitationRow,
  { client, expected, expectation: { reference } }: Making,
): Promise<MadeObject> {
  // The same at each try: with an idempotency key, a provider takes only what it was sent first.
  const returnUrl = `${returnAddress(engine, client.key)}?reference=${reference}`;
  const { made: own } = expected;
  const making = { wanted: expected, reference, idempotencyKey: reference, returnUrl, expiresAt: row.deadlineAt };
  const target = own ? { id: own.id, url: own.url } : await client.create?.(making);
  if (!target) throw new Problem('provider-unavailable');
  const object = cells.outcomeObject.seal(engine.ring, row, row.id, target);
  const nextLookAt = Math.min(engine.now() + firstLookAfter, row.deadlineAt);
  const hash = objectHash(engine, client.key, target.id);
  if (await engine.expectations.keep(row.id, { objectHash: hash, object, nextLookAt })) return target;
  const current = await engine.expectations.find(client.key, reference, []);
  return (current && keptObject(engine, row, current)) ?? target;
}

/** People are sent to pages of the provider alone, whatever an author or an answer says. */
function assertPage({ label, pageHosts }: Pick<OutcomeClient, 'label' | 'pageHosts'>, url: string): void {
  const isPage = isPrivateAddress(url) && pageHosts.includes(new URL(url).host);
  if (!isPage)
    throw new Problem('provider-unavailable', {
      detail: `Ask the owner of this server: the page is not one of ${label}.`,
    });
}
