import type { z } from 'zod';
import { isProblemCode, Problem, type ProblemCode, type ProblemOptions } from '#platform/model/problem';
import { isShownProblem, type PlainAnswer } from '../requests/inbox/plain-answers.ts';

interface SentCall {
  method?: string;
  body?: unknown;
  signal?: AbortSignal;
}

interface ApiCall<T> extends SentCall {
  /** Schema of the answer; an answer of another shape is a problem, never passed on. */
  answer: ((answers: FirstAnswers) => z.ZodType<T>) | PlainAnswer<T>;
}

type FirstAnswers = typeof import('./first-answers.ts');

/** Schemas of the first answers to a person with a session, loaded while the answers are on their way. */
export const loadFirstAnswers = (): Promise<FirstAnswers> => import('./first-answers.ts');

/**
 * Calls Assentry for the first page, where contracts are not loaded yet; all other pages use `call` of `call.ts`. Resolves with
 * a checked answer or rejects with an ApiProblem.
 */
export async function callApi<T>(path: string, { answer, ...call }: ApiCall<T>): Promise<T> {
  const schema = schemaOf(answer);
  const { body } = await sendCall(path, call);
  return readable(await read(body, schema));
}

/** Resolves with the unchecked answer, or rejects with its ApiProblem. */
export async function sendCall(path: string, call: SentCall): Promise<{ status: number; body: unknown }> {
  const response = await (takeEarly(path, call) ?? send(path, call));
  noteTime(response);
  const body = await readJson(response);
  if (!response.ok) throw toProblem(body);
  return { status: response.status, body };
}

/** A checked answer; undefined, for one of another shape, is a problem. */
export function readable<T>(answer: T | undefined): T {
  if (answer !== undefined) return answer;
  throw new ApiProblem('internal', null, { isUnreadable: true });
}

/** Begins to load a lazy schema while the answer is on its way. */
function schemaOf<T>(answer: ApiCall<T>['answer']): Promise<z.ZodType<T> | PlainAnswer<T>> {
  if (typeof answer !== 'function') return Promise.resolve(answer);
  const schema = loadFirstAnswers().then(answer, asUnavailable);
  schema.catch(() => {}); // a problem is read without it
  return schema;
}

/** The checked body; undefined if it is of another shape. */
async function read<T>(body: unknown, schema: ReturnType<typeof schemaOf<T>>): Promise<T | undefined> {
  const answer = await schema;
  if ('isAnswer' in answer) return answer.isAnswer(body) ? body : undefined;
  return answer.safeParse(body).data;
}

/**
 * An answer that ask-early.js requested before this code came, for the first call. A change, such as signing in as someone
 * else, discards all earlier answers.
 */
function takeEarly(path: string, { method = 'GET' }: SentCall): Promise<Response> | undefined {
  const { early } = globalThis as { early?: Map<string, Promise<Response>> };
  if (method !== 'GET') early?.clear();
  const response = early?.get(path)?.catch(asUnavailable);
  early?.delete(path);
  return response;
}

async function send(path: string, { method = 'GET', body, signal }: SentCall): Promise<Response> {
  const headers = { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) };
  const init: RequestInit = { method, headers, credentials: 'same-origin', cache: 'no-store', redirect: 'error' };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal) init.signal = signal;
  try {
    return await fetch(path, init);
  } catch (cause) {
    if (signal?.aborted) throw cause; // the page has left; its query library handles this one
    throw new ApiProblem('unavailable', null, { cause });
  }
}

/** Lead of the server's clock over the device's, in milliseconds. */
let ahead = 0;

/** The present by the server's clock, for deadlines and pauses, whatever the device's clock shows. */
export const serverNow = (): number => Date.now() + ahead;

function noteTime({ headers, arrivedAt = Date.now() }: Response & { arrivedAt?: number }): void {
  const difference = Date.parse(headers.get('date') ?? '') - arrivedAt;
  ahead = Math.abs(difference) > leastDifference ? difference : 0;
}

/** Difference in milliseconds above any answer's travel time. */
const leastDifference = 5_000;

async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function asUnavailable(cause: unknown): never {
  throw new ApiProblem('unavailable', null, { cause });
}

function toProblem(body: unknown): ApiProblem {
  if (!isShownProblem(body)) return new ApiProblem('unavailable', null);
  const { code, detail, refusal, errorId, errors } = body;
  const options = { ...(detail !== undefined && { detail }), ...(refusal && { refusal }), ...(errors && { errors }) };
  return new ApiProblem(isProblemCode(code) ? code : 'internal', errorId, options);
}

/** A problem the API answered with; `errorId` finds the occurrence in the operator's log. */
export class ApiProblem extends Problem {
  readonly errorId: string | null;
  /** Was the answer of a shape that this page cannot read? */
  readonly isUnreadable: boolean;

  constructor(code: ProblemCode, errorId: string | null, options: ProblemOptions & { isUnreadable?: boolean } = {}) {
    super(code, options);
    this.errorId = errorId;
    this.isUnreadable = options.isUnreadable === true;
  }
}

export const isProblemOf = (error: unknown, code: ProblemCode): error is Problem =>
  error instanceof Problem && error.code === code;
