import { insightsWords } from '#locales/insights';
import { formats, language } from '../../../language/language.ts';

/** Words of the insights. */
export const { words } = insightsWords[language];

/** Seconds in a suitable unit: "95 seconds", "12 minutes"; words for none. */
export function formatWait(seconds: number | null): string {
  if (seconds === null) return words.none;
  const unit = units.find((size) => seconds >= 2 * size) ?? 1;
  return formats.duration(Math.max(1, Math.round(seconds / unit)) * unit * 1000);
}

const units = [86_400, 3_600, 60];
