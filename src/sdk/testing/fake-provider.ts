import type { Connection, ConnectionToken, FindConnection, FoundConnection } from '#connect/connections/contract';
import type { SaidFacts } from '#connect/providers/event';
import type {
  ExpectedConnection,
  ExpectedPayment,
  ExpectedSignature,
  ExpectedOutside,
} from '#connect/providers/expects';
import { comparePayment } from '#connect/providers/money';
import { covers, Provider } from '#connect/providers/provider';
import { presets } from '#connect/providers/providers';
import { canMake, says } from '#connect/providers/signed-events';
import { invalidInput, Problem } from '#platform/model/problem';
import type { AssentryClient } from '../client/client.ts';
import type { Steps } from '../mcp/tools/own-tools.ts';
import { newId, stepsAlone, type AskedQuestion, type Ending } from './ending.ts';
import { createInMemoryClient, scripted, type ScriptedConnections, type ScriptedProvider } from './in-memory.ts';

/** What a fake provider says of a payment or a signature in place of what was asked. */
export interface Lies extends Pick<SaidFacts, 'amount' | 'currency' | 'payee' | 'isLive'> {
  /** Its id of another session or envelope. */
  object?: string;
}

/** What a person connects. */
export interface FakeAccount {
  /** Its id, or both; the id alone is the label as well. */
  account: string | { id: string; label: string };
  /** Answers the requests of the tool, in place of the network. */
  fetch?: (request: Request) => Response | Promise<Response>;
}

/** What the person and the provider do. Each call adds an outcome for the next step; the last one stays. */
export interface FakeProvider extends Omit<Steps, 'once'> {
  /** Key in the settings. */
  readonly key: string;
  /** Client for `assentry(mcp, { client })`. */
  client: AssentryClient;
  /** It confirms exactly what was asked. */
  pays(): FakeProvider;
  /** The same of a signature, and who signed what. */
  signs(parts?: { by?: string; document?: string }): FakeProvider;
  /** The person agrees, and stays connected. */
  connects(account: FakeAccount): FakeProvider;
  /** The person or the provider declines. */
  declines(): FakeProvider;
  /** It confirms after the deadline, at which the request was settling. */
  isLate(): FakeProvider;
  /** It sends its event twice, which counts once. */
  sendsTwice(): FakeProvider;
  /** It confirms something else: what differs from what was asked is a mismatch. */
  lies(lies: Lies): FakeProvider;
  /** It never says what happened, and cannot be asked. */
  forgets(): FakeProvider;
  /** Every step so far. */
  steps: readonly AskedQuestion[];
  [scripted]: ScriptedProvider;
}

export interface FakeProviderOptions {
  /** The described provider that it stands for, if its key in the settings is another one. */
  use?: string;
  /** Who may get money, the usual one first; by default anyone. */
  accounts?: readonly string[];
}

/**
 * Stands in for a provider, without Assentry, network or provider: what a real Assentry would tell the tool follows from what
 * the provider does. Give it to the handler, or to `fakeHuman` with the rules for other questions. Takes each described
 * provider, such as `stripe`, `adyen`, `docusign`, `standard` or `github`.
 *
 * ```ts
 * const buy = ({ payment }: { payment: Payment }) =>
 *   payment('stripe', { amount: '100.00', currency: 'EUR', for: 'Order 1042' });
 * const { amount } = await buy(fakeProvider('stripe').pays());
 * if (amount !== '100.00') throw new Error(amount);
 * ```
 */
export function fakeProvider(key: string, { use = key, accounts = [] }: FakeProviderOptions = {}): FakeProvider {
  const preset = presets.get(use);
  if (!preset) throw invalidInput(['use'], `Give one of ${[...presets.keys()].join(', ')} as "use" of "${key}".`);
  const description = Provider.parse(preset);
  const steps: AskedQuestion[] = [];
  const outcomes: Outcome[] = [];
  const connections = new FakeConnections(key, description);
  const end = (question: AskedQuestion, expects: ExpectedOutside): Ending => {
    assertUse({ key, description, accounts }, expects);
    const outcome = outcomes[Math.min(steps.length, outcomes.length - 1)];
    if (!outcome)
      throw new Problem('not-found', { detail: `No outcome is left: tell ${key} that it pays(), declines(), ….` });
    steps.push(question);
    if (expects.kind === 'connection') return connections.end(question.requester, expects, outcome);
    return endOf({ description, accounts }, expects, outcome);
  };
  const client = createInMemoryClient(
    () => Promise.reject(new Problem('not-found', { detail: noHuman })),
    [{ key, end, connections }],
  );
  const then = (outcome: Outcome): FakeProvider => {
    outcomes.push(outcome);
    return provider;
  };
  const provider: FakeProvider = {
    key,
    client,
    ...stepsAlone(client, {}),
    steps,
    pays: () => then({ kind: 'confirms' }),
    signs: (signed = {}) => then({ kind: 'confirms', signed }),
    connects: (account) => then({ kind: 'connects', ...account }),
    declines: () => then({ kind: 'declines' }),
    isLate: () => then({ kind: 'confirms', isLate: true }),
    sendsTwice: () => then({ kind: 'confirms' }), // the second event changes nothing
    lies: (lies) => then({ kind: 'confirms', lies }),
    forgets: () => then({ kind: 'forgets' }),
    [scripted]: { key, end, connections },
  };
  return provider;
}

const noHuman = 'Give the provider to fakeHuman, with a rule for each other question: it answers none itself.';

type Outcome =
  | { kind: 'confirms'; signed?: { by?: string; document?: string }; lies?: Lies; isLate?: true }
  | ({ kind: 'connects' } & FakeAccount)
  | { kind: 'declines' }
  | { kind: 'forgets' };

interface World {
  description: Provider;
  accounts: readonly string[];
}

/** Refuses what an operator could not set up for this provider, or has not. */
function assertUse({ key, description, accounts }: World & { key: string }, expects: ExpectedOutside): void {
  const { label, oauth, events } = description;
  const refuse = (detail: string): never => {
    throw new Problem('provider-not-configured', { detail });
  };
  if (expects.kind === 'connection') return oauth ? undefined : refuse(`People connect no accounts at ${label}.`);
  if (!events?.kinds.includes(expects.kind)) return refuse(`Use another provider: ${label} knows no ${expects.kind}.`);
  if (!expects.made && !canMake(events))
    return refuse(`Make it yourself: ${label} lets Assentry only hear what happened.`);
  const payee = expects.kind === 'payment' ? expects.payee : undefined;
  if (payee !== undefined && accounts.length > 0 && !accounts.includes(payee))
    return refuse(`Add "${payee}" to the "accounts" of fakeProvider('${key}').`);
}

type Outside = ExpectedPayment | ExpectedSignature;

function endOf(world: World, expects: Outside, outcome: Outcome): Ending {
  if (outcome.kind === 'declines') return { status: 'declined' };
  if (outcome.kind === 'forgets') return { status: 'cancelled', cause: 'unsettled' };
  if (outcome.kind === 'connects') throw unfit(`Nothing is connected at a ${expects.kind}: tell it that it pays().`);
  const { lies = {}, signed = {}, isLate } = outcome;
  const own = expects.made?.id ?? `fake_${crypto.randomUUID()}`;
  const facts = { ...factsOf(world, expects, signed), ...lies };
  const isOther = lies.object !== undefined && lies.object !== own;
  if (isOther || !fits(world, expects, facts)) return { status: 'cancelled', cause: 'mismatch' };
  const parts = { provider: expects.provider, object: own, at: new Date().toISOString() };
  return { status: 'accepted', content: { ...parts, ...contentOf(expects, facts) }, isLate };
}

/** What an honest provider of this description says. */
function factsOf({ description: { events }, accounts }: World, expects: Outside, { by, document }: Signed): SaidFacts {
  if (!events) return {};
  if (expects.kind === 'signature')
    return { ...(says(events, 'signer') && { signer: by ?? 'signer@example.com' }), ...(document && { document }) };
  const payee = expects.payee ?? accounts[0] ?? 'own';
  return {
    amount: expects.amount,
    currency: expects.currency,
    ...(says(events, 'payee') && { payee }),
    ...(says(events, 'isLive') && { isLive: true }),
  };
}

type Signed = NonNullable<Extract<Outcome, { kind: 'confirms' }>['signed']>;

function fits({ description: { events }, accounts }: World, expects: Outside, facts: SaidFacts): boolean {
  if (!events || expects.kind === 'signature') return true;
  const payees = says(events, 'payee') ? [expects.payee ?? accounts[0] ?? 'own'] : [];
  return comparePayment(expects, { payees, live: says(events, 'isLive') ? true : null }, facts) === 'fits';
}

const contentOf = (expects: Outside, { payee, document, signer }: SaidFacts) =>
  expects.kind === 'payment'
    ? { amount: expects.amount, currency: expects.currency, ...(payee !== undefined && { payee }) }
    : { ...(document !== undefined && { document }), ...(signer !== undefined && { signer }) };

const unfit = (detail: string): Problem => new Problem('INVALID_INPUT', { detail });

interface Stored {
  connection: Connection;
  token: string;
  isRefused: boolean;
  fetch: FakeAccount['fetch'];
}

/** The accounts that people have connected at one provider. */
class FakeConnections implements ScriptedConnections {
  readonly #key: string;
  readonly #description: Provider;
  readonly #bySubject = new Map<string, Stored>();

  constructor(key: string, description: Provider) {
    this.#key = key;
    this.#description = description;
  }

  end(subject: string, { scopes }: ExpectedConnection, outcome: Outcome): Ending {
    if (outcome.kind === 'declines') return { status: 'declined' };
    if (outcome.kind !== 'connects')
      throw unfit('Tell it that the person connects() or declines(): the tool connects.');
    const { account, fetch } = outcome;
    const names = typeof account === 'string' ? { id: account, label: account } : account;
    const place = { id: newId('credential'), provider: this.#key, hosts: this.#description.apiHosts };
    const connection = { ...place, account: names, scopes };
    const token = `fake-${connection.id}`;
    this.#bySubject.set(subject, { connection, token, isRefused: false, fetch });
    return { status: 'accepted', content: { connection: connection.id, account: names.label } };
  }

  find({ requester, scopes = [] }: FindConnection): FoundConnection {
    if (!this.#description.oauth) throw new Problem('provider-not-configured');
    const stored = this.#bySubject.get(requester.subject);
    if (!stored || !covers(this.#description, stored.connection.scopes, scopes)) return { state: 'missing' };
    return stored.isRefused ? { state: 'refused' } : { state: 'stored', connection: stored.connection };
  }

  use(id: string): ConnectionToken | undefined {
    const stored = this.#with(({ connection }) => connection.id === id);
    if (stored?.isRefused) throw new Problem('connection-declined');
    return stored && { token: stored.token, lasts: 60_000 };
  }

  refuse(id: string): void {
    const stored = this.#with(({ connection }) => connection.id === id);
    if (stored) stored.isRefused = true;
  }

  async answer(request: Request): Promise<Response | undefined> {
    const stored = this.#with(({ token }) => request.headers.get('authorization') === `Bearer ${token}`);
    if (!stored) return undefined;
    if (stored.fetch) return stored.fetch(request);
    throw unfit(`Give connects() of ${this.#key} a fetch that answers ${request.method} ${request.url}.`);
  }

  #with(isMeant: (stored: Stored) => boolean): Stored | undefined {
    return [...this.#bySubject.values()].find(isMeant);
  }
}
