import type { Extension } from '@codemirror/state';
import { highlightSpecialChars } from '@codemirror/view';
import { codePoint, hiddenCharacter } from '#platform/text/hidden-characters';
import { textWords } from '../../language/words/text-words.ts';

/** Spells out what the eye would miss: an author, and who reads the text, see the characters that run. */
export const showHidden: Extension = highlightSpecialChars({
  specialChars: hiddenCharacter,
  render(code) {
    const character = String.fromCodePoint(code);
    const shown = document.createElement('span');
    shown.className = 'cm-hidden-character';
    shown.dataset['hiddenCharacters'] = '';
    shown.textContent = `⟨${codePoint(character)}⟩`;
    shown.title = textWords.hiddenNames[character] ?? codePoint(character);
    return shown;
  },
});
