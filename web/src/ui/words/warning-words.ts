import { platformWarningsWords } from '#locales/platform-warnings';
import { formatWarning as formatIn, type SaidWarning } from '#messages/warning-sentences';
import type { NodeWarning } from '#platform/nodes/contract/node-warning';
import { language } from '../../language/language.ts';

export const formatWarning = (warning: NodeWarning, moment: (at: number) => string): SaidWarning =>
  formatIn(warning, moment, platformWarningsWords[language]);
