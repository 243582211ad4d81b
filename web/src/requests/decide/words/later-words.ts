import { spoken } from '../../../language/language.ts';
import * as englishAlways from './english-always.ts';
import * as englishKeeping from './english-keeping.ts';
import * as englishTimeline from './english-timeline.ts';
import * as germanAlways from './german-always.ts';
import * as frenchAlways from './french-always.ts';
import * as germanKeeping from './german-keeping.ts';
import * as frenchKeeping from './french-keeping.ts';
import * as germanTimeline from './german-timeline.ts';
import * as frenchTimeline from './french-timeline.ts';

/** The words of what stands after the decision. */
export const { history, nameActor, formatDelivery, formatEvent } = spoken<typeof englishTimeline>({
  en: englishTimeline,
  de: germanTimeline,
  fr: frenchTimeline,
});

export const { always } = spoken<typeof englishAlways>({ en: englishAlways, de: germanAlways, fr: frenchAlways });

export const { keeping } = spoken<typeof englishKeeping>({ en: englishKeeping, de: germanKeeping, fr: frenchKeeping });

/** The one thing that stands between this person and their approval, and to which the button leads. */
export type Left =
  | { kind: 'changed' }
  /** No passkey of theirs can sign it. */
  | { kind: 'passkey' }
  | { kind: 'read' }
  | { kind: 'answers'; count: number; first: string; isMissing: boolean }
  | { kind: 'comment' }
  | { kind: 'typed'; text: string };
