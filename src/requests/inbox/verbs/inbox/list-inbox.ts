import { may } from '#people/directory/contract/permission';
import { isId } from '#platform/model/id';
import { invalidInput } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import { maySeeSpace, seenBy } from '#policies/deciding/verbs/rules';
import type { Engine } from '#platform/nodes/verbs/engine';
import { openList, type ListFilters, type Position } from './open-list.ts';
import { viewerOf } from '../visibility/viewer-of.ts';

interface InboxRequest extends ListFilters {
  cursor?: string | undefined;
  limit: number;
}

/** One page of the inbox, with what its filters can be set to. */
export async function listInbox(engine: Engine, user: User, { cursor, limit, ...filters }: InboxRequest) {
  const after = readCursor(cursor);
  const [list, viewer, directory] = await Promise.all([
    openList(engine, user, filters),
    viewerOf(engine, user),
    engine.directory.read(),
  ]);
  const scope = seenBy(directory, user);
  const [{ rows, next }, counts, facets] = await Promise.all([
    list.read(viewer, after, limit),
    engine.inbox.counts(viewer),
    engine.inbox.facets(scope),
  ]);
  return {
    items: rows.map(({ item }) => item),
    next: next && writeCursor(next),
    counts: may(user, 'decide') ? counts : { ...counts, mine: 0 },
    ...facets,
    groups: directory.groups.filter(({ spaceId }) => maySeeSpace(directory, user, spaceId)).map(({ name }) => name),
  };
}

const writeCursor = (at: Position): string => Buffer.from(JSON.stringify(at)).toString('base64url');

function readCursor(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  try {
    const { rank, at, id } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Position;
    if ([0, 1, 2].includes(rank) && Number.isSafeInteger(at) && isId('elicitation', id)) return { rank, at, id };
  } catch {
    // answered below
  }
  throw invalidInput(['cursor'], 'Start again without a cursor: this one is not valid.');
}
