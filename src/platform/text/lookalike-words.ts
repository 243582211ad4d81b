import { lookalikes as english } from '#locales/texts.en';
import type { Lookalike, Stranger } from './lookalikes.ts';
import { codePoint } from './hidden-characters.ts';

/** Words of a language for look-alikes. */
type LookalikeWords = typeof english;

/** Note next to a look-alike: "not Latin: Cyrillic а U+0430", "৪ U+09EA is the digit 4". */
export function describeLookalike({ strangers }: Lookalike, words: LookalikeWords): string {
  const named = strangers.flatMap((stranger) =>
    stranger.is === 'script' ? [`${words.scripts[stranger.script]} ${withCode(stranger)}`] : [],
  );
  const others = strangers.flatMap((stranger) => describeStranger(stranger, words) ?? []);
  return [...(named.length > 0 ? [`${words.notLatin} ${named.join(', ')}`] : []), ...others].join('; ');
}

function describeStranger(stranger: Stranger, words: LookalikeWords): string | null {
  switch (stranger.is) {
    case 'script':
      return null;
    case 'digit':
      return `${withCode(stranger)} ${words.digit(stranger.digit)}`;
    case 'like':
      return `${withCode(stranger)} ${words.like(stranger.like)}`;
    case 'foreign':
      return `${withCode(stranger)} ${words.foreign}`;
    case 'overlay':
      return `${codePoint(stranger.letter)} ${words.overlay}`; // the mark alone would be drawn over the space before it
  }
}

const withCode = ({ letter }: Stranger): string => `${letter} ${codePoint(letter)}`;

/** Note in English. */
export const lookalikeNote = (lookalike: Lookalike): string => describeLookalike(lookalike, english);
