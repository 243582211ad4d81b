import type { CodeLock } from '../verbs/proof.ts';
import { type PageParts, markup, type Markup, type PageWords } from './frame.ts';

export interface ProofPage {
  way: 'code' | 'session' | 'closed';
  /** The lock that keeps this browser from trying a code. */
  lock: CodeLock | null;
  /** The anti-forgery value. */
  proof: string;
  /** Address of this page, to come back to. */
  address: string;
  /** Set if the last try was wrong; `triesLeft` counts the tries that remain. `unsaid` leaves open what was wrong. */
  failure?: { triesLeft: number | null } | 'unsaid';
}

/** Page for anyone with the link: how to prove that they are the person who was asked, and nothing else. */
export function proofPage(page: ProofPage, { proof: words }: PageWords): PageParts {
  if (page.way === 'closed')
    return notice(words.closedTitle, words.closedHeading, words.closedNote, words.closedAdvice);
  if (page.way === 'session') return personPage(page, words);
  if (page.lock)
    return notice(
      words.lockedTitle,
      words.lockedHeading,
      words.lockedNote(wholeMinutes(page.lock)),
      words.lockedAdvice,
    );
  return codePage(page, words);
}

/** For a browser that sends back no cookie: what it was sent was not looked at. */
export const noCookiePage = ({ proof: words }: PageWords): PageParts =>
  notice(words.noCookieTitle, words.noCookieHeading, words.noCookieNote, words.noCookieAdvice);

const minuteMs = 60_000;

const wholeMinutes = ({ opensIn }: CodeLock): number | null =>
  opensIn === null ? null : Math.ceil(opensIn / minuteMs) * minuteMs;

type ProofWords = PageWords['proof'];

const notice = (title: string, heading: string, ...paragraphs: string[]): PageParts => ({
  title,
  body: markup`<h1>${heading}</h1>
${paragraphs.map((text) => markup`<p>${text}</p>\n`)}`,
});

const codePage = ({ proof, failure }: ProofPage, words: ProofWords): PageParts => ({
  title: words.codeTitle,
  body: markup`<h1>${words.codeHeading}</h1>
<p>${words.codeNote}</p>
${failure ? wrong(failure === 'unsaid' ? words.notThisCode : words.wrongCode(failure.triesLeft ?? 0)) : null}
<form method="post" autocomplete="off">
<input type="hidden" name="proof" value="${proof}">
<div class="field">
<label class="label" for="code">${words.code}</label>
<input class="code tabular" id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="16" required>
</div>
<div class="actions"><button name="action" value="prove">${words.open}</button></div>
</form>`,
});

const personPage = ({ proof, address, failure }: ProofPage, words: ProofWords): PageParts => ({
  title: words.personTitle,
  body: markup`<h1>${words.personHeading}</h1>
<p>${words.personNote}</p>
${failure ? wrong(failure === 'unsaid' ? words.notThisPerson : words.wrongPerson) : null}
<form method="post">
<input type="hidden" name="proof" value="${proof}">
<div class="actions">
${signInLink(address, words)}
<button name="action" value="prove">${words.signedIn}</button>
</div>
</form>`,
});

/** The console's sign-in, which comes back to this page. */
export const signInLink = (address: string, { signIn }: Pick<ProofWords, 'signIn'>): Markup =>
  markup`<a class="button" href="/signin?next=${encodeURIComponent(address)}">${signIn}</a>`;

const wrong = (text: string): Markup => markup`<p class="wrong" role="alert">${text}</p>`;
