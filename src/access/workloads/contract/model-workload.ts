/** Who asks as an MCP server by a token of an issuer, instead of a key. */
export interface WorkloadTerms {
  /** As the issuer writes itself in its tokens. */
  issuer: string;
  /** For whom its tokens must be. */
  audience: string;
  /** Exact, or with a `*` at the end of a part: parts are separated by `:` and `/`. */
  subject: string;
  /** Other claims, each with the exact text that it must have. */
  claims: Readonly<Record<string, string>>;
}

/** What a token says, once its signature and times are verified. */
export interface ProvenWorkload {
  issuer: string;
  subject: string;
  audience: readonly string[];
  claims: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** At least one character before each `*`, so that no pattern is everything, and none in the middle of a part. */
export const subjectPattern = /^(?!\*)[^*\s]+(?:\*(?=$|[:/])[^*\s]*)*$/;
export const subjectRule = 'Give a subject, in which * may stand at the end of a part between : and /.';

/** Is this token for these terms? A `*` stands for one or more characters, and never for `:` or `/`. */
export const fitsWorkload = (terms: WorkloadTerms, token: ProvenWorkload): boolean =>
  token.issuer === terms.issuer &&
  token.audience.includes(terms.audience) &&
  fitsSubject(terms.subject, token.subject) &&
  Object.entries(terms.claims).every(
    ([name, text]) => Object.hasOwn(token.claims, name) && token.claims[name] === text,
  );

function fitsSubject(pattern: string, subject: string): boolean {
  const parts = pattern.split('*').map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^:/]+')}$`).test(subject);
}

/** Could one token be for both of these terms? */
export const overlap = (first: WorkloadTerms, second: WorkloadTerms): boolean =>
  first.issuer === second.issuer &&
  first.audience === second.audience &&
  Object.entries(first.claims).every(([name, text]) => (ownClaim(second, name) ?? text) === text) &&
  subjectsOverlap(first.subject.split(separator), second.subject.split(separator));

const ownClaim = ({ claims }: WorkloadTerms, name: string): string | undefined =>
  Object.hasOwn(claims, name) ? claims[name] : undefined;

/** The separators stand among the parts, because no `*` is one of them. */
const separator = /([:/])/;

const subjectsOverlap = (parts: readonly string[], others: readonly string[]): boolean =>
  parts.length === others.length && parts.every((part, at) => partsOverlap(part, others[at] ?? ''));

function partsOverlap(first: string, second: string): boolean {
  const [start, begin] = [first, second].map((part) => part.replace(/\*$/, '')) as [string, string];
  if (first === start && second === begin) return first === second;
  if (first === start) return first.length > begin.length && first.startsWith(begin);
  if (second === begin) return second.length > start.length && second.startsWith(start);
  return start.startsWith(begin) || begin.startsWith(start);
}
