import type { z } from 'zod';
import { canonicalJson, sha256, sha256Hex } from '#platform/crypto/digest';
import { equalBytes, hashSecret, newId } from '#platform/crypto/random';
import { openToken, isCallbackToken, type TokenClaims, mintPair, mintToken } from '#access/tokens/rules';
import type { FormContent } from '#platform/form/answer';
import {
  outcomeAction,
  type Action,
  type Audience,
  type Mode,
  type Outcome,
} from '../../asking/contract/elicitation.ts';
import type { ElicitationId, ServerId } from '#platform/model/id';
import { identityKey, type Identity } from '#platform/model/identity';
import { invalidInput, Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../state/store/row.ts';
import {
  acceptedContent,
  type Answer,
  openDecision,
  openQuestion,
  sealDecision,
  type Question,
  cells,
  ownerOf,
} from '../../asking/verbs/question.ts';
import { isOutside } from '../../machine/rules/machine.ts';
import { changeElicitation } from '../../state/verbs/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Intent } from '../../state/verbs/intent.ts';
import { auditEntry } from '#audit/entries/rules/entry';
import { requestProgress } from '#audit/entries/rules/events';
import { lookupHash } from '#platform/crypto/key-ring';
import { timeAfter } from '#platform/nodes/verbs/lists';
import type { KeyScope } from '#people/directory/contract/user';
import { assertOwn } from '#people/directory/verbs/scope';
import { callbackAddress, pageAddress, renewedPageCode } from './proof.ts';
import type { MintToken } from '../contract.ts';

/** An answer, who gave it if the service says so, and the `state` they came with. */
type Report = Answer & { completedBy?: Identity | undefined; state?: string | undefined };

/**
 * Takes the report of an outside service and resumes the waiting call, once, on any node. The same report again
 * succeeds and changes nothing; another report gets `already-closed`. URL mode only, and never for approvers. Problem
 * `token-invalid` for any fault of the token, and after its question has expired; `forbidden` if someone other than the
 * requester completed it, the `state` is another one, or the requester must complete it and has not gone on from the
 * connect page. A report that comes late or does not fit is written down with the request.
 */
export async function takeCallback(engine: Engine, token: string, report: Report): Promise<Action> {
  const named = await elicitationByToken(engine, token, 'callback');
  if (named.mode !== 'url') throw new Problem('token-invalid');
  const { id } = named;
  if (openToken(engine.ring, token, 'callback', engine.now()).forService !== true) {
    // From before an upgrade: its client could read it. What it says is not believed, and not forgotten.
    await noteReport(engine, named, { type: 'callback.unfit', report });
    throw new Problem('token-invalid');
  }
  const hasLeft = (await engine.pageProofs.find(id))?.hasConsented ?? false;
  let untaken: { row: ElicitationRow; problem: Problem } | null = null;
  const refuse = (row: ElicitationRow, problem: Problem): null => {
    untaken = { row, problem };
    return null;
  };
  await changeElicitation(engine, id, (row, now) => {
    untaken = null;
    if (row.status === 'expired') return refuse(row, new Problem('token-invalid'));
    const question = openQuestion(engine.ring, row);
    assertRequester({ ...question, hasLeft }, report, row.id);
    const content = readContent(question, report);
    if (content instanceof Problem) return refuse(row, content);
    if (row.status === 'open') return intentOf(engine, row, { action: report.action, content }, now);
    if (saysTheSame(engine, row, { action: report.action, content })) return null;
    return refuse(row, new Problem('already-closed'));
  });
  await throwUntaken(engine, untaken, report);
  return report.action;
}

async function throwUntaken(
  engine: Engine,
  untaken: { row: ElicitationRow; problem: Problem } | null,
  report: Report,
): Promise<void> {
  if (!untaken) return;
  const { row, problem } = untaken;
  const type = row.status === 'open' ? 'callback.unfit' : 'callback.late';
  await noteReport(engine, row, { type, report });
  throw problem;
}

/** The content as its question wants it; the problem if it does not fit. */
function readContent(question: Question, report: Answer): FormContent | undefined | Problem {
  try {
    return reportedContent(question, report);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/**
 * The service names the person who completed it, and they must be the requester: the service alone has the token, and
 * went on from the page in front of it. The `state` alone is less: the requester could pass on the address with it.
 */
function assertRequester(question: Question & { hasLeft: boolean }, report: Report, id: ElicitationId): void {
  const { completedBy: expected, requester, hasLeft } = question;
  const { action, completedBy, state } = report;
  const isBound = expected !== undefined && action === 'accept';
  const refuse = (detail: string): Problem => new Problem('forbidden', { detail, about: [id] });
  if (state !== undefined && !isState(question, state))
    throw refuse('Send the `state` that the address was opened with: this one belongs to no such visit.');
  if (completedBy === undefined && isBound) {
    const message = 'Say who completed it: this question must be completed by the person who was asked.';
    throw invalidInput(['completedBy'], message);
  }
  if (completedBy !== undefined && identityKey(completedBy) !== identityKey(requester))
    throw refuse('Sign in as the person who was asked: someone else completed this.');
  if (isBound && !hasLeft)
    throw refuse(
      'Begin at the address that the client was given: the person who was asked has not gone on from its page.',
    );
}

const isState = ({ state: expected }: Pick<Question, 'state'>, state: string): boolean =>
  expected !== undefined && equalBytes(sha256(state), sha256(expected));

function reportedContent({ schema }: Question, report: Answer): FormContent | undefined {
  if (schema || report.content === undefined) return acceptedContent(schema, report);
  const message = 'Leave this out: the question has no result schema.';
  throw invalidInput(['content'], message);
}

const intentOf = ({ ring }: Engine, row: ElicitationRow, { action, content }: Answer, now: number): Intent => ({
  actor: { kind: 'service' },
  event: { type: 'callback', action, at: now },
  answer: sealDecision(ring, row, { ...(content && { content }), comment: null }),
  says: (fields) => ({ type: 'elicitation.answered', channel: 'callback', action, ...fields }),
});

/** Has the question already ended with this report? */
function saysTheSame({ ring }: Engine, row: ElicitationRow, { action, content }: Answer): boolean {
  if (row.status === 'open' || outcomeAction[row.status] !== action) return false;
  if (row.status === 'cancelled' && row.cause !== 'user') return false;
  return canonicalJson(openDecision(ring, row)?.content ?? null) === canonicalJson(content ?? null);
}

/** Target of the connect page: the given address, with the question's `state`. All its other characters stay. */
export function outsideAddress({ url, state }: Pick<Question, 'state'> & { url: string }): string {
  if (state === undefined) return url;
  const [, start = '', query, fragment = ''] = /^([^#?]*)(\?[^#]*)?(.*)$/.exec(url) ?? [];
  const joint = query === undefined ? '?' : /^\?$|&$/.test(query) ? '' : '&';
  return `${start}${query ?? ''}${joint}state=${state}${fragment}`;
}

/** A token given as `elicitationId`, valid for the question that is being asked. */
export interface Binding {
  nonceHash: Buffer;
  /** The question it is already bound to, if the same call asks again. */
  boundTo: ElicitationId | null;
}

interface Naming {
  elicitationId?: string | undefined;
  mode: Mode;
  session?: string | undefined;
  requester: { subject: string };
}

/**
 * Reads a token made before its question, which must be in URL mode and for the requester. INVALID_INPUT for the token
 * of a callback address, because clients read this one. Problem `token-invalid`, without a reason, if it was made
 * elsewhere, by another server, in another session or for an existing question, or has expired unbound.
 */
export async function readBinding(
  engine: Engine,
  server: ServerId,
  { elicitationId: token, mode, session, requester }: Naming,
  audience: Audience,
): Promise<Binding | null> {
  if (token === undefined) return null;
  if (mode !== 'url') throw urlModeOnly();
  if (audience !== 'requester') throw forApprovers();
  if (isCallbackToken(engine.ring, token)) throw nameOnly();
  const claims = openEither(engine, token);
  const nonceHash = hashSecret(claims.nonce);
  const stored = claims.elicitation === null ? await engine.tokens.find(nonceHash) : null;
  // A call that comes back in another session names its own question.
  const isOfSession = stored?.elicitationId != null || claims.session === (session ?? requester.subject);
  if (stored?.serverId !== server || !isOfSession) throw new Problem('token-invalid');
  // A call that comes back names its question for as long as that is kept.
  if (stored.elicitationId === null && claims.expiresAt <= engine.now()) throw new Problem('token-invalid');
  return { nonceHash, boundTo: stored.elicitationId };
}

const urlModeOnly = (): Problem =>
  invalidInput(['elicitationId'], "Use mode 'url': only its questions can have a token.");

const nameOnly = (): Problem =>
  invalidInput(['elicitationId'], 'Give the `token`, not that of the `callbackUrl`: the client reads this one.');

function openEither({ ring }: Engine, token: string): TokenClaims {
  try {
    return openToken(ring, token, 'name', 0);
  } catch {
    return openToken(ring, token, 'page', 0);
  }
}

/** A token that is bound to a question opens no other. */
export function assertSameQuestion(binding: Binding | null, joined: ElicitationId | undefined): void {
  if (binding?.boundTo && binding.boundTo !== joined) throw new Problem('token-invalid');
}

/** Milliseconds for which a service can report late on a question that has ended. */
const lateFor = 30 * 86_400_000;

type Bound = Pick<ElicitationRow, 'id' | 'deadlineAt'>;

/** Binds the token to this question permanently; problem `token-invalid` if another question was faster. */
export async function bindToken(engine: Engine, { nonceHash }: Binding, { id, deadlineAt }: Bound): Promise<void> {
  if (!(await engine.tokens.bind(nonceHash, id, deadlineAt + lateFor))) throw new Problem('token-invalid');
}

/**
 * Writes down a report that was not taken, because it came late or does not fit: money may have moved. What it says is
 * sealed with the request. The same report again is written once, and of one request only so many.
 */
export async function noteReport(
  engine: Engine,
  row: ElicitationRow,
  { type, report }: { type: 'callback.late' | 'callback.unfit'; report: object },
): Promise<void> {
  const text = canonicalJson(report);
  const body = cells.report.seal(engine.ring, row, row.id, report);
  const at = timeAfter(engine, row.state.context.now);
  const says = { type, said: sha256Hex(body), elicitation: row.id, ...requestProgress(row, at) } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'service' }, says);
  const hash = lookupHash(engine.ring, 'idempotency', 'callback-report', row.id, text);
  await engine.callbackReports.add({ elicitation: row.id, hash, isLate: type === 'callback.late', body, at }, entry);
}

/** Milliseconds. The callback is valid as long as its question, and then to report late: its question decides. */
const callbackLife = 366 * 86_400_000;

/**
 * Makes a token for one purpose: for an open question, or for a later question that then names the token.
 * The question must be this server's, this session's and for the requester. For a callback the token is only a name,
 * which clients may read; what reports is in the address for the service.
 */
export async function mintElicitationToken(engine: Engine, server: KeyScope, request: z.output<typeof MintToken>) {
  const { session, purpose, elicitation, ttl } = request;
  const row = elicitation === undefined ? null : await askedQuestion(engine, server, elicitation);
  if (row) assertFit(engine, row, request);
  const now = engine.now();
  const expiresAt = now + ttl;
  const tokens = makeTokens(engine, { session, purpose, expiresAt, elicitation: row?.id ?? null });
  if (!row) await engine.tokens.add({ nonceHash: hashSecret(tokens.nonce), serverId: server.id, expiresAt });
  return {
    token: tokens.token,
    expiresAt,
    pageUrl: purpose === 'page' ? pageAddress(engine.publicUrl(), tokens.token) : null,
    callbackUrl: tokens.callback === null ? null : callbackAddress(engine.publicUrl(), tokens.callback),
    ...(row && purpose === 'page' && (await renewedPageCode(engine, row))),
  };
}

interface Claims extends Pick<z.output<typeof MintToken>, 'session' | 'purpose'> {
  expiresAt: number;
  elicitation: ElicitationId | null;
}

function makeTokens({ ring, now }: Engine, { purpose, ...claims }: Claims) {
  if (purpose === 'callback') {
    const { name, ...pair } = mintPair(ring, { ...claims, callbackUntil: now() + callbackLife });
    return { token: name, ...pair };
  }
  const token = mintToken(ring, { ...claims, purpose });
  return { token, callback: null, nonce: openToken(ring, token, purpose, now()).nonce };
}

async function askedQuestion({ reader }: Engine, server: KeyScope, id: ElicitationId): Promise<ElicitationRow> {
  const row = await reader.elicitation(id);
  if (!row) throw new Problem('not-found');
  assertOwn(row, server);
  return row;
}

function assertFit({ ring }: Engine, row: ElicitationRow, { session, purpose }: z.output<typeof MintToken>): void {
  if (row.status !== 'open') throw new Problem('already-closed');
  if (row.audience !== 'requester') throw forApprovers();
  if (ownerOf(ring, row).session !== session)
    throw invalidInput(['session'], 'Use the session of the question: it was asked in another one.');
  if (purpose === 'callback' && row.mode !== 'url')
    throw invalidInput(['purpose'], 'Ask in URL mode: only there a callback is possible.');
  if (openQuestion(ring, row).expects)
    throw invalidInput(['elicitation'], 'Leave it to Assentry: it finds out itself what happens at the provider.');
}

/** Approvers never answer by a link or a callback. */
export const forApprovers = (): Problem =>
  new Problem('forbidden', { detail: 'Wait for approvers: they answer this request in the console, not by a token.' });

/**
 * The requester's question a token is bound to. Any other token gives the same `token-invalid`: tampered, foreign,
 * expired, for another purpose, not yet bound, or for approvers, who never answer by token.
 */
async function elicitationByToken(
  engine: Engine,
  token: string,
  purpose: 'page' | 'connect' | 'callback',
  at = engine.now(),
): Promise<ElicitationRow> {
  const claims = openToken(engine.ring, token, purpose, at);
  const id = claims.elicitation ?? (await engine.tokens.find(hashSecret(claims.nonce)))?.elicitationId;
  const row = id ? await engine.reader.elicitation(id) : null;
  if (!row?.dataKey || row.audience !== 'requester' || ownerOf(engine.ring, row).session !== claims.session)
    throw new Problem('token-invalid');
  return row;
}

/** Milliseconds for which a link still tells its requester how their question ended. */
const tellsEndMs = 3_600_000;

/**
 * As above, for a page, with how the question ended. To an open one a link leads until its deadline, or as long as its
 * requester waits for a provider; of an ended one it only tells, and no one but the browser that proved to be its requester's.
 */
export async function pageByToken(
  engine: Engine,
  token: string,
): Promise<{ row: ElicitationRow; link: PageLink; end: Outcome | null }> {
  const row = await elicitationByToken(engine, token, 'page', 0);
  const { nonce, expiresAt } = openToken(engine.ring, token, 'page', 0);
  const leadsUntil = isOutside(row.state.context) ? Math.max(expiresAt, row.closedAt ?? engine.now()) : expiresAt;
  if (leadsUntil + tellsEndMs <= engine.now()) throw new Problem('token-invalid');
  const link = { elicitation: row.id, linkHash: hashSecret(nonce) };
  if (!isOpen(engine, row)) return { row, link, end: row.status === 'open' ? 'expired' : row.status };
  if (row.deadlineAt > engine.now()) openToken(engine.ring, token, 'page', engine.now());
  return { row, link, end: null };
}

/** One link to the page of a request. Each time that a client asks, it gets another one. */
export interface PageLink {
  elicitation: ElicitationId;
  linkHash: Buffer;
}

/** One whose requester is at a provider stays open past its deadline, until that says what happened. */
export const isOpen = (engine: Engine, { status, deadlineAt, state }: ElicitationRow): boolean =>
  status === 'open' && (deadlineAt > engine.now() || isOutside(state.context));

/** Target of a link to the connect page. */
interface Connection {
  /** Name that ties cookies and forms of a browser to it. */
  tag: string;
  /** Null if there is nothing to answer: strangers see no difference. */
  row: ElicitationRow | null;
  /** The request if it is over, for the browser that proved to be its requester's. */
  ended: ElicitationRow | null;
  /** The link for which tries of a code count, also after the end of its request; null if this installation made no such link. */
  link: PageLink | null;
}

export async function findConnection(engine: Engine, token: string): Promise<Connection> {
  const link = await findLink(engine, token);
  if (!link) return { tag: token, row: null, ended: null, link };
  const named = await openedByToken(engine, token, 'connect');
  const [row, ended] = named && isOpen(engine, named) ? [named, null] : [null, named];
  return { tag: link.elicitation, row, ended, link };
}

/** The requester's question that this token opens now; null if it opens none. */
export const openedByToken = (
  engine: Engine,
  token: string,
  purpose: 'page' | 'connect',
): Promise<ElicitationRow | null> => elicitationByToken(engine, token, purpose).catch(nullIfInvalid);

async function findLink(engine: Engine, token: string): Promise<PageLink | null> {
  try {
    const { elicitation, nonce } = openToken(engine.ring, token, 'connect', 0);
    if (elicitation === null || !(await engine.reader.elicitation(elicitation))) return null;
    return { elicitation, linkHash: hashSecret(nonce) };
  } catch (error) {
    return nullIfInvalid(error);
  }
}

function nullIfInvalid(error: unknown): null {
  if (error instanceof Problem && error.code === 'token-invalid') return null;
  throw error;
}
