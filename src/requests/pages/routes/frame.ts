import { parseCookie } from 'cookie';
import type { CookieOptions, Request } from 'express';
import { isAntiForgeryValue } from '#platform/crypto/anti-forgery';
import { sha256Hex } from '#platform/crypto/digest';
import type { KeyRing } from '#platform/crypto/key-ring';
import { Problem, isProblemCode } from '#platform/model/problem';
import type { Segment } from '#platform/text/segments';
import { revealText } from '#platform/text/visible-text';
import type { TextWords, DisplayWords, SentenceWords } from '#messages/display-words';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { PageQuestion } from '../verbs/page.ts';
import type { Action, Outcome } from '../../asking/contract/elicitation.ts';
import type { ConnectionEnd } from '#connect/connections/verbs/end';
import type { OutcomeEnd } from '#connect/outcomes/verbs/end';
import { formatRefusal } from '../../inbox/contract/refusal.ts';
import { type Language, chooseLanguage, isLanguage, languageCookie } from '#platform/text/language';
import { pagesWords } from '#locales/pages';
import { locales } from '#platform/text/formats';
import { sentenceWords } from '#messages/sentence-words';
import { sharedWords } from '#messages/shared-words';
import { textWords } from '#messages/text-words';

/**
 * The cookie of one hosted page in one browser. Lax, since people come from links elsewhere; every change needs an
 * anti-forgery value as well.
 */
export function pageCookie(publicUrl: string, elicitation: string): { name: string; options: CookieOptions } {
  const secure = publicUrl.startsWith('https:');
  const tag = sha256Hex(elicitation).slice(0, 12);
  return {
    name: `${secure ? '__Host-' : ''}assentry-page-${tag}`,
    options: { httpOnly: true, secure, sameSite: 'lax', path: '/' },
  };
}

/** The browser's secret, or null if it has none. */
export function pageSecret({ headers }: Request, cookieName: string): string | null {
  const secret = parseCookie(headers.cookie ?? '')[cookieName];
  return secret !== undefined && /^[A-Za-z0-9_-]{43}$/.test(secret) ? secret : null;
}

/** Does this browser keep no cookies? A form that another site sends has none either, and is refused as forged. */
export const keepsNoCookies = ({ headers }: Pick<Request, 'headers'>, secret: string | null): boolean =>
  secret === null && isOfOwnSite(headers);

const isOfOwnSite = ({ 'sec-fetch-site': site = 'none' }: Request['headers']): boolean =>
  site === 'same-origin' || site === 'none';

/** Refuses a form that its own page did not send: foreign sites have neither the secret nor its anti-forgery value. */
export function refuseForgery(
  ring: KeyRing,
  { headers }: Request,
  { secret, proof, elicitation }: { secret: string | null; proof: string; elicitation: string },
): string {
  if (isOfOwnSite(headers) && secret !== null && isAntiForgeryValue(ring, proof, secret, elicitation)) return secret;
  throw new Problem('cross-site', { detail: 'Open the page again and send its form: this one came from elsewhere.' });
}

/** A piece of a page that is safe to send: what was put into it has been escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | null | readonly Part[];

/** Builds a page from a template. Every value is text unless it is markup itself; attributes stand in double quotes. */
export const markup = (template: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(template.map((fixed, index) => fixed + textOf(parts[index] ?? null)).join(''));

/** Text of others, with hidden characters spelled out in the language of the page. */
export const revealIn = ({ shared }: { shared: TextWords }, text: string): Markup =>
  markup`${revealText(text).map((segment) => segmentMarkup(segment, shared))}`;

function segmentMarkup(segment: Segment, { lookalike }: TextWords): Part {
  if (segment.kind === 'text') return segment.text;
  if (segment.kind === 'hidden') return markup`<span class="unseen">${segment.label}</span>`;
  return markup`${segment.text}<span class="unseen">${lookalike(segment)}</span>`;
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escape(String(part));
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Page after an answer. */
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
export function endedPage({ end, token, isSent, connection, outcome }: EndedPage, words: PageWords): PageParts {
  const { ended, close } = words.result;
  const { title, text } = (connection && connectionEnd(connection, words)) ??
    (outcome && outcomeEnd(outcome, words)) ?? { title: ended.headings[end], text: ended.sentences[end] };
  return {
    title,
    body: markup`<h1>${revealIn(words, title)}</h1>
${isSent ? markup`<p class="notice">${ended.unsent}</p>` : null}
<p>${revealIn(words, text)} ${close}</p>
${end === 'expired' ? null : receiptLink(token, words)}`,
  };
}

interface EndedPage {
  end: Outcome;
  token: string;
  isSent: boolean;
  /** What the request was about, if that was a connection. */
  connection: ConnectionEnd | null;
  /** The same, if it was a payment or a signature. */
  outcome: OutcomeEnd | null;
}

/** What is connected now, not only what was answered. */
function connectionEnd(
  { provider, server, account, isConnected }: ConnectionEnd,
  { connecting: words }: PageWords,
): { title: string; text: string } {
  if (account === null) return { title: words.declined(provider), text: words.declinedNote(server) };
  if (isConnected) return { title: words.connected(provider, account, server), text: words.connectedNote };
  return { title: words.disconnected(provider, server), text: words.disconnectedNote(account) };
}

function outcomeEnd(
  { end, provider, server, expected }: OutcomeEnd,
  { outcome: words }: PageWords,
): { title: string; text: string } {
  const isPayment = expected.kind === 'payment';
  switch (end) {
    case 'accepted': {
      const title = isPayment ? words.paid(`${expected.amount} ${expected.currency}`) : words.signed(expected.for);
      return { title, text: words.confirmedNote(provider) };
    }
    case 'declined':
      return { title: isPayment ? words.notPaid : words.notSigned, text: words.declinedNote(provider) };
    case 'mismatch':
      return { title: words.mismatch(provider), text: words.mismatchNote(provider, server) };
    case 'unsettled':
      return { title: words.unsettled(provider), text: words.unsettledNote(provider) };
  }
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

/** The console's look in one small sheet: the same ink, the same accent, light and dark, from 360 px up. */
const stylesheet = new Markup(`
:root {
  color-scheme: light dark;
  --page: #fafaf8; --raised: #ffffff; --sunken: #f2f2ee; --hover: #f0f3f1; --ink: #16191a; --ink-soft: #575f61;
  --line: #e3e4df; --line-strong: #8a9293; --accent: #0b5f63; --danger: #a5231a; --danger-wash: #fbecea;
  --warn: #7a4e00; --warn-wash: #fdf3dc;
  --mono: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #111416; --raised: #181c1f; --sunken: #0c0f10; --hover: #1f2529; --ink: #e8ebec; --ink-soft: #9ba6a9;
    --line: #272d31; --line-strong: #667176; --accent: #6fd0cf; --danger: #ff9c92; --danger-wash: #331c1a;
    --warn: #e9bd62; --warn-wash: #30260f;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 0.9375rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial,
    'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif;
}
h1, h2, p, ul, dl, dd, pre, fieldset, legend { margin: 0; padding: 0; border: 0; }
header { border-bottom: 1px solid var(--line); background: var(--raised); }
header p, main { max-width: 42rem; margin: 0 auto; padding: 0.875rem clamp(1rem, 4vw, 2rem); }
header p { font-weight: 600; letter-spacing: -0.01em; }
main { padding-top: clamp(1.25rem, 4vw, 2.5rem); padding-bottom: 4rem; display: grid; gap: 1.5rem; }
h1 { font-size: clamp(1.25rem, 1.1rem + 1vw, 1.5rem); line-height: 1.25; font-weight: 600; letter-spacing: -0.01em; }
h2 { font-size: 1.0625rem; line-height: 1.35; font-weight: 600; }
dl { display: grid; gap: 1.125rem; }
dt { color: var(--ink-soft); font-size: 0.8125rem; }
dd + dd { margin-top: 0.5rem; }
.read { font-size: 1.0625rem; white-space: pre-wrap; }
.soft, .rule { color: var(--ink-soft); font-size: 0.8125rem; }
.lines { white-space: pre-wrap; }
time, .tabular { font-variant-numeric: tabular-nums; }
code, pre, .code { font-family: var(--mono); font-size: 0.875rem; }
pre { padding: 0.75rem; background: var(--sunken); border: 1px solid var(--line); border-radius: 4px; white-space: pre-wrap; }
blockquote { margin: 0.5rem 0 0; padding-left: 0.75rem; border-left: 2px solid var(--line-strong); white-space: pre-wrap; }
.host { font-size: 1.25rem; font-weight: 600; overflow-wrap: anywhere; }
.host ~ .notice { margin-block: 0.25rem 0.75rem; }
.notice, .wrong { padding: 0.75rem 1rem; border-radius: 4px; border-left: 3px solid; }
.notice { background: var(--warn-wash); border-color: var(--warn); }
.wrong { background: var(--danger-wash); border-color: var(--danger); }
.wrong ul { padding-left: 1.25rem; }
.wrong a { color: inherit; }
.wrong li { padding: 0.25rem 0; }
.unseen { padding: 0 0.2em; border: 1px solid currentcolor; border-radius: 3px; font: 0.75em var(--mono); color: var(--danger); }
form { display: grid; gap: 1.5rem; }
.decide { padding-top: 1.5rem; border-top: 1px solid var(--line); }
.field { display: grid; gap: 0.375rem; }
.field ul { padding-left: 1.25rem; }
.label { font-weight: 600; }
.label .soft { font-weight: 400; }
.error { color: var(--danger); font-size: 0.875rem; }
input:not([type='radio'], [type='checkbox']), select, textarea {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--raised);
  border: 1px solid var(--line-strong); border-radius: 4px;
}
textarea { min-height: 6rem; resize: vertical; }
:is(input, select, textarea)[aria-invalid='true'] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger); }
input.code { max-width: 12rem; font-size: 1.25rem; letter-spacing: 0.2em; }
.choice { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; cursor: pointer; }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.actions { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); }
.leaving { grid-template-columns: 1fr; overflow-wrap: anywhere; }
main :is(.actions, p) > :is(button, .button):only-child { max-width: 22rem; }
button, .button {
  display: flex; align-items: center; justify-content: center; width: 100%; min-height: 2.75rem; padding: 0.5rem 1rem;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; color: var(--accent);
  background: var(--raised); border: 1px solid var(--accent); border-radius: 4px;
}
button:hover, .button:hover { background: var(--hover); }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`);

export interface PageParts {
  title: string;
  body: Markup;
}

/** A whole document. It needs no script; its one sheet runs under the nonce of the answer it is part of. */
export const renderPage = ({ title, body }: PageParts, language: Language, nonce: string): string =>
  markup`<!doctype html>
<html lang="${language}" translate="no">
<head>
<meta charset="utf-8">
<title>${title} · Assentry</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style nonce="${nonce}">${stylesheet}</style>
</head>
<body>
<header><p>Assentry</p></header>
<main>
${body}
</main>
</body>
</html>
`.text;

/** All texts of the hosted pages, in one language. */
export interface PageWords extends Pages {
  language: Language;
  locale: string;
  shared: DisplayWords & SentenceWords & TextWords;
}

type Pages = (typeof pagesWords)['en'];

export const pageWords = (language: Language): PageWords => ({
  ...pagesWords[language],
  language,
  locale: locales[language],
  shared: { ...sharedWords[language], ...sentenceWords[language], ...textWords[language] },
});

export const wordsFor = (request: Request): PageWords => pageWords(languageOf(request));

/** The language chosen in this browser, otherwise the first that it accepts. */
export function languageOf(request: Request): Language {
  const choice = parseCookie(request.headers.cookie ?? '')[languageCookie];
  return isLanguage(choice) ? choice : chooseLanguage(request.acceptsLanguages());
}
