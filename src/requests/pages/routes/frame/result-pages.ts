import type { ProblemDocument } from '#platform/http/contract/problem';
import type { PageQuestion } from '../../verbs/page/open-page.ts';
import type { Action, Outcome } from '../../../asking/contract/elicitation.ts';
import { isProblemCode } from '#platform/model/problem';
import { formatRefusal } from '../../../inbox/contract/refusal.ts';
import type { PageParts } from './frame.ts';
import { markup, revealIn, type Markup } from './markup.ts';
import type { PageWords } from './page-words.ts';

/** What an answer led to. */
export function answeredPage({ server }: PageQuestion, action: Action, token: string, words: PageWords): PageParts {
  const { headings, sentences, close } = words.result;
  return {
    title: headings[action],
    body: markup`<h1>${headings[action]}</h1>
<p>${revealIn(words, server)} ${sentences[action]} ${close}</p>
${receiptLink(token, words)}`,
  };
}

/** For the requester who comes back to a question that is over, or whose answer came too late. */
export function endedPage(
  { end, token, isSent }: { end: Outcome; token: string; isSent: boolean },
  words: PageWords,
): PageParts {
  const { ended, close } = words.result;
  return {
    title: ended.headings[end],
    body: markup`<h1>${ended.headings[end]}</h1>
${isSent ? markup`<p class="notice">${ended.unsent}</p>` : null}
<p>${ended.sentences[end]} ${close}</p>
${end === 'expired' ? null : receiptLink(token, words)}`,
  };
}

const receiptLink = (token: string, { result: { receipt, receiptNote } }: PageWords): Markup =>
  markup`<p><a href="/e/${token}/receipt" download>${receipt}</a>: ${receiptNote}</p>`;

/** For people whom a service sends back; the same for every token, because no token is checked. */
export const callbackPage = ({ result: { callback, callbackNote } }: PageWords): PageParts => ({
  title: callback,
  body: markup`<h1>${callback}</h1>
<p>${callbackNote}</p>`,
});

/** Says what happened and what to do. Every fault of a link gets the same text. */
export function troublePage(problem: ProblemDocument, words: PageWords): PageParts {
  const { code, status, title, detail, refusal, errorId } = problem;
  if (code === 'token-invalid' || code === 'INVALID_INPUT' || status === 404) return invalidLinkPage(words);
  const heading = isProblemCode(code) ? words.shared.problems[code] : title;
  const reason = refusal ? formatRefusal(refusal, words.shared.refusals) : detail;
  return {
    title: heading,
    body: markup`<h1>${heading}</h1>
${reason ? markup`<p>${reason}</p>` : null}
<p>${words.result.trouble} <code>${errorId}</code></p>`,
  };
}

const invalidLinkPage = ({ result: { invalid, invalidNote, invalidAdvice } }: PageWords): PageParts => ({
  title: invalid,
  body: markup`<h1>${invalid}</h1>
<p>${invalidNote}</p>
<p>${invalidAdvice}</p>`,
});
