import type { RequestRecord } from '#audit/search/contract';
import { formats } from '../../../language/language.ts';
import { describeMoment } from '../../../ui/relative-time.ts';
import { codes, facts as words } from '../words/words.ts';

type Entry = NonNullable<RequestRecord['entries'][number]['entry']>;
type Names = RequestRecord['names'];

/** What an entry says beyond who did what when, and beyond what the page says above its timeline. */
export const entryFacts = (entry: Entry, names: Names): { name: string; value: string }[] =>
  Object.entries(entry)
    .filter(([key, value]) => !isShown(key, entry.type) && value !== null)
    .map(([key, value]) => ({ name: words[key] ?? key, value: formatFact(key, value, names) }));

const ownParts = ['v', 'id', 'at', 'type', 'actor', 'rows', 'elicitation', 'server', 'serverName', 'tool'];
const questionParts = ['digest', 'revision', 'policy', 'risk', 'requester', 'requesters', 'from', 'to', 'waited'];
const voteParts = ['vote', 'seen', 'meanings', 'factor', 'issuer', 'keyMaker', 'for', 'channel'];
const accessParts = ['about', 'since'];

const isShown = (key: string, type: string): boolean =>
  [...ownParts, ...questionParts, ...accessParts].includes(key) ||
  (key === 'stage' && type !== 'elicitation.vote-withdrawn') ||
  (type === 'elicitation.voted' && voteParts.includes(key)) ||
  (type === 'elicitation.edited' && key === 'replaces');

function formatFact(key: string, value: unknown, names: Names): string {
  if (typeof value === 'string') return names[value] ?? codes[key === 'action' ? 'choice' : key]?.[value] ?? value;
  if (Array.isArray(value)) return formats.all(value.map((part) => formatFact(key, part, names)));
  if (typeof value === 'number') return formatNumber(key, value);
  if (typeof value === 'object' && value !== null)
    return Object.values(value)
      .map((part) => formatFact(key, part, names))
      .join(', ');
  return String(value);
}

function formatNumber(key: string, value: number): string {
  if (isTime(key)) return describeMoment(value, 'UTC');
  if (key === 'allowFor') return formats.duration(value);
  return formats.number(stages.includes(key) ? value + 1 : value);
}

/** Counted from 1. */
const stages = ['stage', 'of', 'reopens'];

const isTime = (key: string): boolean => key.endsWith('At') || key === 'notBefore' || key === 'until';
