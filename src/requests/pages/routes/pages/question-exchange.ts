import type { Request, Response } from 'express';
import { PageForm } from '../../contract.ts';
import type { PageOutcome } from '../../verbs/page/answer-page.ts';
import type { PageQuestion } from '../../verbs/page/open-page.ts';
import { postedName } from './field-control.ts';
import { readFields, sendPage } from '../credentials/page-exchange.ts';
import { questionPage } from './question-page.ts';
import { answeredPage } from '../frame/result-pages.ts';
import type { PageWords } from '../frame/page-words.ts';

/** The question, for the person who has proven who they are. */
export function sendQuestion(
  response: Response,
  question: PageQuestion,
  { proof, words, status = 200 }: { proof: string; words: PageWords; status?: number },
): void {
  if (question.address) letLeave(response, new URL(question.address.url));
  sendPage(response, status, words, () => questionPage(question, proof, words));
}

/**
 * Chromium checks every redirect after a form by its page's `form-action`, also those of the outside service. No other
 * host than one of this machine is written into the policy: it could have a `;`, and so add to it.
 */
function letLeave(response: Response, { protocol, origin }: URL): void {
  const policy = String(response.get('content-security-policy'));
  const leading = protocol === 'http:' ? `https: ${origin}` : 'https:';
  response.set('content-security-policy', policy.replace("form-action 'self'", `form-action 'self' ${leading}`));
}

/** `token` opens the receipt. */
export function sendOutcome(
  response: Response,
  outcome: Exclude<PageOutcome, { state: 'unproven' }>,
  { token, proof, words }: { token: string; proof: string; words: PageWords },
): void {
  if (outcome.state === 'leaving') return goTo(response, outcome.address);
  const { question } = outcome;
  if (outcome.state === 'refused') return sendQuestion(response, question, { proof, words, status: 400 });
  sendPage(response, 200, words, () => answeredPage(question, outcome.action, token, words));
}

/** Letter by letter, because a signature may cover the address. */
export function goTo(response: Response, address: string): void {
  response.status(303).set('cache-control', 'no-store').setHeader('location', address).end();
}

export function parseForm(request: Request) {
  const sent = readFields(request);
  const posted = (field: string): string[] => sent.getAll(postedName(field));
  return { form: PageForm.parse(Object.fromEntries(sent)), posted };
}
