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
