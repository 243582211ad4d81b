/**
 * Whether a label asks for something that must not travel through an MCP client: credentials, keys, card data,
 * identity numbers used as credentials, one-time codes. Whole words only, however they are joined:
 * `apiKey`, `api_key`, `API-KEY` and `apikey` are alike, and `tokenizer` or `secretary` are something else.
 */
export function looksSecret(text: string): boolean {
  const words = wordsOf(text);
  const isAnywhere = words.some((_, start) => windowsFrom(words, start).some(isSecretPhrase));
  return isAnywhere || words.some(endsInSecret) || secretAlone.has(words.filter((word) => !fillers.has(word)).join(''));
}

/** Secret wherever they stand in a label. Singular, lower case; spaces only for reading. */
const secretPhrases = phrases(
  'password, passwd, pwd, passphrase, passcode, passkey, passwort, kennwort, contraseña, mot de passe',
  'pin code, pin number, card pin, digit pin, pin 4 digit, pin 6 digit',
  'secret, client secret, credential, api key, access key, secret key, private key, ssh key, signing key',
  'encryption key, master key, recovery key, session cookie, auth cookie',
  'access token, refresh token, bearer token, api token, auth token, authentication token, authorization token',
  'session token, security token, id token, identity token, personal token, oauth token, bot token, deploy token',
  'github token, gitlab token, npm token, slack token, jwt, seed phrase, recovery phrase, mnemonic phrase',
  'card number, credit card, debit card, cvv, cvc, cvv2, cvc2, card code',
  'ssn, social security, security answer',
  // One-time codes are credentials for the minutes they live, and asking for one is how accounts are stolen.
  'otp, totp, one time code, verification code, security code, auth code, authenticator code, authentication code',
  'authorization code, login code, sign in code, sms code, mfa code, 2fa code, two factor code, backup code',
  'recovery code',
);

/** Secret when they are all a label says; with another word they are mostly not (`pin to top`, `token count`). */
const secretAlone = phrases('pin, token, pass, mnemonic');
const fillers = new Set(['a', 'the', 'your', 'my', 'enter', 'new', 'current', 'old', 'confirm', 'please', 'account']);

const maxPhraseWords = 4;

// Capitals before a capitalised word are a word of their own: APIKey is API and Key.
const word = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}]+|\p{N}+/gu;

/** Compatibility forms and invisible marks must not hide a word. */
const wordsOf = (text: string): string[] =>
  [
    ...text
      .normalize('NFKC')
      .replaceAll(/\p{Cf}/gu, '')
      .matchAll(word),
  ].map(([name]) => name.toLowerCase());

const windowsFrom = (words: string[], start: number): string[] =>
  Array.from({ length: maxPhraseWords }, (_, extra) => words.slice(start, start + extra + 1).join(''));

const isSecretPhrase = (phrase: string): boolean =>
  secretPhrases.has(phrase) || secretPhrases.has(phrase.replace(/s$/, ''));

// Compounds no one separates, such as `dbpassword`; no other English word ends like these.
const endsInSecret = (text: string): boolean => /(?:password|passwd|passphrase|apikey)s?$/.test(text);

function phrases(...lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.split(', ')).map((phrase) => phrase.replaceAll(' ', '')));
}
