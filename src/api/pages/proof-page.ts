import type { PageParts } from './frame.ts';
import { markup } from './markup.ts';

export interface ProofPage {
  way: 'code' | 'session' | 'closed';
  isLocked: boolean;
  /** The anti-forgery value. */
  proof: string;
  /** Set where the last try was wrong; `left` counts the tries that remain. */
  failure?: { left: number | null };
}

/** What anybody sees who has the link: how to show that they are the person who was asked, and nothing else. */
export function proofPage(page: ProofPage): PageParts {
  if (page.way === 'closed') return closedWay;
  if (page.way === 'session') return signInWay(page);
  return page.isLocked || page.failure?.left === 0 ? lockedWay : codeWay(page);
}

const codeWay = ({ proof, failure }: ProofPage): PageParts => ({
  title: 'Type the code',
  body: markup`<h1>Type the code from your MCP client</h1>
<p>Where you were asked to open this page, six digits were shown with the link. They prove that the question is yours.</p>
${failure ? wrongCode(failure.left ?? 0) : null}
<form method="post" autocomplete="off">
<input type="hidden" name="proof" value="${proof}">
<div class="field">
<label class="label" for="code">Code</label>
<input class="code tabular" id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="16" required>
</div>
<div class="actions"><button name="action" value="prove">Open the question</button></div>
</form>`,
});

const wrongCode = (left: number) =>
  markup`<p class="wrong" role="alert">That is not the code. Look at it again: ${left} ${left === 1 ? 'try is' : 'tries are'} left.</p>`;

const lockedWay: PageParts = {
  title: 'This page is closed',
  body: markup`<h1>This page takes no code any more</h1>
<p>It was opened with its code in another browser, or the code was wrong too often. Nothing was decided here.</p>
<p>If you have not answered yet, cancel in your MCP client and let the tool ask again: a new question has a new code.</p>`,
};

const signInWay = ({ proof, failure }: ProofPage): PageParts => ({
  title: 'Show that it is you',
  body: markup`<h1>Show that it is you who was asked</h1>
<p>This question is for one person only. Sign in at the console with the e-mail address you use at the tool that asked,
then go on here.</p>
${failure ? wrongUser : null}
<form method="post">
<input type="hidden" name="proof" value="${proof}">
<div class="actions">
<a class="button" href="/signin" target="_blank" rel="noopener noreferrer">Sign in, in a new tab</a>
<button name="action" value="prove">I am signed in</button>
</div>
</form>`,
});

const wrongUser = markup`<p class="wrong" role="alert">Nobody is signed in here, or it is not the person who was asked.</p>`;

const closedWay: PageParts = {
  title: 'This page is closed',
  body: markup`<h1>This page cannot be opened here</h1>
<p>There is no way for you to show that you are the person who was asked: the tool did not say who that is in a way that
could be checked. Nothing was decided.</p>
<p>Answer in your MCP client instead, or ask whoever runs the tool to verify its users.</p>`,
};
