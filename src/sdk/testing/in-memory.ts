import { defaultRequesterTtl } from '#requests/asking/contract/elicitation';
import type { ConnectionToken, FindConnection, FoundConnection } from '#connect/connections/contract';
import { secretField, secretForm, type ExpectedOutside, type ExpectedSecret } from '#connect/providers/expects';
import type { FoundSecret } from '#connect/secrets/contract';
import type { CredentialId, ToolCallId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import {
  runDigest,
  type AssentryClient,
  type ClaimToolCall,
  type ElicitationState,
  type MintToken,
  type OpenElicitation,
  type ToolCallClaim,
} from '../client/client.ts';
import { sending } from '../mcp/connect/guarded-fetch.ts';
import { askedQuestion, closedState, newId, type AskedQuestion, type Ending } from './ending.ts';

/** A provider that ends its steps by a script. */
export interface ScriptedProvider {
  /** Key in the settings. */
  key: string;
  end(question: AskedQuestion, expects: ExpectedOutside): Ending;
  connections: ScriptedConnections;
}

/** What people have connected at it. */
export interface ScriptedConnections {
  find(request: FindConnection): FoundConnection;
  /** Undefined for a connection at another provider. */
  use(id: string): ConnectionToken | undefined;
  refuse(id: string): void;
  /** The answer to a request with a token of its own; undefined for another token. */
  answer(request: Request): Promise<Response | undefined>;
}

/** Member of a fake provider that the client in memory uses. */
export const scripted = Symbol('scripted');

/** Answers a question; if it rejects, the server that asked gets the error. */
export type AnswerQuestion = (question: AskedQuestion) => Promise<Ending>;

interface ToolCall {
  id: ToolCallId;
  name: string;
  /** Name from the caller. */
  callName: string;
  /** Questions by step, including those about to end, so that an equal one joins. */
  questions: Map<string, Promise<ElicitationState>>;
  /** The digest of the requested run. */
  run: Promise<string>;
  claim?: { attempt: string; since: number } | undefined;
  /** Result for an absent caller. */
  kept?: { result: unknown };
  memos: Map<string, { id: string; value: unknown }>;
}

/**
 * Replaces Assentry within a process: every question is answered when it is opened. As with Assentry, a call joins its
 * own questions until it is settled, and only one attempt may act on an accept.
 */
export function createInMemoryClient(
  answer: AnswerQuestion,
  providers: readonly ScriptedProvider[] | null = null,
): AssentryClient & { [sending]: typeof fetch } {
  const calls = new Map<string, ToolCall>();
  const reserved = new Map<string, string>();
  const secrets = new Secrets();
  const get = async (id: string): Promise<ElicitationState> => {
    const states = await Promise.all([...calls.values()].flatMap(({ questions }) => [...questions.values()]));
    return states.find((state) => state.id === id) ?? refuse('not-found');
  };
  /** Without providers, their steps are questions as all others. */
  const endAsked: AnswerQuestion = async (question) => {
    const { expects } = question;
    if (expects?.kind === 'secret') {
      const ending = await answer({ ...question, schema: secretForm(expects) });
      return secrets.keep(question.requester, expects, ending);
    }
    return expects && providers ? providerOf(providers, expects.provider).end(question, expects) : answer(question);
  };
  const find = (id: string): ToolCall =>
    [...calls.values()].find((call) => call.id === id) ?? refuse('already-executed');
  return {
    open: async (request, { signal } = {}) => {
      const call = enterCall(calls, request);
      const { step = '0' } = request;
      const pending = call.questions.get(step);
      const question = pending ?? endQuestion(call, request, endAsked);
      call.questions.set(step, question);
      question.catch(() => call.questions.delete(step)); // asked in vain: the next may ask again
      return { ...(await Promise.race([question, abortOf(signal)])), joined: pending !== undefined };
    },
    get,
    cancel: get,
    markCaller: get,
    findCredential: async () => refuse('forbidden'),
    refuseCredential: async () => refuse('forbidden'),
    findConnection: async (request) => providerOf(providers, request.provider).connections.find(request),
    useConnection: async (id) =>
      providers?.map(({ connections }) => connections.use(id)).find((token) => token !== undefined) ??
      refuse('not-found'),
    refuseConnection: async (id) => providers?.forEach(({ connections }) => connections.refuse(id)),
    async [sending](input, init) {
      const request = new Request(input, init);
      const answers = await Promise.all((providers ?? []).map(({ connections }) => connections.answer(request)));
      return answers.find((response) => response !== undefined) ?? refuse('not-found');
    },
    findSecret: async ({ label, requester }) => secrets.find(requester.subject, label),
    useSecret: async (id) => ({ secret: secrets.use(id), lasts: 0 }),
    refuseSecret: async (id) => secrets.refuse(id),
    identify: async () => ({ name: 'test', version: 'in memory' }),
    waitForOutcome: get,
    answer: async () => refuse('already-closed'),
    giveInformation: async () => refuse('already-closed'),
    claim: async (id, claim) => claimCall(find(id), claim),
    release: async (id, { attempt }) => {
      const call = find(id);
      if (call.claim?.attempt === attempt) call.claim = undefined;
    },
    complete: async (id, { delivered, result }) => {
      const call = find(id);
      if (delivered) calls.delete(call.name);
      else call.kept = { result };
    },
    beginMemo: async ({ key, toolCall, calls: names = [] }) => {
      const call = [...calls.values()].find(({ id, callName }) => id === toolCall || names.includes(callName));
      const kept = call?.memos.get(key);
      const reservation = `${call?.id ?? names[0]} ${key}`;
      const id = kept?.id ?? reserved.get(reservation) ?? crypto.randomUUID();
      reserved.set(reservation, id);
      return { id, isKept: kept !== undefined, value: kept?.value ?? null };
    },
    keepMemo: async (toolCall, { id, key, value }) => {
      const { memos } = find(toolCall);
      const memo = memos.get(key) ?? { id, value };
      memos.set(key, memo);
      return { value: memo.value };
    },
    mintToken: async (request) => mintFake(request),
    recognizePage: async () => ({ isOwn: false }),
    reportCallback: async () => refuse('token-invalid'),
    // No policies are here that could allow anything without a question, or deny it.
    renewPasses: async ({ passes }) => ({
      lasts: 0,
      passes: passes.map(() => null),
      denied: passes.map(() => false),
    }),
    reportTools: async () => {},
    // No call ends here with an open question: there is nothing to seal or to come back to.
    getToolCall: async () => refuse('not-found'),
    sealState: async () => refuse('already-closed'),
    redeemState: async () => refuse('token-invalid'),
    sealRound: async () => refuse('already-closed'),
    redeemRound: async () => refuse('token-invalid'),
  };
}

function providerOf(providers: readonly ScriptedProvider[] | null, key: string): ScriptedProvider {
  const provider = providers?.find((each) => each.key === key);
  if (provider) return provider;
  throw new Problem('provider-not-configured', { detail: `Add fakeProvider('${key}') to the test.` });
}

function refuse(code: ConstructorParameters<typeof Problem>[0]): never {
  throw new Problem(code);
}

/** The call of a request. Asking again gives back the execution that the same attempt holds. */
function enterCall(calls: Map<string, ToolCall>, request: OpenElicitation): ToolCall {
  const name = JSON.stringify([request.session, request.call ?? newId('toolCall')]);
  const call: ToolCall = calls.get(name) ?? {
    id: newId('toolCall'),
    name,
    callName: request.call ?? '',
    questions: new Map(),
    memos: new Map(),
    run: runDigest(request),
  };
  calls.set(name, call);
  if (request.attempt !== undefined && request.attempt === call.claim?.attempt) call.claim = undefined;
  return call;
}

/** Secrets that people have entered. */
class Secrets {
  readonly #stored = new Map<
    CredentialId,
    { subject: string; label: string | null; text: string; isRefused: boolean }
  >();

  /** The ending with the id of what was entered, in place of its text. */
  keep(subject: string, { label, keep }: ExpectedSecret, ending: Ending): Ending {
    if (ending.status !== 'accepted') return ending;
    const id = newId('credential');
    const text = String(ending.content?.[secretField]);
    this.#stored.set(id, { subject, label: keep === 'call' ? null : label, text, isRefused: false });
    return { ...ending, content: { secret: id } };
  }

  find(subject: string, label: string): FoundSecret {
    const [id, secret] =
      [...this.#stored].findLast(([, other]) => other.subject === subject && other.label === label) ?? [];
    if (id === undefined) return { state: 'missing' };
    return secret?.isRefused ? { state: 'refused' } : { state: 'stored', id };
  }

  use(id: string): string {
    const secret = this.#stored.get(id as CredentialId) ?? refuse('not-found');
    return secret.isRefused ? refuse('secret-declined') : secret.text;
  }

  refuse(id: string): void {
    const secret = this.#stored.get(id as CredentialId) ?? refuse('not-found');
    secret.isRefused = true;
  }
}

async function endQuestion(
  call: ToolCall,
  request: OpenElicitation,
  answer: AnswerQuestion,
): Promise<ElicitationState> {
  const question = askedQuestion(newId('elicitation'), request);
  return closedState(question, call.id, await answer(question));
}

async function claimCall(call: ToolCall, { attempt, run }: ClaimToolCall): Promise<ToolCallClaim> {
  if ((await call.run) !== run) refuse('digest-mismatch');
  if (call.kept) return { state: 'completed', result: call.kept.result };
  if (call.claim && call.claim.attempt !== attempt) return { state: 'running', since: call.claim.since };
  const states = await Promise.all(call.questions.values());
  if (states.some(({ audience, status }) => audience === 'approvers' && status !== 'accepted')) refuse('not-now');
  call.claim ??= { attempt, since: Date.now() };
  return { state: 'claimed' };
}

function mintFake({ ttl = defaultRequesterTtl, purpose = 'callback' }: MintToken) {
  const token = `v1.fake.${newId('elicitation')}`;
  const isPage = purpose === 'page';
  return {
    token,
    expiresAt: Date.now() + ttl,
    pageUrl: isPage ? `https://assentry.invalid/e/${token}` : null,
    callbackUrl: isPage ? null : `https://assentry.invalid/callback/v1.fake.${newId('elicitation')}`,
  };
}

function abortOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
