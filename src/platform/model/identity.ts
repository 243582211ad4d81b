import { isPrivateAddress } from './names.ts';

// A person is a subject of an issuer. A text that could be read as another person's name is refused.

/** The `sub` of an access token under its `iss`; without an issuer, the name a server knows the person by. */
export interface Identity {
  issuer?: string | null | undefined;
  subject: string;
}

/** Limit of OpenID Connect. */
export const maxSubjectLength = 255;

/**
 * OpenID Connect limits subjects to ASCII, so nothing in one is hidden, reordered, composed or borrowed from elsewhere. Quotes
 * and brackets only make sense around a name.
 */
const subjectPattern = /^[!#-'*-;=?-~]+(?: [!#-'*-;=?-~]+)*$/;
const addressPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;

/** Remedy for an invalid subject; null if it is valid. */
export function faultOfSubject(subject: string): string | null {
  if (subject.length > maxSubjectLength || !subjectPattern.test(subject)) return subjectRule;
  return !subject.includes('@') || addressPattern.test(subject) ? null : addressRule;
}

/**
 * Remedy for an invalid name without an issuer, which may not be a spelling of another one: no escape for another character,
 * and no issuer before a `#`.
 */
export const faultOfName = (subject: string): string | null =>
  /%[\da-f]{2}/i.test(subject) || /^https?:.*#/i.test(subject) ? nameRule : faultOfSubject(subject);

const nameRule =
  'Give the name itself: without escapes such as %40, and with the issuer of a token as issuer, not before a #.';
const subjectRule =
  `Give an identifier of 1 to ${maxSubjectLength} printable ASCII characters, without quotes, brackets, or spaces at the edges or two in a row; ` +
  'put names for people to read in the directory.';
const addressRule = 'Give the address alone, such as ada@example.com: no name, scheme, quotes or comment around it.';

/** Remedy for an invalid issuer; null if it is valid. Issuers are compared letter by letter, so each has one spelling. */
export function faultOfIssuer(issuer: string): string | null {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const isPlain = url && (url.href === issuer || url.href === `${issuer}/`);
  const isBare = url && !url.username && !url.password && !url.search && !url.hash;
  return isPlain && isPrivateAddress(issuer) && isBare && issuer.length <= 512 ? null : issuerRule;
}

const issuerRule =
  'Give the issuer as it is written in its tokens: an https address, or http on this machine, without query or fragment.';

/**
 * The one key for a person in the directory, in names of calls, in grants and in the exclusion of the requester.
 * Case matters for subjects of an issuer. It does not matter for addresses and for names without an issuer, and what
 * follows a `+` in an address is the same mailbox.
 */
export const identityKey = ({ issuer = null, subject }: Identity): string =>
  JSON.stringify([issuer, issuer === null || subject.includes('@') ? foldSubject(subject) : subject]);

/** Common form of all spellings of one subject. */
export function foldSubject(subject: string): string {
  return subject.toLowerCase().replace(/(?<=.)\+.*(?=@)/, '');
}

/** Could both be the same person? Without an issuer on one side, its subject may be anyone of that name. */
export const mayBeSame = (first: Identity, other: Identity): boolean =>
  foldSubject(first.subject) === foldSubject(other.subject) &&
  (first.issuer == null || other.issuer == null || first.issuer === other.issuer);

/**
 * Is this exactly the same name? It lets a person in, where `mayBeSame` keeps one out: an issuer is never left out, and
 * case matters for its subjects.
 */
export const isSame = (first: Identity, other: Identity): boolean =>
  (first.issuer ?? null) === (other.issuer ?? null) && spellingOf(first) === spellingOf(other);

const spellingOf = ({ issuer, subject }: Identity): string => (issuer == null ? subject.toLowerCase() : subject);

/** A name in the directory, as it is written: `SUBJECT`, of any issuer, or `ISSUER#SUBJECT`. */
export function readIdentity(text: string): Identity {
  const at = /^https?:/.test(text) ? text.indexOf('#') : -1;
  return at < 0 ? { issuer: null, subject: text } : { issuer: text.slice(0, at), subject: text.slice(at + 1) };
}

/** The name in the directory of a subject of an issuer. */
export const nameAt = ({ issuer, subject }: { issuer: string; subject: string }): string => `${issuer}#${subject}`;

/** Remedy for an invalid name for the directory; null if it is valid. */
export function faultOfIdentity(text: string): string | null {
  const { issuer = null, subject } = readIdentity(text);
  return issuer == null ? faultOfName(subject) : (faultOfIssuer(issuer) ?? faultOfSubject(subject));
}
