import { actors } from './words/words.ts';

/** Actor of an entry, by name if it was a person or a program. */
export function actorName(
  { kind, id, name }: { kind: string; id?: string | undefined; name?: unknown },
  names: Record<string, string>,
): string {
  if (kind === 'user') return names[id ?? ''] ?? id ?? '';
  const by = actors[kind] ?? kind;
  return typeof name === 'string' ? `${by}: ${name}` : by;
}
