import type { Requester } from '#people/directory/contract/user';
import { actionDigest } from '../rules.ts';
import { sha256Hex } from '#platform/crypto/digest';
import { runText, type Run } from '#platform/model/hashed-text';
import type { ElicitationRow } from '../../state/store/row.ts';
import { checkAnswer, type FormContent } from '#platform/form/answer';
import type { ProvenStep } from '../../facts/contract/proven.ts';
import type { Expects } from '#connect/providers/expects';
import type { ResultSchema, FormSchema } from '#platform/form/schema';
import type { Action, Audience, RelayChannel } from '../contract/elicitation.ts';
import { Problem } from '#platform/model/problem';
import type { KeyRing } from '#platform/crypto/key-ring';
import {
  type DataKey,
  newDataKey,
  openDataKey,
  openOwner,
  sealJson,
  sealOwner,
  sealText,
  unsealJson,
  type KeyOwner,
  type SealedPlace,
} from '#platform/crypto/seal';
import type { KeyFact } from '../../facts/contract/facts.ts';
import { inOrders, type KeyOrders } from '../../facts/contract/orders.ts';
import type { GrantRecord } from '../../grants/store/grants.ts';
import type { GrantBinding } from '../../state/verbs/intent.ts';

/** The requester and how certain that is, complete: as pages show it, policies judge it and digests bind it. */
export const shownRequester = ({ subject, issuer = null, verified, verifiedBy = null }: Requester) => ({
  subject,
  issuer,
  verified,
  verifiedBy,
});

type Asked = Pick<ElicitationRow, 'id' | 'serverId' | 'tool' | 'mode' | 'audience' | 'policy' | 'revision'>;

/** The action digest of the current question, to which every decision is bound. */
export const digestOfQuestion = (subject: Asked, question: Question): string =>
  actionDigest({
    server: subject.serverId,
    run: runDigest(runOf(subject.tool, question)),
    message: question.message,
    mode: subject.mode,
    schema: question.schema,
    url: question.url,
    ...(question.expects && { expects: question.expects }),
    ...(question.proven && { proven: question.proven }),
    facts: question.facts,
    requester: shownRequester(question.requester),
    audience: subject.audience,
    policy: subject.policy,
    revision: subject.revision,
    elicitation: subject.id,
    nonce: question.nonce,
  });

/** The run that the current question asks for. */
export const runOf = (tool: string, question: Question): Run => ({
  tool,
  ...(question.tool.isDescribedInRun && descriptionOf(question)),
  reaches: question.tool.reaches,
  schemaDigest: question.tool.schemaDigest,
  annotations: question.tool.annotations,
  arguments: JSON.parse(question.arguments),
  requester: question.requester,
});

/** The tool's title and description for people. */
export const descriptionOf = ({ tool: { title, description } }: Pick<Question, 'tool'>) => ({ title, description });

/** The run digest, in hex: what a claim carries. The client library computes the same. */
export const runDigest = (run: Run): string => sha256Hex(runText(run));

export interface Answer {
  action: Action;
  content?: FormContent | undefined;
}

/** The content of an answer, validated by the stored schema; problem INVALID_INPUT with one error per field. */
export function acceptedContent(schema: ResultSchema | null, answer: Answer): FormContent | undefined {
  if (!schema) return undefined;
  const { action, content } = answer;
  const checked = checkAnswer(schema, content === undefined ? { action } : { action, content });
  if (checked.ok) return checked.content;
  const errors = checked.errors.map(({ path, message }) => ({ path: ['content', ...path], message }));
  throw new Problem('INVALID_INPUT', { errors });
}

/** Everything a person may read of a question; stored only sealed. */
export interface Question {
  message: string;
  /** The schema of an accepted form or, in URL mode, of the final result. */
  schema: ResultSchema | null;
  /** In URL mode, where to go; null for our hosted page. */
  url: string | null;
  /** What the requester does at a provider; absent if nothing of the kind is expected. */
  expects?: Expects | undefined;
  /** What providers have confirmed in earlier steps of the call; absent if it names none. */
  proven?: ProvenStep[] | undefined;
  /** Canonical JSON: exactly the bytes that are shown and bound. */
  arguments: string;
  /** The caller's order of the names in them, as JSON that only a page reads; absent in older questions. No digest covers it. */
  keyOrdersJson?: string | undefined;
  /** The person whom a report of an outside service must name as who completed it; absent if it need not name anyone. */
  completedBy?: 'requester' | undefined;
  /** A parameter that the connect page adds to the outside address, and a report may bring back; absent if nothing is added. */
  state?: string | undefined;
  /** Key facts chosen by the tool's author, shown next to the buttons. */
  facts: KeyFact[];
  reason: string | null;
  /** The audience the caller asked for; the policies may have chosen another. */
  audience: Audience | null;
  requester: Requester;
  /** The administrator who made the key that asked; absent if the operator did. */
  keyMaker?: string | undefined;
  tool: {
    title: string | null;
    description: string | null;
    annotations: Record<string, unknown> | null;
    schemaDigest: string | null;
    /** The server's command or address; absent if nothing has told it. */
    reaches?: string | undefined;
    /** No one had accepted its definition when it asked. */
    unaccepted?: boolean | undefined;
    /** Its arguments were as its definition says. */
    fits?: boolean | undefined;
    /** Its title and description are part of the run; absent in a question from before they were. */
    isDescribedInRun?: true | undefined;
  };
  /** The run uses the approved arguments, even if people edited them. */
  takesEdits: boolean;
  /** Makes the action digest impossible to guess. */
  nonce: string;
  /** Opens the hosted page of a local installation, until another one takes its place. */
  code: string | null;
}

/** The decider's words; stored only sealed. */
export interface Decision {
  content?: FormContent;
  comment: string | null;
}

type SealedRow = Pick<ElicitationRow, 'id' | 'owner' | 'dataKey'>;

const place = (row: string, column: string, table = 'elicitation') => ({ table, column, row });

export function sealQuestion(ring: KeyRing, id: ElicitationRow['id'], owner: KeyOwner, question: Question) {
  const { dataKey, wrapped } = newDataKey(ring, owner);
  const sealedOwner = sealOwner(ring, place(id, 'owner'), owner);
  keys.set(wrapped, { ring, id, owner: sealedOwner, key: dataKey });
  const row = { owner: sealedOwner, dataKey: wrapped };
  return { ...row, payload: sealOnce(ring, { id, ...row }, 'payload', question) };
}

/** The owner of the question: the session or, without sessions, the requester's subject. */
export const ownerOf = (ring: KeyRing, { id, owner }: Pick<ElicitationRow, 'id' | 'owner'>): KeyOwner =>
  openOwner(ring, place(id, 'owner'), owner);

export const openQuestion = (ring: KeyRing, row: SealedRow & Pick<ElicitationRow, 'payload'>): Question =>
  openOnce(ring, row, 'payload', row.payload) as Question;

/** Its arguments, parsed, with their names in the caller's order. */
export const argumentsInOrder = (question: Pick<Question, 'arguments' | 'keyOrdersJson'>): Record<string, unknown> =>
  inOrders(JSON.parse(question.arguments), readKeyOrders(question)) as Record<string, unknown>;

export const readKeyOrders = ({ keyOrdersJson = '[]' }: Pick<Question, 'keyOrdersJson'>): KeyOrders =>
  JSON.parse(keyOrdersJson) as KeyOrders;

/** The policies' verdict on a question, as plain JSON. */
export const sealVerdict = (ring: KeyRing, row: SealedRow, verdict: unknown): Buffer =>
  sealOnce(ring, row, 'explanation', verdict);

export const openVerdict = (ring: KeyRing, row: SealedRow & Pick<ElicitationRow, 'explanation'>): unknown =>
  row.explanation && openOnce(ring, row, 'explanation', row.explanation);

export const sealDecision = (ring: KeyRing, row: SealedRow, decision: Decision): Buffer =>
  sealOnce(ring, row, 'answer', decision);

export const openDecision = (ring: KeyRing, row: SealedRow & Pick<ElicitationRow, 'answer'>): Decision | null =>
  row.answer && (openOnce(ring, row, 'answer', row.answer) as Decision);

/** A comment, question or reply next to the votes; stored only sealed. */
export interface Remark {
  text: string;
  /** The form of the reply to a question. */
  schema?: FormSchema;
  /** The answer of a reply. */
  answer?: { action: Action; content?: FormContent; channel: RelayChannel };
}

/** An edited question, which replaces the one before. */
export const sealRevised = (ring: KeyRing, row: SealedRow, question: Question): Buffer =>
  sealJson(dataKeyOf(ring, row), place(row.id, 'payload'), question);

/** A question that was replaced. The seal prevents it from being put back. */
export const sealReplaced = (ring: KeyRing, row: SealedRow & { revision: number }, question: Question): Buffer =>
  sealJson(dataKeyOf(ring, row), place(`${row.id}.${row.revision}`, 'payload', 'revision'), question);

export const openReplaced = (
  ring: KeyRing,
  row: SealedRow,
  { revision, payload }: { revision: number; payload: Uint8Array },
): Question => openJson(ring, row, place(`${row.id}.${revision}`, 'payload', 'revision'), payload) as Question;

/** The reason of an administrator or reviewer for reading this request. */
export const sealLookReason = (ring: KeyRing, row: SealedRow, user: string, reason: string): Buffer =>
  sealJson(dataKeyOf(ring, row), place(`${row.id}.${user}`, 'reason', 'look'), reason);

/** The finding of a review of an emergency override. */
interface OverrideFinding {
  isJustified: boolean;
  finding: string;
}

/** The finding of a later look at an allowed request. */
export interface LookBackFinding {
  shouldHaveAsked: boolean;
  finding: string;
}

/** A column that holds values of its own, each sealed with the keys of its question for the row of this id. */
const cell = <T>(table: string, column: string) => ({
  seal: (ring: KeyRing, row: SealedRow, id: string, value: T): Buffer =>
    sealJson(dataKeyOf(ring, row), place(id, column, table), value),
  open: (ring: KeyRing, row: SealedRow, id: string, sealed: Uint8Array): T =>
    openJson(ring, row, place(id, column, table), sealed) as T,
});

export const cells = {
  comment: cell<string>('vote', 'comment'),
  remark: cell<Remark>('remark', 'body'),
  overrideReason: cell<string>('break_glass', 'reason'),
  overrideFinding: cell<OverrideFinding>('break_glass', 'finding'),
  lookBack: cell<LookBackFinding>('look_back', 'finding'),
  grant: cell<GrantBinding>('app_grant', 'terms'),
  result: cell<unknown>('tool_call', 'result'),
  report: cell<object>('callback_report', 'body'),
  memo: cell<unknown>('call_memo', 'value'),
  code: cell<string>('page_proof', 'code'),
  outcomeObject: cell<{ id: string; url: string }>('expectation', 'object'),
};

/** Opened with the keys of the elicitation it came from. */
export const openGrant = (
  ring: KeyRing,
  {
    elicitationId,
    owner,
    dataKey,
    ...grant
  }: Pick<GrantRecord, 'id' | 'elicitationId' | 'owner' | 'dataKey' | 'terms'>,
): GrantBinding => cells.grant.open(ring, { id: elicitationId, owner, dataKey }, grant.id, grant.terms);

const openJson = (ring: KeyRing, row: SealedRow, at: SealedPlace, sealed: Uint8Array): unknown =>
  reportFault(ring, row, () => unsealJson(dataKeyOf(ring, row), at, sealed));

/** Reports content that does not open to the ring; erased content is no fault. */
function reportFault<T>(ring: KeyRing, row: SealedRow, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (row.dataKey) ring.reportUnreadable(row.id);
    throw error;
  }
}

/** A row's key is opened once for each read of the row, and dropped with it. */
const keys = new WeakMap<Uint8Array, { ring: KeyRing; id: string; owner: Uint8Array; key: DataKey }>();

function dataKeyOf(ring: KeyRing, { id, owner, dataKey }: SealedRow): DataKey {
  if (!dataKey) throw new Problem('content-erased');
  const cachedKey = keys.get(dataKey);
  if (cachedKey?.ring === ring && cachedKey.id === id && cachedKey.owner === owner) return cachedKey.key;
  const key = openDataKey(ring, dataKey, openOwner(ring, place(id, 'owner'), owner));
  keys.set(dataKey, { ring, id, owner, key });
  return key;
}

/** What each verb needs several times is opened once for each read of the row, too. */
const values = new WeakMap<Uint8Array, { key: DataKey; id: string; column: string; read(): unknown }>();

/** Keeps the sealed value with its bytes, so that holders of the same bytes read it without opening the seal. */
function sealOnce(ring: KeyRing, row: SealedRow, column: string, value: unknown): Buffer {
  const key = dataKeyOf(ring, row);
  const text = JSON.stringify(value);
  const sealed = sealText(key, place(row.id, column), text);
  let opened: unknown;
  const read = (): unknown => (opened ??= freeze(JSON.parse(text)));
  values.set(sealed, { key, id: row.id, column, read });
  return sealed;
}

function openOnce(ring: KeyRing, row: SealedRow, column: string, sealed: Uint8Array): unknown {
  const key = reportFault(ring, row, () => dataKeyOf(ring, row));
  const cachedValue = values.get(sealed);
  if (cachedValue?.key === key && cachedValue.id === row.id && cachedValue.column === column) return cachedValue.read();
  const value = freeze(openJson(ring, row, place(row.id, column), sealed));
  values.set(sealed, { key, id: row.id, column, read: () => value });
  return value;
}

/** All who open it get the same value, so that no one may change it. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(Object.freeze(value))) freeze(member);
  return value;
}
