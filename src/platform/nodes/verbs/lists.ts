import { invalidInput } from '../../model/problem.ts';
import type { Engine } from './engine.ts';
import type { ListQuery } from '#people/users/contract';

interface Listed<T> {
  /** Position of an item, in the order of code points; no two are the same. */
  key(item: T): string;
  texts(item: T): string[];
}

/** A page in the order of its keys. Items added or renamed meanwhile are on a later page or on none, and never twice. */
export function pageOf<T>(
  items: readonly T[],
  { q, cursor, limit }: ListQuery,
  { key, texts }: Listed<T>,
): { items: T[]; next: string | null } {
  const [after, part] = [readCursor(cursor), q === undefined ? '' : fold(q)];
  const fitting = items
    .map((item) => ({ item, at: key(item) }))
    .filter(({ item, at }) => (after === null || at > after) && texts(item).some((text) => fold(text).includes(part)))
    .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const page = fitting.slice(0, limit);
  const last = fitting.length > limit ? page.at(-1) : undefined;
  return { items: page.map(({ item }) => item), next: last ? Buffer.from(last.at).toString('base64url') : null };
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

function readCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, 'base64url').toString();
  if (cursor !== '' && Buffer.from(key).toString('base64url') === cursor) return key;
  throw invalidInput(['cursor'], 'Start again without a cursor: this one is not valid.');
}

/** The current time, but later than all of these: the clocks of nodes differ, and related times must be in order. */
export const timeAfter = ({ now }: Pick<Engine, 'now'>, ...times: number[]): number =>
  times.reduce((latest, time) => Math.max(latest, time + 1), now());
