import type { Topic } from '#requests/asking/contract/elicitation';
import type { ServerId } from '../../model/id.ts';
import type { ElicitationRow } from '#requests/state/store/row';
import { outboxPage, type OutboxEvent } from '#requests/asking/store/opening';
import type { CommittedEvent } from '../../database/transactor.ts';
import { provenRow } from '#requests/state/verbs/proven-row';
import type { WitnessAddress } from '#audit/tree/rules/notes';
import type { KeyRing } from '../../crypto/key-ring.ts';
import type { IdentityProvider, PasswordRule } from '#access/oidc/contract/identity-provider';
import type { OutcomeClient } from '#connect/providers/event';
import type { ResourceMetadata } from '#connect/auto/rules';
import type { ConnectClient } from '#connect/providers/provider';
import type { SecondFactorRule } from '#access/factors/contract/factor-rule';
import type { SessionLimits } from '#people/directory/contract/user';
import type { ProvenWorkload } from '#access/workloads/contract';
import type { PolicyDefaults } from '#policies/contract/policy';
import type { Store } from '../../database/store.ts';
import type { AccessWatch } from '#audit/entries/verbs';
import type { Feed } from './feed.ts';
import type { Health } from './health.ts';
import type { ReadToken } from '#access/tokens/verbs/read-token';
import type { RulesCache } from '#policies/deciding/verbs/rules';

interface Follow {
  /** An earlier place; later changes come first. Any other value starts now. */
  from?: string | undefined;
  server?: ServerId;
  topics?: readonly Topic[];
  signal: AbortSignal;
  /** Called once listening. Nothing after this place is missed; if `hasGap`, changes before it are not repeated. */
  onReady(place: number, hasGap: boolean): void;
}

interface Change {
  row: ElicitationRow;
  event: CommittedEvent;
}

/** Takes the changes of one batch, so that the reader's rights are checked once for all of them. */
type OnChanges = (changes: Change[]) => void | Promise<void>;

/**
 * Follows changes until the signal aborts: each change at least once, with the current row. A reader can stop at any
 * event and resume from that event's place. A wake-up only says which row to read.
 */
export async function followChanges(engine: Engine, follow: Follow, onChanges: OnChanges): Promise<void> {
  const live: CommittedEvent[] = [];
  const now = engine.feed.position();
  let wake = (): void => {};
  const unsubscribe = engine.feed.onChange((event) => {
    if (isWanted(follow, event)) live.push(event);
    wake();
  });
  const stop = (): void => wake();
  follow.signal.addEventListener('abort', stop);
  try {
    const from = readPlace(follow.from) ?? now;
    const changes = await changesSince(engine, from);
    // The reader keeps its old place until it has the changes it missed.
    follow.onReady(changes ? from : now, changes === null);
    const missed = (changes ?? []).filter((event) => isWanted(follow, event));
    while (!follow.signal.aborted) {
      const next = missed.length > 0 ? missed.splice(0, batchSize) : live.splice(0, batchSize);
      if (next.length > 0) await sendChanges(engine, next, follow.signal, onChanges);
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    unsubscribe();
    follow.signal.removeEventListener('abort', stop);
  }
}

/** Limit of events whose rows are read in one statement. */
const batchSize = 64;

async function sendChanges(
  engine: Engine,
  events: CommittedEvent[],
  signal: AbortSignal,
  onChanges: OnChanges,
): Promise<void> {
  const rows = await Promise.all(events.map((event) => event.row ?? readOnce(engine, event)));
  // The event only says which row to read; the row says who may see it.
  const changes = events.flatMap((event, at) => {
    const row = rows[at];
    return row?.serverId === event.serverId ? [{ row, event }] : [];
  });
  if (changes.length > 0 && !signal.aborted) await onChanges(changes);
}

/** Rows of events without one, shared by all streams of a node. */
const readings = new WeakMap<CommittedEvent, Promise<ElicitationRow | null>>();

function readOnce(engine: Engine, event: CommittedEvent): Promise<ElicitationRow | null> {
  const reading = readings.get(event) ?? provenRow(engine, event.elicitationId);
  readings.set(event, reading);
  return reading;
}

const isWanted = ({ server, topics }: Follow, event: OutboxEvent): boolean =>
  (server === undefined || event.serverId === server) && (topics === undefined || topics.includes(event.topic));

function readPlace(text: string | undefined): number | null {
  const place = /^\d{1,16}$/.test(text ?? '') ? Number(text) : null;
  return Number.isSafeInteger(place) ? place : null;
}

/**
 * Changes since a place. Null if they exceed a page, or some were deleted: reading the rows is quicker then. Null as well if
 * the place is of another past, for there is none as late.
 */
async function changesSince({ feed, outbox }: Engine, from: number): Promise<OutboxEvent[] | null> {
  const position = feed.position();
  if (from === position) return [];
  const events = await outbox.readFrom(from);
  if (events.length === 0 && from > position && from > (await outbox.head())) return null;
  // Places have no gap, so as many events as places are all of them; what was deleted may lie between two that are there.
  const last = events.at(-1)?.place ?? from;
  const isWhole = last === from + events.length && last >= position;
  return events.length < outboxPage && isWhole ? events : null;
}

/** Parts of the verbs: the store, the keys, the clock and the news. */
export interface Engine extends Store {
  feed: Feed;
  ring: KeyRing;
  rules: RulesCache;
  /** Limits of requests that wait at the same time. For approvers: at least one person who may decide must be below it. */
  limits: { perServer: number; perRequester: number; perApprover: number };
  sessions: SessionLimits;
  /** The name of the installation in policies, such as production. */
  environment: string;
  /** The defaults if no policy says otherwise. */
  defaults: PolicyDefaults;
  /** Milliseconds since 1970 by the database's clock; the only one. */
  now(): number;
  readToken: ReadToken;
  /** Content of a workload's token, verified by the keys of its issuer; or the reason of its refusal, for the log alone. */
  readWorkload(token: string): Promise<{ state: 'valid'; token: ProvenWorkload } | { state: 'refused'; why: string }>;
  /** The issuers that the operator has named for workloads. */
  workloadIssuers: readonly string[];
  /** Identity providers for sign-in. */
  providers: readonly IdentityProvider[];
  /** Providers at which people connect accounts for servers. */
  connect: readonly ConnectClient[];
  /** The client of an issuer that no operator has listed, and that the one person of a trial allows. */
  connectChosen(issuer: string): ConnectClient;
  /** What a server says of itself, to one that names its provider itself; problem `provider-not-configured` if it does not hold. */
  readResource(resource: string, isChoosing?: boolean): Promise<ResourceMetadata>;
  /** Providers at which people pay and sign. */
  outcomes: readonly OutcomeClient[];
  /** Rule for signing in with a password. */
  passwords: PasswordRule;
  /** Must a session prove more than one factor before it opens anything? */
  secondFactor: SecondFactorRule;
  health: Health;
  /** Logs refused callers, and readers. */
  access: AccessWatch;
  /** Address of the console, without a slash at the end. */
  publicUrl(): string;
  /** Witnesses that cosign the heads of the log. */
  witnesses: readonly WitnessAddress[];
  /** Can this node send mails? */
  sendsMails: boolean;
}
