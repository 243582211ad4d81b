import type { FieldError } from '#platform/model/problem';
import { InvalidInputError } from '../errors/errors.ts';
import type { ClientReply } from '../call/incoming-call.ts';
import type { FormQuestion, Question } from '../question/question.ts';

/** What a client asks its person in place of a form without fields: some show none, and some accept it by themselves. */
const schema = {
  type: 'object',
  properties: { decision: { type: 'string', title: 'Decision', enum: ['approve', 'decline'] } },
  required: ['decision'],
} as const satisfies FormQuestion['schema'];

/** The question as a client puts it to its person: never a form without fields, whose accept no one need have pressed. */
export function forPerson<Q extends Question>(question: Q): Q {
  if (question.mode !== 'form' || Object.keys(question.schema.properties).length > 0) return question;
  const read: FormQuestion['read'] = (content) => {
    if (decisionIn(content) === null) throw new InvalidInputError([undecided]);
    return question.read({});
  };
  return { ...question, schema, read };
}

const undecided: FieldError = { path: ['decision'], message: 'Choose approve or decline.' };

/** An accept of a decision to decline is a decline. */
export function decided<Reply extends ClientReply>(question: Question, reply: Reply): Reply {
  const isDecision = question.mode === 'form' && question.schema === schema;
  if (!isDecision || reply.kind !== 'answer' || reply.action !== 'accept') return reply;
  return decisionIn(reply.content) === 'decline' ? { ...reply, action: 'decline', content: undefined } : reply;
}

/** What a person chose in the form of a decision; null if they chose nothing. */
export function decisionIn(content: unknown): 'approve' | 'decline' | null {
  const { decision } = (typeof content === 'object' && content !== null ? content : {}) as { decision?: unknown };
  return decision === 'approve' || decision === 'decline' ? decision : null;
}
