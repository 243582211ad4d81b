import type { SavedViewId, UserId } from '#platform/model/id';
import type { Database } from '#platform/database/database';
import { lockUser } from '#people/users/store/access';

export interface StoredView {
  id: SavedViewId;
  owner: { id: UserId; name: string };
  isShared: boolean;
  sealed: Uint8Array;
  /** Milliseconds since 1970. */
  savedAt: number;
}

interface Resealing {
  was: Uint8Array;
  now: Uint8Array;
}

/** Views of others that a list can hold at most; nothing but the console's list of them reads so many. */
const maxListed = 500;

/** Lists of requests that people have given a name. */
export const createSavedViews = ({ prisma }: Pick<Database, 'prisma'>) => {
  const include = { user: { select: { id: true, name: true } } };
  return {
    list: async (): Promise<StoredView[]> =>
      (await prisma.savedView.findMany({ include, orderBy: { id: 'asc' } })).map(toView),
    /** This person's own and all shared views, the newest first. */
    async listFor(userId: UserId): Promise<StoredView[]> {
      const orderBy = [{ savedAt: 'desc' as const }, { id: 'asc' as const }];
      const where = { isShared: true, userId: { not: userId } };
      const [own, others] = await Promise.all([
        prisma.savedView.findMany({ where: { userId }, include, orderBy }),
        prisma.savedView.findMany({ where, include, orderBy, take: maxListed }),
      ]);
      return [...own, ...others].map(toView).toSorted((a, b) => b.savedAt - a.savedAt);
    },
    async find(id: SavedViewId): Promise<StoredView | null> {
      const row = await prisma.savedView.findUnique({ where: { id }, include });
      return row && toView(row);
    },
    /** Stores nothing, and says why, if the person has `most` already or has been disabled. */
    add: (
      { id, owner: { id: userId }, isShared, sealed, savedAt }: StoredView,
      most: number,
    ): Promise<'added' | 'too-many' | 'disabled'> =>
      prisma.$transaction(async (tx) => {
        await lockUser(tx, userId);
        if (!(await tx.user.findUnique({ where: { id: userId, disabledAt: null } }))) return 'disabled';
        if ((await tx.savedView.count({ where: { userId } })) >= most) return 'too-many';
        const data = { id, userId, isShared, sealed: new Uint8Array(sealed), savedAt: new Date(savedAt) };
        await tx.savedView.create({ data });
        return 'added';
      }),
    /** False, and nothing is written, if it has changed since it was read. */
    async change(id: SavedViewId, { was, now, isShared }: Resealing & { isShared: boolean }): Promise<boolean> {
      const where = { id, sealed: new Uint8Array(was) };
      const { count } = await prisma.savedView.updateMany({ where, data: { sealed: new Uint8Array(now), isShared } });
      return count === 1;
    },
    remove: async (id: SavedViewId): Promise<boolean> =>
      (await prisma.savedView.deleteMany({ where: { id } })).count === 1,
    async rewrap(id: SavedViewId, { was, now }: Resealing) {
      const where = { id, sealed: new Uint8Array(was) };
      await prisma.savedView.updateMany({ where, data: { sealed: new Uint8Array(now) } });
    },
  };
};

interface ViewRow {
  id: string;
  isShared: boolean;
  sealed: Uint8Array;
  savedAt: Date;
  user: { id: string; name: string };
}

const toView = ({ id, isShared, sealed, savedAt, user }: ViewRow): StoredView => ({
  id: id as SavedViewId,
  owner: { id: user.id as UserId, name: user.name },
  isShared,
  sealed,
  savedAt: savedAt.getTime(),
});
