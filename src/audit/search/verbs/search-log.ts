import { entryIn } from '../../entries/rules/entry/entry.ts';
import { assertServersOf } from '#policies/deciding/verbs/rules/assert-may';
import { filterFacts, type LogFilter } from '../../exports/rules/filter.ts';
import { isId } from '#platform/model/id';
import { invalidInput } from '#platform/model/problem/problem';
import type { User } from '#people/directory/contract/user';
import type { EntryPosition } from '../store/entry-search.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { namesIn } from '../../verify/verbs/verify-state/names-in.ts';
import { unknownIn } from './unknown-in.ts';

interface LogSearch {
  filter: LogFilter;
  cursor?: string | undefined;
  limit: number;
}

/**
 * The entries that fit, the newest first, a page at a time, for administrators and reviewers; for those of a space, the
 * entries about requests of its servers. An entry says who searched for what first.
 */
export async function searchLog(
  {
    entries,
    access,
    rules,
    askedNames,
    directory,
    now,
  }: Pick<Engine, 'entries' | 'access' | 'rules' | 'askedNames' | 'directory' | 'now'>,
  user: User,
  { filter, cursor, limit }: LogSearch,
) {
  const among = assertServersOf(await directory.read(), user, 'read-log');
  const after = readCursor(cursor);
  const by = { kind: 'user', id: user.id } as const;
  await access.recordAccess({ type: 'access.listed', what: 'log', by, about: filterFacts(filter) });
  const rows = await entries.page(filter, after, limit + 1, among);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    entries: page.map(({ place, server, tool, body }) => ({ place, server, tool, entry: entryIn(body) })),
    names: namesIn(page, (await rules.users()).names),
    cursor: last ? writeCursor(last) : null,
    unknown: rows.length === 0 && !after ? await unknownIn({ askedNames, now }, filter, among) : [],
  };
}

const writeCursor = ({ at, id }: EntryPosition): string =>
  Buffer.from(JSON.stringify({ at, id })).toString('base64url');

function readCursor(cursor: string | undefined): EntryPosition | null {
  if (cursor === undefined) return null;
  try {
    const { at, id } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as EntryPosition;
    if (Number.isSafeInteger(at) && isId('entry', id)) return { at, id };
  } catch {
    // answered below
  }
  throw invalidInput(['cursor'], 'Start again without a cursor: this one is not valid.');
}
