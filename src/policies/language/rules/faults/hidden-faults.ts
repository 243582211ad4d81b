import { codePoint, hiddenNames, hiddenPlaces } from '#platform/text/hidden-characters';
import { lookalikeNote } from '#platform/text/hidden-characters';
import { revealText } from '#platform/text/visible-text';

/**
 * What a new version may not hold: characters that its reviewers would not see, anywhere in the text, comments included. As an escape
 * they are seen. Versions that were published before it was known keep what they say.
 */
export const hiddenFaults = (text: string): { message: string; offset: number }[] =>
  hiddenPlaces(text).map(({ offset, character }) => {
    const name = hiddenNames[character];
    const shown = `${codePoint(character)}${name === undefined ? '' : ` (${name})`}`;
    return {
      offset,
      message: `Remove the hidden character ${shown}, or write "${escapeOf(character)}" in double quotes.`,
    };
  });

/** As YAML and CEL read it. */
function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** Words that may imitate others, with their lines: a reader takes them for what does not run. They are no faults: other scripts are. */
export const lookalikeWarnings = (text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, at) =>
      revealText(line).flatMap((segment) =>
        segment.kind === 'lookalike' ? [`Line ${at + 1}: ${segment.text} is ${lookalikeNote(segment)}.`] : [],
      ),
    );
