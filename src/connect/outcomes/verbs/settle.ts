import { lookupHash } from '#platform/crypto/key-ring';
import { newId } from '#platform/crypto/random';
import { Problem, type ProblemCode } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import { auditEntry, type AboutElicitation, type AuditEvent } from '#audit/entries/rules/entry';
import { openQuestion, sealDecision } from '#requests/asking/verbs/question';
import type { ElicitationRow } from '#requests/state/store/row';
import type { Intent } from '#requests/state/verbs/intent';
import { changeElicitation, readable } from '#requests/state/verbs/change';
import { isSettling } from '#requests/machine/rules/step';
import type { Settlement } from '#requests/machine/rules/machine';
import { noteReport } from '#requests/pages/verbs/callback';
import { isOutcome } from '../../providers/expects.ts';
import type { OutcomeClient, SaidObject } from '../../providers/event.ts';
import { differencesOf, isFinal, lookAgainAfter, outcomeClientFor, type Wanted } from '../rules.ts';
import type { Expectation, ProviderEvent } from '../store.ts';
import { keptObject, objectHashes } from './leave.ts';

/** What is known of an event that was stored: nothing of its content. */
type Taken = Omit<ProviderEvent, 'elicitationId'>;

/**
 * Takes the signed event of a provider, once, on any node: it resumes the call if what happened is what was asked, ends
 * the request as a mismatch if it is not, and is written down with the request if it comes late. One of no request is an
 * entry of its own. False if it is not signed by the provider: nothing was parsed, and the outside is told one word.
 */
export async function takeEvent(
  engine: Engine,
  client: OutcomeClient,
  body: Uint8Array,
  headers: Parameters<OutcomeClient['read']>[1],
): Promise<boolean> {
  const read = client.read(body, headers, engine.now());
  if (read.state === 'refused') return false;
  const { event } = read;
  const stored = takenOf(engine, client.key, { id: event.id, body, verdict: event.verdict });
  const hashes = event.object === null ? [] : objectHashes(engine, client.key, event.object);
  const expectation = await engine.expectations.find(client.key, event.reference, hashes);
  if (!expectation) await noteUnmatched(engine, stored, event);
  else await settle(engine, expectation, event, stored);
  return true;
}

/** By which an event is known again. */
export const placeOfEvent = (provider: string, id: string) => ['idempotency', 'provider-event', provider, id] as const;

const takenOf = (
  { ring, now }: Engine,
  provider: string,
  { id, body, verdict }: { id: string; body: Uint8Array; verdict: ProviderEvent['verdict'] },
): Taken => ({
  provider,
  eventHash: lookupHash(ring, ...placeOfEvent(provider, id)),
  bodyMac: lookupHash(ring, 'idempotency', 'provider-body', provider, Buffer.from(body).toString('latin1')),
  verdict,
  at: now(),
});

/** What matters to no one is only kept, so that a look at the provider’s own list finds it here. */
async function noteUnmatched(engine: Engine, stored: Taken, { verdict }: SaidObject): Promise<void> {
  if (verdict === 'nothing') return void (await engine.expectations.keepEvent({ ...stored, elicitationId: null }));
  const hash = Buffer.from(stored.eventHash).toString('hex');
  const says = { type: 'provider.unmatched', provider: stored.provider, said: hash } as const;
  const entry = auditEntry(newId('entry'), stored.at, { kind: 'service' }, says);
  await engine.expectations.keepUnmatched({ ...stored, elicitationId: null }, entry);
}

/** Why a provider could not be asked, without anything that it said. */
export interface LookFault {
  provider: string;
  code: ProblemCode;
}

/** Asks the provider what became of each object whose time has come. One that cannot be asked is asked again later. */
export async function lookAtProviders(engine: Engine, note: (fault: LookFault) => void = () => {}): Promise<void> {
  for (let count = 0; count < most; count += 1) {
    const now = engine.now();
    const expectation = await engine.expectations.nextLook({ now, until: now + leaseMs });
    if (!expectation) break;
    await lookAt(engine, expectation, note);
  }
  await engine.expectations.prune(engine.now() - keepEventsMs);
}

/** Looks of one turn. */
const most = 100;
/** Milliseconds in which a look must end. */
const leaseMs = 60_000;
/** Milliseconds for which events are known again: 90 days. */
const keepEventsMs = 90 * 86_400_000;

async function lookAt(engine: Engine, expectation: Expectation, note: (fault: LookFault) => void): Promise<void> {
  const { elicitation, provider, looks } = expectation;
  const row = await engine.reader.elicitation(elicitation);
  const client = engine.outcomes.find(({ key }) => key === provider);
  const target = row && readable(() => keptObject(engine, row, expectation));
  const fail = (error: unknown): null => {
    note({ provider, code: error instanceof Problem ? error.code : 'internal' });
    return null;
  };
  const report = target && client?.look ? await client.look(target.id).catch(fail) : null;
  if (report) await settle(engine, expectation, { ...report, object: report.object ?? target?.id ?? null }, null);
  const isOver = !target || !client?.look || (report !== null && isFinal(report.verdict));
  await engine.expectations.schedule(elicitation, isOver ? null : engine.now() + lookAgainAfter(looks));
}

/** Applies what a provider says to its request. `stored` is the event; null if the provider was asked. */
async function settle(
  engine: Engine,
  expectation: Expectation,
  report: SaidObject,
  stored: Taken | null,
): Promise<void> {
  const event = stored && { ...stored, elicitationId: expectation.elicitation };
  let untaken: { row: ElicitationRow; type: 'callback.late' | 'callback.unfit' } | null = null;
  await changeElicitation(engine, expectation.elicitation, (row, now) => {
    untaken = null;
    const judged = judge(engine, row, expectation, report);
    if (judged?.settlement === 'mismatch') untaken = { row, type: 'callback.unfit' };
    if (judged && row.status !== 'open') untaken = isTheSame(row, judged) ? null : { row, type: 'callback.late' };
    if (!judged || row.status !== 'open' || isRepeated(row, judged)) return null;
    return intentOf(engine, row, { judged, report, event, now });
  });
  await noteUntaken(engine, untaken, expectation, report);
  if (event) await engine.expectations.keepEvent(event);
}

interface Judged {
  expected: Wanted;
  settlement: Settlement;
  differs: string[];
  /** The id that the provider reports or, if its events repeat none, the one that was made. */
  object: string | null;
}

/** What is to become of the request; null if nothing. */
function judge(engine: Engine, row: ElicitationRow, expectation: Expectation, report: SaidObject): Judged | null {
  const expects = readable(() => openQuestion(engine.ring, row).expects);
  if (!expects || !isOutcome(expects) || report.verdict === 'nothing') return null;
  const { verdict, object } = report;
  if (verdict !== 'accept') return { expected: expects, settlement: verdict, differs: [], object };
  const client = outcomeClientFor(engine, row.serverName, expects);
  const own = keptObject(engine, row, expectation)?.id ?? null;
  const differs = differencesOf(expects, client, report, own);
  const settlement = differs.length > 0 ? 'mismatch' : 'accept';
  return { expected: expects, settlement, differs, object: object ?? own };
}

/**
 * Has the request ended with this, or is it nothing that moved money or signed anything? After a mismatch, other money may
 * move that does not fit either: the same report is written once, however often it comes.
 */
const isTheSame = ({ status }: ElicitationRow, { settlement }: Judged): boolean =>
  settlement === 'accept' ? status === 'accepted' : settlement !== 'mismatch';

const isRepeated = ({ state }: ElicitationRow, { settlement }: Judged): boolean =>
  settlement === 'pending' && isSettling(state);

interface Settling {
  judged: Judged;
  report: SaidObject;
  event: ProviderEvent | null;
  now: number;
}

function intentOf({ ring }: Engine, row: ElicitationRow, { judged, report, event, now }: Settling): Intent {
  const { settlement, expected } = judged;
  const content = settlement === 'accept' ? contentOf(expected, { ...report, object: judged.object }, now) : undefined;
  return {
    actor: { kind: 'service' },
    event: { type: 'settle', verdict: settlement, at: now },
    answer: sealDecision(ring, row, { ...(content && { content }), comment: null }),
    says: (fields) => eventOf(judged, fields),
    ...(event && { providerEvent: event }),
  };
}

function eventOf({ settlement, expected: { provider }, differs }: Judged, fields: AboutElicitation): AuditEvent {
  if (settlement === 'mismatch') return { type: 'elicitation.mismatch', provider, differs, ...fields };
  if (settlement === 'pending') return { type: 'elicitation.settling', provider, ...fields };
  return { type: 'elicitation.answered', channel: 'callback', action: settlement, provider, ...fields };
}

/** The proven outcome, for the handler. */
function contentOf(expected: Wanted, { object, facts }: SaidObject, now: number) {
  const common = { provider: expected.provider, object: object ?? '', at: new Date(now).toISOString() };
  if (expected.kind === 'payment') {
    const payee = facts.payee === undefined ? {} : { payee: facts.payee };
    return { ...common, amount: expected.amount, currency: expected.currency, ...payee };
  }
  const { document, signer } = facts;
  return { ...common, ...(document !== undefined && { document }), ...(signer !== undefined && { signer }) };
}

/** Money that moved is never without a line that says so. */
async function noteUntaken(
  engine: Engine,
  untaken: { row: ElicitationRow; type: 'callback.late' | 'callback.unfit' } | null,
  { provider }: Expectation,
  { verdict, object, facts }: SaidObject,
): Promise<void> {
  if (!untaken) return;
  const { row, type } = untaken;
  await noteReport(engine, row, { type, report: { provider, verdict, ...(object !== null && { object }), ...facts } });
}
