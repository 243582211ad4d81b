interface Claims {
  claims: Record<string, string>;
  /** The first line that is no claim; null if each is one. */
  wrong: string | null;
}

/** The claims in a text that has one a line, as `name=text`; empty lines say nothing. */
export function readClaims(text: string): Claims {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line): [string, string] => {
    const [name = '', ...rest] = line.split('=');
    return [name.trim(), rest.join('=').trim()];
  });
  const wrong = lines.find((_line, at) => pairs[at]?.includes('') || isTwice(pairs, at)) ?? null;
  return { claims: Object.fromEntries(pairs), wrong: wrong && wrong.trim() };
}

/** The later line would stand over the earlier one in silence. */
const isTwice = (pairs: readonly [string, string][], at: number): boolean =>
  pairs.findIndex(([name]) => name === pairs[at]?.[0]) < at;
