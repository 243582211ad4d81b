import type { User } from '#people/directory/contract/user';
import type { PageParts } from '../frame/frame.ts';
import { markup, revealIn } from '../frame/markup.ts';
import { signInLink } from '../proof.ts';
import type { PageWords } from '../frame/page-words.ts';

interface NoPerson {
  /** The anti-forgery value. */
  proof: string;
  /** They said that they had signed in. */
  isRefused: boolean;
  /** Of this page, to come back to. */
  address: string;
}

/** What anyone with the link sees: that they have to sign in, and not for what. */
export const noPersonPage = (
  { proof, isRefused, address }: NoPerson,
  { credential: words, proof: signIn }: PageWords,
): PageParts => ({
  title: words.signInTitle,
  body: markup`<h1>${words.signInTitle}</h1>
<p>${words.signInNote}</p>
${isRefused ? markup`<p class="wrong" role="alert">${words.wrongPerson}</p>` : null}
<form method="post">
<input type="hidden" name="proof" value="${proof}">
<div class="actions">
${signInLink(address, signIn)}
<button name="action" value="prove">${signIn.signedIn}</button>
</div>
</form>`,
});

interface CredentialForm {
  proof: string;
  server: string;
  person: User;
  /** What was entered cannot be sent. */
  isWrong?: boolean;
}

/** The form, for the person whose link it is. What was entered is never sent back. */
export function credentialPage(
  { proof, server, person, isWrong = false }: CredentialForm,
  words: PageWords,
): PageParts {
  const { title, note, who, label, advice, wrong, store } = words.credential;
  const [before = '', after = ''] = note;
  return {
    title: title(server),
    body: markup`<h1>${revealIn(words, title(server))}</h1>
<p>${before}<strong>${revealIn(words, server)}</strong>${after}</p>
<dl><div><dt>${who}</dt><dd>${revealIn(words, person.name)} <span class="soft">${revealIn(words, person.email)}</span></dd></div></dl>
<form method="post" autocomplete="off">
<input type="hidden" name="proof" value="${proof}">
<div class="field">
<label class="label" for="secret">${label}</label>
<p class="soft" id="secret-advice">${advice}</p>
${isWrong ? markup`<p class="wrong" role="alert" id="secret-fault">${wrong}</p>` : null}
<input id="secret" name="secret" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="4096" required aria-describedby="${isWrong ? 'secret-fault secret-advice' : 'secret-advice'}"${isWrong ? markup` aria-invalid="true"` : null}>
</div>
<div class="actions"><button name="action" value="store">${store}</button></div>
</form>`,
  };
}

export const credentialStoredPage = (server: string, words: PageWords): PageParts => ({
  title: words.credential.stored,
  body: markup`<h1>${words.credential.stored}</h1>
<p>${revealIn(words, words.credential.storedNote(server))}</p>
<p><a href="/account">${words.credential.manage}</a></p>`,
});
