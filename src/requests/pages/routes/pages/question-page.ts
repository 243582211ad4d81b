import type { PageAddress, PageQuestion } from '../../verbs/page/open-page.ts';
import { fieldId, renderField } from './field-control.ts';
import type { PageParts } from '../frame/frame.ts';
import { markup, revealIn, type Markup, type Part } from '../frame/markup.ts';
import type { PageWords } from '../frame/page-words.ts';

/** The request in the order people need it: what will run, for whom, why, until when, and only then the answer. */
export function questionPage(question: PageQuestion, proof: string, words: PageWords): PageParts {
  const name = question.tool.title ?? question.tool.name;
  const isWrong = question.form?.fields.some(({ fault }) => fault !== null) === true;
  const title = words.question.title(name);
  return {
    title: isWrong ? words.question.notSent(title) : title,
    body: markup`<h1>${revealIn(words, name)} ${words.question.needsAnswer}</h1>
<dl>
${whatRuns(question, words)}
${whoAsks(question, words)}
${why(question, words)}
${untilWhen(question, words)}
</dl>
<form class="decide" method="post"${question.address ? null : markup` action="#${wrongId}"`} autocomplete="off" novalidate>
<input type="hidden" name="proof" value="${proof}">
<input type="hidden" name="digest" value="${question.digest}">
${wrongSummary(question, words)}
${question.address ? consent(question.address, words) : formOf(question, words)}
${actionsOf(question, words)}
</form>`,
  };
}

const entry = (term: string, ...details: Part[]): Markup =>
  markup`<div><dt>${term}</dt>${details.map((detail) => (detail === null ? null : markup`<dd>${detail}</dd>`))}</div>`;

function whatRuns({ tool, arguments: args }: PageQuestion, words: PageWords): Markup {
  const { what, tool: lead, withArguments, withoutArguments } = words.question;
  const isBare = args === '{}';
  return entry(
    what,
    markup`${lead} <code>${revealIn(words, tool.name)}</code> ${isBare ? withoutArguments : withArguments}`,
    isBare ? null : markup`<pre>${revealIn(words, args)}</pre>`,
  );
}

function whoAsks({ server, tool, requester }: PageQuestion, words: PageWords): Markup {
  const person = `${requester.subject} (${words.shared.verification(requester)})`;
  return entry(
    words.question.who,
    markup`${words.question.server} <strong>${revealIn(words, server)}</strong>`,
    tool.reaches === null ? null : markup`${words.question.runs} <code>${revealIn(words, tool.reaches)}</code>`,
    markup`<span class="soft">${words.question.requester} ${revealIn(words, person)}</span>`,
  );
}

const why = ({ message, reason }: PageQuestion, words: PageWords): Markup =>
  entry(
    words.question.question,
    markup`<p class="read">${revealIn(words, message)}</p>`,
    reason === null
      ? null
      : markup`<p class="soft">${words.question.agent}</p><blockquote>${revealIn(words, reason)}</blockquote>`,
  );

const untilWhen = ({ deadlineAt, now }: PageQuestion, words: PageWords): Markup =>
  entry(
    words.question.until,
    markup`<time datetime="${new Date(deadlineAt).toISOString()}">${readable(deadlineAt, words)}</time>, ${words.question.remaining(roundedTime(deadlineAt - now))}`,
    markup`<span class="soft">${words.question.untilNote}</span>`,
  );

/** Milliseconds, rounded to minutes, to hours from 90 minutes on, or to days from 48 hours on. */
function roundedTime(milliseconds: number): number {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 90) return minutes * 60_000;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? hours * 3_600_000 : Math.round(hours / 24) * 86_400_000;
}

const readable = (at: number, { locale }: PageWords): string =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(at);

/** Where a refused form scrolls to. Not on the way elsewhere: a redirect would take it along. */
const wrongId = 'wrong';

function wrongSummary({ form }: PageQuestion, words: PageWords): Markup | null {
  const wrong = (form?.fields ?? []).flatMap(({ label, fault }, index) => (fault ? [{ label, fault, index }] : []));
  if (wrong.length === 0) return null;
  const lines = wrong.map(
    ({ label, fault, index }) =>
      markup`<li><a href="#${fieldId(index)}">${revealIn(words, label)}</a>: ${words.shared.fault(fault)}</li>`,
  );
  const { nothingSent, kept, keptWithoutSecrets } = words.question;
  return markup`<div class="wrong" id="${wrongId}" role="alert">
<h2>${nothingSent}</h2>
<p>${form?.fields.some(({ isSecret }) => isSecret) ? keptWithoutSecrets : kept}</p>
<ul>${lines}</ul>
</div>`;
}

function formOf({ form }: PageQuestion, words: PageWords): Markup | null {
  if (!form) return null;
  return markup`${form.title ? markup`<h2>${revealIn(words, form.title)}</h2>` : null}
${form.description ? markup`<p class="lines">${revealIn(words, form.description)}</p>` : null}
${form.fields.map((field, index) => renderField(field, index, words))}`;
}

function consent({ host, unicodeHost, isSecure, url }: PageAddress, words: PageWords): Markup {
  const { leaving, imitates, insecure, address } = words.question;
  const [before, name = '', after] = unicodeHost === null ? [] : imitates(unicodeHost);
  return markup`<div class="field">
<p class="soft">${leaving}</p>
<p class="host">${host}</p>
${unicodeHost === null ? null : markup`<p class="notice">${before ?? ''}<bdi>${revealIn(words, name)}</bdi>${after ?? ''}</p>`}
${isSecure ? null : markup`<p class="notice">${insecure}</p>`}
<p class="soft">${address}</p>
<pre>${revealIn(words, url)}</pre>
</div>`;
}

/** Three buttons of the same weight; the accepting one is first, so that Enter in a field sends the form. */
function actionsOf({ server, address, form }: PageQuestion, words: PageWords): Markup {
  const { goTo, send, accept, decline, cancel, acceptUrl, acceptForm, others } = words.question;
  const [before = '', , after = ''] = acceptForm(server);
  const consequence = address ? acceptUrl : markup`${before}${revealIn(words, server)}${after}`;
  return markup`<p class="soft">${consequence} ${others}</p>
<div class="actions${address ? ' leaving' : ''}">
<button name="action" value="accept">${address ? goTo(address.host) : form?.fields.length ? send : accept}</button>
<button name="action" value="decline">${decline}</button>
<button name="action" value="cancel">${cancel}</button>
</div>`;
}
