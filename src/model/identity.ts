import { isLoopback } from './loopback.ts';

// A person is a subject of an issuer, never a spelling. What could be read as someone else's name is refused at the door.

/** Who is meant: the `sub` of an access token under its `iss`; without an issuer whatever a server knows them by. */
export interface Identity {
  issuer?: string | null | undefined;
  subject: string;
}

/** As many as OpenID Connect has. */
export const longestSubject = 255;

/**
 * OpenID Connect limits subjects to ASCII, so nothing in one is hidden, reordered, composed or borrowed from elsewhere.
 * Quotes and brackets would only stand around a name.
 */
const subjectPattern = /^[!#-'*-;=?-~]+(?: [!#-'*-;=?-~]+)*$/;
const addressPattern = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;

/** What to do about a subject that is none, or null. */
export function faultOfSubject(subject: string): string | null {
  if (subject.length > longestSubject || !subjectPattern.test(subject)) return subjectRule;
  return !subject.includes('@') || addressPattern.test(subject) ? null : addressRule;
}

const subjectRule =
  `Give an identifier of 1 to ${longestSubject} printable ASCII characters, without quotes, brackets, or spaces at the edges or two in a row; ` +
  'the directory has the names people read.';
const addressRule = 'Give the address alone, such as ada@example.com: no name, scheme, quotes or comment around it.';

/** What to do about an issuer that is none, or null: it is compared letter by letter, so it has one spelling. */
export function faultOfIssuer(issuer: string): string | null {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const isPlain = url && (url.href === issuer || url.href === `${issuer}/`);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(issuer));
  const isBare = url && !url.username && !url.password && !url.search && !url.hash;
  return isPlain && isSafe && isBare && issuer.length <= 512 ? null : issuerRule;
}

const issuerRule = 'Give the issuer as its tokens have it: an https address without query or fragment.';

/**
 * The one key by which the directory, names of calls, grants and the exclusion of the requester know a person.
 * An issuer tells subjects apart by case; addresses, and names that no issuer stands for, are told apart by no one's case,
 * and what follows a `+` in an address is the same mailbox.
 */
export const identityKey = ({ issuer = null, subject }: Identity): string =>
  JSON.stringify([issuer, issuer === null || subject.includes('@') ? foldSubject(subject) : subject]);

/** What two spellings of one subject have in common. */
export function foldSubject(subject: string): string {
  return subject.toLowerCase().replace(/(?<=.)\+.*(?=@)/, '');
}

/** Could both be the same person? Without an issuer on either side its subject may be anyone's of that name. */
export const mayBeSame = (one: Identity, other: Identity): boolean =>
  foldSubject(one.subject) === foldSubject(other.subject) &&
  (one.issuer == null || other.issuer == null || one.issuer === other.issuer);

/** A name in the directory, as it is written: `SUBJECT`, of any issuer, or `ISSUER#SUBJECT`. */
export function readIdentity(text: string): Identity {
  const at = /^https?:/.test(text) ? text.indexOf('#') : -1;
  return at < 0 ? { issuer: null, subject: text } : { issuer: text.slice(0, at), subject: text.slice(at + 1) };
}

/** What to do about a name for the directory that is none, or null. */
export function faultOfIdentity(text: string): string | null {
  const { issuer = null, subject } = readIdentity(text);
  return (issuer === null ? null : faultOfIssuer(issuer)) ?? faultOfSubject(subject);
}
