import type { ElicitationState, OpenedElicitation } from '../../../client/client.ts';
import { isClosed, maxTtlMs } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import { ElicitationNotSupportedError } from '../../question/errors/errors.ts';
import { linkResult } from '../../question/result/pending-results.ts';
import type { Question } from '../../question/question/question.ts';
import type { Run } from '../../run/run/run.ts';

/** Where the requester answers, and what the page asks them for. */
export interface Page {
  url: string;
  code?: string | undefined;
}

/**
 * Ends the call with the address of the page on which the person answers; the question stays open. When the same call
 * comes back, it waits for the answer as long as its hold lasts.
 */
export async function giveLink(
  run: Run,
  question: Question,
  opened: OpenedElicitation,
  signal: AbortSignal,
): Promise<ElicitationState> {
  const page = await findPage(run, opened, signal);
  if (page === null) return run.client.get(opened.id, { signal });
  const state = opened.joined && mayHaveLink(run) ? await waitElsewhere(run, opened, signal) : opened;
  if (isClosed(state.status)) return state;
  run.questions.addPage(opened);
  throw run.end('pending', linkResult(run.call, question, state, page));
}

/** A client that is asked by results comes back to a link with its id, and never with a state. */
const mayHaveLink = ({ call }: Run): boolean => call.round === undefined || call.continues !== undefined;

/** Waits for the answer on a page. If the caller leaves, the page and its question stay. */
export function waitElsewhere(run: Run, opened: ElicitationState, signal: AbortSignal): Promise<ElicitationState> {
  run.questions.addPage(opened);
  return waitForPage(run, opened, signal);
}

/** Until someone has opened the page, or the call's hold is over. */
export function waitForPage(run: Run, { id }: ElicitationState, signal: AbortSignal): Promise<ElicitationState> {
  const { client, call, progress } = run;
  return progress.during(`Waiting for an answer to ${call.tool.title ?? call.tool.name} on its page`, () =>
    client.waitForOutcome(id, { signal, timeout: run.holdTimeoutMs }),
  );
}

/** Null if the question was answered meanwhile. Throws ElicitationNotSupportedError if no page would let them in. */
export async function findPage(run: Run, opened: OpenedElicitation, signal: AbortSignal): Promise<Page | null> {
  const page = opened.mode === 'url' ? pageOf(opened) : await mintPage(run, opened, signal);
  if (page === null) return null;
  if (page.code !== undefined || run.call.requester.verified) return page;
  throw new ElicitationNotSupportedError(
    'Verify who signs in to this server: a page must identify the person, and their sign-in is not verified.',
  );
}

const pageOf = ({ url, code }: OpenedElicitation): Page | null => (url === undefined ? null : { url, code });

async function mintPage(run: Run, opened: ElicitationState, signal: AbortSignal): Promise<Page | null> {
  const { id: elicitation, openedAt, deadlineAt } = opened;
  const ttl = Math.min(maxTtlMs, deadlineAt - openedAt);
  const request = { session: run.call.session, purpose: 'page', elicitation, ttl } as const;
  try {
    const { pageUrl, code } = await run.client.mintToken(request, { signal });
    return pageUrl === null ? null : { url: pageUrl, code };
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-closed') return null;
    throw error;
  }
}
