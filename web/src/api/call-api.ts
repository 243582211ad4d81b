import type { z } from 'zod';
import { isProblemCode } from '../../../src/model/problem.ts';
import { ApiProblem } from './api-problem.ts';

export interface ApiCall<T> {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
  body?: unknown;
  /** What the answer must be; an answer of another shape is a problem, never passed on. */
  answer: z.ZodType<T> | ((answers: FirstAnswers) => z.ZodType<T>);
  signal?: AbortSignal;
}

type FirstAnswers = typeof import('./first-answers.ts');

/** What the answers to the first page must be, loaded while they are on their way: no page waits for it to be drawn. */
export const loadFirstAnswers = (): Promise<FirstAnswers> => import('./first-answers.ts');

/** Calls Assentry as the signed-in person. Resolves with a checked answer or rejects with an ApiProblem. */
export async function callApi<T>(path: string, call: ApiCall<T>): Promise<T> {
  const [response, answers] = await Promise.all([
    takeEarly(path, call) ?? send(path, call),
    loadFirstAnswers().catch(asUnavailable),
  ]);
  const body = await readJson(response);
  if (!response.ok) throw toProblem(body, answers);
  const schema = typeof call.answer === 'function' ? call.answer(answers) : call.answer;
  const answer = schema.safeParse(body);
  if (answer.success) return answer.data;
  throw new ApiProblem('internal', null, { isUnreadable: true });
}

/**
 * What ask-early.js has asked for before this code came; the answer goes to the first that asks. A change, such as signing
 * in as someone else, makes every answer of before an old one.
 */
function takeEarly<T>(path: string, { method = 'GET' }: ApiCall<T>): Promise<Response> | undefined {
  const { early } = globalThis as { early?: Map<string, Promise<Response>> };
  if (method !== 'GET') early?.clear();
  const response = early?.get(path)?.catch(asUnavailable);
  early?.delete(path);
  return response;
}

async function send(
  path: string,
  { method = 'GET', body, signal }: Omit<ApiCall<unknown>, 'answer'>,
): Promise<Response> {
  const headers = { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) };
  const init: RequestInit = { method, headers, credentials: 'same-origin', cache: 'no-store', redirect: 'error' };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal) init.signal = signal;
  try {
    return await fetch(path, init);
  } catch (cause) {
    if (signal?.aborted) throw cause; // the page has left; its query library knows this one
    throw new ApiProblem('unavailable', null, { cause });
  }
}

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

function toProblem(body: unknown, { ProblemDocument }: FirstAnswers): ApiProblem {
  const document = ProblemDocument.safeParse(body);
  if (!document.success) return new ApiProblem('unavailable', null);
  const { code, detail, refusal, errorId, errors } = document.data;
  const options = { ...(detail !== undefined && { detail }), ...(refusal && { refusal }), ...(errors && { errors }) };
  return new ApiProblem(isProblemCode(code) ? code : 'internal', errorId, options);
}
