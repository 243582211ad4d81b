import type { z } from 'zod';
import type { ElicitationId, UserId, RemarkId } from '#platform/model/id';
import type { User, KeyScope } from '#people/directory/contract/user';
import { invalidInput, Problem } from '#platform/model/problem';
import { freezeAgainst } from '#policies/deciding/rules/stages';
import type { ElicitationRow, NewRemark } from '../../state/store/row.ts';
import { changeElicitation, refreshForPermissions, readable } from '../../state/verbs/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  against,
  assertNoObjection,
  policyTerms,
  type PolicyTerms,
  assertSeen,
} from '../../state/verbs/permissions.ts';
import { assertMay } from '#people/directory/verbs/may';
import { openQuestion, sealDecision, cells, type Remark } from '../../asking/verbs/question.ts';
import { actingFor } from '#people/delegations/verbs';
import { maxTtlMs, type RelayChannel } from '../../asking/contract/elicitation.ts';
import { actorOfServer, assertOwn } from '#people/directory/verbs/scope';
import { sha256Hex } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import { checkAnswer } from '#platform/form/answer';
import { lintFormSchema } from '#platform/form/lint';
import type { FormSchema } from '#platform/form/schema';
import type { Intent } from '../../state/verbs/intent.ts';
import type { GiveInformation } from '../contract/deliberation.ts';

/**
 * Makes an approved request start no earlier than `notBefore`, which must be later than before and before the deadline.
 */
export async function postponeElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, notBefore }: { digest: string; notBefore: number },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const terms = policyTerms(engine, row);
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id]);
    assertNoObjection(against.postpone(user, current, { requesters, terms }));
    const message = startFault(row, notBefore, now) ?? freezeFault(terms, notBefore);
    if (message) throw invalidInput(['notBefore'], message);
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'postpone', by: user.id, notBefore, at: now },
      says: (fields) => ({ type: 'elicitation.postponed', notBefore, ...fields }),
    };
  });
}

function freezeFault(terms: PolicyTerms, notBefore: number): string | null {
  const window = freezeAgainst(terms, notBefore);
  return window === null ? null : `Choose another time: it would start within the freeze window ${window}.`;
}

function startFault({ state, deadlineAt }: ElicitationRow, notBefore: number, now: number): string | null {
  if (notBefore >= deadlineAt) return 'Choose a time before the deadline.';
  return notBefore <= Math.max(now, state.context.notBefore ?? 0)
    ? 'Choose a later time: a start can only be moved later.'
    : null;
}

/** Ends a request without a decision, by a person who may extend it. */
export function withdrawElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, comment }: { digest: string; comment?: string | undefined },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const absent = (await actingFor(engine, user, row)).map(({ fromId }) => fromId);
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id, ...absent]);
    assertNoObjection(against.cancel(user, current, { requesters, absent }));
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'cancel', cause: 'admin', at: now },
      answer: sealDecision(engine.ring, row, { comment: comment ?? null }),
      says: (fields) => ({ type: 'elicitation.cancelled', cause: 'admin', ...fields }),
    };
  });
}

/** An administrator ends a request that no one can read any more. No digest is sent, because no one can see one. */
export const withdrawUnreadable = (engine: Engine, user: User, id: ElicitationId): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    assertMay(user, 'tend-requests');
    if (row.status !== 'open') throw new Problem('already-closed');
    if (readable(() => openQuestion(engine.ring, row)))
      throw new Problem('not-now', { detail: 'Withdraw this on its page: it is readable.' });
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'cancel', cause: 'admin', at: now },
      says: (fields) => ({ type: 'elicitation.cancelled', cause: 'admin', ...fields }),
    };
  });

/**
 * Moves the deadline later, audited, up to the longest time a request may stay open. For those who may vote in the
 * current stage, for themselves or someone else, and administrators; never for the requester.
 */
export function extendElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, by }: { digest: string; by: number },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const absent = (await actingFor(engine, user, row)).map(({ fromId }) => fromId);
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id, ...absent]);
    assertNoObjection(against.extend(user, current, { requesters, absent }));
    const deadlineAt = row.deadlineAt + by;
    if (deadlineAt > row.openedAt + maxTtlMs) {
      throw invalidInput(['by'], 'Choose less: a request stays open for 30 days at most.');
    }
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'extend', deadlineAt, at: now },
      says: (fields) => ({ type: 'elicitation.extended', deadlineAt, ...fields }),
    };
  });
}

/**
 * Adds an approver in a stage of their own after the current one. Everyone else stays required. Problem `not-now` if
 * the person is an approver already, or may not vote.
 */
export async function addApprover(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, user: added }: { digest: string; user: UserId },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const users = await basis.users();
    const { current, requesters } = refreshForPermissions(engine, row, users, now, [user.id]);
    assertNoObjection(against.addApprover(user, current, { requesters }));
    if (!users.voters.has(added)) throw wrongUser();
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'addApprover', by: user.id, user: added, at: now },
      says: (fields) => ({ type: 'elicitation.approver-added', user: added, ...fields }),
    };
  });
}

const wrongUser = (): Problem => invalidInput(['user'], 'Choose someone who may vote.');

/** Milliseconds for which others see that someone is reviewing it. */
const watchLife = 15 * 60_000;

/**
 * Marks the request as being reviewed by this person, or removes the mark. It is only a hint: everyone can still vote.
 */
export async function watchElicitation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { held: isHeld }: { held: boolean },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id]);
    if (isHeld) assertNoObjection(against.watch(user, current, { requesters, now }));
    const until = isHeld ? now + watchLife : null;
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'watch', by: user.id, until, at: now },
      says: (fields) => ({ type: 'elicitation.watched', until, ...fields }),
    };
  });
}

/** Adds a comment for the others who decide; the requester does not see it. */
export async function addComment(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { text }: { text: string },
): Promise<ElicitationRow> {
  return changeElicitation(engine, id, (row, now) => {
    assertNoObjection(against.comment(user, row));
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'remark', at: now },
      ...remarked(
        engine,
        row,
        { type: 'elicitation.commented' },
        { kind: 'comment', userId: user.id, replyTo: null },
        { text },
      ),
    };
  });
}

const wordsForm: FormSchema = {
  type: 'object',
  properties: { reply: { type: 'string', title: 'Your reply', maxLength: 4000 } },
  required: ['reply'],
};

/** Asks the requester something, by an MCP form; one inquiry is open at a time. Deadlines keep running. */
export async function askForInformation(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { digest, message, schema = wordsForm }: { digest: string; message: string; schema?: unknown },
): Promise<ElicitationRow> {
  const lint = lintFormSchema(schema);
  if (!lint.ok) throw wrongAt('schema', lint.errors);
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id]);
    assertNoObjection(against.inquire(user, current, { requesters }));
    const terms = { kind: 'question', userId: user.id, replyTo: null } as const;
    const inquiry = remarked(engine, row, { type: 'elicitation.inquired' }, terms, {
      text: message,
      schema: lint.schema,
    });
    const event = { type: 'inquire', by: user.id, remark: inquiry.remark.id, at: now } as const;
    return { actor: { kind: 'user', id: user.id }, event, ...inquiry };
  });
}

/** The requester's reply, passed on by the server that asked. It decides nothing; `not-now` if there is no inquiry. */
export const giveInformation = (
  engine: Engine,
  server: KeyScope,
  id: ElicitationId,
  information: z.output<typeof GiveInformation>,
): Promise<ElicitationRow> =>
  changeElicitation(engine, id, async (row, now) => {
    assertOwn(row, server);
    const inquiry = await openInquiry(engine, row);
    if (!inquiry || inquiry.id !== information.inquiry) {
      throw new Problem(row.status === 'open' ? 'not-now' : 'already-closed');
    }
    const terms = { kind: 'reply', userId: null, replyTo: inquiry.id } as const;
    const { channel } = information;
    return {
      actor: actorOfServer(server),
      event: { type: 'inform', at: now },
      ...remarked(engine, row, { type: 'elicitation.informed', channel }, terms, replyTo(inquiry.schema, information)),
    };
  });

interface Inquiry {
  id: RemarkId;
  /** The name of the person who asks. */
  by: string;
  message: string;
  schema: FormSchema;
}

/** The question to the requester that waits for a reply, or null. */
export async function openInquiry(
  { proceedings, ring, users }: Pick<Engine, 'proceedings' | 'ring' | 'users'>,
  row: ElicitationRow,
): Promise<Inquiry | null> {
  const { inquiry } = row.state.context;
  if (row.status !== 'open' || inquiry === null) return null;
  const stored = (await proceedings.remarks(row.id)).find(({ id }) => id === inquiry);
  if (!stored) return null;
  const remark = readable(() => cells.remark.open(ring, row, stored.id, stored.body));
  if (!remark) return null;
  const { text, schema = wordsForm } = remark;
  const by = stored.userId ? (await users.names([stored.userId])).get(stored.userId) : undefined;
  return { id: stored.id, by: by ?? '', message: text, schema };
}

function replyTo(schema: FormSchema, { action, content, channel }: z.output<typeof GiveInformation>): Remark {
  const checked = checkAnswer(schema, { action, ...(content && { content }) });
  if (!checked.ok) throw wrongAt('content', checked.errors);
  return { text: '', answer: { action, channel, ...(checked.content && { content: checked.content }) } };
}

type Saying =
  { type: 'elicitation.commented' | 'elicitation.inquired' } | { type: 'elicitation.informed'; channel: RelayChannel };

/** The sealed remark, and its audit event. */
function remarked(
  { ring }: Engine,
  row: ElicitationRow,
  saying: Saying,
  terms: Pick<NewRemark, 'kind' | 'userId' | 'replyTo'>,
  content: Remark,
): Pick<Intent, 'says'> & { remark: NewRemark } {
  const id = newId('remark');
  const body = cells.remark.seal(ring, row, id, content);
  const textDigest = sha256Hex(body);
  return {
    remark: { id, ...terms, body },
    says: (elicitation) => ({ ...saying, remark: id, said: textDigest, ...elicitation }),
  };
}

const wrongAt = (root: string, errors: { path: (string | number)[]; message: string }[]): Problem =>
  new Problem('INVALID_INPUT', { errors: errors.map(({ path, message }) => ({ path: [root, ...path], message })) });
