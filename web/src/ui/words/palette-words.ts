import { framePaletteWords } from '#locales/frame-palette';
import { language } from '../../language/language.ts';

export const { palette } = framePaletteWords[language];

const { controlK, does, ...words } = framePaletteWords[language].shortcuts;

interface Shortcut {
  keys: string[];
  does: string;
  isSequence?: true;
}

const keys: Record<keyof typeof does, Shortcut[]> = {
  everywhere: [
    { keys: [controlK, '⌘K'], does: does.everywhere.find },
    { keys: ['?'], does: does.everywhere.help },
  ],
  list: [
    { keys: ['j', 'n'], does: does.list.next },
    { keys: ['k'], does: does.list.previous },
    { keys: ['o', 'Enter'], does: does.list.open },
    { keys: ['x'], does: does.list.select },
    { keys: ['X'], does: does.list.range },
    { keys: ['*'], does: does.list.tool },
    { keys: ['t'], does: does.list.together },
    { keys: ['/'], does: does.list.search },
  ],
  request: [
    { keys: ['j', 'n'], does: does.request.next },
    { keys: ['k'], does: does.request.previous },
    { keys: ['/'], does: does.request.back },
    { keys: ['a', 'y'], isSequence: true, does: does.request.approve },
    { keys: ['d', 'y'], isSequence: true, does: does.request.decline },
    { keys: ['Esc'], does: does.request.cancel },
  ],
  together: [
    { keys: ['a'], does: does.together.approve },
    { keys: ['d'], does: does.together.decline },
    { keys: ['/'], does: does.together.back },
  ],
};

export const shortcuts = { ...words, keys };
