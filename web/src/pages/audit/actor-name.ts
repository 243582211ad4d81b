import { actors } from './words/words.ts';

/** Who did it, by name if it was a person. */
export const actorName = (
  { kind, id }: { kind: string; id?: string | undefined },
  names: Record<string, string>,
): string => (kind === 'user' ? (names[id ?? ''] ?? id ?? '') : (actors[kind] ?? kind));
