import { lookupHashes } from '#platform/crypto/key-ring';
import { randomSecret } from '#platform/crypto/random';
import { sendRequest } from '#platform/http/client/outgoing-request';
import { createReach, loopbackNetworks, reachableAddress } from '#platform/http/client/reachable-addresses';
import { isOutcome } from '../providers/expects.ts';
import type { ElicitationId } from '#platform/model/id';
import { isLoopback } from '#platform/model/names';
import { describeError, errorCodes, invalidInput, Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openQuestion } from '#requests/asking/verbs/question';
import type { ElicitationRow } from '#requests/state/store/row';
import { returnAddress } from '../connections/verbs/leave.ts';
import type { Wanted } from '../outcomes/rules.ts';
import { newReference } from '../outcomes/verbs/leave.ts';
import type { ExpectationProgress } from '../outcomes/store.ts';
import { placeOfEvent } from '../outcomes/verbs/settle.ts';
import type { OutcomeClient } from '../providers/event.ts';
import type { ConnectClient } from '../providers/provider.ts';
import type { ProviderState } from './contract.ts';

/** Why something could not be reached. */
export interface Unreached {
  fault: string;
}

/** A request that waits for a provider. */
export interface WaitingRequest {
  id: ElicitationId;
  status: ElicitationRow['status'];
  expected: Wanted;
  /** Null if no one has gone to the provider yet. */
  progress: ExpectationProgress | null;
}

/** What became of a test event. */
export interface EventTest {
  label: string;
  address: string;
  request: WaitingRequest | null;
  /** Null if the description allows no event that means nothing, so that none was sent. */
  answer: { status: number } | Unreached | null;
  /** The request that this installation found for it; null if it has not come here. */
  arrived: { request: ElicitationId | null } | null;
}

type EventTestEngine = Pick<Engine, 'outcomes' | 'expectations' | 'reader' | 'ring' | 'now' | 'publicUrl'>;

/**
 * Sends an event that the provider could have signed from outside, and looks whether it came here. It means nothing, so it
 * changes no request; with a request it has its reference, so that it is seen whether an event of it would be found.
 */
export async function testEvents(
  engine: EventTestEngine,
  provider: string,
  id: ElicitationId | null,
): Promise<EventTest> {
  const client = engine.outcomes.find(({ key }) => key === provider);
  if (!client) {
    const keys = engine.outcomes.map(({ key }) => key).join(', ') || 'none';
    throw invalidInput(['--provider'], `Name a provider of ASSENTRY_PROVIDERS that reports events: ${keys}.`);
  }
  const request = id && (await findRequest(engine, client, id));
  const reference = request?.progress?.reference ?? newReference();
  const event = client.sample({ name: `assentry-test-${randomSecret()}`, reference }, engine.now());
  const address = eventAddress(engine, provider);
  const parts = { label: client.label, address, request };
  if (!event) return { ...parts, answer: null, arrived: null };
  const { headers, body } = event;
  const answer = await sendRequest(address, { method: 'POST', headers, body }).then(
    ({ status }) => ({ status }),
    (error: unknown) => ({ fault: faultOf(error) }),
  );
  const hashes = lookupHashes(engine.ring, ...placeOfEvent(provider, event.id));
  const stored = await engine.expectations.event(provider, hashes);
  return { ...parts, answer, arrived: stored && { request: stored.elicitationId } };
}

/** The one address to which this provider sends its events. */
const eventAddress = ({ publicUrl }: Pick<Engine, 'publicUrl'>, key: string): string =>
  `${publicUrl()}/providers/${key}/events`;

async function findRequest(
  { reader, ring, expectations }: EventTestEngine,
  client: OutcomeClient,
  id: ElicitationId,
): Promise<WaitingRequest> {
  const row = await reader.elicitation(id);
  const expected = row && openQuestion(ring, row).expects;
  if (!row || !expected || !isOutcome(expected) || expected.provider !== client.key)
    throw invalidInput(['--request'], `Name a request for a payment or a signature at "${client.key}".`);
  return { id, status: row.status, expected, progress: await expectations.progressOf(id) };
}

/** Fault of a failed request: its most exact code, else its sentence. */
const faultOf = (error: unknown): string => {
  const { cause = error } = error as Error; // of a connection, fetch says only that it failed
  return errorCodes(error).at(-1) ?? describeError(cause);
};

/** One finding about a provider, with its fault if there is one. */
export type ProviderFinding =
  | { about: 'page'; host: string; fault: 'unknown' | 'private' | null }
  | { about: 'client' | 'api'; fault: Problem | null }
  | { about: 'return' | 'events'; address: string; isOutside: boolean };

type CheckEngine = Pick<Engine, 'publicUrl'>;

/** Looks whether people and Assentry reach a provider, and whether it takes the client; nothing is changed there. */
export async function checkProvider(
  engine: CheckEngine,
  { connect, outcome }: { connect: ConnectClient | undefined; outcome: OutcomeClient | undefined },
): Promise<ProviderFinding[]> {
  const hosts = [...new Set([...(connect?.settings.pageHosts ?? []), ...(outcome?.pageHosts ?? [])])];
  const isOutside = !isLoopback(engine.publicUrl());
  const pages = await Promise.all(hosts.map((host) => checkPage(host, isOutside)));
  const { look } = outcome ?? {};
  const returnTo = connect && returnAddress(engine, connect.settings.key);
  return [
    ...pages,
    ...(connect && returnTo !== undefined
      ? [
          { about: 'client' as const, fault: await problemIn(connect.check(returnTo)) },
          { about: 'return' as const, address: returnTo, isOutside },
        ]
      : []),
    ...(look ? [{ about: 'api' as const, fault: await problemIn(look('assentry-check')) }] : []),
    ...(outcome ? [{ about: 'events' as const, address: eventAddress(engine, outcome.key), isOutside }] : []),
  ];
}

/** A page of this machine is for people of this machine alone. */
async function checkPage(host: string, isOutside: boolean): Promise<ProviderFinding> {
  const mayReach = createReach(isOutside ? [] : loopbackNetworks);
  const fault = await reachableAddress(new URL(`https://${host}`), mayReach).then(
    (address) => (address === null ? ('private' as const) : null),
    () => 'unknown' as const,
  );
  return { about: 'page', host, fault };
}

const problemIn = (check: Promise<unknown>): Promise<Problem | null> =>
  check.then(
    () => null,
    (error: unknown) => {
      if (error instanceof Problem) return error;
      throw error;
    },
  );

type ListEngine = Pick<Engine, 'connect' | 'outcomes' | 'expectations' | 'publicUrl' | 'now'>;

/** Milliseconds for which refused events are counted: 30 days. */
const countRefusalsFor = 30 * 86_400_000;

/** The providers of the settings by their keys, with what came from each. */
export async function listProviders(engine: ListEngine): Promise<ProviderState[]> {
  const { connect, outcomes } = engine;
  const keys = new Set([...connect.map(({ settings }) => settings.key), ...outcomes.map(({ key }) => key)]);
  return Promise.all([...keys].sort().map((key) => stateOf(engine, key)));
}

async function stateOf(engine: ListEngine, key: string): Promise<ProviderState> {
  const settings = engine.connect.find((client) => client.settings.key === key)?.settings;
  const outcome = engine.outcomes.find((client) => client.key === key);
  const [reports, refused] = await Promise.all([
    engine.expectations.reportsOf(key),
    engine.expectations.refusalsOf(key, engine.now() - countRefusalsFor),
  ]);
  return {
    key,
    label: settings?.label ?? outcome?.label ?? key,
    servers: [...new Set([...(settings?.servers ?? []), ...(outcome?.servers ?? [])])],
    kinds: [...(settings ? ['connection' as const] : []), ...(outcome?.kinds ?? [])],
    returnAddress: settings ? returnAddress(engine, key) : null,
    eventAddress: outcome ? eventAddress(engine, key) : null,
    ...reports,
    refused,
  };
}
