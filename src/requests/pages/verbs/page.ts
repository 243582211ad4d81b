import {
  faultsOfContent,
  type AnswerFault,
  type FormContent as AnsweredForm,
  withDefaults,
} from '#platform/form/answer';
import { Problem } from '#platform/model/problem';
import type { Action } from '../../asking/contract/elicitation.ts';
import type { ElicitationRow } from '../../state/store/row.ts';
import { changeElicitation } from '../../state/verbs/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Intent } from '../../state/verbs/intent.ts';
import { assertAllowed } from '#connect/auto/verbs/issuer';
import { clientFor, connectionOf } from '#connect/connections/verbs/tokens';
import { connectedIntent } from '#connect/connections/verbs/end';
import { leaveForProvider } from '#connect/connections/verbs/leave';
import {
  isOutcome,
  secretField,
  secretForm,
  type ExpectedConnection,
  type ExpectedSecret,
} from '#connect/providers/expects';
import { enteredIntent, isReplacing, warningOf, type LabelWarning } from '#connect/secrets/verbs';
import { outsideAddress, isOpen, openedByToken, type PageLink } from './callback.ts';
import { assertSeen } from '../../state/verbs/permissions.ts';
import { openQuestion, sealDecision, type Question } from '../../asking/verbs/question.ts';
import { isSame, type Identity } from '#platform/model/identity';
import { isLoopback } from '#platform/model/names';
import type { Requester, User } from '#people/directory/contract/user';
import type { UserId } from '#platform/model/id';
import {
  requesterProof,
  type CodeLock,
  isKnownBrowser,
  lockOf,
  triesLeft,
  tryLimits,
  pageProofOf,
  tokenFor,
} from './proof.ts';
import { leaveForOutcome } from '#connect/outcomes/verbs/leave';
import { outcomeClientFor, type Wanted } from '#connect/outcomes/rules';
import { domainToUnicode } from 'node:url';
import {
  fieldKind,
  isNumeric,
  isStringList,
  isText,
  optionsOf,
  type FieldKind,
  type Option,
  type FieldValue,
  type FormContent,
  type ResultFieldSchema,
  type ResultSchema,
} from '#platform/form/schema';
import { looksSecret } from '#platform/form/lint';
import type { FieldFault, FieldRule } from '#platform/model/field-fault';
import { type Actor, auditEntry } from '#audit/entries/rules/entry';
import { equalBytes, hashSecret, newOneTimeSecret, newId } from '#platform/crypto/random';
import type { PageProof } from '../store/proofs.ts';
import { requestProgress } from '#audit/entries/rules/events';
import { isOutside } from '../../machine/rules/machine.ts';
import { isVisited } from '../../machine/rules/step.ts';
import { identitiesOf } from '#policies/document/rules/directory';
import { timeAfter } from '#platform/nodes/verbs/lists';

interface PageAnswer {
  action: Action;
  /** The action digest of what the page showed. */
  digest: string;
  posted: Posted;
  /** Who is signed in at the console in this browser, and the hash of their session; null if no one is. */
  session: { user: UserId; hash: Uint8Array } | null;
}

export type PageOutcome =
  /** Recorded; the blocked call has it. */
  | { state: 'answered'; question: PageQuestion; action: Action }
  /** They agreed to go to this address; the result comes back another way. */
  | { state: 'leaving'; address: string }
  /** They agreed to go to a provider; the secret is for a cookie of this browser. */
  | { state: 'departing'; address: string; journey: { secret: string; state: string } }
  /** Nothing is recorded; the faults are listed by field. */
  | { state: 'refused'; question: PageQuestion }
  /** They proved by a session who they are, and it has ended, or it is someone else's by now. */
  | { state: 'signed-out' }
  | { state: 'unproven' };

/** Takes the requester's own answer from their page, once; after that the link is not valid. */
export async function answerPage(
  engine: Engine,
  row: ElicitationRow,
  secret: string,
  answer: PageAnswer,
): Promise<PageOutcome> {
  const actor = await pageVisitor(engine, row, secret);
  if (!actor) return { state: 'unproven' };
  const question = openQuestion(engine.ring, row);
  const { url, expects } = question;
  if (answer.action === 'accept' && expects?.kind === 'connection') return depart(engine, row, actor, answer, expects);
  if (answer.action === 'accept' && expects && isOutcome(expects)) {
    await consent(engine, row, actor, answer.digest);
    return { state: 'leaving', address: await leaveForOutcome(engine, row, expects) };
  }
  if (answer.action === 'accept' && url !== null) {
    await consent(engine, row, actor, answer.digest);
    return { state: 'leaving', address: outsideAddress({ ...question, url }) };
  }
  if (expects?.kind === 'secret' && actor.kind === 'user' && answer.session?.user !== actor.id)
    return { state: 'signed-out' };
  const schema = formIn(question);
  const { content, faults } = readAnswer(schema, answer);
  if (faults.length > 0 && schema) {
    const fields = repeatFields(schema, answer.posted, faults);
    return { state: 'refused', question: await pageQuestion(engine, row, fields) };
  }
  const isSecond = expects?.kind === 'secret' && (await isReplacing(engine, row, expects));
  await change(engine, row, (current, now) => {
    assertSeen(current, answer.digest);
    return expects?.kind === 'secret' && content
      ? enteredIntent(engine, current, {
          actor,
          expects,
          secret: String(content[secretField]),
          isReplacing: isSecond,
          now,
        })
      : intentOf(engine, current, { actor, answer, content, now });
  });
  return { state: 'answered', question: await pageQuestion(engine, row), action: answer.action };
}

/**
 * A person who proved by their session who they are has to be signed in when they go, and when they come back. If they have
 * connected for another question meanwhile what this one expects, it is answered at once.
 */
async function depart(
  engine: Engine,
  row: ElicitationRow,
  actor: PageVisitor,
  { digest, session }: PageAnswer,
  expects: ExpectedConnection,
): Promise<PageOutcome> {
  if (actor.kind === 'user' && session?.user !== actor.id) return { state: 'signed-out' };
  await assertAllowed(engine, expects);
  await consent(engine, row, actor, digest);
  const connection = await connectionOf(engine, row, openQuestion(engine.ring, row).requester, expects);
  if (connection) {
    await change(engine, row, (current, now) => connectedIntent(engine, current, { actor, expects, connection, now }));
    return { state: 'leaving', address: `/e/${tokenFor(engine.ring, row, 'page')}` };
  }
  const sessionHash = actor.kind === 'user' && session ? session.hash : null;
  const { address, ...journey } = await leaveForProvider(engine, row, expects, sessionHash);
  return { state: 'departing', address, journey };
}

/** What the page has fields for: the form of the tool's author, or the secret that it asks for. */
const formIn = ({ schema, expects }: Pick<Question, 'schema' | 'expects'>): ResultSchema | null =>
  expects?.kind === 'secret' ? secretForm(expects) : schema;

interface Read {
  content: AnsweredForm | undefined;
  faults: AnswerFault[];
}

function readAnswer(schema: ResultSchema | null, { action, posted }: PageAnswer): Read {
  if (!schema || action !== 'accept') return { content: undefined, faults: [] };
  const content = readFields(schema, posted);
  const faults = faultsOfContent(schema, content);
  return { content: faults.length > 0 ? undefined : content, faults };
}

/** Agreeing to leave is not a result: the question stays open until the callback. It is logged once. */
async function consent(engine: Engine, row: ElicitationRow, actor: PageVisitor, digest: string): Promise<void> {
  assertSeen(row, digest);
  if (!(await engine.pageProofs.consentOnce(row.id, engine.now()))) return;
  await change(engine, row, (_current, now) => ({
    actor,
    event: { type: 'answer', action: 'accept', at: now },
    says: (fields) => ({ type: 'elicitation.answered', channel: 'page', action: 'accept', ...fields }),
  }));
}

const change = (engine: Engine, { id }: ElicitationRow, decide: (row: ElicitationRow, now: number) => Intent) =>
  changeElicitation(engine, id, (row, now) => {
    if (row.status !== 'open') throw new Problem('token-invalid');
    return decide(row, now);
  });

function intentOf(
  { ring }: Engine,
  row: ElicitationRow,
  {
    actor,
    answer,
    content,
    now,
  }: { actor: PageVisitor; answer: PageAnswer; content: AnsweredForm | undefined; now: number },
): Intent {
  const { action } = answer;
  // In URL mode an accept only means that the person agrees to leave; here they have filled in the form.
  const type = row.mode === 'url' ? 'callback' : 'answer';
  return {
    actor,
    event: { type, action, at: now },
    answer: sealDecision(ring, row, { ...(content && { content }), comment: null }),
    says: (fields) => ({ type: 'elicitation.answered', channel: 'page', action, ...fields }),
  };
}

/**
 * Is this address, letter by letter, a page of this installation that is open for this requester? Only then is it in front
 * of its outside address already. False for every other address, whatever is wrong with it.
 */
export async function isOwnPage(
  engine: Engine,
  { url, requester }: { url: string; requester: Requester },
): Promise<boolean> {
  const [purpose, token] = readAddress(engine.publicUrl(), url);
  if (token === undefined) return false;
  const row = await openedByToken(engine, token, purpose);
  if (!row || !isOpen(engine, row)) return false;
  const question = openQuestion(engine.ring, row);
  if (requesterProof(engine.publicUrl(), question).way === 'closed') return false;
  return isSameRequester(question.requester, requester);
}

/** Reads the rest of our address as a token: a query, or a second host, is no part of one. */
function readAddress(publicUrl: string, url: string): ['page' | 'connect', string | undefined] {
  const [page, connect] = [`${publicUrl}/e/`, `${publicUrl}/go/`];
  if (url.startsWith(page)) return ['page', url.slice(page.length)];
  return ['connect', url.startsWith(connect) ? url.slice(connect.length) : undefined];
}

/**
 * Verified ones by issuer and subject. Of others no one knows more than the client's name: on one's own machine, where
 * alone their pages open, the gateway names them by the system's user and a server by their client.
 */
function isSameRequester(first: Requester, other: Requester): boolean {
  if (first.verified !== other.verified) return false;
  if (isSame(first, other)) return true;
  return !first.verified && first.client !== undefined && isSameClient(first.client, other.client);
}

type Client = NonNullable<Requester['client']>;

const isSameClient = (first: Client, other: Client | undefined): boolean =>
  first.name === other?.name && first.version === other.version;

/** The address of a question, as the requester must read it before they go. */
export interface PageAddress {
  url: string;
  /** Host to which the browser will connect. */
  host: string;
  /** The host in its real letters if it is written in Punycode; otherwise null. */
  unicodeHost: string | null;
  isSecure: boolean;
}

/** The whole question, for the person who was asked. */
export interface PageQuestion {
  server: string;
  tool: { name: string; title: string | null; reaches: string | null };
  requester: Requester;
  /** The stored bytes: canonical JSON. */
  arguments: string;
  message: string;
  reason: string | null;
  deadlineAt: number;
  now: number;
  /** The digest that an answer sends back. */
  digest: string;
  form: { title: string | null; description: string | null; fields: PageField[] } | null;
  address: PageAddress | null;
  /** The connection to a provider that the server needs; null if it needs none. */
  connecting: {
    provider: string;
    scopes: readonly string[];
    address: PageAddress;
    /** Host of the server for which alone the token is; null if it is for the provider. */
    resource: string | null;
    /** No operator has listed the issuer: its person allows it by going there. */
    isChosen: boolean;
    /** It can be disconnected in the person's profile; on one's own machine there may be none. */
    isInProfile: boolean;
  } | null;
  /** The secret that the server needs; null if it needs none. */
  secret: (Pick<ExpectedSecret, 'label' | 'keep'> & { warning: LabelWarning }) | null;
  /** The payment or the signature that the server expects; null if it expects none. */
  outcome: {
    provider: string;
    expected: Wanted;
    payee: string | null;
    address: PageAddress;
    /** They were at the provider, which has not said what happened. */
    isWaiting: boolean;
  } | null;
}

type Page =
  | { state: 'unproven'; way: 'code' | 'session' | 'closed'; lock: CodeLock | null }
  | { state: 'proven'; question: PageQuestion };

/** The page for the browser with this secret: nothing about the question before the proof. Changes nothing. */
export async function openPage(engine: Engine, row: ElicitationRow, link: PageLink, secret: string): Promise<Page> {
  if (await pageVisitor(engine, row, secret)) return { state: 'proven', question: await pageQuestion(engine, row) };
  const { way } = requesterProof(engine.publicUrl(), openQuestion(engine.ring, row));
  return { state: 'unproven', way, lock: way === 'code' ? await findLock(engine, link, secret) : null };
}

async function pageQuestion(engine: Engine, row: ElicitationRow, fields?: PageField[]): Promise<PageQuestion> {
  const { tool, url, expects, ...question } = openQuestion(engine.ring, row);
  const { message, reason, requester } = question;
  const schema = formIn({ ...question, expects });
  return {
    server: row.serverName,
    tool: {
      name: row.tool,
      title: tool.title,
      reaches: tool.reaches ?? null,
    },
    requester,
    message,
    reason,
    arguments: question.arguments,
    deadlineAt: row.deadlineAt,
    now: engine.now(),
    digest: row.digest,
    address: url === null ? null : describeAddress(url),
    connecting: expects?.kind === 'connection' ? connectingOf(engine, row, expects) : null,
    outcome: expects && isOutcome(expects) ? outcomeOf(engine, row, expects) : null,
    secret: expects?.kind === 'secret' ? { ...expects, warning: await warningOf(engine, row, expects) } : null,
    form:
      schema && url === null
        ? {
            title: schema.title ?? null,
            description: schema.description ?? null,
            fields: (fields ?? startFields(schema)).map((field) =>
              expects?.kind === 'secret' ? { ...field, rules: [] } : field,
            ),
          }
        : null,
  };
}

function connectingOf(
  engine: Engine,
  { serverName }: ElicitationRow,
  expects: ExpectedConnection,
): PageQuestion['connecting'] {
  const { settings } = clientFor(engine, serverName, expects);
  const { oauth, label } = settings;
  const address = describeAddress(oauth && 'authorize' in oauth ? oauth.authorize : (oauth?.issuer ?? ''));
  const resource = expects.resource === undefined ? null : new URL(expects.resource).host;
  const isChosen = !engine.connect.some(({ settings: { key } }) => key === settings.key);
  const isInProfile = !isLoopback(engine.publicUrl());
  return { provider: label, scopes: expects.scopes, address, resource, isChosen, isInProfile };
}

function outcomeOf(engine: Engine, { serverName, state }: ElicitationRow, expected: Wanted): PageQuestion['outcome'] {
  const { label, pageHosts, payees } = outcomeClientFor(engine, serverName, expected);
  const [host = ''] = pageHosts;
  const page = expected.made?.url ?? `https://${host}/`;
  const address = describeAddress(isLoopback(page) ? `http://${new URL(page).host}/` : page);
  const payee = expected.kind === 'payment' ? (expected.payee ?? payees[0] ?? null) : null;
  return { provider: label, expected, payee, address, isWaiting: isOutside(state.context) };
}

function describeAddress(url: string): PageAddress {
  const { host, hostname, protocol } = new URL(url);
  const isPunycode = hostname.split('.').some((label) => label.startsWith('xn--'));
  return { url, host, unicodeHost: isPunycode ? domainToUnicode(hostname) : null, isSecure: protocol === 'https:' };
}

type PageFieldKind = FieldKind | 'string-list';

/** One field as a page without scripts shows it; what was typed is always text. */
export interface PageField {
  name: string;
  kind: PageFieldKind;
  label: string;
  description: string | null;
  /** Rules of the value. */
  rules: FieldRule[];
  isRequired: boolean;
  /** Hidden while typed, and never sent back. */
  isSecret: boolean;
  isLong: boolean;
  options: Option[];
  /** One text, or one for each choice made. */
  typed: string[];
  fault: FieldFault | null;
}

/** Values of a posted form, by field name. */
export type Posted = (field: string) => string[];

/** The fields as the form starts, with the schema's defaults. */
export const startFields = (schema: ResultSchema): PageField[] => {
  const defaults = withDefaults(schema);
  return fieldsOf(schema, (name, field) => typedFrom(field, defaults[name]), []);
};

/** The fields as they were sent, each with its fault. */
export const repeatFields = (schema: ResultSchema, posted: Posted, faults: readonly AnswerFault[]): PageField[] =>
  fieldsOf(schema, (name) => posted(name), faults);

/** The answer of a posted form: an empty field is no answer. */
export function readFields(schema: ResultSchema, posted: Posted): FormContent {
  const answered = Object.entries(schema.properties).flatMap(([name, field]): [string, FieldValue][] => {
    const value = readField(field, posted(name), schema.required?.includes(name) === true);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(answered);
}

const kindOf = (field: ResultFieldSchema): PageFieldKind => (isStringList(field) ? 'string-list' : fieldKind(field));

function fieldsOf(
  schema: ResultSchema,
  typed: (name: string, field: ResultFieldSchema) => string[],
  faults: readonly AnswerFault[],
): PageField[] {
  return Object.entries(schema.properties).map(([name, field]): PageField => {
    const kind = kindOf(field);
    const label = field.title ?? name;
    const isSecret = kind === 'text' && (looksSecret(name) || looksSecret(label));
    return {
      name,
      kind,
      label,
      description: field.description ?? null,
      rules: rulesOf(field),
      isSecret,
      isRequired: schema.required?.includes(name) === true,
      isLong: kind === 'text' && !isSecret && !isStringList(field) && isText(field) && longest(field) > maxLineLength,
      options: isStringList(field) ? [] : optionsOf(field),
      typed: typed(name, field),
      fault: faults.find(({ path }) => path[0] === name)?.fault ?? null,
    };
  });
}

/** Characters; if more are allowed, the field has several lines. */
const maxLineLength = 200;
const longest = (field: ResultFieldSchema): number => ('maxLength' in field ? (field.maxLength ?? 0) : 0);

function typedFrom(field: ResultFieldSchema, value: FieldValue | undefined): string[] {
  if (value === undefined) return [];
  const kind = kindOf(field);
  if (kind === 'string-list') return [(value as string[]).join('\n')];
  if (kind === 'date-time') return [new Date(String(value)).toISOString().slice(0, 19)];
  return Array.isArray(value) ? [...value] : [String(value)];
}

function readField(field: ResultFieldSchema, typed: string[], isRequired: boolean): FieldValue | undefined {
  const kind = kindOf(field);
  if (kind === 'multi-select') return typed.length > 0 || isRequired ? typed : undefined;
  const text = typed[0] ?? '';
  if (kind === 'string-list') return readLines(text, isRequired);
  if (text.trim() === '') return undefined;
  if (kind === 'boolean') return text === 'true';
  if (kind === 'number' || kind === 'integer') return readNumber(text.trim());
  if (kind === 'date-time') return readMoment(text.trim());
  // Browsers send line ends as CRLF, whatever was typed.
  return kind === 'text' ? text.replaceAll('\r\n', '\n') : text.trim();
}

function readLines(text: string, isRequired: boolean): string[] | undefined {
  const lines = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  return lines.length > 0 || isRequired ? lines : undefined;
}

/** A text that is not a plain number becomes NaN, which no field accepts. */
const readNumber = (text: string): number =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;

/** A browser's date and time control has no offset; the page says that it is UTC. */
function readMoment(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(text)) return text;
  return `${text}${text.length === 16 ? ':00' : ''}Z`;
}

const rulesOf = (field: ResultFieldSchema): FieldRule[] =>
  [formatRule(field), lengthRule(field), rangeRule(field), countRule(field)].filter((rule) => rule !== null);

const formatRules: Partial<Record<PageFieldKind, FieldRule>> = {
  email: { code: 'email' },
  uri: { code: 'uri' },
  'date-time': { code: 'utc' },
  'string-list': { code: 'lines' },
};

const formatRule = (field: ResultFieldSchema): FieldRule | null => formatRules[kindOf(field)] ?? null;

// A least length or count of zero is no limit.
const lengthRule = (field: ResultFieldSchema): FieldRule | null =>
  'minLength' in field || 'maxLength' in field
    ? bounds('characters', field.minLength || undefined, field.maxLength)
    : null;

const rangeRule = (field: ResultFieldSchema): FieldRule | null =>
  isStringList(field) || !isNumeric(field) ? null : bounds('range', field.minimum, field.maximum);

const countRule = (field: ResultFieldSchema): FieldRule | null =>
  field.type === 'array'
    ? bounds(isStringList(field) ? 'entries' : 'options', field.minItems || undefined, field.maxItems)
    : null;

const bounds = (
  code: 'characters' | 'range' | 'options' | 'entries',
  least: number | undefined,
  most: number | undefined,
): FieldRule | null =>
  least === undefined && most === undefined ? null : { code, least: least ?? null, most: most ?? null };

/** The requester, after their proof. */
export type PageVisitor = Extract<Actor, { kind: 'user' | 'requester' }>;

/** The visitor with this browser secret; null before the proof. A person who was disabled since counts as no one. */
export async function pageVisitor(engine: Engine, { id }: ElicitationRow, secret: string): Promise<PageVisitor | null> {
  const proof = await engine.pageProofs.find(id);
  const isTheirs = proof?.sessionHash ? equalBytes(hashSecret(secret), proof.sessionHash) : false;
  return proof && isTheirs ? actorOf(engine, proof) : null;
}

async function actorOf({ users }: Engine, { userId }: PageProof): Promise<PageVisitor | null> {
  if (userId === null) return { kind: 'requester' };
  const user = await users.byId(userId);
  return user && { kind: 'user', id: user.id };
}

/** The opener's proof: the digits they typed, and who is signed in at the console in the same browser. */
interface Shown {
  code?: string | undefined;
  user: User | null;
  link: PageLink;
  /** Secret of this browser. */
  secret: string;
}

export type Proving = { isProven: true; secret: string } | Unproven;

/** `triesLeft`: how many tries of the code this browser has; null if the proof is another one. */
export interface Unproven {
  isProven: false;
  triesLeft: number | null;
  lock: CodeLock | null;
}

/** Lets this browser in as the requester's, in the place of any other, if the evidence is valid. Records the visit. */
export async function proveRequester(
  engine: Engine,
  row: ElicitationRow,
  { code, user: opener, link, secret: former }: Shown,
): Promise<Proving> {
  const { way } = pageProofOf(engine, row, null);
  // Counted before it is checked, so that parallel tries get no advantage.
  if (way === 'code' && !(await countTry(engine, link, former))) return showTries(engine, link, former);
  const proof = pageProofOf(engine, row, await engine.pageProofs.find(row.id));
  if (!proof.isGivenBy({ code, names: await namesOf(engine, opener) }))
    return way === 'code' ? showTries(engine, link, former) : { isProven: false, triesLeft: null, lock: null };
  const user = way === 'session' ? opener : null;
  const { secret, hash } = newOneTimeSecret();
  await admit(engine, row, hash, user);
  await recordVisit(engine, row, user);
  return { isProven: true, secret };
}

/** Counts a try at a link whose request has ended as at any other, so that its page looks the same. */
export async function tryInVain(engine: Engine, link: PageLink, secret: string): Promise<Unproven> {
  await countTry(engine, link, secret);
  return showTries(engine, link, secret);
}

async function countTry(engine: Engine, link: PageLink, secret: string): Promise<boolean> {
  const isKnown = isKnownBrowser(await engine.pageProofs.find(link.elicitation), secret);
  return engine.pageTries.count(placeOf(link, secret), tryLimits, { isKnown, now: engine.now() });
}

async function showTries(engine: Engine, link: PageLink, secret: string): Promise<Unproven> {
  const isKnown = isKnownBrowser(await engine.pageProofs.find(link.elicitation), secret);
  const counts = await engine.pageTries.at(placeOf(link, secret));
  const as = { isKnown, now: engine.now() };
  return { isProven: false, triesLeft: triesLeft(counts, as), lock: lockOf(counts, as) };
}

/** The lock that keeps this browser from trying a code at this link; null if there is none. */
export const findLock = async (engine: Engine, link: PageLink, secret: string): Promise<CodeLock | null> =>
  (await showTries(engine, link, secret)).lock;

const placeOf = (link: PageLink, secret: string) => ({ ...link, browserHash: hashSecret(secret) });

async function namesOf({ users }: Engine, user: User | null): Promise<Identity[]> {
  const stored = user && (await users.namesOf(user.id));
  return stored ? identitiesOf(stored) : [];
}

/** The first browser, or one that takes the page over from another. If several race, each does, and the last one stays. */
async function admit(engine: Engine, row: ElicitationRow, sessionHash: Buffer, user: User | null): Promise<void> {
  const at = timeAfter(engine, row.state.context.now);
  const admission = { elicitation: row.id, sessionHash, userId: user?.id ?? null, at };
  if (await engine.pageProofs.letIn(admission)) return;
  const says = { type: 'page.moved', elicitation: row.id, ...requestProgress(row, at) } as const;
  await engine.pageProofs.replace(admission, auditEntry(newId('entry'), at, actorFor(user), says));
}

const actorFor = (user: User | null) =>
  user ? ({ kind: 'user', id: user.id } as const) : ({ kind: 'requester' } as const);

const recordVisit = (engine: Engine, { id }: ElicitationRow, user: User | null): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    if (row.status !== 'open') throw new Problem('token-invalid');
    if (isVisited(row.state)) return null;
    return {
      actor: actorFor(user),
      event: { type: 'visit', at: now },
      says: (fields) => ({ type: 'elicitation.visited', channel: 'page', ...fields }),
    };
  });
