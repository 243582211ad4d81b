import { actorOfServer } from '#people/directory/verbs/scope';
import { sha256Hex } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import { checkAnswer, type FormContent } from '#platform/form/answer';
import { lintFormSchema } from '#platform/form/lint';
import type { FormSchema } from '#platform/form/schema';
import type { Action, RelayChannel } from '../../../asking/contract/elicitation.ts';
import type { ElicitationId, RemarkId } from '#platform/model/id';
import type { KeyScope, User } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow, NewRemark } from '../../../state/store/row/row.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Intent } from '../../../state/verbs/intent/intent.ts';
import { against, assertNoObjection } from '../../../state/verbs/permissions/permissions.ts';
import { assertOwn } from '#people/directory/verbs/scope';
import { assertSeen } from '../../../state/verbs/permissions/assert-vote.ts';
import { refreshForPermissions } from '../../../state/verbs/change/revalidate.ts';
import { readable } from '../../../state/verbs/change/readable.ts';
import { cells, type Remark } from '../../../asking/verbs/question/sealed-question.ts';

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

interface Information {
  inquiry: RemarkId;
  action: Action;
  content?: FormContent | undefined;
  channel: RelayChannel;
}

/** The requester's reply, passed on by the server that asked. It decides nothing; `not-now` if there is no inquiry. */
export const giveInformation = (
  engine: Engine,
  server: KeyScope,
  id: ElicitationId,
  information: Information,
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

function replyTo(schema: FormSchema, { action, content, channel }: Information): Remark {
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
