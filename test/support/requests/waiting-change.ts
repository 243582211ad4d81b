import { expect } from '@jest/globals';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { Browser } from '../nodes/console.ts';
import { json } from '../json.ts';

/** The request of a change that waits for a second person. */
export async function waiting(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  expect(response.status).toBe(202);
  return (await json<{ request: string }>(response)).request;
}

/** Accepts it: how it stands then, or why not. */
export async function accept(by: Browser, id: string): Promise<unknown> {
  const { digest } = await by.show(id);
  const response = await by.vote({ id, digest }, { content: undefined, opened: [''] });
  const { code, status, refusal } = await json<ProblemDocument & { status: unknown }>(response);
  return refusal?.code ?? code ?? status;
}
