import type { CancelCause, Mode } from '#requests/asking/contract/elicitation';
import type { FieldError, Problem } from '#platform/model/problem';
import { InvalidInputError, ElicitationNotSupportedError } from './errors.ts';
import type { ClientReply, ToolResult, IncomingCall } from './call.ts';
import { type FormQuestion, type Question, sentenceOfInquiry, type Inquiry } from './question.ts';
import { randomHex } from '../../client/digest.ts';
import { errorIdOf } from '../../client/transport.ts';
import type { ElicitationState } from '#requests/asking/contract/open';

/**
 * `content` only for an accept. If approvers edited the call's arguments, the tool's code runs again from its start
 * with the edited ones.
 */
export type ElicitResult<T> =
  | { status: 'accept'; content: T; comment?: string }
  | { status: 'decline'; content?: undefined; comment?: string }
  | { status: 'cancel'; content?: undefined; comment?: string; cause?: CancelCause };

/** Form that replaces one without fields: some clients do not show such a form, and some accept it by themselves. */
const schema = {
  type: 'object',
  properties: { decision: { type: 'string', title: 'Decision', enum: ['approve', 'decline'] } },
  required: ['decision'],
} as const satisfies FormQuestion['schema'];

/** The question in the form a client shows: never without fields, where an accept need not be a press. */
export function forPerson<Q extends Question>(question: Q): Q {
  if (question.mode !== 'form' || Object.keys(question.schema.properties).length > 0) return question;
  const read: FormQuestion['read'] = (content) => {
    if (decisionIn(content) === null) throw new InvalidInputError([undecided]);
    return question.read({});
  };
  return { ...question, schema, read };
}

const undecided: FieldError = { path: ['decision'], message: 'Choose approve or decline.' };

/** The reply; an accept of a decision to decline becomes a decline. */
export function decided<Reply extends ClientReply>(question: Question, reply: Reply): Reply {
  const isDecision = question.mode === 'form' && question.schema === schema;
  if (!isDecision || reply.kind !== 'answer' || reply.action !== 'accept') return reply;
  return decisionIn(reply.content) === 'decline' ? { ...reply, action: 'decline', content: undefined } : reply;
}

/** The person's choice in the form of a decision; null if none. */
export function decisionIn(content: unknown): 'approve' | 'decline' | null {
  const { decision } = (typeof content === 'object' && content !== null ? content : {}) as { decision?: unknown };
  return decision === 'approve' || decision === 'decline' ? decision : null;
}

export const text = (...lines: string[]): ToolResult['content'] => [{ type: 'text', text: lines.join('\n') }];

/** Result for the model when a tool ends with a problem. */
export function problemResult(problem: Problem): ToolResult {
  const errorId = errorIdOf(problem) ?? `err_${randomHex(8)}`;
  const details = problem.errors.length > 0 ? [`Details: ${JSON.stringify(problem.errors)}`] : [];
  const mode = problem instanceof ElicitationNotSupportedError && { mode: problem.mode };
  return { content: text(problem.message, ...details), isError: true, _meta: { code: problem.code, errorId, ...mode } };
}

/** Mode that the client would have to declare, for a result that it could not be asked. */
export function lackingMode(result: unknown): Mode | null {
  const { _meta: meta = {} } = (result ?? {}) as { _meta?: { code?: unknown; mode?: unknown } };
  if (meta.code !== 'ELICITATION_NOT_SUPPORTED') return null;
  return meta.mode === 'url' ? 'url' : 'form';
}

/** Result for an error of the tool itself, in the SDKs' form; kept for an absent caller. */
export const failureResult = (error: unknown): ToolResult => ({
  content: text(error instanceof Error ? error.message : String(error)),
  isError: true,
});

export const isToolResult = (value: unknown): value is ToolResult =>
  typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content);

/** The tools that continue a pending call. */
export const relayToolName = 'sendElicitationResult';
export const awaitToolName = 'awaitElicitationResult';

const waiting = (elicitId: string): string =>
  `Call ${awaitToolName} with elicitId ${elicitId}, or the same tool again with the same arguments, to continue ` +
  'waiting. The request stays open and the answer is kept; a changed call would ask again.';

const waitingById = (elicitId: string): string =>
  `Call ${awaitToolName} with elicitId ${elicitId} to continue waiting. The request stays open and the answer is kept; ` +
  'the same tool again would ask again.';

/** Instructions for the agent to ask the person it works for. */
const relaying = (named: string): string =>
  `Ask the person you work for, and do not answer in their place. Then call ${relayToolName} with ${named}, the action ` +
  'accept, decline or cancel, and with accept their answer as content.';

const formOf = (schema: unknown): string => `An answer satisfies this JSON Schema: ${JSON.stringify(schema)}`;

/**
 * Result for the model when the call's hold ends before the approvers' answer: the state, and the next step. With `mayReply`,
 * also how to pass on its person's reply to an approver's inquiry.
 */
export function pendingResult(
  call: IncomingCall,
  question: Question,
  state: ElicitationState,
  { mayReply }: { mayReply: boolean },
): ToolResult {
  const sentence = `Not decided yet: "${question.message}" is waiting for approval.`;
  const { inquiry } = state;
  if (!inquiry) return waitingResult(call, question, state, { lines: [sentence] });
  const reply = mayReply ? [replying(state.id, inquiry), formOf(inquiry.schema)] : [];
  return waitingResult(call, question, state, { lines: [sentence, sentenceOfInquiry(inquiry), ...reply], inquiry });
}

const replying = (elicitId: string, { id }: Inquiry): string =>
  `${relaying(`elicitId ${elicitId}, inquiry ${id}`)} It decides nothing.`;

/** Result while another run of the same call uses the answer. */
export const runningResult = (call: IncomingCall, question: Question, state: ElicitationState): ToolResult =>
  waitingResult(call, question, state, {
    lines: [`Approved: "${question.message}". The tool is running; its result is not available yet.`],
  });

function waitingResult(
  call: IncomingCall,
  question: Question,
  state: ElicitationState,
  { lines, ...more }: Omit<Telling, 'instructions'>,
): ToolResult {
  const instructions = waiting(state.id);
  const text = [...lines, instructions, `Status: ${state.statusUrl}`];
  return stillPending(call, question, state, { ...more, lines: text, instructions });
}

/** Result with a page for the requester, which the model asks them to open. They do not use the console. */
export function linkResult(
  call: IncomingCall,
  question: Question,
  state: ElicitationState,
  { url, code }: { url: string; code?: string | undefined },
): ToolResult {
  // A call of these clients without a state is a new one, and finds nothing.
  const again = call.round ? awaitToolName : 'again';
  const instructions = call.round ? waitingById(state.id) : waiting(state.id);
  const way = `Ask the person you work for to open ${url} and answer there.`;
  const key = code ? ` The page asks them for the code ${showCode(code)}.` : '';
  const sentence = `Not answered yet: "${question.message}". ${way}${key} Call ${again} once they have.`;
  return stillPending(call, question, state, { lines: [sentence, instructions], instructions, url });
}

/** Result for an agent that asks the requester itself, and passes on their answer. */
export function relayResult(call: IncomingCall, question: FormQuestion, state: ElicitationState): ToolResult {
  const instructions = relaying(`elicitId ${state.id}`);
  const sentence = `This tool needs an answer to continue: "${question.message}"`;
  return stillPending(call, question, state, {
    lines: [sentence, instructions, formOf(question.schema)],
    instructions,
  });
}

/** Message for the person before they go to an address. */
export const messageFor = (message: string, { code }: { code?: string | undefined }): string =>
  code === undefined ? message : `${message}\nThe page asks for the code ${showCode(code)}`;

/** Code with a space, easier to read and to type; the page accepts both forms. */
const showCode = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2');

interface Telling {
  lines: string[];
  instructions: string;
  url?: string;
  /** Inquiry of an approver to the requester. */
  inquiry?: Inquiry;
}

function stillPending(
  { hasOutputSchema }: IncomingCall,
  { message, schema }: Question,
  { id, statusUrl, deadlineAt }: ElicitationState,
  { lines, ...more }: Telling,
): ToolResult {
  const expiresAt = new Date(deadlineAt).toISOString();
  return {
    content: text(...lines),
    ...(hasOutputSchema && { isError: true }),
    _meta: { elicitationPending: { elicitId: id, message, schema, statusUrl, expiresAt, ...more } },
  };
}
