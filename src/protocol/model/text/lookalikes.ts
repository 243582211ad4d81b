/** A word that may imitate another: it mixes scripts, or all its letters look Latin and are not. */
export interface Lookalike {
  kind: 'lookalike';
  text: string;
  /** The letters that look like others. */
  strangers: Stranger[];
}

interface Stranger {
  script: Script;
  letter: string;
}

/** `Styled` is Latin, drawn full-width or as a mathematical sign. */
export type Script = (typeof scripts)[number][0] | 'Styled';

type Plain = { kind: 'text'; text: string };

/** Splits plain text at words that may imitate others; `whole` is the surrounding text. */
export function markLookalikes(plain: string, whole: string): (Plain | Lookalike)[] {
  if (!foreign.test(plain)) return [{ kind: 'text', text: plain }];
  const isForeignText = unlikeLatin.test(whole);
  return plain
    .split(words)
    .filter((part) => part !== '')
    .map((part) => toLookalike(part, whole, isForeignText) ?? { kind: 'text', text: part });
}

function toLookalike(word: string, whole: string, isForeignText: boolean): Lookalike | null {
  const letters = [...new Set(word)];
  const strangers = letters.filter((letter) => isStranger(letter));
  const styled = letters.filter((letter) => styledLatin.test(letter));
  const isMixed = strangers.length > 0 && latin.test(word);
  const isDisguised = !isForeignText && imitating.test(word) && latin.test(whole);
  const suspects = isMixed || isDisguised ? [...strangers, ...styled] : styled;
  return suspects.length === 0 ? null : { kind: 'lookalike', text: word, strangers: suspects.map(describe) };
}

const scripts = [
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Lisu', /\p{Script=Lisu}/u],
] as const;
const words = /([\p{L}\p{M}\p{N}]+)/u;
const latin = /(?![\uFF00-\uFFEF])\p{Script=Latin}/u;
// Full-width and mathematical letters and digits look like plain ones.
const styledLatin = /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/u;
const foreign =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\uFF10-\uFF5A\u{1D400}-\u{1D7FF}]/u;

// Letters drawn like Latin ones. A word of only these is suspicious, unless the text is clearly in that script.
const drawnLikeLatin = 'аеорсухѕіјһԁԛԝӏьАВЕКМНОРСТХІЈЅҮοναρικυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const imitating = new RegExp(`^[${drawnLikeLatin}\\d]*[${drawnLikeLatin}]{2}[${drawnLikeLatin}\\d]*$`, 'u');
const unlikeLatin = new RegExp(`(?![${drawnLikeLatin}])[\\p{Script=Cyrillic}\\p{Script=Greek}]`, 'u');

const isStranger = (letter: string): boolean => scripts.some(([, letters]) => letters.test(letter));

const describe = (letter: string): Stranger => ({
  script: scripts.find(([, letters]) => letters.test(letter))?.[0] ?? 'Styled',
  letter,
});
